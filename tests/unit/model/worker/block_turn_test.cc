// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// For how long an event has its turn in a block, and what ends the turn earlier.
#include "core/model/worker/block_turn.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "core/policy/share.h"
#include "tests/unit/model/worker/worker_fixture.h"

namespace warpyard::model {
namespace {

using test_support::ClockScope;

class BlockTurnTest : public test_support::WorkerFixture {
 protected:
  static constexpr std::uint32_t kEvent = 5, kMean = TreeSpace::Shape::kTurnCycles;
  static constexpr std::uint32_t kShare = policy::PackShare({1, 0, policy::kStrideUnit});

  BlockTurnTest() {
    Start(kEvent, {100, 1, 0});
    See<ClockScope>(Block().sight, Memory().sight, space_.board.Read());
    Block().sight.looked_cycles = static_cast<std::uint32_t>(ClockScope::now);
    begin_ = ClockScope::now;
    space_.board.SetShare(kEvent, kShare);
    Turn::Begin(space_, Block().clocks, kEvent);
  }

  using Turn = BlockTurn<ClockScope, TreeSpace>;
  BlockMemory<TreeSpace>& Block() { return workers_[0]->Block(); }
  WorkerMemory<TreeSpace>& Memory() { return Block().workers[0]; }
  std::uint32_t Event() {
    return Turn::Event(one_, {space_, Block(), {0, 0, 1, 1}}, Block().sight.count);
  }
  std::uint64_t Length() const {
    return policy::TurnOf(kShare, kMean, static_cast<std::uint32_t>(begin_)) + 1;
  }

  ClockScope one_{nullptr};
  std::uint64_t begin_ = 0;
};

TEST_F(BlockTurnTest, GoesOnUntilItsEnd) {
  EXPECT_EQ(Event(), kEvent);
  ClockScope::now = begin_ + Length() - 1;
  EXPECT_EQ(Event(), kEvent);
  ++ClockScope::now;
  EXPECT_EQ(Event(), kNoEvent);
}

TEST_F(BlockTurnTest, IsNotSeenAgainWhenTheLowBitsOfTheClockComeRound) {
  ClockScope::now = begin_ + (std::uint64_t{1} << 32) - 3 * kMean;
  EXPECT_EQ(Event(), kNoEvent);
}

TEST_F(BlockTurnTest, EndsWithTheOrderOfATeam) {
  Turn::End(Block().clocks);
  EXPECT_EQ(Event(), kNoEvent);
}

TEST_F(BlockTurnTest, EndsWhenAnotherEventHasSomethingToDraw) {
  Start(kEvent + 1, {1, 1, 0});
  EXPECT_EQ(Event(), kNoEvent);
}

TEST_F(BlockTurnTest, EndsWhenAnotherWorkerSawSomethingNew) {
  ++Block().sight.count;
  EXPECT_EQ(Event(), kNoEvent);
}

TEST_F(BlockTurnTest, EndsWhenNobodyHasLookedForLong) {
  Block().sight.looked_cycles -= 3'000'000;
  EXPECT_EQ(Event(), kNoEvent);
}

TEST_F(BlockTurnTest, EndsWhenEventsWithADeadlineCome) {
  space_.board.ShowUrgent(true);
  EXPECT_EQ(Event(), kNoEvent);
}

TEST_F(BlockTurnTest, EndsWhenEventsAreHeld) {
  EventBits held{};
  held.words[0] = 1u << (kEvent + 2);
  space_.board.ShowHeld(held);
  EXPECT_EQ(Event(), kNoEvent);
}

TEST_F(BlockTurnTest, EndsWhenItsStageIsOver) {
  space_.board.Toggle(kEvent);
  EXPECT_EQ(Event(), kNoEvent);
}

TEST_F(BlockTurnTest, EndsWhenTheLaunchIsToEnd) {
  space_.board.Leave(1);
  EXPECT_EQ(Event(), kNoEvent);
}

}  // namespace
}  // namespace warpyard::model
