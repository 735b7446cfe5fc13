// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Where and in which direction the features of a pair meet: for the few pairs that are reported, on
// the host, in double precision.
//
// At the given time the closest points of both features are taken. The normal is the unit vector
// from the first feature's point to the second's. Where these are as good as one point, within the
// rounding of the positions, there is no such vector. Then it is the normal of the face, or of both
// edges, pointing the way that the first feature's point moves as seen from the second's; where
// they have none (no area, parallel), what of that motion is across them, or any direction across
// them; and for two single points the motion itself, or the x axis if there is none.
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
