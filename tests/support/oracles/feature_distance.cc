// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "tests/support/oracles/feature_distance.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace warpyard::test_support {
namespace {

/// The point at fraction `s` of the way from a to b.
Vec3 Between(const Vec3& a, const Vec3& b, double s) {
  Vec3 point{};
  for (std::size_t axis = 0; axis < 3; ++axis) point[axis] = (1 - s) * a[axis] + s * b[axis];
  return point;
}

/// The distance from a point to a segment: to the point's projection, clamped to the segment.
double ToSegment(const Vec3& p, const Vec3& a, const Vec3& b) {
  double along = 0, squared = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    along += (p[axis] - a[axis]) * (b[axis] - a[axis]);
    squared += (b[axis] - a[axis]) * (b[axis] - a[axis]);
  }
  const double s = squared > 0 ? std::clamp(along / squared, 0.0, 1.0) : 0;
  return Distance(p, Between(a, b, s));
}

/// The least value of a convex function on [0, 1], by a search that removes a third in each round.
template <class Function>
double LeastOf(Function function) {
  double low = 0, high = 1;
  double least = std::min(function(low), function(high));
  for (int round = 0; round < 52; ++round) {
    const double left = low + (high - low) / 3, right = high - (high - low) / 3;
    const double at_left = function(left), at_right = function(right);
    least = std::min({least, at_left, at_right});
    (at_left < at_right ? high : low) = at_left < at_right ? right : left;
  }
  return least;
}

}  // namespace

std::array<Vec3, 4> PointsAt(const Query& query, double time) {
  std::array<Vec3, 4> points{};
  for (std::size_t k = 0; k < 4; ++k) points[k] = Between(query.start[k], query.end[k], time);
  return points;
}

double Distance(const Vec3& a, const Vec3& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

double DistanceAt(const Query& query, double time) {
  const std::array<Vec3, 4> p = PointsAt(query, time);
  if (query.kind == PairKind::kEdgeEdge) {
    return LeastOf([&](double s) { return ToSegment(Between(p[0], p[1], s), p[2], p[3]); });
  }
  // Treats the triangle as segments that are parallel to one side.
  return LeastOf(
      [&](double s) { return ToSegment(p[0], Between(p[1], p[2], s), Between(p[3], p[2], s)); });
}

}  // namespace warpyard::test_support
