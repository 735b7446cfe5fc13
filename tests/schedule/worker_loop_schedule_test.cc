// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The worker loop in seeded interleavings: stages, counts and the end of events.

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/model/worker_loop.h"
#include "tests/support/scheduled_scope.h"
#include "tests/unit/model/counting_program.h"

namespace warpyard::test_support {
namespace {

using model::EventState;
using model::Round;
using Space = model::Workspace<ScheduledScope, CountingProgram>;

constexpr std::uint32_t kWorkers = 3;

/// Runs events with a few workers in the interleaving of a seed; each event is started by another.
class LoopSchedule {
 public:
  explicit LoopSchedule(std::uint64_t seed) : schedule_(seed) { space_->Reset(); }

  void AddEvent(const HostCounting& counting, bool cancel) {
    model::Event<CountingProgram>& event = space_->events[events_];
    event = {};
    event.job = counting.job;
    event.state = static_cast<std::uint32_t>(EventState::kRunning);
    cancel_.push_back(cancel);
    ++events_;
  }

  std::string Run() {
    for (std::uint32_t w = 0; w < kWorkers; ++w) schedule_.Add([this, w] { Work(w); });
    const std::string stopped = schedule_.Run();
    if (!stopped.empty()) return stopped;
    return ends_said_ == events_ ? ""
                                 : "the end of an event was said " + std::to_string(ends_said_);
  }

 private:
  void Work(std::uint32_t worker) {
    alignas(64) std::byte shared[256];
    ScheduledScope scope(shared);
    model::WorkerLoop<ScheduledScope, CountingProgram> loop(scope, *space_);
    if (worker < events_) Count(loop.StartEvent(worker));
    while (!AllDone()) {
      if (worker < events_ && cancel_[worker]) {
        ScheduledScope::Word(space_->events[worker].cancel).StoreRelaxed(1);
      }
      const Round round = loop.RunOnce();
      Count(round);
      if (round == Round::kIdle) ScheduledScope::Pause(0);
    }
  }

  void Count(Round round) { ends_said_ += round == Round::kEventDone ? 1 : 0; }

  bool AllDone() {
    for (std::uint32_t e = 0; e < events_; ++e) {
      const auto state = ScheduledScope::Word(space_->events[e].state);
      if (state.LoadAcquire() != static_cast<std::uint32_t>(EventState::kDone)) return false;
    }
    return true;
  }

  Schedule schedule_;
  const std::unique_ptr<Space> space_ = std::make_unique<Space>();
  std::vector<bool> cancel_;
  std::uint32_t events_ = 0;
  std::uint32_t ends_said_ = 0;
};

TEST(WorkerLoopSchedules, RunEveryStageOnceAndInOrder) {
  const std::array<std::array<std::uint32_t, 3>, 5> stages = {
      {{4, 3, 2}, {1, 1, 1}, {0, 5, 0}, {3, 0, 4}, {0, 0, 0}}};
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    const auto& counts = stages[seed % stages.size()];
    const HostCounting counting(counts[0], counts[1], counts[2], 1);
    LoopSchedule schedule(seed);
    schedule.AddEvent(counting, false);
    ASSERT_EQ(schedule.Run(), "") << "seed " << seed;
    ASSERT_EQ(counting.FindFault(), "") << "seed " << seed;
  }
}

TEST(WorkerLoopSchedules, KeepEventsApart) {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    const HostCounting first(3, 2, 1, 1), second(1, 4, 2, 1);
    LoopSchedule schedule(seed);
    schedule.AddEvent(first, false);
    schedule.AddEvent(second, false);
    ASSERT_EQ(schedule.Run(), "") << "seed " << seed;
    ASSERT_EQ(first.FindFault(), "") << "seed " << seed;
    ASSERT_EQ(second.FindFault(), "") << "seed " << seed;
  }
}

TEST(WorkerLoopSchedules, EndACancelledEventAndLeaveTheOtherAlone) {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    const HostCounting cancelled(4, 3, 2, 1), other(3, 2, 1, 1);
    LoopSchedule schedule(seed);
    schedule.AddEvent(cancelled, true);
    schedule.AddEvent(other, false);
    ASSERT_EQ(schedule.Run(), "") << "seed " << seed;
    ASSERT_EQ(other.FindFault(), "") << "seed " << seed;
    for (std::uint32_t stage = 0; stage < 3; ++stage) {
      for (std::uint32_t i = 0; i < cancelled.job.stage_count[stage]; ++i) {
        ASSERT_LE(cancelled.job.Mark(stage, i), 1u) << "seed " << seed;
      }
    }
  }
}

}  // namespace
}  // namespace warpyard::test_support
