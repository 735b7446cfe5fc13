// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/model/worker/shared_queues.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <set>
#include <vector>

#include "core/exec/thread_scope.h"
#include "tests/support/lane_scopes.h"

namespace warpyard::model {
namespace {

using exec::ThreadScope;
using procedure::Element;
using test_support::RunLanes;
using test_support::ScheduledLaneScope;

Element At(std::uint32_t level, std::uint32_t number) {
  return {procedure::MakeHead(7, 1, procedure::BucketOfLevel(Level(level))), {number, level}};
}

class SharedQueuesTest : public ::testing::Test {
 protected:
  using Tested = SharedQueues<ThreadScope, 8>;

  SharedQueuesTest() { levels_.Reset(0, 1); }

  bool Push(std::uint32_t level, std::uint32_t number) {
    const QueueResult refused = levels_.Push(one_, board_, true, At(level, number));
    EXPECT_FALSE(refused.stuck);
    return refused.count == 0;
  }
  /// The number of the element that is drawn, or kNone.
  static constexpr std::uint32_t kNone = ~0u;
  std::uint32_t Draw() {
    Element out[1];
    const QueueResult drawn = levels_.Draw(one_, board_, 1, window_, out);
    EXPECT_FALSE(drawn.stuck);
    if (drawn.count == 0) return kNone;
    EXPECT_EQ(out[0].Bucket(), procedure::BucketOfLevel(Level(out[0].payload[1])));
    return out[0].payload[0];
  }

