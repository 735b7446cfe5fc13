// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/model/batched_jobs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "core/base/bell.h"
#include "core/model/combined_program.h"
#include "core/model/cpu/cpu_workers.h"
#include "core/procedure/any_job.h"

namespace warpyard::model {
namespace {

using procedure::AnyJob;
using procedure::CancelToken;
using procedure::Context;
using procedure::Range;

constexpr std::uint32_t kStages = 3;

/// Marks each index of each stage. The number of indices of a stage is known only when the stage
/// before is done.
struct MarkJob {
  std::uint32_t counts[kStages];
  std::uint32_t grain;
  std::uint32_t skipped;          ///< a stage that batches pass over; kStages: none
  std::uint32_t* marks[kStages];  ///< @shape [counts[stage]]
  std::uint32_t* known;           ///< @shape [kStages]: counts, once they are known
  std::uint32_t* finished;
  std::uint64_t* fetched;   ///< byte p: how often part p was fetched
  std::atomic<bool>* hold;  ///< stage 0 waits for it; or null
};

template <std::uint32_t kStage>
struct Mark {
  using Item = Range;
  static constexpr std::uint32_t kThreads = 32;
  static constexpr std::size_t kSharedBytes = 0;
  static constexpr bool kUneven = true;
  static constexpr const char* kName = "Mark";

  template <class Scope>
  static void Execute(Context<Scope, MarkJob>& context, const Range& range) {
    const MarkJob& job = context.job;
    EXPECT_LT(range.begin, range.end);
    if (kStage == 0 && job.hold != nullptr) {
      while (!*job.hold) std::this_thread::yield();
    }
    for (std::uint32_t i = range.begin; i < range.end; ++i) {
      Scope::Word(job.marks[kStage][i]).FetchAddRelaxed(1u);
      if constexpr (kStage + 1 < kStages) {
        if (i == 0) Scope::Word(job.known[kStage + 1]).StoreRelaxed(job.counts[kStage + 1]);
      }
    }
  }
};

struct MarkProgram {
  using Job = MarkJob;
  using Procedures = procedure::ProcedureList<Mark<0>, Mark<1>, Mark<2>>;
  using Batched = Procedures;
  static constexpr std::uint32_t kMaxStages = kStages;

  static std::uint32_t StageCount(const Job&) { return kStages; }
  template <class Scope>
  static procedure::StagePlan Plan(const Job& job, std::uint32_t stage) {
    return {ProcedureId(stage), Scope::Word(job.known[stage]).LoadRelaxed(), job.grain};
  }
  static std::uint64_t BatchKey(const Job& job) { return job.grain; }
  static bool PassesOver(const Job& job, std::uint32_t stage) { return job.skipped == stage; }
  template <class Scope>
  static void Fetch(Scope&, const Job& source, Job& job, std::uint32_t part, std::uint32_t parts) {
    EXPECT_NE(&source, &job);
    EXPECT_LT(part, parts);
    Scope::Word(*source.fetched).FetchAddRelaxed(std::uint64_t{1} << 8 * part);
  }
  template <class Scope>
  static void Finish(const Job& job) {
    ++*job.finished;
  }
};

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

using Program = CombinedProgram<OtherProgram, MarkProgram>;

/// A job and its memory.
class HostMarks {
 public:
  HostMarks(const std::array<std::uint32_t, kStages>& counts, std::uint32_t grain,
            std::uint32_t skipped = kStages) {
    for (std::uint32_t stage = 0; stage < kStages; ++stage) {
      job.counts[stage] = counts[stage];
      marks_[stage].resize(counts[stage]);
      job.marks[stage] = marks_[stage].data();
    }
    known_[0] = counts[0];
    job.grain = grain;
    job.skipped = skipped;
    job.known = known_.data();
    job.finished = &finished_;
    job.fetched = &fetched_;
  }
  HostMarks(const HostMarks&) = delete;
  HostMarks& operator=(const HostMarks&) = delete;

  void ExpectDone(bool in_batch) const {
    for (std::uint32_t stage = 0; stage < kStages; ++stage) {
      const std::uint32_t wanted = in_batch && stage == job.skipped ? 0 : 1;
      EXPECT_EQ(std::ranges::count(marks_[stage], wanted),
                static_cast<std::ptrdiff_t>(marks_[stage].size()))
          << "stage " << stage;
    }
    EXPECT_EQ(finished_, 1u);
    EXPECT_EQ(fetched_, in_batch ? 0x01010101u : 0u);
  }

  MarkJob job{};

 private:
  std::array<std::vector<std::uint32_t>, kStages> marks_;
  std::array<std::uint32_t, kStages> known_{};
  std::uint32_t finished_ = 0;
  std::uint64_t fetched_ = 0;
};

class BatchedJobsTest : public ::testing::Test {
 protected:
  using Hosts = std::vector<std::unique_ptr<HostMarks>>;

