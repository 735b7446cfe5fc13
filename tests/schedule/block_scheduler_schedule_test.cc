// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The scheduler of blocks under seeded interleavings: a few workers with tiny stacks on one
// workspace, events of the load workload that come, spawn, are cancelled, and a start of the
// workers that ends in the middle (park) and is followed by another. Whatever the order of their
// steps, every element is executed once, and every event ends once.

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/model/worker_loop.h"
#include "core/model/workspace.h"
#include "core/workload/load/load_oracle.h"
#include "core/workload/load/load_program.h"
#include "tests/support/scheduled_scope.h"

namespace warpyard::test_support {
namespace {

using load::LoadJob;
using load::LoadKind;
using model::EventState;
using model::Found;
using TinyShape = model::WorkerShape<1, 2, 32, 64, 64>;
using Space = model::Workspace<ScheduledScope, load::LoadProgram, TinyShape>;
using Memory = model::BlockMemory<Space>;

constexpr std::uint32_t kWorkers = 3;

/// Runs events with a few workers in the interleaving of a seed.
class SchedulerRun {
 public:
  explicit SchedulerRun(std::uint64_t seed) : schedule_(seed), space_(std::make_unique<Space>()) {
    space_->buckets.Reset(0, 1);
  }

  void Add(LoadJob job, bool cancel) {
    results_.push_back(std::make_unique<load::LoadResults>());
    job.results = results_.back().get();
    jobs_.push_back(job);
    cancel_.push_back(cancel);
    ends_.push_back(0);
  }

  /// What went wrong; empty when nothing did. @shape launches: starts of the workers, all but the
  ///     last of which are told to end early
  std::string Run(std::uint32_t launches) {
    launches_ = launches;
    for (std::uint32_t w = 0; w < kWorkers; ++w) schedule_.Add([this, w] { Work(w); });
    const std::string stopped = schedule_.Run();
    if (!stopped.empty()) return stopped;
    for (std::size_t e = 0; e < jobs_.size(); ++e) {
      const std::uint64_t executed = load::TotalOf(*results_[e]).executed;
      const std::uint64_t expected = load::CountNodes(jobs_[e]).executed;
      if (ends_[e] != 1) return "event " + std::to_string(e) + " ended " + std::to_string(ends_[e]);
      if (cancel_[e] ? executed > expected : executed != expected) {
        return "event " + std::to_string(e) + ": executed " + std::to_string(executed) + " of " +
               std::to_string(expected);
      }
    }
    return "";
  }

 private:
  void Work(std::uint32_t worker) {
    if (worker < jobs_.size()) Start(worker);
    for (std::uint32_t launch = 1; launch <= launches_; ++launch) {
      WorkDuring(worker, launch);
      if (AllDone()) return;
    }
  }

  void WorkDuring(std::uint32_t worker, std::uint32_t launch) {
    alignas(64) std::byte shared[64];
    ScheduledScope scope(shared);
    const auto memory = std::make_unique<Memory>();
    model::WorkerLoop<ScheduledScope, Space> loop(scope, *space_, *memory, kWorkers, launch);
    const auto done = [this](std::uint32_t event) { End(event); };
    for (std::uint32_t round = 0; !AllDone(); ++round) {
      if (worker == 0 && round == 6 && launch < launches_) {
        ScheduledScope::Word(space_->park_launch).StoreRelaxed(launch);
      }
      if (worker < jobs_.size() && cancel_[worker] && round == 3) {
        ScheduledScope::Word(space_->events[worker].cancel).StoreRelaxed(1);
      }
      const Found found = loop.RunOnce(done);
      if (found == Found::kPark) return;
      if (found == Found::kStuck) Schedule::Fail("a worker is stuck");
      if (found != Found::kNothing) continue;
      loop.SetIdle();
      ScheduledScope::Pause(0);
    }
  }

  void Start(std::uint32_t event) {
    space_->events[event].job = jobs_[event];
    if (space_->events.Start(event)) {
      End(event);
    } else {
      space_->buckets.SetHint(event, Space::Buckets::kRangeHint);
    }
  }

  void End(std::uint32_t event) {
    ++ends_[event];
    ScheduledScope::Word(ended_).FetchAddAcqRel(1);
  }

  bool AllDone() { return ScheduledScope::Word(ended_).LoadAcquire() == jobs_.size(); }

  Schedule schedule_;
  const std::unique_ptr<Space> space_;
  std::vector<LoadJob> jobs_;
  std::vector<std::unique_ptr<load::LoadResults>> results_;
  std::vector<bool> cancel_;
  std::vector<std::uint32_t> ends_;
  std::uint32_t ended_ = 0;
  std::uint32_t launches_ = 1;
};

LoadJob Job(LoadKind kind, std::uint32_t seed) {
  LoadJob job;
  job.kind = kind;
  job.seed = seed;
  job.stages = 1 + seed % 2;
  job.elements = 1 + seed % 3;
  job.growth = {3, {900, 300}};
  if (kind == LoadKind::kTree) job.growth = load::FullTreeGrowth(3, load::kEvenPermille);
  if (kind == LoadKind::kPrioritised) {
    job.total = 6;
    job.levels = 1 + seed % 5;
  }
  return job;
}

constexpr LoadKind kKinds[] = {LoadKind::kFlat, LoadKind::kRecursiveItems, LoadKind::kTree,
                               LoadKind::kPrioritised, LoadKind::kRecursivePackages};

TEST(BlockSchedulerSchedules, ExecuteEveryElementOnce) {
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    SchedulerRun run(seed);
    run.Add(Job(kKinds[seed % 5], seed), false);
    ASSERT_EQ(run.Run(1), "") << "seed " << seed;
  }
}

TEST(BlockSchedulerSchedules, KeepEventsApart) {
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    SchedulerRun run(seed);
    run.Add(Job(kKinds[seed % 5], seed), false);
    run.Add(Job(kKinds[seed / 5 % 5], seed + 1), false);
    ASSERT_EQ(run.Run(1), "") << "seed " << seed;
  }
}

TEST(BlockSchedulerSchedules, EndACancelledEventAndLeaveTheOtherAlone) {
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    SchedulerRun run(seed);
    run.Add(Job(kKinds[seed % 5], seed), true);
    run.Add(Job(kKinds[seed / 5 % 5], seed + 1), false);
    ASSERT_EQ(run.Run(1), "") << "seed " << seed;
  }
}

TEST(BlockSchedulerSchedules, GoOnWithTheNextStartAfterAPark) {
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    SchedulerRun run(seed);
    run.Add(Job(kKinds[seed % 5], seed), false);
    run.Add(Job(kKinds[seed / 5 % 5], seed + 1), seed % 3 == 0);
    ASSERT_EQ(run.Run(3), "") << "seed " << seed;
  }
}

}  // namespace
}  // namespace warpyard::test_support
