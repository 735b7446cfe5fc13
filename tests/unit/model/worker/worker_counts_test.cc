// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/model/worker/worker_counts.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "core/exec/thread_scope.h"
#include "core/procedure/procedure_list.h"
#include "tests/support/workers/small_space.h"
#include "tests/unit/model/counting_program.h"

namespace warpyard::model {
namespace {

using exec::ThreadScope;
using test_support::SmallSpace;

class WorkerCountsTest : public ::testing::Test {
 protected:
  using Space = SmallSpace<ThreadScope>;
  using Counts = WorkerCounts<Space>;

  WorkerCountsTest() {
    Counts::Reset(one_, block_);
    block_.time.ns_per_cycle = 1;  // the test's own clock
  }
  void Flush() {
    block_.time.start_ns = ThreadScope::NowNs();  // too short ago to compare the clocks
    Counts::Flush(one_, space_, block_);
  }

  ThreadScope one_{nullptr};
  test_support::SmallMemory<Space> memory_;
  Space& space_ = *memory_.space;
  BlockMemory<Space>& block_ = *memory_.block;
};

TEST_F(WorkerCountsTest, AddsEachCountOnceToTheSumsOfAll) {
  Counts::Add(block_, {2, 5, 3, 1'000});
  Counts::Add(block_, {2, 1, 0, 3'000});
  Counts::Add(block_, {4, 7, 1, 50});
  block_.counters.given = 11;
  block_.counters.back_offs = 13;
  EXPECT_EQ(space_.procedures[2].executed, 0u) << "not yet";
  for (int i = 0; i < 2; ++i) {
    Flush();
    EXPECT_EQ(space_.procedures[2].executed, 6u);
    EXPECT_EQ(space_.procedures[2].spawned, 3u);
    EXPECT_EQ(space_.procedures[2].busy_ns, 4'000u);
    EXPECT_EQ(~space_.procedures[2].min_ns, 1'000u);
    EXPECT_EQ(space_.procedures[2].max_ns, 3'000u);
    EXPECT_EQ(space_.procedures[4].executed, 7u);
    EXPECT_EQ(space_.procedures[1].executed, 0u);
    EXPECT_EQ(space_.procedures[1].min_ns, 0u) << "none yet";
    EXPECT_EQ(space_.counters.given, 11u);
    EXPECT_EQ(space_.counters.back_offs, 13u);
    EXPECT_EQ(space_.counters.busy_ns, 4'050u);
  }
  Counts::Add(block_, {2, 1, 0, 500});
  Flush();
  EXPECT_EQ(space_.procedures[2].executed, 7u);
  EXPECT_EQ(~space_.procedures[2].min_ns, 500u);
  EXPECT_EQ(space_.procedures[2].max_ns, 3'000u);
}

TEST_F(WorkerCountsTest, FlushesSometimes) {
  Counts::Add(block_, {1, 1, 0, 10});
  Counts::FlushSometimes(one_, space_, block_);
  EXPECT_EQ(space_.procedures[1].executed, 0u) << "the last time was just now";
  block_.time.flushed_cycles -= 1'000'000'000;
  Counts::FlushSometimes(one_, space_, block_);
  EXPECT_EQ(space_.procedures[1].executed, 1u);
}

TEST_F(WorkerCountsTest, LearnsHowLongACycleTakes) {
  block_.time.start_cycles = ThreadScope::Cycles() - 1'000'000'000;
  block_.time.start_ns = ThreadScope::NowNs() - 500'000'000;
  Counts::Flush(one_, space_, block_);
  EXPECT_NEAR(block_.time.ns_per_cycle, 0.5, 0.01);
}

TEST_F(WorkerCountsTest, OnOneThreadEveryProcedureIsOfOneThread) {
  for (std::uint32_t p = 0; p < Space::Procedures::kCount; ++p) {
    EXPECT_EQ(block_.traits[p].lanes, 1u) << p;
    EXPECT_EQ(block_.traits[p].workers, 1u) << p;
    EXPECT_EQ(block_.traits[p].groups, 1u) << p;
    EXPECT_EQ(block_.traits[p].portion, 1u) << p;
    EXPECT_EQ(block_.traits[p].max_spawns, Space::Procedures::MaxSpawns(p)) << p;
  }
}

struct TeamShape : test_support::SmallShape<32> {
  static constexpr std::uint32_t kBlockWorkers = 4;
};

TEST(WorkerCountsOfWarps, KnowsTheLanesAndTheTeamsOfProcedures) {
  using Space = Workspace<ThreadScope, test_support::MixedProgram, TeamShape>;
  ThreadScope one(nullptr);
  const auto block = std::make_unique<BlockMemory<Space>>();
  WorkerCounts<Space>::Reset(one, *block);
  // Of the stage and of the last kind: the whole block. Kinds: items, items, sets of 8, 64 threads.
  const std::uint32_t lanes[] = {0, 1, 1, 8, 0, 0}, workers[] = {4, 1, 1, 1, 2, 4};
  for (std::uint32_t p = 0; p < Space::Procedures::kCount; ++p) {
    EXPECT_EQ(block->traits[p].lanes, lanes[p]) << p;
    EXPECT_EQ(block->traits[p].workers, workers[p]) << p;
    EXPECT_EQ(block->traits[p].merges, 0u) << p;
  }
  const std::uint32_t groups[] = {1, 32, 32, 4, 1, 1}, sharing[] = {4, 4, 4, 4, 2, 4};
  for (std::uint32_t p = 0; p < Space::Procedures::kCount; ++p) {
    EXPECT_EQ(block->traits[p].groups, groups[p]) << p;
    EXPECT_EQ(block->traits[p].sharing, sharing[p]) << p;
  }
  EXPECT_EQ(block->traits[1].portion, Space::Shape::kStackElements / 2 / 3)
      << "a stack has room for what they spawn";
  EXPECT_EQ(block->traits[3].portion, 4u) << "as many as a worker executes together";
  EXPECT_EQ(block->traits[0].max_spawns, 8u);
  EXPECT_EQ(block->traits[1].max_spawns, 3u) << "it may share a round with the greedier items";
  EXPECT_EQ(block->traits[2].max_spawns, 3u);
  EXPECT_EQ(block->traits[3].max_spawns, 2u);
}

/// An item of a stage, which nobody spawns.
struct GreedyStage {
  using Item = procedure::Range;
  static constexpr std::size_t kSharedBytes = 0;
  static constexpr const char* kName = "GreedyStage";
  static constexpr std::uint32_t kThreads = 1;
  static constexpr std::uint32_t kMaxSpawns = 16;
  template <class Scope, class Job>
  static void Execute(procedure::Context<Scope, Job>&, const Item&) {}
};
struct SpawnedItem : GreedyStage {
  static constexpr std::uint32_t kMaxSpawns = 2;
  static constexpr bool kSpawned = true;
};
struct GreedyProgram : test_support::CountingProgram {
  using Procedures = procedure::ProcedureList<GreedyStage, SpawnedItem>;
};

TEST(WorkerCountsOfWarps, MakesRoomForItemsOfAStageThatShareARoundWithSpawnedOnes) {
  using Space = Workspace<ThreadScope, GreedyProgram, TeamShape>;
  ThreadScope one(nullptr);
  const auto block = std::make_unique<BlockMemory<Space>>();
  WorkerCounts<Space>::Reset(one, *block);
  EXPECT_EQ(block->traits[1].max_spawns, 16u) << "below it may lie items of the stage";
}

}  // namespace
}  // namespace warpyard::model
