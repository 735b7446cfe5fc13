// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The scheduler on CPU threads: every index once and in stage order, every spawned element, many
// events at once, cancels, errors, order. Counts come from the programs' own oracles.

#include "core/model/cpu/cpu_workers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "core/exec/thread_scope.h"
#include "core/workload/synthetic/synthetic_oracle.h"
#include "core/workload/synthetic/synthetic_program.h"
#include "tests/support/workers/mixed_program.h"
#include "tests/unit/model/counting_program.h"
#include "tests/unit/model/wide_program.h"

namespace warpyard::model {
namespace {

using procedure::CancelToken;
using synthetic::SyntheticJob;
using synthetic::SyntheticKind;
using test_support::CountingProgram;
using test_support::HostCounting;
using test_support::HostMixed;
using test_support::MixedCounts;
using test_support::MixedProgram;
using test_support::WideJob;
using test_support::WideProgram;
using CountingWorkers = CpuWorkers<CountingProgram>;
using LoadWorkers = CpuWorkers<synthetic::SyntheticProgram>;

SyntheticJob Mixed(std::uint32_t number) {
  SyntheticJob job;
  job.seed = number;
  job.stages = 1 + number % 3;
  job.elements = 1 + number * 37 % 90;
  job.growth = synthetic::RecursiveGrowth();
  job.work = {synthetic::WorkKind::kFma, number * 13 % 100};
  job.kind = static_cast<SyntheticKind>(number % 7);
  if (job.kind == SyntheticKind::kTree) {
    job.elements = 1 + number % 3;
    job.growth = synthetic::FullTreeGrowth(4 + number % 6, synthetic::kEvenPermille);
  }
  if (job.kind == SyntheticKind::kPrioritised) {
    job.total = 3 * job.elements;
    job.levels = 1 + number * 17 % 192;
  }
  return job;
}

void RunAndCheck(LoadWorkers& workers, SyntheticJob job) {
  synthetic::SyntheticResults results;
  job.results = &results;
  const auto times = workers.Run(job, {}, CancelToken());
  ASSERT_TRUE(times.ok()) << times.status();
  EXPECT_EQ(synthetic::TotalOf(results).executed, synthetic::CountNodes(job).executed)
      << "kind " << static_cast<int>(job.kind) << ", seed " << job.seed;
}

TEST(CpuWorkers, ExecutesEveryIndexOfEveryStageOnceAndInOrder) {
  CountingWorkers workers(3);
  for (const std::uint32_t grain : {1u, 33u, 500u}) {
    HostCounting counting(10'000, 77, 4'001, grain);
    ASSERT_TRUE(workers.Run(counting.job, {}, CancelToken()).ok());
    EXPECT_EQ(counting.FindFault(), "") << "grain " << grain;
  }
}

TEST(CpuWorkers, ExecutesEveryIndexOfUnevenStagesOnceAndInOrder) {
  CpuWorkers<test_support::PartlyClaimingProgram> workers(3);
  for (const std::uint32_t grain : {1u, 33u, 500u}) {
    HostCounting counting(10'000, 77, 4'001, grain);
    ASSERT_TRUE(workers.Run(counting.job, {}, CancelToken()).ok());
    EXPECT_EQ(counting.FindFault(), "") << "grain " << grain;
  }
}

TEST(CpuWorkers, RunsEventsThatHaveNothingToDo) {
  CountingWorkers workers(2);
  HostCounting empty(0, 0, 0, 1), last_only(0, 0, 3, 1);
  EXPECT_TRUE(workers.Run(empty.job, {}, CancelToken()).ok());
  EXPECT_TRUE(workers.Run(last_only.job, {}, CancelToken()).ok());
  EXPECT_EQ(last_only.FindFault(), "");
}

TEST(CpuWorkers, ExecutesAllThatIsSpawned) {
  LoadWorkers workers(2);
  for (std::uint32_t number = 0; number < 42; ++number) RunAndCheck(workers, Mixed(number));
}

TEST(CpuWorkers, RunsEventsOfManyCallersAtOnce) {
  LoadWorkers workers(3);
  std::vector<std::thread> callers;
  for (std::uint32_t caller = 0; caller < 8; ++caller) {
    callers.emplace_back([&workers, caller] {
      for (std::uint32_t i = 0; i < 12; ++i) RunAndCheck(workers, Mixed(caller * 12 + i));
    });
  }
  for (std::thread& caller : callers) caller.join();
}

TEST(CpuWorkers, LetsMoreCallersWaitThanThereAreEvents) {
  LoadWorkers workers(2);
  std::vector<std::thread> callers;
  for (std::uint32_t caller = 0; caller < workers.MaxEvents() + 8; ++caller) {
    callers.emplace_back([&workers, caller] { RunAndCheck(workers, Mixed(caller)); });
  }
  for (std::thread& caller : callers) caller.join();
}

TEST(CpuWorkers, EndsACancelledEventAndNoOther) {
  LoadWorkers workers(2);
  for (const SyntheticKind kind : {SyntheticKind::kFlat, SyntheticKind::kRecursivePackages}) {
    SyntheticJob job;
    job.kind = kind;
    job.elements = 1'000'000'000;
    job.growth = {2'000'000'000, {1000, 0}};
    job.counting = synthetic::Counting::kOff;
    job.work = {synthetic::WorkKind::kFma, 100};
    if (kind != SyntheticKind::kFlat) job.elements = 100;
    CancelToken token;
    std::thread other([&workers] { RunAndCheck(workers, Mixed(5)); });
    std::thread canceller([&token] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      token.Cancel();
    });
    EXPECT_TRUE(absl::IsCancelled(workers.Run(job, {}, token).status()));
    canceller.join();
    other.join();
    RunAndCheck(workers, Mixed(3));
  }
}

TEST(CpuWorkers, ReportsAFailedProcedureForItsEventAlone) {
  LoadWorkers workers(2);
  SyntheticJob job = Mixed(8);
  job.counting = synthetic::Counting::kOff;
  job.fault = synthetic::Fault::kFail;
  job.fault_at = 0;
  EXPECT_TRUE(absl::IsAborted(workers.Run(job, {}, CancelToken()).status()));
  RunAndCheck(workers, Mixed(8));
}

TEST(CpuWorkers, GoesDepthFirstWhereElementsFindNoRoom) {
  LoadWorkers workers(2);
  SyntheticJob job;  // a million elements at once would be, breadth-first
  job.kind = SyntheticKind::kRecursiveItems;
  job.elements = 300'000;
  job.stages = 1;
  job.growth = {3, {1000, 0}};
  RunAndCheck(workers, job);
}

/// Elements that take `ns` each, and are not counted.
SyntheticJob SpinJob(std::uint32_t elements, std::uint32_t ns, std::uint32_t stages = 1) {
  SyntheticJob job;
  job.kind = SyntheticKind::kFlat;
  job.elements = elements;
  job.stages = stages;
  job.counting = synthetic::Counting::kOff;
  job.work = {synthetic::WorkKind::kSpin, ns};
  return job;
}

/// Long elements in the background, until it is cancelled.
class Background {
 public:
  Background(LoadWorkers& workers, std::uint32_t elements)
      : thread_([&workers, elements, this] {
          const absl::Status status = workers.Run(SpinJob(elements, 100'000), {}, token_).status();
          EXPECT_TRUE(status.ok() || absl::IsCancelled(status)) << status;
        }) {}
  ~Background() { thread_.join(); }
  void Cancel() { token_.Cancel(); }

 private:
  CancelToken token_;
  std::thread thread_;
};

TEST(CpuWorkers, DrawsOfAnEventWithADeadlineBeforeOthers) {
  LoadWorkers workers(1);
  Background background(workers, 1'000'000'000);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  policy::EventAttributes attributes;
  attributes.deadline_ns = 1;
  // With one worker, the whole event runs between two elements of the other event, which has 10^9
  // elements.
  EXPECT_TRUE(workers.Run(SpinJob(50, 10'000), attributes, CancelToken()).ok());
  background.Cancel();
}

/// An event that takes 40 ms or more of three workers, and presses after an eighth of the time.
absl::Status RunPressing(LoadWorkers& workers) {
  policy::EventAttributes attributes;
  attributes.deadline_ns = exec::ThreadScope::NowNs() + 200'000'000;
  return workers.Run(SpinJob(60, 1'000'000, 2), attributes, CancelToken()).status();
}

TEST(CpuWorkers, HoldsOthersForAnEventWithANearDeadline) {
  LoadWorkers workers(3);
  Background background(workers, 1'000'000'000);
  EXPECT_TRUE(RunPressing(workers).ok());
  EXPECT_GT(workers.Statistics().held_ns, 0u);
  background.Cancel();
}

TEST(CpuWorkers, GoesOnWithWhatWasHeld) {
  LoadWorkers workers(3);
  for (int i = 0; i < 5; ++i) {
    Background background(workers, 500);
    EXPECT_TRUE(RunPressing(workers).ok());
    // The destructor waits for the end. Nobody asks for statistics, which would compute ranks.
  }
}

TEST(CpuWorkers, CountsWhatItExecutedAndSpawned) {
  LoadWorkers workers(2);
  SyntheticJob job = Mixed(1);
  RunAndCheck(workers, job);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));  // idle workers have added theirs
  const ModelStatistics statistics = workers.Statistics();
  std::uint64_t executed = 0, spawned = 0;
  for (const ProcedureCounters& counters : statistics.procedures) {
    executed += counters.executed;
    spawned += counters.spawned;
  }
  const std::uint64_t expected = synthetic::CountNodes(job).executed;
  EXPECT_EQ(spawned, expected);
  EXPECT_GT(executed, expected);  // and those that seeded them
  EXPECT_EQ(statistics.workers, 2u);
}

TEST(CpuWorkers, ExecutesEachNodeOnceWhereProceduresSpawnOneAnother) {
  for (const int threads : {1, 3}) {
    CpuWorkers<MixedProgram> workers(threads);
    for (std::uint32_t number = 0; number < 27; ++number) {
      HostMixed mixed(test_support::MixedJobOf(number));
      const auto times = workers.Run(mixed.job, {}, CancelToken());
      ASSERT_TRUE(times.ok()) << times.status();
      ASSERT_EQ(mixed.FindFault(1), "") << number;
    }
  }
}

TEST(CpuWorkers, SumsUpWhatProceduresDoInEventsThatRunTogether) {
  CpuWorkers<MixedProgram> workers(3);
  std::vector<std::thread> callers;
  std::vector<std::uint64_t> expected(MixedProgram::Procedures::kCount);
  std::uint64_t spawned = 0;
  for (std::uint32_t caller = 0; caller < 9; ++caller) {
    const HostMixed mixed(test_support::MixedJobOf(caller));
    const MixedCounts counts(mixed.job, 1);
    for (std::size_t p = 0; p < expected.size(); ++p) expected[p] += counts.executed[p];
    spawned += counts.spawned;
    callers.emplace_back([&workers, caller] {
      HostMixed own(test_support::MixedJobOf(caller));
      EXPECT_TRUE(workers.Run(own.job, {}, CancelToken()).ok());
      EXPECT_EQ(own.FindFault(1), "") << caller;
    });
  }
  for (std::thread& caller : callers) caller.join();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));  // idle workers have added theirs
  const ModelStatistics statistics = workers.Statistics();
  for (std::size_t p = 0; p < expected.size(); ++p) {
    EXPECT_EQ(statistics.procedures[p].executed, expected[p]) << p;
    spawned -= statistics.procedures[p].spawned;
  }
  EXPECT_EQ(spawned, 0u);
}

TEST(CpuWorkers, RunsManySpawnedProceduresAndStages) {
  static_assert(WideProgram::Procedures::kCount == 61 && WideProgram::kMaxStages == 40);
  for (const int threads : {1, 3}) {
    CpuWorkers<WideProgram> workers(threads);
    std::vector<std::uint64_t> executed(WideJob::kHops);
    std::uint64_t misplaced = 0;
    const WideJob job{3 * WideJob::kHops, executed.data(), &misplaced};
    const auto times = workers.Run(job, {}, CancelToken());
    ASSERT_TRUE(times.ok()) << times.status();
    // Each chain passes every procedure, and its first procedure once more.
    for (const std::uint64_t count : executed) {
      EXPECT_EQ(count, std::uint64_t{WideJob::kStages} * 3 * (WideJob::kHops + 1));
    }
    EXPECT_EQ(misplaced, 0u);
    ASSERT_EQ(times->begin_ns.size(), WideJob::kStages + 1);
    EXPECT_TRUE(std::is_sorted(times->begin_ns.begin(), times->begin_ns.end()));
    EXPECT_EQ(times->Between(0, WideJob::kStages),
              times->begin_ns.back() - times->begin_ns.front());
  }
}

}  // namespace
}  // namespace warpyard::model
