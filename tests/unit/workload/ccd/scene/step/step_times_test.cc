// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/scene/step/step_times.h"

#include <gtest/gtest.h>

#include "absl/time/time.h"

namespace warpyard::test_support {
namespace {

using ccd::StepPhase;

constexpr StepPhase kPhases[] = {StepPhase::kRefit,  StepPhase::kBroad, StepPhase::kMeet,
                                 StepPhase::kNarrow, StepPhase::kRefit, StepPhase::kSort};

/// Stages of 1, 2, 40, 8, 16 and 32 ns.
procedure::StageTimes Stages() {
  procedure::StageTimes times;
  times.begin_ns = {100, 101, 103, 143, 151, 167, 199};
  return times;
}

TEST(StepTimes, AddEachStageToItsPhase) {
  ccd::StepTimes times{};
  times.Add(Stages(), kPhases, ccd::StepCounters{});
  EXPECT_EQ(times.refit, absl::Nanoseconds(17));
  EXPECT_EQ(times.broad, absl::Nanoseconds(42));
  EXPECT_EQ(times.narrow, absl::Nanoseconds(8));
  EXPECT_EQ(times.sort, absl::Nanoseconds(32));
}

TEST(StepTimes, DivideAMeetingByTheCyclesOfFilters) {
  ccd::StepCounters counters{};
  counters.traverse_cycles = 400;
  counters.filter_cycles = 100;
  ccd::StepTimes times{};
  times.Add(Stages(), kPhases, counters);
  times.Add(Stages(), kPhases, counters);
  EXPECT_EQ(times.broad, absl::Nanoseconds(2 * (2 + 30)));
  EXPECT_EQ(times.narrow, absl::Nanoseconds(2 * (8 + 10)));
}

}  // namespace
}  // namespace warpyard::test_support
