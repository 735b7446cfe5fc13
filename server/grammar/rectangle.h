// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The least rectangle around a polygon.
#ifndef WARPYARD_SERVER_GRAMMAR_RECTANGLE_H_
#define WARPYARD_SERVER_GRAMMAR_RECTANGLE_H_

#include <span>

namespace warpyard::server {

struct Point2 {
  double x;
  double z;
};

/// Seen from above. @shape axis: a unit vector from the corner along the width; the depth goes
/// along
/// (-axis.z, axis.x)
struct Rectangle {
  Point2 corner;
  Point2 axis;
  double width;
  double depth;
};

/// The rectangle of the least area around points, one side of which lies along a side of their
/// convex hull (rotating calipers, without their speed). The sides of points on a line have no
/// length.
/// @shape points: at least 1, finite
Rectangle LeastRectangle(std::span<const Point2> points);

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_GRAMMAR_RECTANGLE_H_
