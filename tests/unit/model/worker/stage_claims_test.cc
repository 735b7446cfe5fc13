// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/model/worker/stage_claims.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "core/exec/thread_scope.h"
#include "core/model/worker/worker_counts.h"
#include "tests/support/workers/start_event.h"
#include "tests/unit/model/counting_program.h"
#include "tests/unit/model/worker/small_space.h"

namespace warpyard::model {
namespace {

using exec::ThreadScope;
using test_support::CountingJob;
using test_support::CountingProgram;
using test_support::MarkStage;

/// Its second stage takes ranges of any length.
struct MergedStage : MarkStage<1> {
  static constexpr bool kUneven = true;
};
using Program = test_support::CountingProgramOf<MarkStage<0>, MergedStage, MarkStage<2>>;

constexpr std::uint32_t kEvent = 6;
constexpr std::uint32_t kWorkers = 4;

class StageClaimsTest : public ::testing::Test {
 protected:
  using Space = test_support::SmallSpace<ThreadScope, 1, Program>;
  static constexpr std::uint32_t kRoom = Space::Shape::kStackElements;

  StageClaimsTest() { WorkerCounts<Space>::Reset(one_, *memory_.block); }

  void Start(std::uint32_t first, std::uint32_t second = 0, std::uint32_t grain = 1) {
    memory_.space->events[kEvent].job = CountingJob{{first, second, 0}, grain, 0, nullptr, 0};
    EXPECT_FALSE(test_support::StartEvent(*memory_.space, kEvent));
    memory_.worker.event = kEvent;
  }
  /// @shape size: of the stage, as far as the worker knows
  RangeClaim Claim(std::uint32_t room = kRoom, std::uint32_t size = 0) {
    return claims_.Claim(kEvent, 1, room, size);
  }
  bool IsOpen() { return memory_.space->board.Read().IsOpen(kEvent); }

