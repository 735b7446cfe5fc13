// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/grammar/occlusion/outline.h"

#include <algorithm>
#include <limits>

namespace warpyard::grammar {
namespace {

/// What is nearer to the plane of the eye, in metres, is cut off. A millimetre in a city of 10,000
/// km is still many roundings.
constexpr double kAhead = 1e-3;

/// Positive: c is to the left of the line from a to b.
double SideOf(const Point2d& a, const Point2d& b, const Point2d& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

}  // namespace

bool SeenCorners::AreOutside() const {
  const auto all = [&](auto is_beyond) { return std::ranges::all_of(points, is_beyond); };
  return all([](const Vector3d& p) { return p.z < kAhead; }) ||
         all([](const Vector3d& p) { return p.x > p.z; }) ||
         all([](const Vector3d& p) { return -p.x > p.z; }) ||
         all([](const Vector3d& p) { return p.y > p.z; }) ||
         all([](const Vector3d& p) { return -p.y > p.z; });
}

Points2d PictureOf(const SeenCorners& corners) {
  const auto& points = corners.points;
  Points2d picture;
  for (std::size_t c = 0; c < points.size(); ++c) {
    const Vector3d& here = points[c];
    if (here.z >= kAhead) picture.push_back({here.x / here.z, here.y / here.z});
    for (std::size_t e = 0; e < 3; ++e) {
      const std::size_t other = c | std::size_t{1} << e;
      if (other == c) continue;  // the edge comes from its other end
      const Vector3d& there = points[other];
      if ((here.z >= kAhead) == (there.z >= kAhead)) continue;
      const double part = (kAhead - here.z) / (there.z - here.z);
      const Vector3d cut = here + part * (there - here);
      picture.push_back({cut.x / kAhead, cut.y / kAhead});
    }
  }
  return picture;
}

// Andrew's monotone chain.
Points2d HullOf(Points2d points) {
  std::ranges::sort(points, [](const Point2d& a, const Point2d& b) {
    return a.x < b.x || (a.x == b.x && a.y < b.y);
  });
  Points2d hull;
  const auto add = [&hull](const Point2d& point, std::size_t keep) {
    while (hull.size() > keep + 1 && SideOf(hull[hull.size() - 2], hull.back(), point) <= 0) {
      hull.pop_back();
    }
    hull.push_back(point);
  };
  for (const Point2d& point : points) add(point, 0);
  const std::size_t lower = hull.empty() ? 0 : hull.size() - 1;
  for (auto point = points.rbegin(); point != points.rend(); ++point) add(*point, lower);
  if (!hull.empty()) hull.pop_back();
  return hull;
}

std::pair<double, double> SectionOf(const Points2d& polygon, double y) {
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Point2d& a = polygon[i];
    const Point2d& b = polygon[(i + 1) % polygon.size()];
    if (std::min(a.y, b.y) > y || std::max(a.y, b.y) < y) continue;
    const double x = a.y == b.y ? a.x : a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x);
    least = std::min(least, x);
    most = std::max(most, x);
  }
  return {least, most};
}

}  // namespace warpyard::grammar
