// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/rpc/prepared_step.h"

#include "core/base/macros.h"
#include "server/convert/mesh.h"

namespace warpyard::server {

absl::StatusOr<PreparedStep> PrepareStep(const v1::StepRequest& request, const CallTimes& times,
                                         SceneTable& scenes) {
  PreparedStep prepared;
  WY_ASSIGN_OR_RETURN(prepared.scene, scenes.Find(request.scene()));
  const std::size_t vertices = prepared.scene->vertices;
  prepared.step.scene = prepared.scene->id;
  WY_ASSIGN_OR_RETURN(prepared.step.end, ToPositions(request.end(), "end", vertices));
  if (request.has_start()) {
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
