// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Poses from the wire: validated, and viewed in place, without a copy.
#ifndef WARPYARD_SERVER_COLLISION_POSE_H_
#define WARPYARD_SERVER_COLLISION_POSE_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/workload/ccd/collision_types.h"
#include "warpyard/v1/mesh.pb.h"

namespace warpyard::server {

/// Largest difference that an entry of R^T R may have from the identity, R being a rotation.
inline constexpr double kRigidTolerance = 1e-6;

/// Checks a pose and returns a view into the message, which must outlive the view.
///
/// `field` is the path in error messages; `bodies` is the scene's number of bodies, see SceneInfo.
/// @errors INVALID_ARGUMENT
absl::StatusOr<ccd::PoseView> ToPose(const v1::Pose& pose, absl::string_view field,
                                     std::uint32_t bodies);

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_COLLISION_POSE_H_
