// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// One worker, call by call: how far a batch continues with spawned elements, and the sums that it
// reports.

#include "core/model/worker_loop.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "core/exec/thread_scope.h"
#include "tests/support/workers/mixed_program.h"

namespace warpyard::model {
namespace {

using test_support::HostMixed;
using test_support::MixedCounts;
using test_support::MixedJob;
using test_support::MixedJobOf;
using test_support::MixedProgram;

/// A CPU worker whose clock advances, at each reading, by the step that the test sets.
class ClockScope : public exec::ThreadScope {
 public:
  using ThreadScope::ThreadScope;
  inline static std::uint64_t now = 0;
  inline static std::uint64_t step = 0;
  static std::uint64_t Cycles() { return now += step; }
};

/// Events on one worker.
template <class Shape>
class LoopRun {
 public:
  using Space = Workspace<ClockScope, MixedProgram, Shape>;

  explicit LoopRun(std::uint32_t workers = 1)
      : loop_((Prepare(), scope_), *space_, *memory_, workers) {}

  void Start(std::uint32_t event, const HostMixed& mixed) {
    space_->events[event].job = mixed.job;
    ++space_->running_events;
    if (!space_->events.Start(event)) space_->buckets.SetHint(event, Space::Buckets::kRangeHint);
  }
  /// Runs one batch. Returns whether there was one.
  bool RunOnce() {
    const auto done = [this](std::uint32_t) { ++done_; };
    Found found = loop_.RunOnce(done);
    while (found == Found::kAgain) found = loop_.RunOnce(done);
    return found == Found::kBatch;
  }
  /// Runs until no element is left, and adds the sums of the worker to the total.
  void RunAll() {
    while (RunOnce()) continue;
    loop_.SetIdle();
  }
  /// What is wrong with the sums; empty when nothing is.
  std::string FindWrongSum(const MixedCounts& expected) const {
    std::uint64_t spawned = 0;
    for (std::uint32_t p = 0; p < Space::Procedures::kCount; ++p) {
      const ProcedureSums& sums = space_->procedures[p];
      spawned += sums.spawned;
      if (sums.executed == expected.executed[p]) continue;
      return "procedure " + std::to_string(p) + ": executed " + std::to_string(sums.executed) +
             ", not " + std::to_string(expected.executed[p]);
    }
    if (spawned == expected.spawned) return "";
    return "spawned " + std::to_string(spawned) + ", not " + std::to_string(expected.spawned);
  }

  Space& space() { return *space_; }
  const BlockMemory<Space>& memory() const { return *memory_; }
  const BatchOf<Space>& batch() const { return memory_->batches[0]; }
  std::uint32_t done() const { return done_; }

 private:
  void Prepare() {
    space_->buckets.Reset(0, 1);
    constexpr std::uint32_t kPairs = Space::Buckets::kPairs;
    for (std::uint32_t pair = 0; pair < kPairs; ++pair) {
      space_->buckets.SetRanks(pair, pair, pair + kPairs);
    }
  }