  ThreadScope one_{nullptr};
  test_support::SmallMemory<Space> memory_;
  StageClaims<ThreadScope, Space> claims_{one_, *memory_.space, *memory_.block, memory_.worker,
                                          kWorkers};
  OwnStack<ThreadScope, Space> stack_{one_, *memory_.space, memory_.worker, 0};
};

TEST_F(StageClaimsTest, BeginsWithOneElementOfAStageThatItDoesNotKnow) {
  Start(1'000);
  EXPECT_EQ(Claim().count, 1u);
  EXPECT_TRUE(claims_.HasPlenty());
}

TEST_F(StageClaimsTest, BeginsWithAFewElementsOfALargeStage) {
  for (const std::uint32_t size : {1u, 20u, 1'000'000u}) {
    Start(size);
    memory_.worker.stage.turn = ~0u;
    const std::uint32_t count = Claim(kRoom, size).count;
    EXPECT_GE(count, 1u);
    EXPECT_LE(count, 1 + size / kWorkers) << "no more than a fair part";
    EXPECT_LE(count, 16u) << "they may take long";
    memory_.space->events[kEvent].cancel = 1;
    const auto show = [](std::uint32_t, std::uint32_t) {};
    EXPECT_TRUE(memory_.space->events.CountOut(kEvent, size, 0, show));
    memory_.space->events[kEvent].cancel = 0;
  }
}

TEST_F(StageClaimsTest, ClaimsMoreOfShortElementsAndOneOfLongOnes) {
  Start(100'000);
  Claim();
  claims_.Learn(0, 1, 100);
  const std::uint32_t many = Claim().count;
  EXPECT_GT(many, 8u);
  claims_.Learn(0, 1, 3'000);
  const std::uint32_t few = Claim().count;
  EXPECT_GT(few, 1u);
  EXPECT_LT(few, many);
  claims_.Learn(0, 1, 10'000'000);
  EXPECT_EQ(Claim().count, 1u);
}

TEST_F(StageClaimsTest, LearnsOnlyOfTheStageThatItClaimedOf) {
  Start(100'000);
  Claim();
  claims_.Learn(2, 1, 1);
  EXPECT_EQ(memory_.worker.element_cycles, 0u) << "another procedure";
  claims_.Learn(0, 4, 4'000);
  EXPECT_NEAR(memory_.worker.element_cycles, 1'000, 2) << "of one of four";
}

TEST_F(StageClaimsTest, ClaimsAFairPartOfWhatIsLeft) {
  Start(40);
  Claim();
  claims_.Learn(0, 1, 1);
  std::uint32_t last = 40, sum = 1;
  while (sum < 40) {
    const std::uint32_t count = Claim().count;
    ASSERT_GT(count, 0u);
    EXPECT_LE(count, last) << "less and less, so that workers end together";
    EXPECT_LE(count, 40 / kWorkers);
    last = count;
    sum += count;
  }
  EXPECT_EQ(sum, 40u);
  EXPECT_EQ(last, 1u);
}

TEST_F(StageClaimsTest, ClaimsNoMoreThanThereIsRoomFor) {
  Start(100'000);
  Claim();
  claims_.Learn(0, 1, 1);
  EXPECT_EQ(Claim(5).count, 5u);
  EXPECT_EQ(Claim(0).count, 0u);
}

TEST_F(StageClaimsTest, TakesTheStageOffTheBoardWithItsLastElement) {
  Start(3);
  Claim();
  Claim();
  EXPECT_TRUE(IsOpen());
  EXPECT_EQ(Claim().count, 1u);
  EXPECT_FALSE(IsOpen());
  EXPECT_FALSE(claims_.HasPlenty());
  memory_.space->board.Open(kEvent, 1);  // the next stage, by another worker
  EXPECT_EQ(Claim().count, 0u);
  EXPECT_TRUE(IsOpen()) << "an empty claim closes nothing";
}

TEST_F(StageClaimsTest, ClaimsAllThatIsDropped) {
  Start(1'000);
  const RangeClaim claim = Claim();
  EXPECT_EQ(claims_.ClaimDropped(kEvent, claim.Left()), 999u);
  EXPECT_FALSE(IsOpen());
  EXPECT_EQ(claims_.ClaimDropped(kEvent, 0), 0u);
  EXPECT_FALSE(claims_.HasPlenty());
}

TEST_F(StageClaimsTest, PutsTheFirstElementOfAClaimOnTop) {
  Start(100, 0, 4);
  Claim();
  claims_.Learn(0, 1, 1);
  const RangeClaim claim = Claim();
  ASSERT_GT(claim.count, 1u);
  EXPECT_EQ(claims_.PushTo(stack_, kEvent, claim), 0u);
  ASSERT_EQ(stack_.Size(), claim.count);
  for (std::uint32_t i = 0; i < claim.count; ++i) {
    const procedure::Element& element = memory_.worker.elements[claim.count - 1 - i];
    EXPECT_EQ(element.Event(), kEvent);
    EXPECT_EQ(element.Bucket(), kEvent);
    EXPECT_EQ(element.Procedure(), 0u);
    EXPECT_EQ(element.payload[0], 4 * (claim.first + i));
    EXPECT_EQ(element.payload[1], 4 * (claim.first + i) + 4);
  }
}

TEST_F(StageClaimsTest, MergesElementsOfAProcedureThatTakesRangesOfAnyLength) {
  Start(0, 1'000, 3);
  Claim();
  claims_.Learn(1, 1, 1);
  const RangeClaim claim = Claim();
  ASSERT_GT(claim.count, 4u);
  EXPECT_EQ(claims_.PushTo(stack_, kEvent, claim), claim.count - 1) << "finished as such";
  ASSERT_EQ(stack_.Size(), 1u);
  EXPECT_EQ(stack_.Newest().payload[0], 3 * claim.first);
  EXPECT_EQ(stack_.Newest().payload[1], 3 * (claim.first + claim.count));
  claims_.Learn(1, 1, 1'000 * claim.count);
  EXPECT_NEAR(memory_.worker.element_cycles, 1'000, 2) << "of one element of the claim";
}

}  // namespace
}  // namespace warpyard::model
