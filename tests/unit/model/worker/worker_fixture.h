// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Workers that a test calls one by one, and a program that writes down what they execute.
#ifndef WARPYARD_TESTS_UNIT_MODEL_WORKER_WORKER_FIXTURE_H_
#define WARPYARD_TESTS_UNIT_MODEL_WORKER_WORKER_FIXTURE_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "core/model/cpu/thread_executor.h"
#include "core/model/worker/worker.h"
#include "core/procedure/procedure_list.h"
#include "tests/support/workers/small_space.h"
#include "tests/support/workers/start_event.h"
#include "tests/unit/model/worker/clock_scope.h"

namespace warpyard::test_support {

/// What was executed.
struct Visit {
  std::uint32_t event;
  std::uint32_t depth;  ///< 0: of a stage
  std::uint32_t begin;  ///< depth 0: the indices; else the level, or 0
  std::uint32_t end;
};
using Log = std::vector<Visit>;

/// Stages whose indices are the roots of trees.
struct TreeJob {
  std::uint32_t indices = 1;
  std::uint32_t fanout = 0;
  std::uint32_t depths = 0;  ///< of descendants
  std::uint32_t levels = 0;  ///< not 0: descendants wait at levels, the later ones at lower levels
  std::uint32_t stages = 1;
  bool chains = false;  ///< descendants have one child each
  /// The children of a root, and every second child of a descendant, wait at no level.
  bool mixed = false;
  bool comb = false;  ///< only the last child of each element has children
  Log* log = nullptr;
  const std::function<void()>* visited = nullptr;  ///< is called after each element

  std::uint32_t FanoutAt(std::uint32_t depth) const { return chains && depth != 0 ? 1 : fanout; }
  std::uint32_t Elements() const {
    std::uint32_t sum = 1, wide = 1;
    for (std::uint32_t depth = 0; depth < depths; ++depth) sum += wide *= FanoutAt(depth);
    return stages * indices * sum;
  }
};

struct TreeNode {
  std::uint32_t depth;
  std::uint32_t level;
};

template <class Scope>
void Grow(procedure::Context<Scope, TreeJob>& context, std::uint32_t depth) {
  const TreeJob& job = context.job;
  if (depth == job.depths) return;
  for (std::uint32_t child = 0; child < job.FanoutAt(depth); ++child) {
    const bool is_leaf = job.comb && child + 1 != job.FanoutAt(depth);
    const std::uint32_t at = is_leaf ? job.depths : depth + 1;
    const bool is_free = job.mixed && (depth == 0 || child % 2 != 0);
    if (job.levels == 0 || is_free) {
      context.Spawn(ProcedureId(1), TreeNode{at, 0});
    } else {
      const std::uint32_t level = job.levels - 1 - child % job.levels;
      context.SpawnAt(Level(level), ProcedureId(1), TreeNode{at, level});
    }
  }
}

inline constexpr std::uint32_t kMostChildren = 8;

struct Root {
  using Item = procedure::Range;
  static constexpr std::size_t kSharedBytes = 0;
  static constexpr const char* kName = "Root";
  static constexpr std::uint32_t kMaxSpawns = kMostChildren;

  template <class Scope>
  static void Execute(procedure::Context<Scope, TreeJob>& context, const Item& range) {
    context.job.log->push_back({procedure::EventOf(context.head), 0, range.begin, range.end});
    Grow(context, 0);
  }
};

struct Descendant {
  using Item = TreeNode;
  static constexpr std::size_t kSharedBytes = 0;
  static constexpr const char* kName = "Descendant";
  static constexpr std::uint32_t kThreads = 1;
  static constexpr std::uint32_t kMaxSpawns = kMostChildren;
  static constexpr bool kSpawned = true;

  template <class Scope>
  static void Execute(procedure::Context<Scope, TreeJob>& context, const Item& node) {
    const std::uint32_t event = procedure::EventOf(context.head);
    context.job.log->push_back({event, node.depth, node.level, 0});
    Grow(context, node.depth);
    if (context.job.visited != nullptr) (*context.job.visited)();
  }
};

/// A stage of ranges of any length.
struct RootRange : Root {
  static constexpr std::uint32_t kMaxSpawns = 0;
  static constexpr bool kUneven = true;
  template <class Scope>
  static void Execute(procedure::Context<Scope, TreeJob>& context, const Item& range) {
    context.job.log->push_back({procedure::EventOf(context.head), 0, range.begin, range.end});
  }
};

struct TreeProgram {
  using Job = TreeJob;
  using Procedures = procedure::ProcedureList<Root, Descendant, RootRange>;
  static constexpr std::uint32_t kMaxStages = 4;

  static std::uint32_t StageCount(const Job& job) { return job.stages; }
  template <class Scope>
  static procedure::StagePlan Plan(const Job& job, std::uint32_t) {
    return {ProcedureId(job.fanout == 0 ? 2 : 0), job.indices, 1};
  }
};

/// @shape kNewest: WorkerShape::kNewestCycles
template <std::uint32_t kNewest>
using TreeSpaceOf = SmallSpace<ClockScope, 1, TreeProgram, kNewest>;
using TreeSpace = TreeSpaceOf<0>;

/// A worker with a block of its own.
template <class TreeSpace>
class OneWorker {
 public:
  using Executor = model::ThreadExecutor<ClockScope, TreeSpace>;

