// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/model/batch_room.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <random>

#include "core/exec/thread_scope.h"
#include "tests/support/workers/mixed_program.h"

namespace warpyard::model {
namespace {

using exec::ThreadScope;
using test_support::MixedProgram;
using Procedures = MixedProgram::Procedures;

// As a device has it: items share batches.
struct Shape {
  static constexpr std::uint32_t kThreads = 128;
  static constexpr std::uint32_t kBatchElements = 128;
  static constexpr std::uint32_t kSpawnElements = 256;
  static constexpr std::uint32_t kLocalElements = 1024;
  static constexpr std::uint32_t kPages = 64;
};
using Space = Workspace<ThreadScope, MixedProgram, Shape>;
using Room = BatchRoom<ThreadScope, Space>;

constexpr std::uint32_t kSeed = 0, kItem = 1, kSet = 3, kPackage64 = 4, kPackage = 5;
constexpr std::uint32_t kEvent = 2;

class BatchRoomTest : public ::testing::Test {
 protected:
  BatchRoomTest() {
    memory_->stack.Reset(one_);
    statistics_.Reset(one_);
  }

  /// Changes the number of elements in the stack.
  void SetSize(std::uint32_t size) {
    const procedure::Element element{procedure::MakeHead(kEvent, kSet, kEvent), {0, 0}};
    procedure::Element out[1024];
    while (memory_->stack.Size() < size) memory_->stack.Push(one_, true, element);
    memory_->stack.TakeNewest(one_, kSet, memory_->stack.Size() - size, out);
  }
  /// Shows the statistics a batch of one round.
  void Learn(std::uint32_t procedure, std::uint64_t cycles) {
    BatchOf<Space> batch{};
    batch.count = batch.first_rounds = batch.executed[procedure] = 1;
    batch.procedure = procedure;
    batch.event = kEvent;
    batch.cycles = batch.first_cycles = cycles;
    statistics_.Add(one_, batch, 0);
  }
  std::uint32_t Wanted(std::uint32_t procedure, std::uint32_t freed = 0) {
    return room_.Wanted({procedure, kEvent, freed, false});
  }

