// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/model/worker/stage_claims.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "tests/unit/model/worker/stage_claims_fixture.h"

namespace warpyard::model {
namespace {

using test_support::StageClaimsFixture;

/// Workers of one thread.
class StageClaimsTest : public StageClaimsFixture<1> {
 protected:
  /// Elements that the block claims of a procedure that it does not know, at most.
  static constexpr std::uint32_t kMostUnknown = 4 * kBlockWorkers;
};

TEST_F(StageClaimsTest, BeginsWithOneElementOfAStageThatItDoesNotKnow) {
  Start(1'000);
  EXPECT_EQ(EventWithMore(), kNoEvent);
  EXPECT_EQ(CountOf(Claim(0)), 1u);
  EXPECT_EQ(EventWithMore(), kEvent);
}

TEST_F(StageClaimsTest, ClaimsForAllWorkersOfItsBlockAndKeepsAPortion) {
  Start(1'000);
  const TakenElements own = Claim(1'000);
  EXPECT_EQ(own.claim.first, 0u);
  EXPECT_EQ(own.claim.count, 1u);
  EXPECT_EQ(own.event, kEvent);
  EXPECT_TRUE(Range::HasMore(range_));
  const std::uint32_t count = CountOf(own);
  EXPECT_GE(count, kBlockWorkers) << "a round for each worker";
  EXPECT_LE(count, kMostUnknown) << "no more than a few: they may take long";
  EXPECT_FALSE(Range::HasMore(range_));
  EXPECT_EQ(memory_.block->counters.claims, 1u);
}

TEST_F(StageClaimsTest, ClaimsForItselfWhileTheBlockHasElements) {
  Start(1'000);
  const TakenElements first = Claim(1'000);
  const std::uint32_t word = range_.word;
  EXPECT_EQ(ClaimOnlyForBlock(1'000).claim.count, 0u);
  const TakenElements own = Claim(1'000);
  EXPECT_GE(own.claim.count, 1u);
  EXPECT_LE(own.claim.count, kMostUnknown / kBlockWorkers);
  EXPECT_EQ(own.portion, 1u);
  EXPECT_EQ(range_.word, word) << "the range is as it was";
  EXPECT_EQ(own.claim.first, CountOf(first)) << "what follows the claim for the block";
}

TEST_F(StageClaimsTest, ClaimsForItselfWhileAnotherWorkerDraws) {
  Start(1'000);
  ASSERT_TRUE(Range::Lock(range_));
  EXPECT_EQ(ClaimOnlyForBlock(1'000).claim.count, 0u);
  EXPECT_GE(Claim(1'000).claim.count, 1u);
  EXPECT_FALSE(Range::HasMore(range_));
  EXPECT_EQ(EventWithMore(), kEvent) << "any worker of the block";
  Range::Unlock(range_);
  EXPECT_GE(CountOf(ClaimOnlyForBlock(1'000)), kBlockWorkers);
}

TEST_F(StageClaimsTest, ClaimsLongElementsForItselfWhereTimePresses) {
  Start(1'000);
  LearnAnew(1, 10'000);
  const TakenElements own = ClaimPressing(1'000);
  EXPECT_EQ(own.claim.count, 1u) << "others of the block may be busy for long";
  EXPECT_FALSE(Range::HasMore(range_));
  LearnAnew(1, 1'000);
  EXPECT_GT(CountOf(ClaimPressing(1'000)), kBlockWorkers) << "short ones are cheaper together";
}

TEST_F(StageClaimsTest, BeginsWithNoMoreThanAFairPart) {
  for (const std::uint32_t size : {1u, 3u, 20u, 1'000'000u}) {
    Start(size);
    const std::uint32_t count = CountOf(Claim(size));
    EXPECT_GE(count, 1u);
    EXPECT_LE(count, 1 + size / 2) << "the block has half of the workers";
    EXPECT_LE(count, kMostUnknown);
    memory_.space->events[kEvent].cancel = 1;
    EXPECT_TRUE(memory_.space->events.CountOut(kEvent, size, 0, memory_.space->board).done);
    memory_.space->events[kEvent].cancel = 0;
    if (IsOpen()) memory_.space->board.Toggle(kEvent);
  }
}

TEST_F(StageClaimsTest, ClaimsMoreTheMoreEventsRun) {
  Start(6);
  EXPECT_EQ(CountOf(Claim(4, 0, 1)), 2u);
  EXPECT_EQ(CountOf(Claim(4, 0, 3)), 4u) << "all that is left";
}

TEST_F(StageClaimsTest, ClaimsMoreOfShortElementsAndARoundOfLongOnes) {
  Start(100'000);
  CountOf(Claim(0));
  Learn(1, 100);
  const std::uint32_t many = CountOf(Claim(0));
  EXPECT_GT(many, 100u);
  LearnAnew(1, 3'000);
  const std::uint32_t few = CountOf(Claim(0));
  EXPECT_GT(few, 4u);
  EXPECT_LT(few, many / 8);
  LearnAnew(8, 24'000);
  EXPECT_NEAR(CountOf(Claim(0)), few, 1) << "each takes as long as before";
  for (const std::uint64_t cycles : {std::uint64_t{10'000'000}, ~std::uint64_t{0}}) {
    LearnAnew(1, cycles);
    EXPECT_LE(CountOf(Claim(0)), kBlockWorkers);
  }
  LearnAnew(1'000, 0);
  EXPECT_EQ(CountOf(Claim(0)), Range::kMostElements);
}

TEST_F(StageClaimsTest, LearnsTheTimeOfAnElementOfEachProcedure) {
  const std::uint32_t* const cycles = memory_.block->element_cycles;
  EXPECT_EQ(cycles[0], 0u) << "not known";
  Learn(10, 8'000);
  EXPECT_NEAR(cycles[0], 800, 2) << "as the first ones take";
  Learn(1, 1'600);
  EXPECT_NEAR(cycles[0], 900, 2) << "then the newest time counts a little";
  LearnAnew(2, 400);
  EXPECT_NEAR(cycles[0], 200, 6);
  EXPECT_EQ(cycles[2], 0u) << "another procedure";
  Learn(1'000, 0, 2);
  EXPECT_GT(cycles[2], 0u) << "known, however short";
}

TEST_F(StageClaimsTest, KnowsNothingOfTheProcedureOfTheNextStage) {
  Start(20, 0, 4'000);
  CountOf(Claim(0));
  Learn(1, 1);
  std::uint32_t sum = 1;
  while (sum < 20) sum += CountOf(Claim(0));
  memory_.space->events.CountOut(kEvent, 20, 0, memory_.space->board);
  for (int i = 0; i < 2; ++i) EXPECT_LE(CountOf(Claim(4'000, 2)), kMostUnknown);
  Learn(1, 1, 2);
  EXPECT_GT(CountOf(Claim(4'000, 2)), 100u);
}

TEST_F(StageClaimsTest, UsesWhatItLearnedInAnEarlierEvent) {
  Learn(1, 100);
  Start(100'000);
  EXPECT_GT(CountOf(Claim(100'000)), 100u) << "at its first claim";
}

TEST_F(StageClaimsTest, ClaimsAFairPartOfWhatIsLeft) {
  Start(40);
  std::uint32_t sum = CountOf(Claim(0)), last = 40;
  Learn(1, 1);
  while (sum < 40) {
    const std::uint32_t count = CountOf(Claim(0));
    ASSERT_GT(count, 0u);
    EXPECT_LE(count, last) << "less and less, so that workers end together";
    EXPECT_LE(count, (40 - sum + 1) / 2);
    last = count;
    sum += count;
  }
  EXPECT_EQ(sum, 40u);
  EXPECT_EQ(last, 1u);
}

TEST_F(StageClaimsTest, TakesTheStageOffTheBoardWithItsLastElement) {
  Start(3);
  CountOf(Claim(0));
  CountOf(Claim(0));
  EXPECT_TRUE(IsOpen());
  EXPECT_EQ(CountOf(Claim(0)), 1u);
  EXPECT_FALSE(IsOpen());
  EXPECT_EQ(EventWithMore(), kNoEvent);
  memory_.space->board.Toggle(kEvent);  // the next stage, by another worker
  EXPECT_EQ(Claim(0).claim.count, 0u);
  EXPECT_TRUE(IsOpen()) << "an empty claim closes nothing";
  EXPECT_EQ(memory_.block->counters.claims, 3u);
  EXPECT_EQ(memory_.block->counters.misses, 1u);
}

TEST_F(StageClaimsTest, TakesTheStageOffTheBoardByAClaimForTheBlock) {
  Start(2);
  const TakenElements own = Claim(4);
  EXPECT_FALSE(IsOpen()) << "though the block has not taken the last element";
  EXPECT_EQ(CountOf(own), 2u);
}

TEST_F(StageClaimsTest, ClaimsAllThatIsDropped) {
  Start(1'000);
  EXPECT_FALSE(Claim(0).dropped);
  memory_.space->events[kEvent].cancel = 1;
  const TakenElements own = Claim(0);
  EXPECT_TRUE(own.dropped);
  EXPECT_EQ(Tested::ClaimDropped(*memory_.space, kEvent), 999 - CountOf(own));
  EXPECT_FALSE(IsOpen());
  EXPECT_EQ(Tested::ClaimDropped(*memory_.space, kEvent), 0u);
  EXPECT_FALSE(IsOpen());
}

TEST_F(StageClaimsTest, SaysWhetherItsEventHasTheOnlyOpenStage) {
  Start(100);
  EXPECT_TRUE(Claim(0).alone);
  memory_.space->board.Toggle(kEvent + 1);
  EXPECT_FALSE(Claim(0).alone);
}

TEST_F(StageClaimsTest, AnElementIsAGrainOfIndices) {
  Start(100, 0, 0, 4);
  CountOf(Claim(0));
  const TakenElements own = Claim(0);
  EXPECT_EQ(own.claim.first, 1u);
  for (std::uint32_t i = 0; i < 3; ++i) {
    const procedure::Element element = Tested::ElementOf(own, i, 1);
    EXPECT_EQ(element.Event(), kEvent);
    EXPECT_EQ(element.Bucket(), kEvent);
    EXPECT_EQ(element.Procedure(), 0u);
    EXPECT_EQ(element.payload[0], 4 * (1 + i));
    EXPECT_EQ(element.payload[1], 4 * (1 + i) + 4);
  }
  EXPECT_EQ(Tested::ElementOf(own, 0, 3).payload[1], 16u) << "three as one";
}

TEST(BlockStage, IsOfAStageThatLooksLikeIt) {
  const BlockStage stage{7, 40, 100, 2};
  EXPECT_TRUE(stage.IsOf({100, 2}));
  EXPECT_TRUE(stage.IsOf({0, 0})) << "nobody knows better";
  EXPECT_FALSE(stage.IsOf({40, 2})) << "the elements are those of the whole stage";
  EXPECT_FALSE(stage.IsOf({100, 3}));
  const BlockStage over{7, 0, 100, 2};
  EXPECT_FALSE(over.IsOf({100, 2})) << "nothing is left of it";
  EXPECT_FALSE(over.IsOf({0, 0}));
}

/// Workers of 32 threads.
class StageClaimsOfWarps : public StageClaimsFixture<32> {};

TEST_F(StageClaimsOfWarps, PortionsAreRounds) {
  Start(100'000);
  const TakenElements own = Claim(100'000);
  EXPECT_EQ(own.claim.count, 32u);
  EXPECT_EQ(own.portion, 32u);
  for (const TakenElements& taken : Drain()) EXPECT_EQ(taken.claim.count, 32u);
  Claim(100'000);
  ASSERT_TRUE(Range::HasMore(range_));
  EXPECT_EQ(Claim(100'000).claim.count, 32u) << "for itself: they fit a stack";
}

TEST_F(StageClaimsOfWarps, TheLastPortionHasWhatIsLeft) {
  Start(70);
  const TakenElements own = Claim(140);
  EXPECT_EQ(own.claim.count, 32u);
  const std::vector<TakenElements> others = Drain();
  ASSERT_EQ(others.size(), 2u);
  EXPECT_EQ(others[0].claim.count, 32u);
  EXPECT_EQ(others[1].claim.count, 6u);
}

}  // namespace
}  // namespace warpyard::model
