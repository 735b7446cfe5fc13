// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/collision/prepared_step.h"

#include <cstddef>
#include <cstdint>

#include "core/base/macros.h"
#include "server/collision/pose.h"
#include "server/convert/mesh.h"

namespace warpyard::server {

absl::StatusOr<PreparedStep> PrepareStep(const v1::StepRequest& request, const CallTimes& times,
                                         SceneTable& scenes) {
  PreparedStep prepared;
  WY_ASSIGN_OR_RETURN(prepared.scene, scenes.Find(request.scene()));
  const std::size_t vertices = prepared.scene->vertices;
  const std::uint32_t bodies = prepared.scene->bodies;
  prepared.step.scene = prepared.scene->id;
  if (request.has_end_pose()) {
    WY_ASSIGN_OR_RETURN(prepared.step.end, ToPose(request.end_pose(), "end_pose", bodies));
  } else {
    WY_ASSIGN_OR_RETURN(prepared.step.end, ToPositions(request.end(), "end", vertices));
  }
  if (request.has_start_pose()) {
    WY_ASSIGN_OR_RETURN(prepared.step.start, ToPose(request.start_pose(), "start_pose", bodies));
  } else if (request.has_start()) {
    WY_ASSIGN_OR_RETURN(prepared.step.start, ToPositions(request.start(), "start", vertices));
  }
  WY_ASSIGN_OR_RETURN(prepared.step.options, ToCollisionOptions(request.collision()));
  WY_ASSIGN_OR_RETURN(prepared.job, ToJobOptions(request.job(), times));
  return prepared;
}

RejectReason ReasonOf(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kNotFound:
      return RejectReason::kNotFound;
    case absl::StatusCode::kResourceExhausted:
      return RejectReason::kExhausted;
    case absl::StatusCode::kUnavailable:
      return RejectReason::kDraining;
    default:
      return RejectReason::kInvalid;
  }
}

}  // namespace warpyard::server
