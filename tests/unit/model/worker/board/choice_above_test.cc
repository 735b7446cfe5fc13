// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/model/worker/board/choice_above.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>

#include "core/exec/thread_scope.h"
#include "core/model/worker/block_range.h"
#include "core/model/worker/board/board.h"
#include "core/model/worker/share_clocks.h"
#include "core/model/worker/worker_handle.h"
#include "core/policy/share.h"
#include "core/procedure/element.h"
#include "tests/support/lane_scopes.h"
#include "tests/support/workers/small_space.h"

namespace warpyard::model {
namespace {

using exec::ThreadScope;
using test_support::ScheduledLaneScope;

constexpr std::uint32_t kOwn = 7;

class ChoiceAboveTest : public ::testing::Test {
 protected:
  using Space = test_support::SmallSpace<ThreadScope>;

  ChoiceAboveTest() {
    for (std::uint32_t event = 0; event <= Choice::kLevels; ++event) {
      space_.board.SetRank(event, 10 + event);
    }
    space_.event_counts.running = 3;
    auto& own = memory_.block->workers[0];
    own.stack = {1, own.elements, true, 0};
    own.elements[0] = {procedure::MakeHead(kOwn, 0, kOwn), {0, 0}};
  }

  void Open(std::uint32_t event) {
    space_.board.Describe(event, 12, 1, false);
    space_.board.Toggle(event);
  }
  void Share(std::uint32_t event, std::uint32_t account) {
    space_.board.SetShare(event, policy::PackShare({1, account, policy::kStrideUnit}));
  }
  /// The block has drawn elements of an event.
  void Draw(std::uint32_t event) {
    TakenElements drawn{};
    drawn.event = event;
    drawn.portion = 1;
    drawn.claim.count = 2;
    ASSERT_TRUE(BlockRange<ThreadScope>::Fill(memory_.block->range, drawn, 0));
    memory_.block->range.event = event;
  }
  ChoiceAbove Choose() {
    return ChooseAbove(one_, WorkerHandle<Space>{space_, *memory_.block, {}});
  }

  ThreadScope one_{nullptr};
  test_support::SmallMemory<Space> memory_;
  Space& space_ = *memory_.space;
};

TEST_F(ChoiceAboveTest, IsWhatTheWorkerHasWhereNothingIsOpen) {
  const ChoiceAbove choice = Choose();
  EXPECT_TRUE(choice.is_simple);
  EXPECT_EQ(choice.event, kNoEvent);
}

TEST_F(ChoiceAboveTest, IsTheOpenEventThatComesFirst) {
  Open(5);
  Open(6);
  Open(kOwn);
  const std::uint32_t sights = memory_.block->sight.count;
  const ChoiceAbove choice = Choose();
  EXPECT_TRUE(choice.is_simple);
  EXPECT_EQ(choice.event, 5u);
  EXPECT_FALSE(choice.is_ranged);
  EXPECT_EQ(choice.hint.elements, 12u);
  EXPECT_EQ(choice.hint.procedure, 1u);
  EXPECT_EQ(choice.running, 3u);
  EXPECT_TRUE(choice.news.IsOpen(6));
  EXPECT_EQ(memory_.block->sight.count, sights + 1) << "the block has seen it";
}

TEST_F(ChoiceAboveTest, IsWhatTheWorkerHasWhereNothingComesBefore) {
  Open(9);
  Open(5);
  space_.board.SetRank(5, 10 + kOwn);
  EXPECT_TRUE(Choose().is_simple);
  EXPECT_EQ(Choose().event, kNoEvent) << "also where the ranks are equal";
}

TEST_F(ChoiceAboveTest, IsWhatTheBlockHasDrawn) {
  Open(6);
  Draw(5);
  const ChoiceAbove choice = Choose();
  EXPECT_EQ(choice.event, 5u);
  EXPECT_TRUE(choice.is_ranged);
}

TEST_F(ChoiceAboveTest, IsNotSimpleWhereQueuesHaveElements) {
  Open(5);
  space_.board.SetWaiting(1);
  EXPECT_FALSE(Choose().is_simple);
}

TEST_F(ChoiceAboveTest, IsNotSimpleWhereAccountsShare) {
  Open(5);
  Share(5, 2);
  EXPECT_TRUE(Choose().is_simple);
  Share(kOwn, 3);
  EXPECT_FALSE(Choose().is_simple);
  Share(kOwn, 2);
  EXPECT_TRUE(Choose().is_simple) << "one account";
}

TEST_F(ChoiceAboveTest, IsNotSimpleWhereWhatTheWorkerHasShares) {
  Open(9);
  Share(9, 2);
  Share(kOwn, 3);
  EXPECT_FALSE(Choose().is_simple) << "though its event has the least rank";
}

TEST_F(ChoiceAboveTest, IsNotSimpleForANewcomerThatMayShare) {
  Open(5);
  space_.board.SetShare(5, policy::PackShare({policy::kUnjudgedGroup, 0, 0}));
  EXPECT_FALSE(Choose().is_simple);
  space_.board.Describe(5, 10, 1, true);
  EXPECT_TRUE(Choose().is_simple) << "it has a deadline";
}

TEST_F(ChoiceAboveTest, IsNotSimpleWhereTheWorkerHasSeveralEvents) {
  auto& own = memory_.block->workers[0];
  own.stack.count = 2;
  own.elements[0] = {procedure::MakeHead(6, 0, 6), {0, 0}};
  own.elements[1] = {procedure::MakeHead(kOwn, 0, kOwn), {0, 0}};
  Open(5);
  EXPECT_FALSE(Choose().is_simple);
}

TEST(ChoiceAboveOfLanes, IsTheSameInAllLanes) {
  using Space = test_support::SmallSpace<ScheduledLaneScope, 32>;
  test_support::SmallMemory<Space> memory;
  Space& space = *memory.space;
  for (std::uint32_t event = 0; event <= Choice::kLevels; ++event) {
    space.board.SetRank(event, 100 - event);
  }
  for (const std::uint32_t event : {1u, 40u, 41u}) {
    space.board.Describe(event, 10 + event, 2, false);
    space.board.Toggle(event);
  }
  auto& own = memory.block->workers[0];
  own.stack = {1, own.elements, true, 0};
  own.elements[0] = {procedure::MakeHead(kOwn, 0, kOwn), {0, 0}};
  std::array<ChoiceAbove, 32> choices{};
  const std::string stopped = test_support::RunLanes(32, [&](ScheduledLaneScope& lane) {
    choices[lane.Rank()] = ChooseAbove(lane, WorkerHandle<Space>{space, *memory.block, {}});
  });
  EXPECT_EQ(stopped, "");
  for (const ChoiceAbove& choice : choices) {
    EXPECT_TRUE(choice.is_simple);
    EXPECT_EQ(choice.event, 41u);
    EXPECT_EQ(choice.hint.elements, 51u);
  }
  EXPECT_EQ(memory.block->sight.count, 1u);
}

}  // namespace
}  // namespace warpyard::model
