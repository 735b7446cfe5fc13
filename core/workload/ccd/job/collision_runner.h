// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// How the host runs collision events.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_JOB_COLLISION_RUNNER_H_
#define WARPYARD_CORE_WORKLOAD_CCD_JOB_COLLISION_RUNNER_H_

#include "absl/status/statusor.h"
#include "core/procedure/event_runner.h"
#include "core/workload/ccd/job/collision_job.h"

namespace warpyard::ccd {

using CollisionRunner = procedure::EventRunner<CollisionJob>;

/// Runs the events of one call until its token is cancelled.
struct JobRun {
  CollisionRunner& runner;
  const procedure::CancelToken& token;

  absl::StatusOr<procedure::StageTimes> operator()(const CollisionJob& job) const {
    return runner.Run(job, token);
  }
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_JOB_COLLISION_RUNNER_H_
