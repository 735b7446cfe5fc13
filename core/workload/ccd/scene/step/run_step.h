// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Runs the events of a step until all lists have room: what steps of scenes and of sets share.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_SCENE_STEP_RUN_STEP_H_
#define WARPYARD_CORE_WORKLOAD_CCD_SCENE_STEP_RUN_STEP_H_

#include <cstdint>

#include "absl/status/status.h"
#include "core/base/task.h"
#include "core/workload/ccd/collision_types.h"
#include "core/workload/ccd/job/collision_job.h"
#include "core/workload/ccd/job/collision_runner.h"
#include "core/workload/ccd/scene/scene_parts.h"
#include "core/workload/ccd/scene/step/step_times.h"

namespace warpyard::ccd {

/// The job of a step, without positions and lists.
CollisionJob StepJobOf(const SceneParts& parts, const CollisionOptions& options);

/// Makes the copies that the upload has recorded, and runs the job until all lists have room.
/// @errors RESOURCE_EXHAUSTED (memory, pairs), and those of CollisionRunner::Run
Task<absl::Status> RunUntilListsFit(SceneParts& parts, const JobRun& run, CollisionJob& job,
                                    StepCounters& counters, StepTimes& times);

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_SCENE_STEP_RUN_STEP_H_
