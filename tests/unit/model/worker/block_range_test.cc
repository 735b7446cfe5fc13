// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/model/worker/block_range.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "core/exec/thread_scope.h"

namespace warpyard::model {
namespace {

using Tested = BlockRange<exec::ThreadScope>;
using Ranges = std::vector<std::vector<std::uint32_t>>;

class BlockRangeTest : public ::testing::Test {
 protected:
  /// Elements of a stage from `first` on. @shape count: in portions of `portion`
  static TakenElements Drawn(std::uint32_t first, std::uint32_t count, std::uint32_t portion) {
    TakenElements drawn{};
    drawn.claim.first = first;
    drawn.claim.count = count;
    drawn.claim.elements = 100'000;
    drawn.claim.stage = 3;
    drawn.claim.plan = {ProcedureId(9), 100'000, 1};
    drawn.event = 7;
    drawn.portion = portion;
    return drawn;
  }
  bool Fill(const TakenElements& drawn, std::uint32_t begin) {
    return Tested::Fill(range_, drawn, begin);
  }
  /// Each portion that is taken: its first element and how many it has.
  Ranges TakeAll() {
    Ranges taken;
    TakenElements one{};
    for (Tested::Take(range_, one); one.claim.count != 0; Tested::Take(range_, one)) {
      EXPECT_EQ(one.event, 7u);
      EXPECT_EQ(one.claim.plan.procedure, 9u);
      EXPECT_EQ(one.claim.stage, 3u);
      taken.push_back({one.claim.first, one.claim.count});
    }
    return taken;
  }

  BlockRangeMemory range_{};
};

TEST_F(BlockRangeTest, HasNothingAtFirst) {
  EXPECT_FALSE(Tested::HasMore(range_));
  EXPECT_EQ(TakeAll(), Ranges{});
}

TEST_F(BlockRangeTest, GivesEveryElementOnceInPortions) {
  ASSERT_TRUE(Fill(Drawn(40, 10, 4), 0));
  EXPECT_TRUE(Tested::HasMore(range_));
  EXPECT_EQ(TakeAll(), (Ranges{{40, 4}, {44, 4}, {48, 2}}));
  EXPECT_FALSE(Tested::HasMore(range_));
}

TEST_F(BlockRangeTest, LeavesOutWhatTheWorkerKeeps) {
  ASSERT_TRUE(Fill(Drawn(40, 10, 4), 4));
  EXPECT_EQ(TakeAll(), (Ranges{{44, 4}, {48, 2}}));
  ASSERT_TRUE(Fill(Drawn(60, 3, 1), 1));
  EXPECT_EQ(TakeAll(), (Ranges{{61, 1}, {62, 1}}));
}

TEST_F(BlockRangeTest, HoldsAsManyAsMayBeClaimed) {
  ASSERT_TRUE(Fill(Drawn(0, Tested::kMostElements, 1), 0));
  EXPECT_EQ(TakeAll().size(), Tested::kMostElements);
  ASSERT_TRUE(Fill(Drawn(0, Tested::kMostElements, Tested::kMostElements), 0));
  EXPECT_EQ(TakeAll(), (Ranges{{0, Tested::kMostElements}}));
}

TEST_F(BlockRangeTest, GoesRoundItsGenerationsManyTimes) {
  for (std::uint32_t turn = 0; turn < 1'000; ++turn) {
    ASSERT_TRUE(Fill(Drawn(turn, 2, 1), 0));
    ASSERT_EQ(TakeAll(), (Ranges{{turn, 1}, {turn + 1, 1}})) << turn;
  }
}

TEST_F(BlockRangeTest, TakesInVainDoNoHarm) {
  TakenElements taken{};
  for (std::uint32_t turn = 0; turn < 5'000; ++turn) Tested::Take(range_, taken);
  EXPECT_EQ(taken.claim.count, 0u);
  ASSERT_TRUE(Fill(Drawn(5, 1, 1), 0));
  EXPECT_EQ(TakeAll(), (Ranges{{5, 1}}));
}

TEST_F(BlockRangeTest, OneWorkerDrawsAtATimeAndOnlyWhenTheRangeIsEmpty) {
  ASSERT_TRUE(Tested::Lock(range_));
  EXPECT_FALSE(Tested::Lock(range_));
  ASSERT_TRUE(Fill(Drawn(0, 2, 1), 0));
  Tested::Unlock(range_);
  EXPECT_FALSE(Tested::Lock(range_)) << "there are elements to take";
  TakeAll();
  EXPECT_TRUE(Tested::Lock(range_));
  Tested::Unlock(range_);
  EXPECT_TRUE(Tested::Lock(range_));
}

TEST_F(BlockRangeTest, OneWorkerChoosesAndTheOthersTakeWhatItHasDrawn) {
  TakenElements taken{};
  Tested::Reset(range_);
  Tested::TakeOrChoose(range_, taken, 2);
  EXPECT_EQ(taken.claim.count, 0u) << "this worker is to choose";
  EXPECT_EQ(range_.chooser, 2u);
  ASSERT_TRUE(Fill(Drawn(40, 10, 4), 4));
  Tested::TakeOrChoose(range_, taken, 1);
  EXPECT_EQ(taken.claim.first, 44u);
  EXPECT_EQ(range_.chooser, 2u) << "the second worker chooses nothing";
  TakeAll();
  Tested::TakeOrChoose(range_, taken, 1);
  EXPECT_EQ(taken.claim.count, 0u) << "it does not wait for ever";
  EXPECT_EQ(range_.chooser, 2u) << "that worker still chooses";
}

TEST_F(BlockRangeTest, OnlyTheWorkerThatChoosesEndsItsChoice) {
  TakenElements taken{};
  Tested::Reset(range_);
  Tested::TakeOrChoose(range_, taken, 2);
  const std::uint32_t since = range_.chooses;
  Tested::EndChoice(range_, 1);
  EXPECT_EQ(range_.chooses, since);
  Tested::EndChoice(range_, 2);
  EXPECT_NE(range_.chooses, since);
  Tested::TakeOrChoose(range_, taken, 3);
  EXPECT_EQ(range_.chooser, 3u) << "at once";
}

TEST_F(BlockRangeTest, NobodyWaitsForAChoiceWhileATeamGathers) {
  TakenElements taken{};
  Tested::Reset(range_);
  Tested::TakeOrChoose(range_, taken, 2);
  Tested::SetGathering(range_, true);
  Tested::TakeOrChoose(range_, taken, 3);
  EXPECT_EQ(taken.claim.count, 0u);
  EXPECT_EQ(range_.chooser, 2u);
}

TEST_F(BlockRangeTest, AGatheringTeamKeepsOthersFromDrawing) {
  Tested::SetGathering(range_, true);
  EXPECT_FALSE(Tested::Lock(range_));
  Tested::SetGathering(range_, false);
  EXPECT_TRUE(Tested::Lock(range_));
}

}  // namespace
}  // namespace warpyard::model
