// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Walks whose intervals are work items, run by the scheduler's workers in seeded interleavings and
// with very little room: every pair is found at the time of a whole walk, and every event ends.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <type_traits>

#include "core/model/cpu/thread_executor.h"
#include "core/model/worker/worker.h"
#include "core/model/worker/worker_counts.h"
#include "core/model/worker/workspace.h"
#include "research/interval_items/tests/walk_fixture.h"
#include "tests/support/mesh_fixtures.h"
#include "tests/support/seed_count.h"
#include "tests/support/workers/scheduler_run.h"
#include "tests/support/workers/start_event.h"

namespace warpyard::test_support {
namespace {

/// Two workers share a block. A stack has room for what one range of pairs spawns.
using WalkSpace = model::Workspace<SchedulerScope, WalkProgram, TinyShape>;

/// The pairs of one motion on a few workers.
class WalkRun {
 public:
  WalkRun(std::uint64_t seed, HostWalks& walks)
      : schedule_(seed), walks_(walks), space_(new (Storage()) WalkSpace{}) {
    space_->Reset(0, 1);
  }

  /// Number of elements that workers gave away.
  std::uint64_t Given() const {
    std::uint64_t given = space_->counters.given;
    for (const auto& memory : memories_) given += memory->counters.given;
    return given;
  }

  /// Why it did not end; empty if it did. @shape cancel: whether it is cancelled while it runs
  std::string Run(bool cancel) {
    space_->events[0].job = walks_.WalkJob();
    space_->event_counts.running = 1;
    if (StartEvent(*space_, 0)) return "";
    SchedulerScope scope(nullptr);
    for (const auto& memory : memories_) model::WorkerCounts<WalkSpace>::Reset(scope, *memory);
    for (std::uint32_t w = 0; w < kWorkers; ++w) {
      schedule_.Add([this, w, cancel] { Work(w, cancel); });
    }
    const std::string stopped = schedule_.Run();
    if (!stopped.empty()) return stopped;
    if (ends_ != 1) return "ended " + std::to_string(ends_) + " times";
    return space_->events[0].error == 0 ? "" : "no room";
  }

 private:
  static_assert(std::is_trivially_destructible_v<WalkSpace>);
  using Memory = model::BlockMemory<WalkSpace>;
  using Executor = model::ThreadExecutor<SchedulerScope, WalkSpace>;
  static constexpr std::uint32_t kWorkers = 3;

  /// One memory for all runs: asking the system for fresh pages takes longer than a run.
  static void* Storage() {
    alignas(WalkSpace) static std::byte storage[sizeof(WalkSpace)];
    return storage;
  }

  void Work(std::uint32_t worker, bool cancel) {
    constexpr std::uint32_t kBlockWorkers = TinyShape::kBlockWorkers;
    SchedulerScope scope(nullptr);
    Executor executor(scope, *space_, worker % kBlockWorkers);
    model::Worker<SchedulerScope, WalkSpace, Executor> one(
        scope, *space_, *memories_[worker / kBlockWorkers], executor,
        {worker, worker % kBlockWorkers, kWorkers, 1});
    const auto done = [this](std::uint32_t) { ScheduledScope::Word(ends_).FetchAddRelaxed(1); };
    for (std::uint32_t round = 0; ScheduledScope::Word(ends_).LoadRelaxed() == 0; ++round) {
      if (cancel && worker == 0 && round == 3) {
        SchedulerScope::Word(space_->events[0].cancel).StoreRelaxed(1);
      }
      const model::Found found = one.Step(done);
      if (found == model::Found::kStuck) Schedule::Fail("a worker is stuck");
      if (found == model::Found::kNothing) SchedulerScope::Pause(0);
    }
  }

  Schedule schedule_;
  HostWalks& walks_;
  WalkSpace* const space_;
  // Not on the workers' stacks, which are abandoned when a schedule fails.
  const std::array<std::unique_ptr<Memory>, 2> memories_{std::make_unique<Memory>(),
                                                         std::make_unique<Memory>()};
  std::uint32_t ends_ = 0;
};

TEST(IntervalItemsSchedules, FindEveryPairOnceAtTheTimeOfAWholeWalk) {
  const std::uint32_t seeds = SeedCount("WARPYARD_INTERVAL_SEEDS", 150);
  std::uint64_t found = 0, continued = 0, given = 0;
  for (std::uint32_t seed = 0; seed < seeds; ++seed) {
    HostWalks walks(TriangleSoup(seed, {48 + seed % 7, 0.6, 0.5}), 1 + seed % 3);
    const HostWalks::Expected expected = walks.OfWholeWalks();
    if (seed % 3 != 0) walks.WalkInFloats();  // then all pairs of a range spawn
    WalkRun run(seed, walks);
    ASSERT_EQ(run.Run(false), "") << "seed " << seed;
    given += run.Given();
    ASSERT_EQ(walks.Listed(), expected.found) << "seed " << seed;
    ASSERT_EQ(walks.Continued(), walks.ExpectedContinued()) << "seed " << seed;
    found += expected.found.size();
    continued += walks.Continued();
  }
  EXPECT_GT(found, 10 * seeds);
  EXPECT_GT(continued, 50 * seeds);
  EXPECT_GT(given, 3 * seeds) << "elements that workers gave away";
}

TEST(IntervalItemsSchedules, FindTheEarliestTime) {
  const std::uint32_t seeds = SeedCount("WARPYARD_INTERVAL_SEEDS", 150);
  for (std::uint32_t seed = 0; seed < seeds; ++seed) {
    HostWalks walks(TriangleSoup(seed, {48 + seed % 7, 0.6, 0.5}), 1);
    const HostWalks::Expected expected = walks.OfWholeWalks();
    walks.Job().step.asked.report = ccd::Report::kEarliest;
    ASSERT_EQ(WalkRun(seed, walks).Run(false), "") << "seed " << seed;
    double earliest;
    std::memcpy(&earliest, &walks.Counters().earliest_bits, sizeof earliest);
    ASSERT_EQ(earliest, expected.earliest) << "seed " << seed;
  }
}

TEST(IntervalItemsSchedules, EndWhenTheyAreCancelled) {
  std::uint32_t cut = 0;
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    HostWalks walks(TriangleSoup(seed, {25, 0.6, 0.5}), 1);
    const auto expected = walks.OfWholeWalks().found;
    ASSERT_EQ(WalkRun(seed, walks).Run(true), "") << "seed " << seed;
    const auto listed = walks.Listed();
    EXPECT_TRUE(std::includes(expected.begin(), expected.end(), listed.begin(), listed.end()));
    cut += listed.size() < expected.size() ? 1 : 0;
  }
  EXPECT_GT(cut, 10u);
}

}  // namespace
}  // namespace warpyard::test_support
