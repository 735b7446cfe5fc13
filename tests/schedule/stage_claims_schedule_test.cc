// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Workers that claim elements of uneven length for themselves, and claim on between them, in seeded
// interleavings: every index is executed once, and no stage begins before the one before it is
// done.

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/model/cpu/thread_executor.h"
#include "core/model/worker/worker.h"
#include "tests/support/run_bodies.h"
#include "tests/support/seed_count.h"
#include "tests/support/workers/scheduler_run.h"
#include "tests/support/workers/start_event.h"
#include "tests/unit/model/counting_program.h"

namespace warpyard::test_support {
namespace {

/// One or two events on three workers of two blocks.
template <class Program>
class UnevenRun {
 public:
  explicit UnevenRun(std::uint32_t seed) : seed_(seed), heeds_(seed / 5 % 2 == 0) {
    space_->Reset(0, 1);
    for (const auto& block : blocks_) model::WorkerCounts<Space>::Reset(one_, *block);
    for (std::uint32_t event = 0; event <= seed % 2; ++event) {
      const std::uint32_t size = 1 + (seed / 2 + 17 * event) % 60;
      jobs_.push_back(
          std::make_unique<HostCounting>(size, seed % 3 == 0 ? size : 5, 7, 1 + seed % 4));
    }
    space_->event_counts.running = static_cast<std::uint32_t>(jobs_.size());
  }

  /// What went wrong; empty when nothing did.
  std::string Run() {
    Bodies bodies;
    for (std::uint32_t w = 0; w < kWorkers; ++w) bodies.emplace_back([this, w] { Work(w); });
    std::string fault = RunInSchedule(seed_, bodies);
    for (const auto& job : jobs_) {
      if (fault.empty()) fault = job->FindFault();
    }
    if (fault.empty() && ended_ != jobs_.size()) fault = "an event ended twice";
    if (fault.empty() && space_->board.Read().HasWork()) fault = "the board shows an old stage";
    return fault;
  }

 private:
  using Space = model::Workspace<SchedulerScope, Program, TinyShape>;
  using Executor = model::ThreadExecutor<SchedulerScope, Space>;
  static constexpr std::uint32_t kWorkers = 3;

  void Work(std::uint32_t worker) {
    SchedulerScope scope(nullptr);
    const std::uint32_t in_block = worker % TinyShape::kBlockWorkers;
    Executor executor(scope, *space_, in_block);
    model::Worker<SchedulerScope, Space, Executor> one(scope, *space_,
                                                       *blocks_[worker / TinyShape::kBlockWorkers],
                                                       executor, {worker, in_block, kWorkers, 1});
    const auto done = [this](std::uint32_t) { ScheduledScope::Word(ended_).FetchAddAcqRel(1); };
    if (worker < jobs_.size()) {
      space_->events[worker].job = jobs_[worker]->job;
      EXPECT_FALSE(StartEvent(*space_, worker));
    }
    while (ScheduledScope::Word(ended_).LoadAcquire() < jobs_.size()) {
      const model::Found found = one.Step(done);
      if (found == model::Found::kStuck) Schedule::Fail("a worker is stuck");
      if (found != model::Found::kNothing) continue;
      SchedulerScope::Pause(0);
      if (!heeds_) continue;
      one.Heed(space_->board.Read());
      if (space_->hand_over.Given(worker) != 0) one.HeedGift();
    }
  }

  const std::uint32_t seed_;
  const bool heeds_;  ///< workers that found nothing look for news
  SchedulerScope one_{nullptr};
  const std::unique_ptr<Space> space_{new Space()};
  const std::array<std::unique_ptr<model::BlockMemory<Space>>, 2> blocks_{
      std::make_unique<model::BlockMemory<Space>>(), std::make_unique<model::BlockMemory<Space>>()};
  std::vector<std::unique_ptr<HostCounting>> jobs_;
  std::uint32_t ended_ = 0;
};

template <class Program>
void ExpectNoFaultOfUneven() {
  const std::uint32_t seeds = SeedCount("WARPYARD_SCHEDULER_SEEDS", 1'000);
  for (std::uint32_t seed = 0; seed < seeds; ++seed) {
    ASSERT_EQ(UnevenRun<Program>(seed).Run(), "") << "seed " << seed;
  }
}

TEST(StageClaimsSchedules, ExecuteEveryIndexOfUnevenStagesOnce) {
  ExpectNoFaultOfUneven<ClaimingProgram>();
}

TEST(StageClaimsSchedules, GoFromUnevenStagesToOthersAndBack) {
  ExpectNoFaultOfUneven<PartlyClaimingProgram>();
}

}  // namespace
}  // namespace warpyard::test_support