  alignas(64) std::byte shared_[1024];
  ClockScope scope_{shared_};
  const std::unique_ptr<Space> space_{new Space()};
  const std::unique_ptr<BlockMemory<Space>> memory_{new BlockMemory<Space>()};
  WorkerLoop<ClockScope, Space> loop_;
  std::uint32_t done_ = 0;
};

struct SmallShape {
  static constexpr std::uint32_t kThreads = 1;
  static constexpr std::uint32_t kBatchElements = 8;
  static constexpr std::uint32_t kSpawnElements = 64;
  static constexpr std::uint32_t kLocalElements = 256;
  static constexpr std::uint32_t kPages = 2048;
};
struct TinyShape {
  static constexpr std::uint32_t kThreads = 1;
  static constexpr std::uint32_t kBatchElements = 8;
  static constexpr std::uint32_t kSpawnElements = 8;
  static constexpr std::uint32_t kLocalElements = 16;
  static constexpr std::uint32_t kPages = 64;
};
/// Items share batches if a block has at least one warp.
struct WideShape {
  static constexpr std::uint32_t kThreads = 32;
  static constexpr std::uint32_t kBatchElements = 32;
  static constexpr std::uint32_t kSpawnElements = 128;
  static constexpr std::uint32_t kLocalElements = 256;
  static constexpr std::uint32_t kPages = 2048;
};

/// A tree with one root, so that at first the only element is that of the stage.
MixedJob Tree(std::uint32_t arity, std::uint32_t depths) {
  MixedJob job;
  job.arity = arity;
  job.depths = depths;
  return job;
}

class WorkerLoopTest : public ::testing::Test {
 protected:
  void SetUp() override { ClockScope::step = 0; }
  void TearDown() override { ClockScope::step = 0; }
};

TEST_F(WorkerLoopTest, ExecutesAWholeRecursionInOneBatch) {
  for (const std::uint32_t arity : {1u, 2u}) {
    HostMixed mixed(Tree(arity, arity == 1 ? 200 : 7));
    LoopRun<SmallShape> run;
    run.Start(0, mixed);
    ASSERT_TRUE(run.RunOnce());
    EXPECT_EQ(mixed.FindFault(1), "");
    EXPECT_EQ(run.done(), 1u) << "and says at once that the event is done";
    const MixedCounts expected(mixed.job, 1);
    EXPECT_EQ(run.batch().first_rounds, 1u);
    for (std::uint32_t p = 0; p < MixedProgram::Procedures::kCount; ++p) {
      EXPECT_EQ(run.batch().executed[p], expected.executed[p]) << p;
    }
    EXPECT_FALSE(run.RunOnce());
    EXPECT_EQ(run.done(), 1u);
    run.RunAll();
    EXPECT_EQ(run.FindWrongSum(expected), "");
  }
}

TEST_F(WorkerLoopTest, LeavesWhatItSpawnedToIdleWorkersWhenThereIsMoreThanOne) {
  HostMixed chain(Tree(1, 50)), tree(Tree(2, 7));
  tree.job.kinds = 1;
  LoopRun<SmallShape> run(2);
  run.space().idle_blocks = 1;
  run.Start(0, chain);
  ASSERT_TRUE(run.RunOnce());
  EXPECT_EQ(chain.FindFault(1), "") << "a single element is executed where it is";
  run.Start(1, tree);
  ASSERT_TRUE(run.RunOnce());
  EXPECT_EQ(tree.Executed(), 1u) << "its root, and no more";
  EXPECT_EQ(run.memory().stack.Size(), 2u);
  run.RunAll();
  EXPECT_EQ(tree.FindFault(1), "");
  EXPECT_EQ(run.done(), 2u);
}

TEST_F(WorkerLoopTest, GivesElementsOfLevelsToTheQueues) {
  MixedJob job = Tree(2, 6);
  job.kinds = 1;
  job.level_permille = 1000;
  HostMixed mixed(job);
  LoopRun<SmallShape> run;
  run.Start(0, mixed);
  ASSERT_TRUE(run.RunOnce());  // of the stage
  for (std::uint64_t executed = 0; executed < mixed.job.Nodes();) {
    EXPECT_EQ(mixed.Executed(), executed) << "no more than was drawn";
    EXPECT_EQ(run.memory().stack.Size(), 0u);
    EXPECT_GT(run.space().buckets.ApproximateSize(0), 0u);
    ASSERT_TRUE(run.RunOnce());
    executed += run.batch().count;
  }
  EXPECT_EQ(mixed.FindFault(1), "");
  EXPECT_EQ(run.done(), 1u);
}

TEST_F(WorkerLoopTest, StopsWhenTheTimeOfABatchIsOver) {
  HostMixed mixed(Tree(2, 8));
  LoopRun<SmallShape> run;
  run.Start(0, mixed);
  ClockScope::step = kBatchCyclesAlone / 4 + 1;
  ASSERT_TRUE(run.RunOnce());
  EXPECT_EQ(mixed.Executed(), 2u) << "it looks at the clock after the batch and before each";
  EXPECT_FALSE(run.memory().stack.Size() == 0);
  ASSERT_TRUE(run.RunOnce());
  EXPECT_LT(mixed.Executed(), 20u);
  run.RunAll();
  EXPECT_EQ(mixed.FindFault(1), "");
  EXPECT_EQ(run.FindWrongSum(MixedCounts(mixed.job, 1)), "");
}

TEST_F(WorkerLoopTest, HasLessTimeBesideOtherEvents) {
  HostMixed mixed(Tree(1, 200)), other(Tree(1, 200));
  LoopRun<SmallShape> run;
  run.Start(0, mixed);
  run.Start(1, other);
  ClockScope::step = kBatchCycles / 10;
  ASSERT_TRUE(run.RunOnce());
  EXPECT_EQ(run.batch().cycles_to_go, kBatchCycles);
  EXPECT_EQ(mixed.Executed(), 9u);
  EXPECT_EQ(other.Executed(), 0u) << "a batch goes on with its own event only";
  run.RunAll();
  EXPECT_EQ(mixed.FindFault(1), "");
  EXPECT_EQ(other.FindFault(1), "");
  EXPECT_EQ(run.done(), 2u);
}

TEST_F(WorkerLoopTest, DoesNotGoOnWhileMoreOfAClaimIsToCome) {
  MixedJob job = Tree(1, 3);
  job.roots = 20;
  job.grain = 1;
  HostMixed mixed(job);
  LoopRun<TinyShape> run;  // with room for what one element of the stage may spawn
  run.Start(0, mixed);
  ClockScope::step = 1;
  ASSERT_TRUE(run.RunOnce());
  EXPECT_EQ(mixed.Executed(), 3u) << "the first claim is of one element";
  ASSERT_TRUE(run.RunOnce());
  EXPECT_EQ(run.batch().cycles_to_go, 0u);
  EXPECT_EQ(mixed.Executed(), 3u);
  run.RunAll();
  EXPECT_EQ(mixed.FindFault(1), "");
  EXPECT_EQ(run.done(), 1u);
}

TEST_F(WorkerLoopTest, StopsWhenItsRoomRunsOut) {
  MixedJob job = Tree(3, 6);
  job.kinds = 2;
  HostMixed mixed(job);
  LoopRun<TinyShape> run;
  run.Start(0, mixed);
  constexpr std::uint32_t kMore = MixedProgram::Procedures::kMaxSpawnsOfItems;
  ASSERT_TRUE(run.RunOnce());
  const std::uint32_t left = run.memory().stack.Size(), reserved = run.batch().reserved;
  EXPECT_EQ(reserved, 8u);
  EXPECT_LE(left, reserved);
  EXPECT_GT(left - 1 + kMore, reserved) << "one more might spawn too much";
  run.RunAll();
  EXPECT_EQ(run.done(), 1u);
  EXPECT_EQ(run.space().events[0].error, 0u);
  EXPECT_EQ(mixed.FindFault(1), "");
  EXPECT_EQ(run.FindWrongSum(MixedCounts(mixed.job, 1)), "");
}

TEST_F(WorkerLoopTest, CountsWhatItDoesByProceduresInBatchesOfSeveral) {
  MixedJob job = Tree(3, 8);
  job.roots = 40;
  job.kinds = 2;
  job.child_permille = 600;
  HostMixed mixed(job);
  LoopRun<WideShape> run;
  run.Start(0, mixed);
  ClockScope::step = 2 * kBatchCyclesAlone;  // batches do not go on
  std::uint32_t varied = 0;
  while (run.RunOnce()) {
    if (run.batch().executed[1] != 0 && run.batch().executed[2] != 0) ++varied;
    EXPECT_EQ(run.batch().executed[0] + run.batch().executed[1] + run.batch().executed[2],
              run.batch().count);
  }
  EXPECT_GT(varied, 5u);
  run.RunAll();
  EXPECT_EQ(mixed.FindFault(1), "");
  EXPECT_EQ(run.FindWrongSum(MixedCounts(mixed.job, 1)), "");
}

template <class Shape>
void RunManyJobs(std::uint64_t step) {
  for (std::uint32_t number = 0; number < 27; ++number) {
    HostMixed first(MixedJobOf(number)), second(MixedJobOf(100 + number));
    LoopRun<Shape> run;
    ClockScope::step = step;
    run.Start(3, first);
    run.Start(8, second);
    run.RunAll();
    ASSERT_EQ(first.FindFault(1), "") << number;
    ASSERT_EQ(second.FindFault(1), "") << number;
    ASSERT_EQ(run.done(), 2u);
    MixedCounts expected(first.job, 1);
    const MixedCounts more(second.job, 1);
    for (std::size_t p = 0; p < more.executed.size(); ++p) expected.executed[p] += more.executed[p];
    expected.spawned += more.spawned;
    ASSERT_EQ(run.FindWrongSum(expected), "") << number;
  }
}

TEST_F(WorkerLoopTest, ExecutesEachElementOnceWhateverTheTimeAndTheRoom) {
  for (const std::uint64_t step : {std::uint64_t{0}, std::uint64_t{3'000}, std::uint64_t{90'000}}) {
    RunManyJobs<SmallShape>(step);
    RunManyJobs<WideShape>(step);
  }
}

}  // namespace
}  // namespace warpyard::model