  ThreadScope one_{nullptr};
  std::unique_ptr<Space> space_{new Space()};
  std::unique_ptr<BlockMemory<Space>> memory_{new BlockMemory<Space>()};
  BlockStatistics<ThreadScope, Space> statistics_{*space_, *memory_};
  Room room_{statistics_, *memory_};
};

TEST_F(BatchRoomTest, WantsARoundOfWhatIsNotKnown) {
  EXPECT_EQ(Wanted(kSet), 16u);
  EXPECT_EQ(Wanted(kPackage64), 2u);
  EXPECT_EQ(Wanted(kPackage), 1u);
  EXPECT_EQ(Wanted(kItem), 256 / Procedures::kMaxSpawnsOfItems) << "what they may spawn at once";
  EXPECT_EQ(room_.Rounds(kSet, kEvent, false), 1u);
}

TEST_F(BatchRoomTest, WantsRoundsThatFillABatchAndMoreForAnEventThatIsAlone) {
  Learn(kSet, kBatchCycles / 3);
  EXPECT_EQ(room_.Rounds(kSet, kEvent, false), 3u);
  EXPECT_EQ(Wanted(kSet), 3 * 16u);
  EXPECT_EQ(room_.Rounds(kSet, kEvent, true), 3 * kBatchCyclesAlone / kBatchCycles);
  EXPECT_EQ(room_.Wanted({kSet, kEvent, 0, true}), 3 * 16 * kBatchCyclesAlone / kBatchCycles);
  EXPECT_EQ(room_.Rounds(kSet, kEvent + 1, false), 1u) << "another event";
  Learn(kSet, 10);
  for (int i = 0; i < 100; ++i) Learn(kSet, 10);
  EXPECT_EQ(room_.Wanted({kSet, kEvent, 0, true}), 128u) << "no more than a batch has places";
}

TEST_F(BatchRoomTest, TreatsAllItemsAlike) {
  EXPECT_EQ(statistics_.MaxSpawns(kItem), Procedures::kMaxSpawnsOfItems);
  EXPECT_EQ(statistics_.MaxSpawns(kItem + 1), Procedures::kMaxSpawnsOfItems);
  EXPECT_EQ(statistics_.MaxSpawns(kSet), 2u);
  EXPECT_EQ(statistics_.MaxSpawns(kSeed), 8u);
}

TEST_F(BatchRoomTest, TakesAtMostAQuarterOfTheRoomAndNothingWithoutRoom) {
  for (const std::uint32_t procedure : {kSeed, kItem, kSet, kPackage64, kPackage}) {
    for (int i = 0; i < 100; ++i) Learn(procedure, 10);
    const std::uint32_t spawns = statistics_.MaxSpawns(procedure);
    std::uint32_t last = ~0u;
    for (std::uint32_t size = 0; size <= 1024; ++size) {
      SetSize(size);
      const std::uint32_t free = 1024 - size, wanted = Wanted(procedure);
      ASSERT_EQ(wanted == 0, free < spawns) << size;
      ASSERT_LE(wanted * spawns, std::max(free / 4, spawns)) << size;
      ASSERT_LE(wanted * spawns, 256u);
      ASSERT_LE(wanted, last) << "ever fewer";
      last = wanted;
    }
  }
}

TEST_F(BatchRoomTest, NeedsNoRoomForWhatLeavesAsMuchAsItSpawns) {
  SetSize(1024);
  EXPECT_EQ(Wanted(kPackage64, 1), 2u);
  EXPECT_EQ(Wanted(kPackage64, 0), 0u);
  EXPECT_EQ(Wanted(kSet, 1), 0u);
  SetSize(1023);
  EXPECT_EQ(Wanted(kSet, 1), 1u) << "it leaves a place and needs two";
  EXPECT_EQ(Wanted(kSet, 0), 0u);
}

TEST_F(BatchRoomTest, ReservesWhatIsSpawnedAtLeastAndHalfOfTheRoomAtMost) {
  EXPECT_EQ(room_.Unreserved(), 1024u);
  EXPECT_EQ(room_.Reserve(kSet, 16), 256u) << "no more than there are places to spawn to";
  EXPECT_EQ(room_.Unreserved(), 1024u - 256);
  SetSize(1024 - 256 - 100);
  EXPECT_EQ(room_.Unreserved(), 100u);
  EXPECT_EQ(room_.Reserve(kSet, 12), 50u);
  EXPECT_EQ(room_.Unreserved(), 50u);
  EXPECT_EQ(room_.Reserve(kSet, 20), 40u) << "all that may come";
  EXPECT_EQ(room_.Unreserved(), 10u);
  room_.Release(50);
  EXPECT_EQ(room_.Unreserved(), 60u);
  room_.Release(256);
  room_.Release(40);
  EXPECT_EQ(room_.Unreserved(), 356u);
  SetSize(0);
  EXPECT_EQ(room_.Unreserved(), 1024u);
}

TEST_F(BatchRoomTest, ShowsNoRoomWhereMoreIsReservedThanFree) {
  EXPECT_EQ(room_.Reserve(kSet, 128), 256u);
  SetSize(900);
  EXPECT_EQ(room_.Unreserved(), 0u);
  EXPECT_EQ(Wanted(kItem), 0u);
}

/// Two batches by turns, as a block has them: whatever they spawn, the stack has room for it.
TEST_F(BatchRoomTest, NeverPromisesMoreThanTheStackHas) {
  struct Running {
    std::uint32_t reserved;
  };
  std::minstd_rand engine(5);
  const auto random = [&engine] { return static_cast<std::uint32_t>(engine() >> 4); };
  std::deque<Running> running;
  for (std::uint32_t i = 0; i < 20'000; ++i) {
    const std::uint32_t size = memory_->stack.Size();
    const std::uint32_t procedure = 1 + random() % 5, freed = size == 0 ? 0 : random() % 2;
    if (running.size() < 2 && random() % 3 != 0) {
      std::uint32_t count = Wanted(procedure, freed);
      if (freed != 0) count = std::min(count, size);
      if (count == 0) continue;
      if (freed != 0) SetSize(size - count);
      const std::uint32_t reserved = room_.Reserve(procedure, count);
      ASSERT_GE(reserved, count * statistics_.MaxSpawns(procedure));
      ASSERT_LE(reserved, 256u);
      running.push_back({reserved});
    } else if (!running.empty()) {
      const std::uint32_t left = random() % (running.front().reserved + 1);
      room_.Release(running.front().reserved);
      running.pop_front();
      ASSERT_LE(size + left, 1024u);
      SetSize(size + left);
    } else {
      SetSize(size / 2);  // given to others
    }
    std::uint32_t reserved = 0;
    for (const Running& batch : running) reserved += batch.reserved;
    ASSERT_LE(memory_->stack.Size() + reserved, 1024u);
    ASSERT_EQ(room_.Unreserved(), 1024 - memory_->stack.Size() - reserved);
  }
}

}  // namespace
}  // namespace warpyard::model
