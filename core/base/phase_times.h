// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Times of a job's phases, for results and metrics.
#ifndef WARPYARD_CORE_BASE_PHASE_TIMES_H_
#define WARPYARD_CORE_BASE_PHASE_TIMES_H_

#include <string_view>
#include <vector>

#include "absl/time/time.h"

namespace warpyard {

/// Wall-clock time of one phase of a job.
struct PhaseTime {
  std::string_view phase;  ///< a string literal
  absl::Duration duration;
};

/// All phases of a job, in order.
using PhaseTimes = std::vector<PhaseTime>;

}  // namespace warpyard

#endif  // WARPYARD_CORE_BASE_PHASE_TIMES_H_
