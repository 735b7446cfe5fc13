// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Oriented boxes in rational numbers: what is in one, and whether two are apart.
#ifndef WARPYARD_TESTS_SUPPORT_ORACLES_EXACT_BOX_H_
#define WARPYARD_TESTS_SUPPORT_ORACLES_EXACT_BOX_H_

#include <array>

#include "core/workload/geometry/oriented_box.h"
#include "core/workload/geometry/vector3.h"

namespace warpyard::test_support {

/// Whether a point is in a box, whose axes need not be orthogonal: its coordinates by Cramer's
/// rule.
bool Contains(const geometry::OrientedBox& box, const geometry::Vector3d& point);

/// Whether two boxes have no common point. Boxes with thickness are convex bodies with the faces of
/// parallelepipeds, so that one of 15 directions proves it if it is so; of flat ones some that are
/// apart may not be found. It is never wrong where it says that two are.
bool CertainlyApart(const geometry::OrientedBox& a, const geometry::OrientedBox& b);

/// The corners, as far as doubles go. @shape half: what each extent is multiplied by
std::array<geometry::Vector3d, 8> CornersOf(const geometry::OrientedBox& box, double half);

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SUPPORT_ORACLES_EXACT_BOX_H_
