// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/grammar/rectangle.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <tuple>
#include <utility>

namespace warpyard::server {
namespace {

/// A side must save so much of the area to be better than an earlier one: rounding must not choose.
constexpr double kBetter = 1 - 1e-9;

GroundPoint operator-(const GroundPoint& a, const GroundPoint& b) { return {a.x - b.x, a.z - b.z}; }

double Dot(const GroundPoint& a, const GroundPoint& b) { return a.x * b.x + a.z * b.z; }

double Cross(const GroundPoint& a, const GroundPoint& b) { return a.x * b.z - a.z * b.x; }

/// A quarter turn, from x to z.
GroundPoint Turned(const GroundPoint& a) { return {-a.z, a.x}; }

/// The corners of the convex hull from the least x on, in the direction from x to z (Andrew's
/// monotone chain).
std::vector<GroundPoint> HullOf(std::vector<GroundPoint> points) {
  std::sort(points.begin(), points.end(), [](const GroundPoint& a, const GroundPoint& b) {
    return std::tie(a.x, a.z) < std::tie(b.x, b.z);
  });
  std::vector<GroundPoint> hull;
  const auto add = [&hull](const GroundPoint& point, std::size_t kept) {
    while (hull.size() >= kept + 2 &&
           Cross(hull.back() - hull[hull.size() - 2], point - hull.back()) <= 0) {
      hull.pop_back();
    }
    hull.push_back(point);
  };
  for (const GroundPoint& point : points) add(point, 0);
  const std::size_t lower = hull.size() - 1;
  for (std::size_t i = points.size() - 1; i-- > 0;) add(points[i], lower);
  if (hull.size() > 1) hull.pop_back();  // the first one again
  return hull;
}

/// The corner of a hull that is farthest in a direction, from corner `from` on.
std::size_t Farthest(const std::vector<GroundPoint>& hull, std::size_t from,
                     const GroundPoint& direction) {
  // Rounding must not make it go round for ever.
  for (std::size_t steps = 0; steps < hull.size(); ++steps) {
    const std::size_t next = (from + 1) % hull.size();
    if (!(Dot(direction, hull[next] - hull[from]) > 0)) break;
    from = next;
  }
  return from;
}

/// The same rectangle, with an axis near x.
Rectangle Upright(Rectangle rectangle) {
  const auto is_upright = [](const GroundPoint& axis) { return axis.x >= std::abs(axis.z); };
  for (int turn = 0; turn < 3 && !is_upright(rectangle.axis); ++turn) {
    const GroundPoint& axis = rectangle.axis;
    rectangle.corner.x += axis.x * rectangle.width;
    rectangle.corner.z += axis.z * rectangle.width;
    rectangle.axis = Turned(axis);
    std::swap(rectangle.width, rectangle.depth);
  }
  return rectangle;
}

}  // namespace

Rectangle LeastRectangle(std::vector<GroundPoint> points) {
  const std::vector<GroundPoint> hull = HullOf(std::move(points));
  Rectangle best = {hull[0], {1, 0}, 0, 0};
  double least_area = std::numeric_limits<double>::infinity();
  // The farthest corners in the three other directions. They turn with the side.
  std::size_t right = 0, top = 0, left = 0;
  for (std::size_t i = 0; i < hull.size(); ++i) {
    const GroundPoint side = hull[(i + 1) % hull.size()] - hull[i];
    const double length = std::sqrt(Dot(side, side));
    if (!(length > 0)) continue;
    const GroundPoint axis = {side.x / length, side.z / length};
    const GroundPoint up = Turned(axis), back = Turned(up);
    right = Farthest(hull, i == 0 ? 0 : right, axis);
    top = Farthest(hull, i == 0 ? right : top, up);
    left = Farthest(hull, i == 0 ? top : left, back);
    const double before = Dot(back, hull[left] - hull[i]);
    const double width = Dot(axis, hull[right] - hull[i]) + before;
    const double depth = Dot(up, hull[top] - hull[i]);
    if (!(width * depth < least_area * kBetter)) continue;
    least_area = width * depth;
    const GroundPoint corner = {hull[i].x - axis.x * before, hull[i].z - axis.z * before};
    best = Upright({corner, axis, width, depth});
  }
  return best;
}

}  // namespace warpyard::server
