// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Directions that all normals of moving triangles are on one side of: the first condition of
// continuous normal cones. [Volino], [Tang]
//
// With vertices on straight lines the normal of a triangle, not of unit length, is quadratic in
// time, so that it stays in the cone of its three Bernstein coefficients: a direction that has a
// positive product with these has one with the normal at any time of the step.
#ifndef WARPYARD_RESEARCH_NORMAL_CONES_MOVING_NORMALS_H_
#define WARPYARD_RESEARCH_NORMAL_CONES_MOVING_NORMALS_H_

#include <array>
#include <optional>
#include <span>

#include "core/workload/geometry/vector3.h"

namespace warpyard::normal_cones {

using geometry::Vector3d;

/// The Bernstein coefficients of a moving normal, scaled to unit length each.
using MovingNormal = std::array<Vector3d, 3>;

/// Nothing, if a coefficient is so short that rounding has a say in where it points.
/// @shape start, end: the corners of a triangle
std::optional<MovingNormal> MovingNormalOf(const std::array<Vector3d, 3>& start,
                                           const std::array<Vector3d, 3>& end);

/// A unit vector whose products with all coefficients are positive by far more than rounding, the
/// least of them at least half of what is possible. Nothing, if there is none; also nothing if the
/// coefficients come within some two degrees of all around a half space.
std::optional<Vector3d> CommonDirection(std::span<const MovingNormal> normals);

}  // namespace warpyard::normal_cones

#endif  // WARPYARD_RESEARCH_NORMAL_CONES_MOVING_NORMALS_H_
