// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Poses from the wire: validated, and viewed in place, without a copy.
#ifndef WARPYARD_SERVER_COLLISION_POSE_H_
#define WARPYARD_SERVER_COLLISION_POSE_H_

#include <cstdint>
#include <span>

#include "absl/status/status.h"
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

/// ToPose for rows that are used apart from each other. A row with a bad transform gets an error of
/// its own, unless it has one; then it must not be used.
/// @shape bodies: of each row; errors: one a row
/// @errors INVALID_ARGUMENT: what concerns all rows
absl::StatusOr<ccd::PoseView> ToPoseRows(const v1::Pose& pose, absl::string_view field,
                                         std::uint32_t bodies, std::span<absl::Status> errors);

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_COLLISION_POSE_H_
