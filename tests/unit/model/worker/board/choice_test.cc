// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/model/worker/board/choice.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <map>
#include <memory>

#include "core/base/word_flag.h"
#include "core/exec/thread_scope.h"
#include "core/policy/share.h"
#include "tests/support/lane_scopes.h"
#include "tests/support/workers/small_space.h"

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

  SimpleChoice Simple(std::uint32_t running = 2) {
    Sight seen{space_.board.Read(), space_.board.ReadOrder(one_)};
    seen.running = running;
    return SimpleFirst(one_, space_, *memory_.block, seen);
  }

  std::map<std::uint32_t, int> Dealt(std::uint32_t idle, int draws);

  ThreadScope one_{nullptr};
  test_support::SmallMemory<Space> memory_;
  Space& space_ = *memory_.space;
  WordFlag shares_ = true;
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
  space_.board.SetWaiting(1);
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
  EXPECT_EQ(First(3, 3), 4u) << "it has had elements of this event";
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

TEST_F(ChoiceTest, SharesForANewcomerThatThePolicyHasNotJudged) {
  space_.board.Describe(2, 10, 1, false);
  Open(2);
  space_.board.SetShare(2, policy::PackShare({policy::kUnjudgedGroup, 0, 0}));
  Share(3, 1);
  EXPECT_EQ(First(), 2u);
  EXPECT_TRUE(shares_);
  EXPECT_FALSE(Simple().is_sure);
  EXPECT_EQ(First(kNoEvent, kNoEvent, 1), 2u);
  EXPECT_FALSE(shares_) << "it is alone";
  space_.board.Describe(2, 10, 1, true);
  EXPECT_EQ(First(), 2u);
  EXPECT_FALSE(shares_) << "it has a deadline";
  EXPECT_TRUE(Simple().is_sure);
}

TEST_F(ChoiceTest, IsSimplyNothingWhereNothingIsOpen) {
  const SimpleChoice choice = Simple();
  EXPECT_EQ(choice.event, kNoEvent);
  EXPECT_TRUE(choice.is_sure);
}

