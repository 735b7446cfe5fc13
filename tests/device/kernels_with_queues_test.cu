// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Kernels with queues on a CUDA device. Small enough for compute-sanitizer.

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "benchmarks/kernels_with_queues/kernels_with_queues.cuh"
#include "core/device/cuda_backend.h"
#include "core/memory/device_array.h"
#include "core/model/combined_program.h"
#include "core/workload/synthetic/synthetic_oracle.h"
#include "core/workload/synthetic/synthetic_program.h"
#include "tests/unit/model/counting_program.h"

namespace warpyard::bench {
namespace {

using procedure::CancelToken;
using synthetic::SyntheticJob;
using synthetic::SyntheticKind;
using synthetic::SyntheticProgram;
using synthetic::SyntheticResults;
using test_support::CountingJob;
using test_support::CountingProgram;
using test_support::HostCounting;
using Both = model::CombinedProgram<CountingProgram, SyntheticProgram>;
using Model = KernelsWithQueues<Both>;

constexpr std::uint32_t kQueueElements = 1 << 16;

std::uint32_t GroupSizeOf(SyntheticKind kind) {
  switch (kind) {
    case SyntheticKind::kRecursiveItems:
    case SyntheticKind::kTree:
      return 1;
    case SyntheticKind::kRecursiveSets:
      return 8;
    case SyntheticKind::kRecursivePackages64:
      return 64;
    default:
      return 128;
  }
}

class KernelsWithQueuesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto backend = device::CudaBackend::Create(0, 0);
    if (!backend.ok()) GTEST_SKIP() << backend.status();
    backend_ = *std::move(backend);
    auto model = Model::Create(*backend_, {}, kQueueElements);
    ASSERT_TRUE(model.ok()) << model.status();
    model_ = *std::move(model);
  }

  /// Runs an event with its memory on the device, and copies the memory back.
  absl::Status Run(HostCounting& counting, const CancelToken& token = CancelToken()) {
    const std::size_t words = CountingJob::Words(counting.job.most);
    auto memory = memory::DeviceArray<std::uint32_t>::Create(*backend_, words);
    if (!memory.ok()) return memory.status();
    const std::size_t bytes = words * sizeof(std::uint32_t);
    WY_RETURN_IF_ERROR(backend_->CopyIn(memory->data(), counting.job.words, bytes));
    CountingJob job = counting.job;
    job.words = memory->data();
    Both::Job wrapped;
    WY_RETURN_IF_ERROR(Both::Wrap(procedure::AnyJob::Of(job), wrapped));
    const auto times = model_->Run(wrapped, {}, token);
    WY_RETURN_IF_ERROR(backend_->CopyOut(counting.job.words, memory->data(), bytes));
    return times.status();
  }

  absl::Status Run(SyntheticJob job, SyntheticResults& results,
                   const CancelToken& token = CancelToken()) {
    auto memory = memory::DeviceArray<SyntheticResults>::Create(*backend_, 1);
    if (!memory.ok()) return memory.status();
    results = {};
    WY_RETURN_IF_ERROR(backend_->CopyIn(memory->data(), &results, sizeof results));
    job.results = memory->data();
    Both::Job wrapped;
    WY_RETURN_IF_ERROR(Both::Wrap(procedure::AnyJob::Of(job), wrapped));
    const auto times = model_->Run(wrapped, {}, token);
    WY_RETURN_IF_ERROR(backend_->CopyOut(&results, memory->data(), sizeof results));
    return times.status();
  }

  /// Runs a job without a fault and compares it with the oracle.
  void ExpectRight(const SyntheticJob& job) {
    SyntheticResults results;
    const absl::Status status = Run(job, results);
    ASSERT_TRUE(status.ok()) << status;
    const synthetic::SyntheticTotals totals = TotalOf(results), expected = CountNodes(job);
    EXPECT_EQ(totals.executed, expected.executed);
    EXPECT_EQ(totals.checksum, expected.checksum);
    if (job.counting == synthetic::Counting::kThreads) {
      EXPECT_EQ(synthetic::ThreadsOf(results), expected.executed * GroupSizeOf(job.kind));
    }
  }

  std::uint64_t Executed() const {
    std::uint64_t executed = 0;
    for (const model::ProcedureCounters& sums : model_->Statistics().procedures)
      executed += sums.executed;
    return executed;
  }

  std::unique_ptr<device::CudaBackend> backend_;
  std::unique_ptr<Model> model_;
};

