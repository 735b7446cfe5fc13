// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/grammar/rectangle.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace warpyard::server {
namespace {

double Cross(const Point2& o, const Point2& a, const Point2& b) {
  return (a.x - o.x) * (b.z - o.z) - (a.z - o.z) * (b.x - o.x);
}

/// The corners of the convex hull (Andrew's monotone chain).
std::vector<Point2> HullOf(std::span<const Point2> points) {
  std::vector<Point2> sorted(points.begin(), points.end());
  std::sort(sorted.begin(), sorted.end(),
            [](const Point2& a, const Point2& b) { return a.x != b.x ? a.x < b.x : a.z < b.z; });
  if (sorted.size() < 3) return sorted;
  std::vector<Point2> hull;
  const auto add = [&](const Point2& point, std::size_t least) {
    while (hull.size() >= least + 2 && Cross(hull[hull.size() - 2], hull.back(), point) <= 0) {
      hull.pop_back();
    }
    hull.push_back(point);
  };
  for (const Point2& point : sorted) add(point, 0);
  const std::size_t lower = hull.size() - 1;
  for (std::size_t i = sorted.size() - 1; i-- > 0;) add(sorted[i], lower);
  hull.pop_back();
  return hull;
}

/// The rectangle around points whose first side has a direction.
Rectangle Around(std::span<const Point2> points, const Point2& axis) {
  double least[2] = {1e300, 1e300}, most[2] = {-1e300, -1e300};
  for (const Point2& p : points) {
    const double along[2] = {p.x * axis.x + p.z * axis.z, p.z * axis.x - p.x * axis.z};
    for (int i = 0; i < 2; ++i) {
      least[i] = std::min(least[i], along[i]);
      most[i] = std::max(most[i], along[i]);
    }
  }
  return {{least[0] * axis.x - least[1] * axis.z, least[0] * axis.z + least[1] * axis.x},
          axis,
          most[0] - least[0],
          most[1] - least[1]};
}

}  // namespace

Rectangle LeastRectangle(std::span<const Point2> points) {
  const std::vector<Point2> hull = HullOf(points);
  Rectangle best = Around(hull, {1, 0});
  for (std::size_t i = 0; i < hull.size(); ++i) {
    const Point2& a = hull[i];
    const Point2& b = hull[(i + 1) % hull.size()];
    const double length = std::hypot(b.x - a.x, b.z - a.z);
    if (!(length > 0)) continue;
    const Rectangle found = Around(hull, {(b.x - a.x) / length, (b.z - a.z) / length});
    // Rounding must not decide between sides that are as good.
    if (found.width * found.depth < best.width * best.depth * (1 - 1e-9)) best = found;
  }
  return best;
}

}  // namespace warpyard::server