TEST_F(ChoiceTest, IsSimplyTheOnlyOpenEventAndTellsOfItsStage) {
  space_.board.Describe(9, 1'000, 2, false);
  Open(9);
  const SimpleChoice choice = Simple();
  EXPECT_EQ(choice.event, 9u);
  EXPECT_TRUE(choice.is_sure);
  EXPECT_EQ(choice.hint.elements, 1'000u);
  EXPECT_EQ(choice.hint.procedure, 2u);
}

TEST_F(ChoiceTest, IsSimplyTheEventWithTheLeastRank) {
  space_.board.Describe(5, 30, 1, false);
  space_.board.Describe(9, 70, 2, false);
  Open(9);
  Open(5);
  EXPECT_EQ(Simple().event, 5u);
  EXPECT_TRUE(Simple().is_sure);
  EXPECT_EQ(Simple().hint.elements, 30u) << "though another stage was opened last";
  space_.board.SetRank(9, 1);
  EXPECT_EQ(Simple().event, 9u);
  EXPECT_EQ(Simple().hint.elements, 70u);
}

/// How often each event is chosen when so many workers are idle.
std::map<std::uint32_t, int> ChoiceTest::Dealt(std::uint32_t idle, int draws) {
  std::map<std::uint32_t, int> dealt;
  for (int i = 0; i < draws; ++i) {
    Sight seen{space_.board.Read(), space_.board.ReadOrder(one_)};
    seen.running = 3;
    seen.idle = idle;
    ++dealt[SimpleFirst(one_, space_, *memory_.block, seen).event];
  }
  return dealt;
}

TEST_F(ChoiceTest, DividesIdleWorkersAmongEvents) {
  for (const std::uint32_t event : {5u, 9u, 33u}) {
    space_.board.Describe(event, 92, 1, false);  // a hundred places
    Open(event);
  }
  constexpr int kDraws = 10'000;
  using Counts = std::map<std::uint32_t, int>;
  EXPECT_EQ(Dealt(0, kDraws), (Counts{{5, kDraws}})) << "nobody else would serve it";
  EXPECT_EQ(Dealt(100, kDraws), (Counts{{5, kDraws}})) << "it has a place for each";
  Counts dealt = Dealt(200, kDraws);
  EXPECT_GT(dealt[5], kDraws / 20);
  EXPECT_GT(dealt[9], kDraws / 20);
  EXPECT_EQ(dealt[33], 0);
  dealt = Dealt(3'000, kDraws);  // all places are dealt out ten times
  for (const std::uint32_t event : {5u, 9u, 33u}) {
    EXPECT_GT(dealt[event], kDraws / 20);
  }
  space_.board.SetRank(33, 1);
  EXPECT_EQ(Dealt(100, kDraws), (Counts{{33, kDraws}}));
  memory_.block->traits[1].merges = memory_.block->traits[1].lanes = 1;
  EXPECT_EQ(Dealt(3'000, kDraws), (Counts{{33, kDraws}})) << "its elements are of unequal length";
}

TEST_F(ChoiceTest, DividesThemAmongTheFirstOfManyEvents) {
  for (std::uint32_t event = 0; event < 64; ++event) {
    space_.board.Describe(event, 1, 1, false);
    Open(event);
  }
  constexpr int kDraws = 20'000;
  const std::map<std::uint32_t, int> dealt = Dealt(2'000, kDraws);
  for (std::uint32_t event = 0; event < 16; ++event) EXPECT_TRUE(dealt.contains(event)) << event;
  EXPECT_EQ(dealt.rbegin()->first, 15u);
  for (const auto& [event, count] : dealt) EXPECT_GT(count, 0) << event;
}

TEST_F(ChoiceTest, IsNotSimpleWhereQueuesHaveElements) {
  Open(9);
  for (const std::uint32_t word : {1u, 6u, 7u}) {
    space_.board.SetWaiting(word);
    EXPECT_FALSE(Simple().is_sure) << word;
    space_.board.ClearWaiting(word);
  }
  EXPECT_TRUE(Simple().is_sure);
}

TEST_F(ChoiceTest, IsNotSimpleWhereAccountsShareTheDevice) {
  Open(3);
  Open(4);
  Share(3, 1);
  Share(4, 1);
  EXPECT_FALSE(Simple().is_sure);
  space_.board.SetShare(4, policy::PackShare({1, 3, policy::kStrideUnit}));
  EXPECT_TRUE(Simple().is_sure) << "both are of one account";
  EXPECT_EQ(Simple().event, 3u);
  Share(4, 2);
  EXPECT_TRUE(Simple().is_sure) << "the other is of another priority";
  Open(2);
  Share(4, 1);
  EXPECT_TRUE(Simple().is_sure) << "what comes first does not share";
  space_.board.SetRank(3, 0);
  Open(4);  // it closes
  EXPECT_FALSE(Simple().is_sure) << "the other runs, though it has nothing to draw";
  Open(2);  // it closes
  EXPECT_FALSE(Simple().is_sure) << "also where there is no choice";
  EXPECT_TRUE(Simple(1).is_sure);
  Open(2);
  space_.board.SetRank(3, 13);
  EXPECT_EQ(Simple().event, 2u);
}

TEST_F(ChoiceTest, PassesOverLongElementsInAKeptBlockAndTheQueues) {
  space_.board.Describe(3, 10, 1, false);
  space_.board.Describe(40, 10, 1, true);
  space_.board.Describe(41, 10, 2, false);
  for (const std::uint32_t event : {3u, 40u, 41u}) Open(event);
  space_.board.SetWaiting(1);
  space_.board.SetWaiting(6);
  memory_.block->element_cycles[1] = 100'000;
  memory_.block->element_cycles[2] = 10'000;
  const BoardNews news = KeptBlocks<Space>::NewsFor(
      one_, space_, *memory_.block, space_.board.Read(), space_.board.ReadOrder(one_));
  EXPECT_FALSE(news.IsOpen(3)) << "long, and without a deadline";
  EXPECT_TRUE(news.IsOpen(40));
  EXPECT_TRUE(news.IsOpen(41)) << "short";
  EXPECT_EQ(news.Levels(), 0u);
  EXPECT_EQ(news.Queued(), 0u);
}

TEST_F(ChoiceTest, KeepsOneBlockInSixteen) {
  const auto kept = [](std::uint32_t index, std::uint32_t workers) {
    return KeptBlocks<Space>::Has({index, 0, workers, 1});
  };
  EXPECT_FALSE(kept(14, 15));
  EXPECT_TRUE(kept(15, 16));
  EXPECT_FALSE(kept(14, 16));
  EXPECT_FALSE(kept(37, 40));
  EXPECT_TRUE(kept(38, 40));
}

TEST(ChoiceOfLanes, PassesOverTheSameInAllLanes) {
  using Space = test_support::SmallSpace<ScheduledLaneScope, 32>;
  test_support::SmallMemory<Space> memory;
  Board<ScheduledLaneScope>& board = memory.space->board;
  for (const std::uint32_t event : {1u, 31u, 32u, 63u}) {
    board.Describe(event, 5, event % 2, event > 31);
    board.Toggle(event);
  }
  memory.block->element_cycles[1] = 100'000;
  EXPECT_EQ(test_support::RunLanes(32,
                                   [&](ScheduledLaneScope& lane) {
                                     const BoardNews news = KeptBlocks<Space>::NewsFor(
                                         lane, *memory.space, *memory.block,
                                         lane.Broadcast(board.Read()), board.ReadOrder(lane));
                                     EXPECT_EQ(news.open[0], 0u);
                                     EXPECT_EQ(news.open[1], 0x80000001u);
                                   }),
            "");
}

TEST(ChoiceOfLanes, IsSimplyTheSameInAllLanes) {
  using Space = test_support::SmallSpace<ScheduledLaneScope, 32>;
  test_support::SmallMemory<Space> memory;
  Board<ScheduledLaneScope>& board = memory.space->board;
  for (const std::uint32_t event : {1u, 40u, 41u}) {
    board.SetRank(event, 100 - event);
    board.Describe(event, 10 + event, 2, false);
    board.Toggle(event);
    board.SetShare(event, policy::PackShare({1, event, policy::kStrideUnit}));
  }
  const auto run = [&](bool is_sure) {
    return test_support::RunLanes(32, [&](ScheduledLaneScope& lane) {
      const BoardNews news = lane.Broadcast(board.Read());
      const SimpleChoice choice =
          SimpleFirst(lane, *memory.space, *memory.block, {news, board.ReadOrder(lane)});
      EXPECT_EQ(choice.event, 41u);
      EXPECT_EQ(choice.hint.elements, 51u);
      EXPECT_EQ(choice.is_sure, is_sure);
    });
  };
  EXPECT_EQ(run(false), "");
  for (const std::uint32_t event : {1u, 40u}) board.SetShare(event, board.ShareOf(41));
  EXPECT_EQ(run(true), "");
}

TEST(ChoiceOfLanes, DividesIdleWorkersAlikeInAllLanes) {
  using Space = test_support::SmallSpace<ScheduledLaneScope, 32>;
  test_support::SmallMemory<Space> memory;
  Board<ScheduledLaneScope>& board = memory.space->board;
  for (const std::uint32_t event : {1u, 31u, 32u, 63u}) {
    board.Describe(event, 12, 2, false);
    board.Toggle(event);
  }
  std::array<std::uint32_t, 32> chosen{};
  EXPECT_EQ(test_support::RunLanes(
                32,
                [&](ScheduledLaneScope& lane) {
                  Sight seen{lane.Broadcast(board.Read()), board.ReadOrder(lane)};
                  seen.running = 4;
                  seen.idle = 70;
                  chosen[lane.Rank()] = SimpleFirst(lane, *memory.space, *memory.block, seen).event;
                }),
            "");
  for (const std::uint32_t event : chosen) EXPECT_EQ(event, chosen[0]);
  EXPECT_NE(chosen[0], kNoEvent);
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
    WordFlag shares = false;
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
