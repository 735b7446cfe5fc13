// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/model/cpu_workers.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "tests/unit/model/counting_program.h"

namespace warpyard::model {
namespace {

using procedure::CancelToken;
using test_support::CountingProgram;
using test_support::HostCounting;
using Workers = CpuWorkers<CountingProgram>;

TEST(CpuWorkers, RunEveryIndexOfEveryStageOnceAndInOrder) {
  for (const int threads : {1, 2, 4}) {
    Workers workers(threads);
    for (int event = 0; event < 20; ++event) {
      const HostCounting counting(3000, 700, 41, 7);
      const auto times = workers.Run(counting.job, CancelToken());
      ASSERT_TRUE(times.ok()) << times.status();
      ASSERT_EQ(counting.FindFault(), "") << threads << " threads";
      for (std::size_t stage = 0; stage < 3; ++stage) {
        EXPECT_LE(times->begin_ns[stage], times->begin_ns[stage + 1]);
      }
    }
  }
}

TEST(CpuWorkers, RunEventsThatHaveNothingToDo) {
  Workers workers(2);
  for (int event = 0; event < 100; ++event) {
    const HostCounting empty(0, 0, 0, 1), last_only(0, 0, 3, 1);
    EXPECT_TRUE(workers.Run(empty.job, CancelToken()).ok());
    EXPECT_TRUE(workers.Run(last_only.job, CancelToken()).ok());
    EXPECT_EQ(last_only.FindFault(), "");
  }
}

// More callers than slots, and more elements than the queues hold.
TEST(CpuWorkers, RunManyEventsOfManyCallersAtOnce) {
  Workers workers(3);
  std::vector<std::thread> callers;
  for (std::uint32_t caller = 0; caller < workers.MaxEvents() + 4; ++caller) {
    callers.emplace_back([&workers, caller] {
      for (std::uint32_t event = 0; event < 6; ++event) {
        const HostCounting counting(2500, 100 * (caller % 3), 10 + event, 1);
        const auto times = workers.Run(counting.job, CancelToken());
        ASSERT_TRUE(times.ok()) << times.status();
        ASSERT_EQ(counting.FindFault(), "");
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  for (const QueueFill& fill : workers.QueueFills()) {
    EXPECT_EQ(fill.size, 0u);
    EXPECT_GT(fill.capacity, 0u);
  }
}

TEST(CpuWorkers, CountWhatTheyExecuted) {
  Workers workers(2);
  const HostCounting counting(100, 50, 25, 5);
  ASSERT_TRUE(workers.Run(counting.job, CancelToken()).ok());
  const std::vector<ProcedureCounters> counters = workers.Counters();
  ASSERT_EQ(counters.size(), 3u);
  EXPECT_EQ(counters[0].executed, 20u);
  EXPECT_EQ(counters[1].executed, 10u);
  EXPECT_EQ(counters[2].executed, 5u);
}

// The elements of the first stage alone would take two seconds of one worker.
TEST(CpuWorkers, DropTheRestOfACancelledEvent) {
  Workers workers(1);
  HostCounting counting(2000, 2000, 2000, 1);
  counting.job.spin_ns = 1'000'000;
  CancelToken token;
  std::thread canceller([&] {
    const auto finished = exec::ThreadScope::Word(counting.job.Finished(0));
    exec::ThreadScope::Wait("for the first element", [&] { return finished.LoadRelaxed() > 0; });
    token.Cancel();
  });
  const auto times = workers.Run(counting.job, token);
  canceller.join();
  EXPECT_TRUE(absl::IsCancelled(times.status())) << times.status();
  EXPECT_GT(counting.job.Finished(0), 0u);
  EXPECT_LT(counting.job.Finished(0), 2000u);
  EXPECT_EQ(counting.job.Finished(1), 0u);
}

TEST(CpuWorkers, RunOtherEventsAfterACancelledOne) {
  Workers workers(2);
  for (int event = 0; event < 5; ++event) {
    HostCounting counting(2000, 10, 10, 1);
    counting.job.spin_ns = 1'000'000;
    CancelToken token;
    token.Cancel();
    EXPECT_TRUE(absl::IsCancelled(workers.Run(counting.job, token).status()));
    const HostCounting next(500, 500, 500, 3);
    EXPECT_TRUE(workers.Run(next.job, CancelToken()).ok());
    EXPECT_EQ(next.FindFault(), "");
  }
}

TEST(CpuWorkers, CancelOneEventWhileAnotherRuns) {
  Workers workers(2);
  HostCounting slow(2000, 10, 10, 1);
  slow.job.spin_ns = 1'000'000;
  CancelToken token;
  std::thread caller(
      [&] { EXPECT_TRUE(absl::IsCancelled(workers.Run(slow.job, token).status())); });
  for (int event = 0; event < 3; ++event) {
    const HostCounting fast(40, 40, 40, 1);
    EXPECT_TRUE(workers.Run(fast.job, CancelToken()).ok());
    EXPECT_EQ(fast.FindFault(), "");
    if (event == 1) token.Cancel();
  }
  caller.join();
}

TEST(CpuWorkers, EndWhileTheyAreIdle) {
  for (int i = 0; i < 20; ++i) {
    Workers idle(3);
    Workers used(2);
    const HostCounting counting(10, 10, 10, 1);
    EXPECT_TRUE(used.Run(counting.job, CancelToken()).ok());
  }
}

}  // namespace
}  // namespace warpyard::model
