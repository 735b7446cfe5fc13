// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/scene/step/step_times.h"

#include <array>
#include <cstddef>

namespace warpyard::ccd {

void StepTimes::Add(const procedure::StageTimes& times, std::span<const StepPhase> phases,
                    const StepCounters& counters) {
  std::array<double, static_cast<std::size_t>(StepPhase::kEnd)> spent_ns{};
  for (std::size_t stage = 0; stage < phases.size(); ++stage) {
    spent_ns[static_cast<std::size_t>(phases[stage])] +=
        static_cast<double>(times.Between(stage, stage + 1));
  }
  const auto in = [&](StepPhase phase) { return spent_ns[static_cast<std::size_t>(phase)]; };
  const double filters = counters.traverse_cycles == 0
                             ? 0
                             : static_cast<double>(counters.filter_cycles) /
                                   static_cast<double>(counters.traverse_cycles);
  refit += absl::Nanoseconds(in(StepPhase::kRefit));
  broad += absl::Nanoseconds(in(StepPhase::kBroad) + in(StepPhase::kMeet) * (1 - filters));
  narrow += absl::Nanoseconds(in(StepPhase::kMeet)*filters + in(StepPhase::kNarrow));
  sort += absl::Nanoseconds(in(StepPhase::kSort));
}

}  // namespace warpyard::ccd