  OneWorker(TreeSpace& space, std::uint32_t index, std::uint32_t workers, std::uint32_t launch)
      : space_(space),
        index_(index),
        executor_(scope_, space),
        worker_((model::WorkerCounts<TreeSpace>::Reset(scope_, *memory_), scope_), space, *memory_,
                executor_, {index, 0, workers, launch}) {}

  /// A worker that found nothing looks for news first, but goes on without any: it may rest no
  /// longer.
  template <class Done>
  model::Found Step(Done& done) {
    if (found_ == model::Found::kNothing) HasNews();
    return found_ = worker_.Step(done);
  }
  std::uint32_t Elements() const {
    const model::WorkerMemory<TreeSpace>& own = memory_->workers[0];
    return own.stack.count + own.reserve_to - own.reserve_from;
  }
  /// As a worker looks that waits.
  bool HasNews() {
    if (space_.hand_over.Given(index_) != 0) {
      worker_.HeedGift();
      return true;
    }
    const bool of_block = worker_.HasNewsOfBlock();
    return worker_.Heed(space_.board.ReadFree()) || of_block;
  }
  void Rest() { worker_.Rest(); }
  model::BlockMemory<TreeSpace>& Block() { return *memory_; }

 private:
  TreeSpace& space_;
  const std::uint32_t index_;
  ClockScope scope_{nullptr};
  const std::unique_ptr<model::BlockMemory<TreeSpace>> memory_{new model::BlockMemory<TreeSpace>()};
  Executor executor_;
  model::Worker<ClockScope, TreeSpace, Executor> worker_;
  model::Found found_ = model::Found::kRan;
};

/// Workers that are called one by one. @shape kNewest: see TreeSpaceOf
template <std::uint32_t kNewest>
class WorkerFixtureOf : public ::testing::Test {
 protected:
  using TreeSpace = TreeSpaceOf<kNewest>;

  WorkerFixtureOf() {
    ClockScope::step = 0;
    space_.Reset(0, 1);
    for (std::uint32_t event = 0; event <= model::Choice::kLevels; ++event) {
      space_.board.SetRank(event, 10 + event);
    }
    Launch(1, 1);
  }
  ~WorkerFixtureOf() override { ClockScope::step = 0; }

  /// Starts the workers of a launch.
  void Launch(std::uint32_t workers, std::uint32_t launch) {
    workers_.clear();
    for (std::uint32_t w = 0; w < workers; ++w) {
      workers_.push_back(std::make_unique<OneWorker<TreeSpace>>(space_, w, workers, launch));
    }
  }

  void Start(std::uint32_t event, TreeJob job) {
    job.log = &log_;
    space_.events[event].job = job;
    space_.events[event].cancel = 0;
    ++space_.event_counts.running;
    if (StartEvent(space_, event)) ends_.push_back(event);
  }
  /// Starts twelve unlike events. Returns how many elements they have.
  std::uint32_t StartTwelve() {
    std::uint32_t elements = 0;
    for (std::uint32_t event = 0; event < 12; ++event) {
      TreeJob job{1 + 7 * event, 1 + event % 4, 1 + event % 5};
      job.levels = event % 3 == 0 ? 1 + event : 0;
      job.stages = 1 + event % 3;
      Start(event, job);
      elements += job.Elements();
    }
    return elements;
  }
  model::Found Step(std::uint32_t worker = 0) {
    const auto done = [this](std::uint32_t event) {
      ends_.push_back(event);
      --space_.event_counts.running;
    };
    return workers_[worker]->Step(done);
  }
  /// Until a worker leaves, which it does soon.
  bool Leaves(std::uint32_t worker = 0) {
    for (int i = 0; i < 40; ++i) {
      if (Step(worker) == model::Found::kLeave) return true;
    }
    return false;
  }
  /// Until all workers find nothing.
  void RunAll() {
    for (std::uint32_t idle = 0, i = 0; idle < 3 * workers_.size(); ++i) {
      const model::Found found = Step(i % static_cast<std::uint32_t>(workers_.size()));
      ASSERT_NE(found, model::Found::kStuck);
      idle = found == model::Found::kNothing ? idle + 1 : 0;
    }
  }
  /// Until so many elements were executed.
  void RunUntil(std::size_t executed) {
    for (int i = 0; log_.size() < executed && i < 10'000; ++i) Step();
    ASSERT_EQ(log_.size(), executed);
  }
  std::uint32_t Executed(std::uint32_t event) const {
    return static_cast<std::uint32_t>(
        std::count_if(log_.begin(), log_.end(), [&](const Visit& v) { return v.event == event; }));
  }
  std::uint32_t Outstanding(std::uint32_t event) {
    return static_cast<std::uint32_t>(space_.events[event].account);
  }
  procedure::EventError ErrorOf(std::uint32_t event) {
    return static_cast<procedure::EventError>(space_.events[event].error);
  }

  const std::unique_ptr<TreeSpace> memory_{new TreeSpace()};
  TreeSpace& space_ = *memory_;
  std::vector<std::unique_ptr<OneWorker<TreeSpace>>> workers_;
  Log log_;
  std::vector<std::uint32_t> ends_;
};
using WorkerFixture = WorkerFixtureOf<0>;

using Ends = std::vector<std::uint32_t>;

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_UNIT_MODEL_WORKER_WORKER_FIXTURE_H_