  ThreadScope one_{nullptr};
  Board<ThreadScope> board_{};
  const std::unique_ptr<Tested> memory_{new Tested()};
  Tested& levels_ = *memory_;
  LevelWindow window_{0, 1};
};

TEST_F(SharedQueuesTest, DrawsTheFirstLevelFirstAndEachInItsOrder) {
  EXPECT_EQ(Draw(), kNone);
  for (const std::uint32_t level : {191u, 5u, 64u, 0u, 63u, 5u}) Push(level, 1000 + level);
  Push(5, 9);
  EXPECT_EQ(levels_.ApproximateSize(), 7u);
  for (const std::uint32_t number : {1000u, 1005u, 1005u, 9u, 1063u, 1064u, 1191u}) {
    EXPECT_EQ(Draw(), number);
  }
  EXPECT_EQ(Draw(), kNone);
  EXPECT_EQ(levels_.ApproximateSize(), 0u);
}

TEST_F(SharedQueuesTest, ShowsOnTheBoardWhichWordsHaveSomething) {
  EXPECT_EQ(board_.Read().Levels(), 0u);
  Push(3, 0);
  Push(4, 1);
  Push(160, 2);
  EXPECT_EQ(board_.Read().Levels(), 0x21u);
  Draw();
  EXPECT_EQ(board_.Read().Levels(), 0x21u) << "level 4 is of the same word";
  Draw();
  EXPECT_EQ(board_.Read().Levels(), 0x20u);
  Draw();
  EXPECT_EQ(board_.Read().Levels(), 0u);
}

TEST_F(SharedQueuesTest, DrawsSeveralOfOneLevelOnly) {
  for (std::uint32_t i = 0; i < 3; ++i) Push(8, i);
  Push(9, 3);
  Element out[8];
  EXPECT_EQ(levels_.Draw(one_, board_, 8, window_, out).count, 3u);
  for (std::uint32_t i = 0; i < 3; ++i) EXPECT_EQ(out[i].payload[0], i);
  EXPECT_EQ(levels_.Draw(one_, board_, 8, window_, out).count, 1u);
}

TEST_F(SharedQueuesTest, RefusesWhatFindsNoRoomAndLosesNothing) {
  std::uint32_t count = 0;
  while (count <= Tested::Capacity() && Push(count % 3, count)) ++count;
  EXPECT_GE(count, 128u) << "more than one page of each";
  EXPECT_LE(count, Tested::Capacity());
  std::set<std::uint32_t> drawn;
  for (std::uint32_t number = Draw(); number != kNone; number = Draw()) drawn.insert(number);
  EXPECT_EQ(drawn.size(), count);
  EXPECT_TRUE(Push(2, 5)) << "the pages are free again";
  EXPECT_EQ(Draw(), 5u);
}

TEST_F(SharedQueuesTest, ChoosesAmongMoreLevelsAfterRacesThatWereLost) {
  for (std::uint32_t level = 0; level < 20; ++level) {
    for (std::uint32_t i = 0; i < 30; ++i) Push(level, level);
  }
  std::set<std::uint32_t> seen;
  for (int i = 0; i < 20; ++i) {
    window_.width = 7;
    const std::uint32_t level = Draw();
    EXPECT_LE(level, 7u);
    seen.insert(level);
    EXPECT_LT(window_.width, 7u) << "narrower after a success";
  }
  EXPECT_GT(seen.size(), 2u);
  window_.width = 0;
  EXPECT_EQ(Draw(), 0u);
  EXPECT_EQ(window_.width, 0u);
}

TEST_F(SharedQueuesTest, TakesTheLastLevelWhereThereAreFewerThanItChoosesAmong) {
  Push(100, 1);
  window_.width = 63;
  EXPECT_EQ(Draw(), 1u);
}

TEST_F(SharedQueuesTest, KeepsTheElementsOfEventsApartFromThoseOfLevels) {
  const auto of_event = [](std::uint32_t event, std::uint32_t number) {
    return Element{procedure::MakeHead(event, 1, event), {number, 0}};
  };
  for (const std::uint32_t number : {1u, 2u, 3u}) {
    EXPECT_EQ(levels_.Push(one_, board_, true, of_event(40, number)).count, 0u);
  }
  Push(0, 9);
  EXPECT_EQ(levels_.Push(one_, board_, true, of_event(0, 7)).count, 0u);
  EXPECT_EQ(board_.Read().Levels(), 1u);
  EXPECT_EQ(board_.Read().Queued(), 3u);
  EXPECT_EQ(levels_.EventsWithSome(0), 1u);
  EXPECT_EQ(levels_.EventsWithSome(1), 1u << 8);
  EXPECT_TRUE(levels_.HasSome(40));
  EXPECT_FALSE(levels_.HasSome(8));
  EXPECT_EQ(Draw(), 9u);
  EXPECT_EQ(Draw(), kNone);
  Element out[8];
  EXPECT_EQ(levels_.DrawOfEvent(one_, board_, 8, 1, out).count, 0u);
  EXPECT_EQ(levels_.DrawOfEvent(one_, board_, 0, 1, out).count, 1u);
  EXPECT_EQ(out[0].payload[0], 7u);
  EXPECT_EQ(board_.Read().Queued(), 2u);
  EXPECT_EQ(levels_.ApproximateSizeOf(40), 3u);
  EXPECT_EQ(levels_.DrawOfEvent(one_, board_, 40, 1, out).count, 1u);
  EXPECT_EQ(levels_.DrawOfEvent(one_, board_, 40, 8, out).count, 2u);
  EXPECT_EQ(out[1].payload[0], 3u);
  EXPECT_FALSE(board_.Read().HasWork());
}

TEST_F(SharedQueuesTest, IsResetInParts) {
  Push(10, 1);
  for (std::uint32_t part = 3; part-- > 0;) levels_.Reset(part, 3);
  EXPECT_EQ(levels_.ApproximateSize(), 0u);
  Push(10, 2);
  EXPECT_EQ(Draw(), 2u);
}

TEST(SharedQueuesOfLanes, LanesPushToSeveralLevelsTogether) {
  using Tested = SharedQueues<ScheduledLaneScope, 8>;
  for (const std::uint32_t lanes : {5u, 32u}) {
    const std::unique_ptr<Tested> levels(new Tested());
    levels->Reset(0, 1);
    Board<ScheduledLaneScope> board{};
    std::multiset<std::uint32_t> drawn;
    ASSERT_EQ(RunLanes(lanes,
                       [&](ScheduledLaneScope& lane) {
                         const std::uint32_t rank = lane.Rank();
                         const QueueResult refused =
                             levels->Push(lane, board, rank % 4 != 3, At(rank % 4, rank));
                         EXPECT_EQ(refused.count, 0u);
                         EXPECT_EQ(lane.Broadcast(board.Read()).Levels(), 1u);
                       }),
              "");
    std::uint32_t last_level = 0;
    ASSERT_EQ(RunLanes(lanes,
                       [&](ScheduledLaneScope& lane) {
                         LevelWindow window{0, 1};
                         Element* const out = &lane.Broadcast(new Element[4])[0];
                         while (lane.Broadcast(board.Read()).Levels() != 0) {
                           const QueueResult result = levels->Draw(lane, board, 4, window, out);
                           if (lane.Rank() != 0) {
                             lane.Barrier();
                             continue;
                           }
                           for (std::uint32_t i = 0; i < result.count; ++i) {
                             EXPECT_GE(out[i].payload[1], last_level);
                             last_level = out[i].payload[1];
                             drawn.insert(out[i].payload[0]);
                           }
                           lane.Barrier();
                         }
                         if (lane.Rank() == 0) delete[] out;
                       }),
              "");
    std::uint32_t expected = 0;
    for (std::uint32_t rank = 0; rank < lanes; ++rank) {
      EXPECT_EQ(drawn.count(rank), rank % 4 != 3 ? 1u : 0u) << rank;
      expected += rank % 4 != 3 ? 1 : 0;
    }
    EXPECT_EQ(drawn.size(), expected);
  }
}

}  // namespace
}  // namespace warpyard::model
