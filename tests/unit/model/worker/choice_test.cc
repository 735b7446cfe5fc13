// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/model/worker/choice.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>

#include "core/exec/thread_scope.h"
#include "core/policy/share.h"
#include "tests/support/lane_scopes.h"
#include "tests/unit/model/worker/small_space.h"

namespace warpyard::model {
namespace {

using exec::ThreadScope;
using test_support::ScheduledLaneScope;

constexpr std::uint32_t kLevelsEvent = Choice::kLevels;

class ChoiceTest : public ::testing::Test {
 protected:
  using Space = test_support::SmallSpace<ThreadScope>;

  ChoiceTest() {
    for (std::uint32_t event = 0; event <= kLevelsEvent; ++event) {
      space_.board.SetRank(event, 10 + event);
    }
  }

  void Open(std::uint32_t event) { space_.board.Toggle(event); }
  void Share(std::uint32_t event, std::uint32_t group) {
    space_.board.SetShare(event, policy::PackShare({group, event, policy::kStrideUnit}));
  }
  void Charge(std::uint32_t event, std::int64_t cycles) {
    ShareClocks<ThreadScope, Space>::Charge(space_, *memory_.block, event, cycles);
  }
  /// @shape running: 2: some event runs beside
  std::uint32_t First(std::uint32_t own = kNoEvent, std::uint32_t ranged = kNoEvent,
                      std::uint32_t running = 2) {
    const Sight seen{space_.board.Read(), space_.board.ReadOrder(one_), own, ranged, own, running};
    return FirstOf(one_, space_, memory_.block->clocks, seen, shares_);
  }

  ThreadScope one_{nullptr};
  test_support::SmallMemory<Space> memory_;
  Space& space_ = *memory_.space;
  bool shares_ = true;
};

TEST_F(ChoiceTest, IsNothingWhereNothingWaits) {
  EXPECT_EQ(First(), kNoEvent);
  EXPECT_FALSE(shares_);
  EXPECT_EQ(First(kNoEvent, kNoEvent, 1), kNoEvent);
}

TEST_F(ChoiceTest, IsTheOpenEventWithTheLeastRank) {
  Open(9);
  Open(5);
  EXPECT_EQ(First(), 5u);
  space_.board.SetLevels(1);
  space_.board.SetRank(kLevelsEvent, 1);
  EXPECT_EQ(First(), kLevelsEvent);
}

TEST_F(ChoiceTest, IsTheOnlyEventWithoutAComparison) {
  Open(9);
  EXPECT_EQ(First(kNoEvent, kNoEvent, 1), 9u);
  EXPECT_EQ(First(9, kNoEvent, 1), 9u);
  EXPECT_EQ(First(9, 9, 1), 9u);
  EXPECT_EQ(First(3, kNoEvent, 1), 3u) << "its own elements are of a more urgent event";
  EXPECT_EQ(First(kNoEvent, 3, 1), 3u);
  EXPECT_EQ(First(12, kNoEvent, 1), 9u);
}

TEST_F(ChoiceTest, ComparesItsOwnElementsAndThoseOfItsBlockWithTheBoard) {
  Open(7);
  EXPECT_EQ(First(5), 5u);
  EXPECT_EQ(First(8), 7u);
  EXPECT_EQ(First(kNoEvent, 5), 5u);
  EXPECT_EQ(First(kNoEvent, 8), 7u);
  EXPECT_EQ(First(8, 5), 5u);
  EXPECT_EQ(First(5, 8), 5u);
  EXPECT_EQ(First(kLevelsEvent), 7u);
  space_.board.SetRank(kLevelsEvent, 1);
  EXPECT_EQ(First(kLevelsEvent), kLevelsEvent) << "it has an element of a level";
}

TEST_F(ChoiceTest, HasWhatNobodyElseCanDraw) {
  EXPECT_EQ(First(5), 5u);
  EXPECT_EQ(First(kNoEvent, 8), 8u);
  EXPECT_EQ(First(9, 8), 8u);
}

TEST_F(ChoiceTest, IsTheEventThatHasHadLessAmongThoseThatShare) {
  for (const std::uint32_t event : {3u, 4u}) {
    Open(event);
    Share(event, 1);
  }
  EXPECT_EQ(First(), 3u);
  EXPECT_TRUE(shares_);
  Charge(3, 100'000);
  EXPECT_EQ(First(), 4u);
  EXPECT_EQ(First(3), 4u);
  EXPECT_EQ(First(kNoEvent, kNoEvent, 1), 3u) << "one event runs: the other has just ended";
  EXPECT_FALSE(shares_);
}

TEST_F(ChoiceTest, EndsWhatTheBlockHasDrawnOfAnEventThatShares) {
  for (const std::uint32_t event : {3u, 4u}) {
    Open(event);
    Share(event, 1);
  }
  Charge(3, 100'000);
  EXPECT_EQ(First(kNoEvent, 3), 3u) << "though the other has had less";
  EXPECT_EQ(First(4, 3), 4u) << "but its own elements come first";
  Share(5, 2);
  EXPECT_EQ(First(kNoEvent, 5), 4u) << "of another priority";
}

TEST_F(ChoiceTest, DoesNotShareWithAnEventOfADeadline) {
  Open(2);
  Open(3);
  Share(3, 1);
  EXPECT_EQ(First(), 2u);
  EXPECT_FALSE(shares_);
}

TEST(ChoiceOfLanes, IsTheSameInAllLanes) {
  using Space = test_support::SmallSpace<ScheduledLaneScope, 32>;
  test_support::SmallMemory<Space> memory;
  Space& space = *memory.space;
  for (std::uint32_t event = 0; event <= kLevelsEvent; ++event)
    space.board.SetRank(event, 100 - event);
  for (const std::uint32_t event : {1u, 40u, 41u}) {
    space.board.Toggle(event);
    space.board.SetShare(event, policy::PackShare({1, event, policy::kStrideUnit}));
  }
  ShareClocks<ScheduledLaneScope, Space>::Charge(space, *memory.block, 41, 1'000'000);
  ShareClocks<ScheduledLaneScope, Space>::Charge(space, *memory.block, 1, 1'000'000);
  const std::string stopped = test_support::RunLanes(32, [&](ScheduledLaneScope& lane) {
    bool shares = false;
    const BoardNews news = lane.Broadcast(space.board.Read());
    const EventOrder order = space.board.ReadOrder(lane);
    Sight seen{news, order, kNoEvent, kNoEvent, kNoEvent, 3};
    EXPECT_EQ(FirstOf(lane, space, memory.block->clocks, seen, shares), 40u);
    EXPECT_TRUE(shares);
    seen.own = 63;
    EXPECT_EQ(FirstOf(lane, space, memory.block->clocks, seen, shares), 63u) << "first by its rank";
    EXPECT_FALSE(shares);
  });
  EXPECT_EQ(stopped, "");
}

}  // namespace
}  // namespace warpyard::model
