// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Oriented boxes in rational numbers: whether a point is in a box, and whether two boxes are apart.
#ifndef WARPYARD_TESTS_SUPPORT_ORACLES_EXACT_BOX_H_
#define WARPYARD_TESTS_SUPPORT_ORACLES_EXACT_BOX_H_

#include <array>

#include "core/workload/geometry/oriented_box.h"
#include "core/workload/geometry/vector3.h"

namespace warpyard::test_support {

/// Whether a point is in a box, whose axes need not be orthogonal. Computes the point's coordinates
/// by Cramer's rule.
bool Contains(const geometry::OrientedBox& box, const geometry::Vector3d& point);

/// Whether two boxes certainly have no common point. Boxes with thickness have the faces of
/// parallelepipeds, so if they are apart, one of 15 directions proves it. For flat boxes the
/// function may miss that they are apart. It never returns true for boxes that meet.
bool CertainlyApart(const geometry::OrientedBox& a, const geometry::OrientedBox& b);

/// The corners, as precise as doubles are. @shape half: factor of each extent
std::array<geometry::Vector3d, 8> CornersOf(const geometry::OrientedBox& box, double half);

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SUPPORT_ORACLES_EXACT_BOX_H_
