// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Directions such that all normals of moving triangles are on one side: the first condition of
// continuous normal cones. [Volino], [Tang]
//
// Vertices move on straight lines. So the normal of a triangle, not of unit length, is quadratic in
// time and stays in the cone of its three Bernstein coefficients. A direction with positive
// products with these coefficients has a positive product with the normal at any time of the step.
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

/// Returns nothing if a coefficient is so short that rounding may change its direction.
/// @shape start, end: the corners of a triangle
std::optional<MovingNormal> MovingNormalOf(const std::array<Vector3d, 3>& start,
                                           const std::array<Vector3d, 3>& end);

/// A unit vector whose products with all coefficients are positive by far more than rounding; the
/// least product is at least half of the largest possible one. Returns nothing if there is none.
/// Also returns nothing if the coefficients span nearly a half space, up to about two degrees.
std::optional<Vector3d> CommonDirection(std::span<const MovingNormal> normals);

}  // namespace warpyard::normal_cones

#endif  // WARPYARD_RESEARCH_NORMAL_CONES_MOVING_NORMALS_H_
