// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/model/worker/board/board.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "core/exec/thread_scope.h"
#include "core/model/worker/workspace.h"
#include "tests/support/lane_scopes.h"
#include "tests/support/workers/small_space.h"

namespace warpyard::model {
namespace {

using exec::ThreadScope;
using test_support::RunLanes;
using test_support::ScheduledLaneScope;

constexpr std::uint32_t kLevels = Choice::kLevels;

class BoardTest : public ::testing::Test {
 protected:
  BoardTest() {
    for (std::uint32_t event = 0; event <= kLevels; ++event) board_.SetRank(event, 100 + event);
  }
  Choice First() { return board_.First(one_, board_.Read(), board_.ReadOrder(one_)); }

  ThreadScope one_{nullptr};
  Board<ThreadScope> board_{};
};

TEST_F(BoardTest, HidesTheStagesOfEventsThatAreHeld) {
  for (const std::uint32_t event : {1u, 31u, 32u, 63u}) board_.Toggle(event);
  board_.ShowHeld({{1u << 31, 1u << 31}});
  EXPECT_TRUE(board_.Read().HasHeld());
  EXPECT_TRUE(board_.ReadFree().IsOpen(1));
  EXPECT_TRUE(board_.ReadFree().IsOpen(32));
  EXPECT_FALSE(board_.ReadFree().IsOpen(31));
  EXPECT_FALSE(board_.ReadFree().IsOpen(63));
  EXPECT_TRUE(board_.Read().IsOpen(63));
  EXPECT_TRUE(board_.Held().Has(31) && board_.Held().Has(63));
  EXPECT_FALSE(board_.Held().Has(1) || board_.Held().Has(32));
  board_.Leave(7);
  EXPECT_TRUE(board_.IsLeaving(7) && board_.Read().HasHeld());
  board_.ShowHeld({});
  EXPECT_FALSE(board_.Read().HasHeld());
  EXPECT_TRUE(board_.IsLeaving(7) && board_.ReadFree().IsOpen(63));
}

TEST_F(BoardTest, ShowsWhichEventsAreOpen) {
  EXPECT_FALSE(board_.Read().HasWork());
  for (const std::uint32_t event : {0u, 31u, 32u, 63u}) {
    board_.Toggle(event);
    const BoardNews news = board_.Read();
    EXPECT_TRUE(news.HasWork());
    for (std::uint32_t other = 0; other < 64; ++other) {
      EXPECT_EQ(news.IsOpen(other), other == event) << other;
    }
    board_.Toggle(event);
    EXPECT_FALSE(board_.Read().HasWork());
  }
}

TEST_F(BoardTest, ClosesOneEventAndLeavesTheOthers) {
  for (const std::uint32_t event : {3u, 4u, 36u}) board_.Toggle(event);
  board_.Toggle(3);
  EXPECT_FALSE(board_.Read().IsOpen(3));
  EXPECT_TRUE(board_.Read().IsOpen(4));
  EXPECT_TRUE(board_.Read().IsOpen(36));
}

TEST_F(BoardTest, EndsAlikeIfTheLastClaimComesBeforeTheOpening) {
  board_.Describe(40, 5, 1, false);
  board_.Toggle(40);  // by the claim of the last element
  board_.Toggle(40);  // by the thread that has opened the stage
  EXPECT_FALSE(board_.Read().HasWork());
  board_.Toggle(40);
  EXPECT_TRUE(board_.Read().IsOpen(40)) << "the next stage";
}

TEST_F(BoardTest, ShowsWordsOfLevels) {
  board_.SetWaiting(0);
  board_.SetWaiting(5);
  EXPECT_EQ(board_.Read().Levels(), 0x21u);
  EXPECT_TRUE(board_.Read().HasWork());
  board_.ClearWaiting(0);
  EXPECT_EQ(board_.Read().Levels(), 0x20u);
  board_.ClearWaiting(5);
  EXPECT_FALSE(board_.Read().HasWork());
}

TEST_F(BoardTest, TellsWhichLaunchIsToEnd) {
  EXPECT_FALSE(board_.IsLeaving(1));
  board_.Leave(7);
  EXPECT_TRUE(board_.IsLeaving(7));
  EXPECT_TRUE(board_.Read().IsLeaving(7));
  EXPECT_FALSE(board_.IsLeaving(8));
  EXPECT_FALSE(board_.Read().HasWork()) << "that is nothing to draw";
  board_.Leave(8);
  EXPECT_FALSE(board_.IsLeaving(7));
  EXPECT_TRUE(board_.IsLeaving(8));
}

TEST_F(BoardTest, KeepsLevelsWhenALaunchIsToEnd) {
  board_.SetWaiting(2);
  board_.Leave(9);
  EXPECT_EQ(board_.Read().Levels(), 4u);
  board_.SetWaiting(5);
  board_.ClearWaiting(2);
  EXPECT_EQ(board_.Read().Levels(), 0x20u);
  EXPECT_TRUE(board_.IsLeaving(9));
  EXPECT_FALSE(board_.IsLeaving(9 + 0x20)) << "bits of levels are no part of the number";
}

TEST_F(BoardTest, TellsWhetherUrgentEventsCome) {
  EXPECT_FALSE(board_.Read().HasUrgent());
  board_.Leave(0x7fffff);
  board_.ShowUrgent(true);
  board_.SetWaiting(7);
  EXPECT_TRUE(board_.Read().HasUrgent());
  EXPECT_TRUE(board_.IsLeaving(0x7fffff));
  board_.Leave(5);
  EXPECT_TRUE(board_.Read().HasUrgent());
  EXPECT_EQ(board_.Read().Queued(), 2u);
  board_.ShowUrgent(false);
  EXPECT_FALSE(board_.Read().HasUrgent());
  EXPECT_TRUE(board_.IsLeaving(5));
}

TEST_F(BoardTest, TellsALaunchByTheLowBitsOfItsNumber) {
  board_.Leave(0x5000001);
  EXPECT_TRUE(board_.IsLeaving(0x5000001));
  EXPECT_FALSE(board_.IsLeaving(0x5000002));
  EXPECT_EQ(board_.Read().Levels(), 0u);
}

TEST_F(BoardTest, ChoosesTheOpenEventWithTheLeastRank) {
  EXPECT_EQ(First().rank, kNoRank);
  board_.Toggle(9);
  board_.Toggle(40);
  board_.SetRank(40, 7);
  board_.SetRank(50, 1);
  EXPECT_EQ(First().event, 40u) << "50 is not open";
  EXPECT_EQ(First().rank, 7u);
  board_.SetRank(9, 6);
  EXPECT_EQ(First().event, 9u);
}

TEST_F(BoardTest, ChoosesLevelsByTheirCommonRank) {
  board_.SetWaiting(2);
  EXPECT_EQ(First().event, kLevels);
  EXPECT_EQ(First().rank, 100 + kLevels);
  board_.Toggle(9);
  EXPECT_EQ(First().event, 9u);
  board_.SetRank(kLevels, 3);
  EXPECT_EQ(First().event, kLevels);
}

TEST_F(BoardTest, ChoosesTheLowerNumberOfTwoAlike) {
  board_.SetWaiting(0);
  board_.Toggle(33);
  board_.Toggle(34);
  for (const std::uint32_t event : {33u, 34u, kLevels}) board_.SetRank(event, 5);
  EXPECT_EQ(First().event, 33u);
  board_.Toggle(33);
  EXPECT_EQ(First().event, 34u);
}

TEST_F(BoardTest, TellsTheOnlyEventThatIsOpen) {
  EXPECT_EQ(board_.Read().OnlyOpen(), kNoEvent);
  for (const std::uint32_t event : {0u, 31u, 32u, 63u}) {
    board_.Toggle(event);
    EXPECT_EQ(board_.Read().OnlyOpen(), event);
    board_.SetWaiting(3);
    EXPECT_EQ(board_.Read().OnlyOpen(), kNoEvent) << "levels could come first";
    board_.ClearWaiting(3);
    board_.Toggle(40);
    EXPECT_EQ(board_.Read().OnlyOpen(), kNoEvent);
    board_.Toggle(40);
    board_.Toggle(30);
    EXPECT_EQ(board_.Read().OnlyOpen(), kNoEvent);
    board_.Toggle(30);
    board_.Toggle(event);
  }
}

TEST_F(BoardTest, KeepsTheSharesOfEvents) {
  board_.SetShare(5, 77);
  EXPECT_EQ(board_.ShareOf(5), 77u);
  EXPECT_EQ(board_.ShareOf(6), 0u);
}

TEST_F(BoardTest, DescribesTheStagesOfEvents) {
  board_.Describe(5, 1'000, 7, false);
  board_.Describe(63, 3, 200, false);
  const EventOrder order = board_.ReadOrder(one_);
  EXPECT_EQ(board_.HintIn(one_, order, 5).elements, 1'000u);
  EXPECT_EQ(board_.HintIn(one_, order, 5).procedure, 7u);
  EXPECT_EQ(board_.HintIn(one_, order, 63).elements, 3u);
  EXPECT_EQ(board_.HintIn(one_, order, 63).procedure, 200u);
  EXPECT_EQ(board_.HintIn(one_, order, 6).elements, 0u) << "nothing is known of it";
}

TEST_F(BoardTest, TellsTheLatestStageWithTheNews) {
  EXPECT_EQ(board_.Read().HintOf(5).elements, 0u);
  board_.Describe(5, 1'000, 255, false);
  EXPECT_EQ(board_.Read().HintOf(5).elements, 1'000u);
  EXPECT_EQ(board_.Read().HintOf(5).procedure, 255u);
  board_.Describe(63, 2, 1, false);
  EXPECT_EQ(board_.Read().HintOf(63).elements, 2u);
  EXPECT_EQ(board_.Read().HintOf(63).procedure, 1u);
  EXPECT_EQ(board_.Read().HintOf(5).elements, 0u) << "only the latest";
  EXPECT_EQ(board_.Read().HintOf(kNoEvent).elements, 0u);
}

TEST_F(BoardTest, ShowsLargeStagesAsTheLargestThatFit) {
  board_.Describe(9, ~0u, 3, false);
  EXPECT_EQ(board_.Read().HintOf(9).elements, (1u << 18) - 1);
  EXPECT_EQ(board_.Read().HintOf(9).procedure, 3u);
  const StageHint hint = board_.HintIn(one_, board_.ReadOrder(one_), 9);
  EXPECT_EQ(hint.elements, (1u << 23) - 1);
  EXPECT_EQ(hint.procedure, 3u);
}

/// What a lane sees.
struct Seen {
  Choice first;
  std::vector<std::uint32_t> ranks, shares, sizes, procedures;
  std::vector<std::uint32_t> visited;
};

/// What all lanes of a group see on one board.
std::vector<Seen> SeeBoard(std::uint32_t lanes) {
  Board<ScheduledLaneScope> board{};
  for (std::uint32_t event = 0; event <= kLevels; ++event) board.SetRank(event, 165 - event);
  for (std::uint32_t event = 0; event < 64; ++event) board.SetShare(event, 1'000 + event);
  for (const std::uint32_t event : {2u, 30u, 62u}) {
    board.Describe(event, 10 * event, event + 1, false);
    board.Toggle(event);
  }
  board.SetWaiting(1);
  std::vector<Seen> seen(lanes);
  const std::string stopped = RunLanes(lanes, [&](ScheduledLaneScope& lane) {
    Seen& own = seen[lane.Rank()];
    const BoardNews news = lane.Broadcast(board.Read());
    const EventOrder order = board.ReadOrder(lane);
    own.first = board.First(lane, news, order);
    for (const std::uint32_t event : {0u, 31u, 32u, 62u}) {
      own.ranks.push_back(board.RankIn(lane, order, event));
      own.shares.push_back(board.ShareIn(lane, order, event));
      own.sizes.push_back(board.HintIn(lane, order, event).elements);
      own.procedures.push_back(board.HintIn(lane, order, event).procedure);
    }
    own.ranks.push_back(board.RankIn(lane, order, kLevels));
    board.ForEachOpen(lane, order, news, 40,
                      [&](std::uint32_t event, std::uint32_t rank, std::uint32_t share) {
                        EXPECT_EQ(rank, 165 - event);
                        EXPECT_EQ(share, 1'000 + event);
                        own.visited.push_back(event);
                      });
  });
  EXPECT_EQ(stopped, "");
  return seen;
}

TEST(BoardOfLanes, TellsAllLanesTheSame) {
  for (const std::uint32_t lanes : {1u, 32u}) {
    std::multiset<std::uint32_t> visited;
    for (const Seen& own : SeeBoard(lanes)) {
      EXPECT_EQ(own.first.event, kLevels);
      EXPECT_EQ(own.first.rank, 165 - kLevels);
      EXPECT_EQ(own.ranks, (std::vector<std::uint32_t>{165, 134, 133, 103, 101}));
      EXPECT_EQ(own.shares, (std::vector<std::uint32_t>{1000, 1031, 1032, 1062}));
      EXPECT_EQ(own.sizes, (std::vector<std::uint32_t>{0, 0, 0, 620}));
      EXPECT_EQ(own.procedures, (std::vector<std::uint32_t>{0, 0, 0, 63}));
      visited.insert(own.visited.begin(), own.visited.end());
    }
    EXPECT_EQ(visited, (std::multiset<std::uint32_t>{2, 30, 40, 62})) << "each in one lane";
  }
}

/// What the workers of a block have seen of the board.
class SightTest : public ::testing::Test {
 protected:
  using Space = test_support::SmallSpace<ThreadScope>;

  bool HasNew(std::uint32_t served = kNoEvent) {
    return HasNewOnes<ThreadScope>(memory_.block->sight, board_.Read(), served);
  }
  void SeeAll() { SeeAll(own_); }
  void SeeAll(WorkerSight& worker) {
    See<ThreadScope>(memory_.block->sight, worker, board_.Read());
  }

  test_support::SmallMemory<Space> memory_;
  Board<ThreadScope>& board_ = memory_.space->board;
  WorkerSight own_{};
};

TEST_F(SightTest, AWorkerKnowsWhatItSawUnlessOthersSawMoreMeanwhile) {
  board_.Toggle(40);
  SeeAll();
  EXPECT_EQ(own_.count, memory_.block->sight.count);
  WorkerSight other = own_;
  board_.Toggle(41);
  SeeAll(other);
  EXPECT_EQ(other.count, own_.count + 1);
  board_.Toggle(42);
  SeeAll();
  EXPECT_EQ(memory_.block->sight.count, 3u);
  EXPECT_EQ(own_.count, 1u) << "what the other one saw may be new to it";
}

TEST_F(SightTest, AnOpenEventIsNewUntilItIsSeenOrServed) {
  EXPECT_FALSE(HasNew());
  board_.Toggle(40);
  EXPECT_TRUE(HasNew());
  EXPECT_FALSE(HasNew(40));
  SeeAll();
  EXPECT_FALSE(HasNew());
  EXPECT_EQ(memory_.block->sight.count, 1u);
}

TEST_F(SightTest, AnEventThatOpensAgainIsNew) {
  board_.Toggle(3);
  SeeAll();
  board_.Toggle(3);
  EXPECT_FALSE(HasNew());
  board_.Toggle(3);
  EXPECT_TRUE(HasNew());
}

TEST_F(SightTest, QueuesThatGetElementsAgainAreNew) {
  for (const std::uint32_t word : {6u, 7u}) {
    board_.SetWaiting(word);
    EXPECT_TRUE(HasNew());
    SeeAll();
    EXPECT_FALSE(HasNew());
  }
  board_.ClearWaiting(6);
  EXPECT_FALSE(HasNew());
  board_.SetWaiting(6);
  EXPECT_TRUE(HasNew());
}

}  // namespace
}  // namespace warpyard::model