SyntheticJob JobOf(SyntheticKind kind, std::uint32_t elements,
                   const synthetic::Growth& growth = {}) {
  SyntheticJob job;
  job.kind = kind;
  job.seed = 42;
  job.elements = elements;
  job.growth = growth;
  job.counting = synthetic::Counting::kThreads;
  return job;
}

TEST_F(KernelsWithQueuesTest, ExecutesEveryIndexOfEveryStageOnceAndInOrder) {
  for (const std::uint32_t grain : {1u, 33u, 500u}) {
    HostCounting counting(20'000, 777, 4'001, grain);
    const absl::Status status = Run(counting);
    ASSERT_TRUE(status.ok()) << status;
    EXPECT_EQ(counting.FindFault(), "") << "grain " << grain;
  }
}

TEST_F(KernelsWithQueuesTest, PassesOverStagesThatHaveNothingToDo) {
  HostCounting empty(0, 0, 0, 1), last_only(0, 0, 3, 1);
  EXPECT_TRUE(Run(empty).ok());
  EXPECT_TRUE(Run(last_only).ok());
  EXPECT_EQ(last_only.FindFault(), "");
}

TEST_F(KernelsWithQueuesTest, ExecutesWhatTheOracleSays) {
  const synthetic::Growth growths[] = {synthetic::RecursiveGrowth(),
                                       synthetic::FullTreeGrowth(7, synthetic::kEvenPermille),
                                       synthetic::ForestGrowth(30, synthetic::kChangePermille)};
  for (const SyntheticKind kind :
       {SyntheticKind::kFlat, SyntheticKind::kRecursiveItems, SyntheticKind::kRecursiveSets,
        SyntheticKind::kRecursivePackages64, SyntheticKind::kRecursivePackages,
        SyntheticKind::kTree}) {
    for (const synthetic::Growth& growth : growths) {
      SCOPED_TRACE(static_cast<int>(kind));
      ExpectRight(JobOf(kind, 70, growth));
    }
    ExpectRight(JobOf(kind, 2000, synthetic::ExpandingGrowth()));
    ExpectRight(JobOf(kind, 1, {}));
    ExpectRight(JobOf(kind, 0, {}));
  }
}

TEST_F(KernelsWithQueuesTest, ExecutesAFullTreeToItsLeaves) {
  ExpectRight(
      JobOf(SyntheticKind::kTree, 1, synthetic::FullTreeGrowth(15, synthetic::kStayPermille)));
}

TEST_F(KernelsWithQueuesTest, ExecutesPrioritisedPackagesInWhateverOrder) {
  for (const std::uint32_t levels : {0u, 1u, 192u}) {
    SyntheticJob job = JobOf(SyntheticKind::kPrioritised, 300);
    job.total = 2000;
    job.levels = levels;
    ExpectRight(job);
  }
}

TEST_F(KernelsWithQueuesTest, EndsAStageWhenAllThatItSpawnedIsDone) {
  SyntheticJob job =
      JobOf(SyntheticKind::kTree, 50, synthetic::FullTreeGrowth(6, synthetic::kEvenPermille));
  job.stages = 4;
  ExpectRight(job);
}

