// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The rectangle of least area around points of a plane.
#ifndef WARPYARD_SERVER_GRAMMAR_RECTANGLE_H_
#define WARPYARD_SERVER_GRAMMAR_RECTANGLE_H_

#include <vector>

namespace warpyard::server {

/// Of the ground. Seen from above, z points down the page where x points to the right.
struct GroundPoint {
  double x = 0;
  double z = 0;
};

struct Rectangle {
  GroundPoint corner;  ///< its sides go from here along `axis` and along (-axis.z, axis.x)
  GroundPoint axis;    ///< a unit vector, at most 45 degrees from x
  double width = 0;    ///< along `axis`
  double depth = 0;
};

/// Equal for any order of the points. If they are on a line, the depth or the width is 0, or
/// almost.
/// @shape points: one at least, all finite
/// @source [Toussaint 1983]: a side of the hull is on a side of the rectangle
Rectangle LeastRectangle(std::vector<GroundPoint> points);

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_GRAMMAR_RECTANGLE_H_
