// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Where and in which direction the features of a pair meet. On the host and in double precision,
// since few pairs are reported.
//
// The normal is the unit vector between the closest points of both features at the given time, from
// the first feature to the second. Where both points are the same within the rounding of the
// positions, the normal is instead, in this order:
// - the normal of the face, or of both edges. Of its two directions it is the one in which the
//   first feature's point moves relative to the second feature's point;
// - for features without a normal (no area, parallel), the part of that motion that is
//   perpendicular to the features, or any direction perpendicular to them;
// - for two single points the motion itself, or the x axis if there is none.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_CONTACTS_CONTACT_GEOMETRY_H_
#define WARPYARD_CORE_WORKLOAD_CCD_CONTACTS_CONTACT_GEOMETRY_H_

#include "core/workload/ccd/collision_types.h"
#include "core/workload/ccd/job/moving_pair.h"

namespace warpyard::ccd {

/// @shape `pair`: vertex and face; `time` in [0, 1]
VertexFaceGeometry VertexFaceGeometryAt(const MovingPair& pair, double time);

/// @shape `pair`: edge a from point 0 to 1, edge b from 2 to 3; `time` in [0, 1]
EdgeEdgeGeometry EdgeEdgeGeometryAt(const MovingPair& pair, double time);

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_CONTACTS_CONTACT_GEOMETRY_H_
