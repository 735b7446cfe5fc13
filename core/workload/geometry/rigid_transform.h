// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A rotation followed by a translation.
#ifndef WARPYARD_CORE_WORKLOAD_GEOMETRY_RIGID_TRANSFORM_H_
#define WARPYARD_CORE_WORKLOAD_GEOMETRY_RIGID_TRANSFORM_H_

#include "core/workload/geometry/vector3.h"

namespace warpyard::geometry {

/// A 3x4 matrix in the form of the message. @shape rows; the last column is the translation
struct RigidTransform {
  double rows[3][4];
};
static_assert(sizeof(RigidTransform) == 96);

/// One coordinate of the transformed point, from one row: ((m0 x + m1 y) + m2 z) + m3, every
/// operation rounded to double, so that a client can compute the same bits.
constexpr double ApplyRow(const double (&m)[4], const Vector3d& p) {
  return m[0] * p.x + m[1] * p.y + m[2] * p.z + m[3];
}

/// The transformed point.
constexpr Vector3d Apply(const RigidTransform& transform, const Vector3d& p) {
  return {ApplyRow(transform.rows[0], p), ApplyRow(transform.rows[1], p),
          ApplyRow(transform.rows[2], p)};
}

}  // namespace warpyard::geometry

#endif  // WARPYARD_CORE_WORKLOAD_GEOMETRY_RIGID_TRANSFORM_H_
