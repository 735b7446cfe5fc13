// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The time that a step spends in each of its phases.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_SCENE_STEP_STEP_TIMES_H_
#define WARPYARD_CORE_WORKLOAD_CCD_SCENE_STEP_STEP_TIMES_H_

#include <span>

#include "absl/time/time.h"
#include "core/procedure/event_runner.h"
#include "core/workload/ccd/job/stage_list.h"

namespace warpyard::ccd {

/// The sums over all events of a step.
struct StepTimes {
  absl::Duration copy_in, refit, broad, narrow, sort, copy_out;

  /// Adds the stages of an event. @shape phases: of its stages, in their order
  void Add(const procedure::StageTimes& times, std::span<const StepPhase> phases,
           const StepCounters& counters);
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_SCENE_STEP_STEP_TIMES_H_