TEST_F(KernelsWithQueuesTest, ServesManyCallers) {
  std::vector<std::thread> callers;
  for (std::uint32_t caller = 0; caller < 4; ++caller) {
    callers.emplace_back([this, caller] {
      for (std::uint32_t event = 0; event < 5; ++event) {
        ExpectRight(
            JobOf(SyntheticKind::kRecursiveItems, 10 + 100 * caller, synthetic::RecursiveGrowth()));
        HostCounting counting(300, 10 * caller, 50, 2);
        EXPECT_TRUE(Run(counting).ok());
        EXPECT_EQ(counting.FindFault(), "");
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
}

TEST_F(KernelsWithQueuesTest, CountsElementsAndLaunches) {
  const SyntheticJob job = JobOf(SyntheticKind::kRecursiveSets, 100, synthetic::RecursiveGrowth());
  ExpectRight(job);
  const std::uint64_t nodes = CountNodes(job).executed;
  EXPECT_EQ(Executed(), nodes + 4) << "100 elements by 32";
  const model::ModelStatistics statistics = model_->Statistics();
  std::uint64_t spawned = 0;
  for (const model::ProcedureCounters& sums : statistics.procedures) spawned += sums.spawned;
  EXPECT_EQ(spawned, nodes);
  // The start, a kernel and an end for the stage, and the same for each depth.
  EXPECT_LE(statistics.launches, 1 + 2 + 2 * job.growth.depths);
  EXPECT_GE(statistics.launches, 1 + 2 + 2 * 20);
  EXPECT_EQ(statistics.running_events, 0u);
  EXPECT_FALSE(statistics.resident);
}

TEST_F(KernelsWithQueuesTest, EndsARunningEventThatIsCancelled) {
  // There are more blocks than fit on the device. Blocks that have not begun must not count as
  // busy.
  HostCounting counting(50'000, 10, 10, 1);
  counting.job.spin_ns = 100'000'000;
  CancelToken token;
  std::thread canceller([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
    token.Cancel();
  });
  const auto begin = std::chrono::steady_clock::now();
  const absl::Status status = Run(counting, token);
  const auto end = std::chrono::steady_clock::now();
  canceller.join();
  EXPECT_TRUE(absl::IsCancelled(status)) << status;
  EXPECT_LT(counting.job.Finished(0), 50'000u);
  EXPECT_EQ(counting.job.Finished(1), 0u);
  EXPECT_EQ(Executed(), counting.job.Finished(0)) << "elements that were dropped do not count";
  EXPECT_LT(end - begin, std::chrono::seconds(10));
  HostCounting next(500, 50, 5, 3);
  EXPECT_TRUE(Run(next).ok());
  EXPECT_EQ(next.FindFault(), "");
}

TEST_F(KernelsWithQueuesTest, EndsACancelledEventBetweenRounds) {
  SyntheticJob job = JobOf(SyntheticKind::kRecursiveItems, 10, {1'000'000, {1000, 0}, 0, 0, 0});
  job.work = {synthetic::WorkKind::kSpin, 10'000};
  CancelToken token;
  std::thread canceller([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    token.Cancel();
  });
  SyntheticResults results;
  const absl::Status status = Run(job, results, token);
  canceller.join();
  EXPECT_TRUE(absl::IsCancelled(status)) << status;
  ExpectRight(
      JobOf(SyntheticKind::kTree, 70, synthetic::FullTreeGrowth(5, synthetic::kEvenPermille)));
}

TEST_F(KernelsWithQueuesTest, DoesNotStartAnEventThatIsCancelled) {
  CancelToken token;
  token.Cancel();
  SyntheticResults results;
  EXPECT_TRUE(absl::IsCancelled(Run(JobOf(SyntheticKind::kFlat, 100), results, token)));
  EXPECT_EQ(TotalOf(results).executed, 0u);
}

TEST_F(KernelsWithQueuesTest, EndsAnEventWhoseProcedureFails) {
  SyntheticJob job =
      JobOf(SyntheticKind::kTree, 70, synthetic::FullTreeGrowth(5, synthetic::kEvenPermille));
  job.fault = synthetic::Fault::kFail;
  job.fault_at = 33;
  SyntheticResults results;
  const absl::Status status = Run(job, results);
  EXPECT_TRUE(absl::IsAborted(status)) << status;
  EXPECT_LE(TotalOf(results).executed, 70u);
  EXPECT_TRUE(model_->Health().ok());
  job.fault = synthetic::Fault::kNone;
  ExpectRight(job);
}

TEST_F(KernelsWithQueuesTest, FailsAnEventThatOverflowsItsQueueAndRunsTheNext) {
  // 2^16 elements fit; the next depth of the tree has twice as many.
  const SyntheticJob full =
      JobOf(SyntheticKind::kRecursiveItems, 1, synthetic::FullTreeGrowth(17, 0));
  ExpectRight(full);
  SyntheticJob job = full;
  job.growth.depths = 19;
  SyntheticResults results;
  const absl::Status status = Run(job, results);
  EXPECT_TRUE(absl::IsResourceExhausted(status)) << status;
  EXPECT_NE(status.message().find("131072 of RecursiveItem at once, at most 65536"),
            absl::string_view::npos)
      << status;
  EXPECT_EQ(TotalOf(results).executed, (1u << 17) - 1);
  ExpectRight(full);
}

TEST_F(KernelsWithQueuesTest, RunsQuietWorkBesideEvents) {
  EXPECT_TRUE(model_->RunQuietly([] { return absl::OkStatus(); }).ok());
  EXPECT_TRUE(absl::IsAborted(model_->RunQuietly([] { return absl::AbortedError("mine"); })));
}

}  // namespace
}  // namespace warpyard::bench
