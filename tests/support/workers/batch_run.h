// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Events of several jobs, and others beside, on a few workers in the interleaving of a seed.
//
// In every order of steps, each job is fetched once before its stages, each index of each stage is
// executed once and after the stage before, and each job is finished once after its last stage. Of
// an event that is cancelled, each of these happens at most once.
#ifndef WARPYARD_TESTS_SUPPORT_WORKERS_BATCH_RUN_H_
#define WARPYARD_TESTS_SUPPORT_WORKERS_BATCH_RUN_H_

#include <array>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/model/worker/workspace.h"
#include "core/policy/policy.h"
#include "core/procedure/any_job.h"
#include "core/workload/synthetic/synthetic_oracle.h"
#include "tests/support/workers/mark_and_load.h"
#include "tests/support/workers/mark_program.h"
#include "tests/support/workers/scheduled_workers.h"

namespace warpyard::test_support {

/// @shape Scope: SchedulerScope or what derives from it
template <class Scope>
using TinyBatchSpace = model::Workspace<Scope, MarkAndLoadProgram, TinyShape>;

/// The events of a run.
enum class BatchStory {
  kAlone,        ///< one batch
  kBeside,       ///< a batch beside one or two events of any kind, with ranks and deadlines
  kPark,         ///< the same with several starts of the workers
  kCancelEarly,  ///< a batch that is cancelled before its first stage, beside another event
  kCancelLate    ///< a batch that is cancelled while it runs, beside another event
};

/// @shape Space: a TinyBatchSpace or what is like it
template <class Space, class Executor = model::ThreadExecutor<typename Space::Scope, Space>>
class BatchRun {
 public:
  using Program = MarkAndLoadProgram;
  using Batch = HostBatch<Program>;

  explicit BatchRun(std::uint32_t seed) : workers_(seed), random_(seed) {}

  /// What goes wrong; empty when nothing does.
  std::string FindFault(BatchStory story) {
    const bool cancels = story == BatchStory::kCancelEarly || story == BatchStory::kCancelLate;
    CancelAt cancel;
    if (story == BatchStory::kCancelEarly) cancel.round = CancelAt::kBeforeTheStart;
    if (story == BatchStory::kCancelLate) cancel.round = Below(12);
    AddBatch(cancel);
    const std::uint32_t others = story == BatchStory::kAlone ? 0 : 1 + Below(2);
    for (std::uint32_t i = 0; i < others; ++i) AddOther();
    SetRanks(1 + others);
    const std::string fault = workers_.Run(story == BatchStory::kPark ? 2 + Below(2) : 1);
    if (!fault.empty()) return fault;
    if (story == BatchStory::kCancelEarly && batches_[0]->HasFetched()) return "fetches a job";
    for (std::size_t i = 0; i < batches_.size(); ++i) {
      const std::string wrong = batches_[i]->FindFault(cancels && i == 0);
      if (!wrong.empty()) return "batch " + std::to_string(i) + ": " + wrong;
    }
    return FaultOfOther();
  }

 private:
  std::uint32_t Below(std::uint32_t count) { return static_cast<std::uint32_t>(random_() % count); }

  std::uint64_t Deadline() { return Below(2) == 0 ? 1 + Below(1000) : policy::kNoDeadline; }

  void AddBatch(CancelAt cancel) {
    typename Batch::Jobs jobs;
    const std::uint32_t count = 1 + Below(4), grain = 1 + Below(3), most = 1 + Below(20);
    const bool skips_last = Below(3) == 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      jobs.push_back(std::make_unique<HostMarks>(
          std::array{Below(most + 1), Below(most + 1), Below(most + 1)}, grain, skips_last));
    }
    batches_.push_back(std::make_unique<Batch>(std::move(jobs)));
    workers_.Add(batches_.back()->job, cancel, Deadline());
  }

  /// A batch, a job of the same program alone, or a load.
  void AddOther() {
    const std::uint32_t kind = Below(4);
    if (kind == 0) return AddBatch({});
    Program::Job wrapped;
    if (kind == 1) {
      marks_.push_back(std::make_unique<HostMarks>(std::array{Below(9), Below(9), 1u}, 2));
      static_cast<void>(Program::Wrap(procedure::AnyJob::Of(marks_.back()->job), wrapped));
    } else {
      loads_.push_back(Load());
      static_cast<void>(Program::Wrap(procedure::AnyJob::Of(loads_.back()), wrapped));
    }
    workers_.Add(wrapped, {}, Deadline());
  }

  synthetic::SyntheticJob Load() {
    using Kind = synthetic::SyntheticKind;
    constexpr Kind kKinds[] = {Kind::kFlat, Kind::kRecursiveItems, Kind::kPrioritised};
    synthetic::SyntheticJob job;
    job.kind = kKinds[Below(3)];
    job.seed = Below(1000);
    job.stages = 1 + Below(2);
    job.elements = 1 + Below(4);
    job.growth = {3, {900, 300}};
    if (job.kind == Kind::kPrioritised) {
      job.total = 6;
      job.levels = 1 + Below(5);
    }
    results_.push_back(std::make_unique<synthetic::SyntheticResults>());
    job.results = results_.back().get();
    return job;
  }

  void SetRanks(std::uint32_t events) {
    workers_.space().event_counts.running = events;
    for (std::uint32_t event = 0; event < events; ++event) {
      workers_.space().board.SetRank(event, Below(3));
    }
  }

  std::string FaultOfOther() const {
    for (const auto& marks : marks_) {
      const std::string wrong = marks->FindFault(MarkEnd::kAlone);
      if (!wrong.empty()) return "job alone: " + wrong;
    }
    for (std::size_t i = 0; i < loads_.size(); ++i) {
      const std::uint64_t executed = synthetic::TotalOf(*results_[i]).executed;
      if (executed != synthetic::CountNodes(loads_[i]).executed) return "a load is not executed";
    }
    return "";
  }

  ScheduledWorkers<Space, Executor> workers_;
  std::mt19937_64 random_;
  std::vector<std::unique_ptr<Batch>> batches_;
  std::vector<std::unique_ptr<HostMarks>> marks_;
  std::vector<synthetic::SyntheticJob> loads_;
  std::vector<std::unique_ptr<synthetic::SyntheticResults>> results_;
};

/// The first seed at which a story goes wrong, and how.
template <class Space, class Executor = model::ThreadExecutor<typename Space::Scope, Space>>
struct BatchSearch {
  std::uint32_t seed = 0;
  std::string fault;

  BatchSearch(BatchStory story, std::uint32_t seeds) {
    for (; seed < seeds; ++seed) {
      fault = BatchRun<Space, Executor>(seed).FindFault(story);
      if (!fault.empty()) return;
    }
  }
};

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SUPPORT_WORKERS_BATCH_RUN_H_
