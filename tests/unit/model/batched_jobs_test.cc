// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/model/batched_jobs.h"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "core/base/bell.h"
#include "core/exec/thread_scope.h"
#include "core/model/combined_program.h"
#include "core/model/cpu/cpu_workers.h"
#include "core/procedure/any_job.h"
#include "tests/support/workers/mark_program.h"

namespace warpyard::model {
namespace {

using procedure::AnyJob;
using procedure::CancelToken;
using procedure::Context;
using procedure::Range;

using test_support::HostMarks;
using test_support::kMarkStages;
using test_support::MarkEnd;
using test_support::MarkJob;

struct OtherJob {
  std::uint32_t stages;
};
struct Nothing {
  using Item = Range;
  static constexpr std::size_t kSharedBytes = 0;
  static constexpr const char* kName = "Nothing";
  template <class Scope>
  static void Execute(Context<Scope, OtherJob>&, const Range&) {}
};
/// Its procedure comes before those of the batched program.
struct OtherProgram {
  using Job = OtherJob;
  using Procedures = procedure::ProcedureList<Nothing>;
  static constexpr std::uint32_t kMaxStages = 1;
  static std::uint32_t StageCount(const Job&) { return 0; }
  template <class Scope>
  static procedure::StagePlan Plan(const Job&, std::uint32_t) {
    return {};
  }
};

using Program = CombinedProgram<OtherProgram, test_support::MarkProgram>;
using Batch = test_support::HostBatch<Program>;

class BatchedJobsTest : public ::testing::Test {
 protected:
  /// Runs the jobs as one event, in which nothing may go wrong.
  std::size_t StagesOf(Batch::Jobs hosts) {
    const Batch batch(std::move(hosts));
    const auto times = workers_.Run(batch.job, {}, CancelToken());
    EXPECT_TRUE(times.ok()) << times.status();
    EXPECT_EQ(batch.FindFault(false), "");
    return times.ok() ? times->begin_ns.size() - 1 : 0;
  }

  CpuWorkers<Program> workers_{3};
};

TEST_F(BatchedJobsTest, ExecutesEveryIndexOfEveryJobOnce) {
  for (const std::uint32_t grain : {1u, 3u, 32u, 1000u}) {
    Batch::Jobs hosts;
    for (std::uint32_t i = 0; i < 40; ++i) {
      const std::uint32_t first = 1 + i * 37 % 300;
      hosts.push_back(std::make_unique<HostMarks>(
          std::array{first, i % 5 == 0 ? 0 : 7 * i + 1, i % 5 == 0 ? 0 : 20'000 / (i + 1)}, grain));
    }
    EXPECT_EQ(StagesOf(std::move(hosts)), kMarkStages + 2);
  }
}

TEST_F(BatchedJobsTest, TheFirstJobMayHaveMuchMoreOrLessToDo) {
  for (const bool more : {false, true}) {
    Batch::Jobs hosts;
    for (std::uint32_t i = 0; i < 5; ++i) {
      const std::uint32_t count = (i == 0) == more ? 100'000 : 1;
      hosts.push_back(std::make_unique<HostMarks>(std::array{count, count, count}, 2));
    }
    StagesOf(std::move(hosts));
  }
}

TEST_F(BatchedJobsTest, PassesOverAStage) {
  Batch::Jobs hosts;
  for (std::uint32_t i = 0; i < 3; ++i) {
    hosts.push_back(std::make_unique<HostMarks>(std::array{90u, 70u, 1u}, 4, true));
  }
  StagesOf(std::move(hosts));
}

TEST_F(BatchedJobsTest, AJobAloneDoesAllStages) {
  const HostMarks host({90, 70, 50}, 4, true);
  Program::Job wrapped;
  ASSERT_TRUE(Program::Wrap(AnyJob::Of(host.job), wrapped).ok());
  const auto times = workers_.Run(wrapped, {}, CancelToken());
  ASSERT_TRUE(times.ok());
  EXPECT_EQ(times->begin_ns.size(), kMarkStages + 1);
  EXPECT_EQ(host.FindFault(MarkEnd::kAlone), "");
}

TEST_F(BatchedJobsTest, ABatchThatIsCancelledBeforeItBeginsReadsNoJobs) {
  // Its workers are busy, so no job has been fetched when it is cancelled.
  CpuWorkers<Program> workers(1);
  std::uint32_t holds = 1;
  HostMarks first({1, 1, 1}, 4);
  first.job.holds = &holds;
  Program::Job blocking;
  ASSERT_TRUE(Program::Wrap(AnyJob::Of(first.job), blocking).ok());
  Bell bell;
  auto held = workers.Start(blocking, {}, bell);
  ASSERT_TRUE(held.ok());
  Batch::Jobs hosts;
  for (int i = 0; i < 4; ++i) {
    hosts.push_back(std::make_unique<HostMarks>(std::array{90u, 70u, 50u}, 4));
  }
  const Batch waiting(std::move(hosts));
  auto batch = workers.Start(waiting.job, {}, bell);
  ASSERT_TRUE(batch.ok());
  (*batch)->Cancel();
  exec::ThreadScope::Word(holds).StoreRelease(0);
  std::optional<absl::StatusOr<procedure::StageTimes>> end, of_first;
  while (!end || !of_first) {
    if (!end) end = (*batch)->TakeEnd();
    if (!of_first) of_first = (*held)->TakeEnd();
    bell.WaitFor(std::chrono::milliseconds(10));
  }
  EXPECT_TRUE(absl::IsCancelled(end->status())) << end->status();
  EXPECT_TRUE(of_first->ok());
  EXPECT_FALSE(waiting.HasFetched());
  EXPECT_EQ(waiting.FindFault(true), "");
}

TEST(BatchKey, IsThatOfTheProgram) {
  const HostMarks host({1, 1, 1}, 4);
  EXPECT_EQ(Program::BatchKey(AnyJob::Of(host.job)), test_support::MarkProgram::BatchKey(host.job));
  EXPECT_EQ(Program::BatchKey(AnyJob::Of(OtherJob{})), 0u);
  const int unknown = 0;
  EXPECT_EQ(Program::BatchKey(AnyJob::Of(unknown)), 0u);
  EXPECT_EQ(Program::kBatchedBytes, sizeof(MarkJob));
}

}  // namespace
}  // namespace warpyard::model
