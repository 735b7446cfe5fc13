// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Claims of stages whose elements are of uneven length.

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "core/model/worker/stage_claims.h"
#include "tests/unit/model/worker/stage_claims_fixture.h"

namespace warpyard::model {
namespace {

using test_support::ClockScope;

/// The procedure of the second stage is of such elements. @shape kGroup: lanes of a worker
template <std::uint32_t kGroup>
class UnevenClaimsFixture : public test_support::StageClaimsFixture<kGroup> {
 protected:
  using Base = test_support::StageClaimsFixture<kGroup>;
  static constexpr std::uint32_t kUneven = 1;
  static constexpr std::uint32_t kMostUnknown = 8;  // elements of one worker's claim

  void StartUneven(std::uint32_t size) {
    size_ = size;
    Base::Start(0, size);
  }
  TakenElements ClaimUneven(std::uint32_t running = 1) {
    return Base::Claim(size_, kUneven, running);
  }
  /// The first claim, without what it leaves in the range of the block.
  void Begin(std::uint32_t size) {
    StartUneven(size);
    Base::CountOf(ClaimUneven());
  }

  std::uint32_t size_ = 0;
};

using UnevenClaims = UnevenClaimsFixture<1>;
using UnevenClaimsOfWarps = UnevenClaimsFixture<32>;

TEST_F(UnevenClaims, BeginWithAnElementForEachWorkerOfTheBlock) {
  StartUneven(10'000);
  const TakenElements own = ClaimUneven();
  EXPECT_EQ(own.claim.count, 1u);
  const std::vector<TakenElements> others = Drain();
  ASSERT_EQ(others.size(), kBlockWorkers - 1);
  for (const TakenElements& one : others) EXPECT_EQ(one.claim.count, 1u);
  EXPECT_EQ(memory_.block->counters.claims, 1u) << "one claim for all";
}

TEST_F(UnevenClaims, OfUrgentEventsLeaveMoreToOthers) {
  constexpr std::uint32_t kElements = 1'000;
  LearnAnew(1, 4'000, kUneven);  // claims of many beside others, of few alone
  StartUneven(kElements);
  const std::uint32_t usual = ClaimPressing(kElements, kUneven, false).claim.count;
  const std::uint32_t urgent = ClaimPressing(kElements, kUneven, true).claim.count;
  EXPECT_GE(urgent, 1u);
  EXPECT_LT(urgent, usual) << "a worker that comes first must not have long to do alone";
}

TEST_F(UnevenClaimsOfWarps, BeginWithAnElementForEachWorkerOfTheBlock) {
  StartUneven(10'000);
  const TakenElements own = ClaimUneven();
  EXPECT_EQ(own.claim.count, 1u);
  EXPECT_EQ(own.portion, 1u);
  EXPECT_EQ(Drain().size(), kBlockWorkers - 1);
}

TEST_F(UnevenClaims, BeginWithNoMoreThanAFairPart) {
  StartUneven(3);
  EXPECT_EQ(CountOf(ClaimUneven()), 2u) << "the other block has as many workers";
}

TEST_F(UnevenClaims, OnlyOneWorkerBeginsForTheBlock) {
  StartUneven(10'000);
  ASSERT_TRUE(Range::Lock(range_));
  EXPECT_EQ(ClaimOnlyForBlock(10'000, kUneven).claim.count, 0u);
  const TakenElements own = ClaimUneven();
  EXPECT_GE(own.claim.count, 1u) << "for itself";
  EXPECT_FALSE(Range::HasMore(range_));
}

TEST_F(UnevenClaims, AreThenForEachWorkerAlone) {
  Begin(10'000);
  const TakenElements own = ClaimUneven();
  EXPECT_FALSE(Range::HasMore(range_));
  EXPECT_EQ(own.claim.first, kBlockWorkers);
  EXPECT_GT(own.claim.count, 1u);
  EXPECT_LE(own.claim.count, kMostUnknown) << "they may take long";
  EXPECT_EQ(own.portion, own.claim.count) << "one round";
  EXPECT_EQ(Tested::ElementOf(own, 0, own.portion).payload[1], own.claim.first + own.claim.count);
  EXPECT_GT(ClaimOnlyForBlock(10'000, kUneven).claim.count, 0u) << "nobody draws for the block";
}

TEST_F(UnevenClaims, AreForEachWorkerAloneWhereOtherEventsRun) {
  StartUneven(10'000);
  EXPECT_GE(ClaimUneven(2).claim.count, 1u);
  EXPECT_FALSE(Range::HasMore(range_));
}

TEST_F(UnevenClaims, AreOfAsManyAsTakeLongEnough) {
  Begin(100'000);
  Learn(1, 1'000, kUneven);
  const std::uint32_t several = ClaimUneven().claim.count;
  EXPECT_GT(several, kMostUnknown);
  EXPECT_GT(ClaimUneven(2).claim.count, several) << "others keep the device busy at the end";
  LearnAnew(1, 8'000, kUneven);
  EXPECT_LT(ClaimUneven().claim.count, several / 4);
  LearnAnew(1, 10'000'000, kUneven);
  EXPECT_EQ(ClaimUneven().claim.count, 2u) << "each claim costs as much as a part of one";
  EXPECT_EQ(ClaimUneven(2).claim.count, 1u);
}

TEST_F(UnevenClaims, GetSmallerTowardsTheEnd) {
  Begin(400);
  Learn(1, 1, kUneven);
  std::uint32_t last = 400, sum = kBlockWorkers;
  while (sum < 400) {
    const std::uint32_t count = ClaimUneven().claim.count;
    ASSERT_GT(count, 0u);
    EXPECT_LE(count, last);
    EXPECT_LE(count, 1 + (400 - sum) / 2 / kWorkers) << "half of a fair part";
    last = count;
    sum += count;
  }
  EXPECT_EQ(last, 1u);
  EXPECT_FALSE(IsOpen());
}

TEST_F(UnevenClaims, BeginOnceThoughTheBoardCannotShowSoManyElements) {
  StartUneven(1'000'000);
  size_ = memory_.space->board.Read().HintOf(kEvent).elements;
  Drain();
  ClaimUneven();
  Drain();
  EXPECT_GT(ClaimUneven().claim.count, 1u) << "the block knows the stage";
}

/// A worker that claims on between elements.
class ClaimMoreTest : public UnevenClaimsFixture<1> {
 protected:
  static constexpr std::uint32_t kSize = 10'000;
  static constexpr float kMuch = 1;  // of what is left: all of it
  static constexpr std::uint32_t kLong = 100'000'000;

  /// Begins a stage; the worker has one element of it.
  void BeginAlone(std::uint32_t size = kSize) {
    StartUneven(size);
    ClockScope::now = 1'000'000;
    own_.taken = ClaimUneven();
    Drain();
    own_.claimed_at = since_ = Now();
  }
  /// Claims more, after the latest elements took so long. Returns how many it claimed.
  std::uint32_t More(std::uint32_t cycles, bool shares = false, float part_of_left = kMuch) {
    const std::uint32_t first = own_.taken.claim.first;
    ClaimMore(cycles, shares, part_of_left);
    const RangeClaim& claim = own_.taken.claim;
    if (claim.count == 0) return 0;
    EXPECT_GT(claim.first, first);
    EXPECT_EQ(claim.plan.procedure, kUneven);
    EXPECT_EQ(own_.claimed_at, Now());
    return claim.count;
  }
  void ClaimMore(std::uint32_t cycles, bool shares = false, float part_of_left = kMuch) {
    ClockScope::now += cycles;
    Tested::ClaimMore(*memory_.space, *memory_.block, own_, {part_of_left, shares, since_});
  }
  static std::uint32_t Now() { return static_cast<std::uint32_t>(ClockScope::now); }
  /// Claims, and those in vain.
  std::uint32_t Tries() const {
    return memory_.block->counters.claims + memory_.block->counters.misses;
  }

  WorkerMemory<Space>& own_ = memory_.worker;
  std::uint32_t since_ = 0;  ///< when it last chose
};

TEST_F(ClaimMoreTest, ClaimsTwiceAsManyOfShortElements) {
  BeginAlone();
  for (const std::uint32_t count : {2u, 4u, 8u, 8u}) EXPECT_EQ(More(1'000), count);
  EXPECT_EQ(own_.taken.claim.first, kBlockWorkers + 2 + 4 + 8) << "one claim after the other";
  EXPECT_EQ(memory_.block->counters.claims, 5u);
}

TEST_F(ClaimMoreTest, ClaimsHalfAsManyOfLongElements) {
  BeginAlone();
  for (int i = 0; i < 3; ++i) More(1'000);
  for (const std::uint32_t count : {4u, 2u, 1u, 1u}) EXPECT_EQ(More(30'000), count);
  EXPECT_EQ(More(1'000), 2u);
}

TEST_F(ClaimMoreTest, ClaimsMoreWhereOtherEventsRun) {
  BeginAlone();
  for (const std::uint32_t count : {2u, 4u, 8u, 16u, 32u, 32u})
    EXPECT_EQ(More(30'000, true), count);
  EXPECT_EQ(More(300'000, true), 16u);
}

TEST_F(ClaimMoreTest, ClaimsNoMoreThanAPartOfWhatIsLeft) {
  BeginAlone(40);
  const float part = ClaimCounts<Space>::PartOfLeft(1, kWorkers);
  EXPECT_NEAR(part, 0.5 / kWorkers, 0.001) << "half of a fair part";
  EXPECT_NEAR(ClaimCounts<Space>::PartOfLeft(3, kWorkers), 3 * part, 0.001)
      << "the more events run";
  EXPECT_EQ(More(1'000, false, part), 2u);
  std::uint32_t sum = kBlockWorkers + 2;
  while (sum < 40) {
    const std::uint32_t count = More(1'000, false, part);
    ASSERT_GT(count, 0u);
    EXPECT_LE(count, 2u);
    sum += count;
  }
  EXPECT_EQ(own_.taken.claim.count, 1u);
}

TEST_F(ClaimMoreTest, StopsWhereNothingIsLeft) {
  BeginAlone(kBlockWorkers * 2 + 2);
  EXPECT_EQ(More(1'000), 2u);
  EXPECT_TRUE(IsOpen());
  EXPECT_EQ(More(1'000), 4u);
  EXPECT_FALSE(IsOpen()) << "it took the last element";
  EXPECT_EQ(EventWithMore(), kNoEvent);
  const std::uint32_t tries = Tries();
  EXPECT_EQ(More(1'000), 0u);
  EXPECT_EQ(Tries(), tries) << "it knows";
}

TEST_F(ClaimMoreTest, StopsWhereOthersWereFaster) {
  BeginAlone();
  Tested::ClaimDropped(*memory_.space, kEvent);
  EXPECT_EQ(More(1'000), 0u);
  EXPECT_EQ(memory_.block->counters.misses, 1u);
  EXPECT_FALSE(IsOpen()) << "as the other left it";
}

TEST_F(ClaimMoreTest, StopsWhereThereIsSomethingNewToDraw) {
  BeginAlone();
  EXPECT_TRUE(own_.taken.quiet);
  EXPECT_TRUE(own_.taken.alone);
  memory_.space->board.Toggle(kEvent + 1);
  EXPECT_EQ(More(1'000), 2u) << "it sees that while it claims";
  EXPECT_FALSE(own_.taken.quiet);
  EXPECT_FALSE(own_.taken.alone);
  const std::uint32_t tries = Tries();
  EXPECT_EQ(More(1'000), 0u);
  EXPECT_EQ(Tries(), tries);
}

TEST_F(ClaimMoreTest, GoesOnWhereTheBlockHasSeenTheOtherEvent) {
  memory_.space->board.Toggle(kEvent + 1);
  WorkerSight other{};
  See<Space::Scope>(memory_.block->sight, other, memory_.space->board.Read());
  BeginAlone();
  EXPECT_TRUE(own_.taken.quiet);
  EXPECT_EQ(More(1'000), 2u);
  EXPECT_TRUE(own_.taken.quiet);
}

TEST_F(ClaimMoreTest, TakesWhatTheBlockHasDrawnFirst) {
  BeginAlone();
  TakenElements drawn = Claim(kSize, kUneven);
  drawn.portion = 2;
  drawn.claim.count = 3;
  ASSERT_TRUE(Range::Fill(range_, drawn, 0));
  const std::uint32_t tries = Tries();
  ClaimMore(1'000);
  EXPECT_EQ(own_.taken.claim.first, drawn.claim.first);
  EXPECT_EQ(own_.taken.claim.count, 2u);
  ClaimMore(1'000);
  EXPECT_EQ(own_.taken.claim.count, 1u);
  EXPECT_EQ(Tries(), tries);
  EXPECT_EQ(More(1'000), 2u) << "then it claims again";
  EXPECT_EQ(Tries(), tries + 1);
}

TEST_F(ClaimMoreTest, StopsSometimesToChoose) {
  BeginAlone();
  EXPECT_EQ(More(1'000'000), 1u) << "where there is no choice a worker goes on for long";
  EXPECT_EQ(More(kLong), 0u);
  BeginAlone();
  own_.taken.alone = false;
  EXPECT_EQ(More(1'000'000), 0u) << "where there is one it chooses soon";
}

TEST_F(ClaimMoreTest, SaysWhetherTheEventIsDropped) {
  BeginAlone();
  More(1'000);
  EXPECT_FALSE(own_.taken.dropped);
  memory_.space->events[kEvent].cancel = 1;
  EXPECT_EQ(More(1'000), 4u) << "they are to be counted out";
  EXPECT_TRUE(own_.taken.dropped);
}

}  // namespace
}  // namespace warpyard::model