  /// Runs the jobs as one event.
  absl::StatusOr<procedure::StageTimes> Run(const Hosts& hosts) {
    std::vector<AnyJob> jobs;
    for (const auto& host : hosts) jobs.push_back(AnyJob::Of(host->job));
    std::vector<std::uint64_t> sources(hosts.size() * Program::kBatchedBytes / 8),
        room(sources.size());
    Program::Job wrapped;
    Program::WrapBatch(jobs, reinterpret_cast<std::byte*>(sources.data()),
                       reinterpret_cast<std::byte*>(room.data()), wrapped);
    return workers_.Run(wrapped, {}, CancelToken());
  }

  CpuWorkers<Program> workers_{3};
};

TEST_F(BatchedJobsTest, ExecutesEveryIndexOfEveryJobOnce) {
  for (const std::uint32_t grain : {1u, 3u, 32u, 1000u}) {
    Hosts hosts;
    for (std::uint32_t i = 0; i < 40; ++i) {
      const std::uint32_t first = 1 + i * 37 % 300;
      hosts.push_back(std::make_unique<HostMarks>(
          std::array{first, i % 5 == 0 ? 0 : 7 * i + 1, i % 5 == 0 ? 0 : 20'000 / (i + 1)}, grain));
    }
    const auto times = Run(hosts);
    ASSERT_TRUE(times.ok()) << times.status();
    EXPECT_EQ(times->begin_ns.size(), kStages + 2 + 1);
    for (const auto& host : hosts) host->ExpectDone(true);
  }
}

TEST_F(BatchedJobsTest, TheFirstJobMayHaveMuchMoreOrLessToDo) {
  for (const bool more : {false, true}) {
    Hosts hosts;
    for (std::uint32_t i = 0; i < 5; ++i) {
      const std::uint32_t count = (i == 0) == more ? 100'000 : 1;
      hosts.push_back(std::make_unique<HostMarks>(std::array{count, count, count}, 2));
    }
    ASSERT_TRUE(Run(hosts).ok());
    for (const auto& host : hosts) host->ExpectDone(true);
  }
}

TEST_F(BatchedJobsTest, PassesOverAStage) {
  Hosts hosts;
  for (std::uint32_t i = 0; i < 3; ++i) {
    hosts.push_back(std::make_unique<HostMarks>(std::array{90u, 70u, 1u}, 4, 2));
  }
  ASSERT_TRUE(Run(hosts).ok());
  for (const auto& host : hosts) host->ExpectDone(true);
}

TEST_F(BatchedJobsTest, AJobAloneDoesAllStages) {
  HostMarks host({90, 70, 50}, 4, 1);
  Program::Job wrapped;
  ASSERT_TRUE(Program::Wrap(AnyJob::Of(host.job), wrapped).ok());
  const auto times = workers_.Run(wrapped, {}, CancelToken());
  ASSERT_TRUE(times.ok());
  EXPECT_EQ(times->begin_ns.size(), kStages + 1);
  host.ExpectDone(false);
}

TEST_F(BatchedJobsTest, ABatchThatIsCancelledBeforeItBeginsReadsNoJobs) {
  // Its workers are busy, so no job has been fetched when it is cancelled.
  CpuWorkers<Program> workers(1);
  std::atomic<bool> goes_on = false;
  HostMarks first({1, 1, 1}, 4);
  first.job.hold = &goes_on;
  Program::Job blocking;
  ASSERT_TRUE(Program::Wrap(AnyJob::Of(first.job), blocking).ok());
  Bell bell;
  auto held = workers.Start(blocking, {}, bell);
  ASSERT_TRUE(held.ok());
  const HostMarks waiting({90, 70, 50}, 4);
  const std::vector<AnyJob> jobs(4, AnyJob::Of(waiting.job));
  std::vector<std::uint64_t> sources(jobs.size() * Program::kBatchedBytes / 8),
      room(sources.size());
  Program::Job wrapped;
  Program::WrapBatch(jobs, reinterpret_cast<std::byte*>(sources.data()),
                     reinterpret_cast<std::byte*>(room.data()), wrapped);
  auto batch = workers.Start(wrapped, {}, bell);
  ASSERT_TRUE(batch.ok());
  (*batch)->Cancel();
  goes_on = true;
  std::optional<absl::StatusOr<procedure::StageTimes>> end, of_first;
  while (!end || !of_first) {
    if (!end) end = (*batch)->TakeEnd();
    if (!of_first) of_first = (*held)->TakeEnd();
    bell.WaitFor(std::chrono::milliseconds(10));
  }
  EXPECT_TRUE(absl::IsCancelled(end->status())) << end->status();
  EXPECT_TRUE(of_first->ok());
  EXPECT_TRUE(std::ranges::all_of(room, [](std::uint64_t word) { return word == 0; }));
}

TEST(BatchKey, IsThatOfTheProgram) {
  const HostMarks host({1, 1, 1}, 4);
  EXPECT_EQ(Program::BatchKey(AnyJob::Of(host.job)), 4u);
  EXPECT_EQ(Program::BatchKey(AnyJob::Of(OtherJob{})), 0u);
  const int unknown = 0;
  EXPECT_EQ(Program::BatchKey(AnyJob::Of(unknown)), 0u);
  EXPECT_EQ(Program::kBatchedBytes, sizeof(MarkJob));
}

}  // namespace
}  // namespace warpyard::model
