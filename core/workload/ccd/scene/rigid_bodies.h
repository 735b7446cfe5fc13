// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The bodies of a scene as balls, and the error of moving them on straight lines. On the host.
//
// In a step each vertex moves on a straight line between its places in two poses, so a body that
// turns shrinks a little on the way. PathDeviation bounds this error.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_SCENE_RIGID_BODIES_H_
#define WARPYARD_CORE_WORKLOAD_CCD_SCENE_RIGID_BODIES_H_

#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "core/workload/geometry/rigid_transform.h"
#include "core/workload/geometry/vector3.h"

namespace warpyard::ccd {

/// A ball around the vertices of a body at rest; the radius of a body without vertices is negative.
struct BodyBall {
  geometry::Vector3d centre;
  double radius;
};

/// The number of bodies if groups are bodies: one more than the largest group. 0 if there are no
/// groups. Also 0 if the number exceeds the number of vertices, since groups need not mean bodies.
std::uint32_t CountBodies(std::span<const std::uint32_t> vertex_groups);

/// @shape rest, body_of: [vertices]; every body below `bodies`
std::vector<BodyBall> BallsOf(std::span<const geometry::Vector3d> rest,
                              std::span<const std::uint32_t> body_of, std::uint32_t bodies);

/// Checks that coordinates stay in the range in which procedures can compute.
/// @errors INVALID_ARGUMENT: names the body
absl::Status CheckReach(std::span<const BodyBall> balls,
                        std::span<const geometry::RigidTransform> pose);

/// An upper bound, over all bodies and all times of a step, of the distance between a point of a
/// body on its straight line and the same point of the true motion. In the true motion the body
/// turns at constant speed about an axis of constant direction, while its centre moves on a
/// straight line; or the whole body moves as a screw. The body turns by the angle a, at most half a
/// turn; its ball has the radius r, and its centre moves by w. Then the distance is at most
///     r (1 - cos(a / 2)) + (w / 2) tan(a / 4);
/// the second term is the deviation of the centre of a screw. Two bodies are safe if they are
/// further apart than twice this distance. Computed in double, from matrices that are taken to be
/// rigid.
/// @shape all of the same length
double PathDeviation(std::span<const BodyBall> balls,
                     std::span<const geometry::RigidTransform> start,
                     std::span<const geometry::RigidTransform> end);

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_SCENE_RIGID_BODIES_H_
