// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A step request, checked and ready for the engine.
#ifndef WARPYARD_SERVER_COLLISION_PREPARED_STEP_H_
#define WARPYARD_SERVER_COLLISION_PREPARED_STEP_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/engine/engine.h"
#include "server/collision/convert.h"
#include "server/jobs/resident_table.h"
#include "server/metrics/metrics.h"
#include "warpyard/v1/collision_service.pb.h"

namespace warpyard::server {

/// Has views into the request, which must outlive it.
struct PreparedStep {
  SceneTable::Use scene;
  StepDescription step;
  JobOptions job;
};

/// @errors INVALID_ARGUMENT, NOT_FOUND
absl::StatusOr<PreparedStep> PrepareStep(const v1::StepRequest& request, const CallTimes& times,
                                         SceneTable& scenes);

/// The `reason` label of a request that ended with `status` before it became a job.
RejectReason ReasonOf(const absl::Status& status);

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_COLLISION_PREPARED_STEP_H_
