// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/model/worker/stage_claims.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "core/exec/thread_scope.h"
#include "core/model/worker/worker_counts.h"
#include "tests/support/workers/start_event.h"
#include "tests/unit/model/counting_program.h"
#include "tests/unit/model/worker/small_space.h"

namespace warpyard::model {
namespace {

using exec::ThreadScope;
using test_support::CountingJob;
using test_support::MarkStage;

/// The second stage takes ranges of any length, the third one is of packages of two workers.
struct MergedStage : MarkStage<1> {
  static constexpr std::uint32_t kThreads = 32;
  static constexpr bool kUneven = true;
};
struct PackageStage : MarkStage<2> {
  static constexpr std::uint32_t kThreads = 64;
};
/// The first one is of single threads.
struct ItemStage : MarkStage<0> {
  static constexpr std::uint32_t kThreads = 1;
};
using Program = test_support::CountingProgramOf<ItemStage, MergedStage, PackageStage>;

/// @shape kGroup: lanes of each of four workers
template <std::uint32_t kGroup>
struct BlockShape : test_support::SmallShape<kGroup> {
  static constexpr std::uint32_t kBlockWorkers = 4;
};

constexpr std::uint32_t kEvent = 6;
constexpr std::uint32_t kWorkers = 8;
constexpr std::uint32_t kBlockWorkers = 4;
/// Elements that a block of such workers claims of a stage that it does not know, at most.
constexpr std::uint32_t kMostUnknown = 4 * kBlockWorkers;
constexpr std::uint32_t kMostPackages = 16;

template <std::uint32_t kGroup>
class StageClaimsFixture : public ::testing::Test {
 protected:
  using Space = Workspace<ThreadScope, Program, BlockShape<kGroup>>;
  using Range = BlockRange<ThreadScope>;
  using Tested = StageClaims<Space>;

  StageClaimsFixture() { WorkerCounts<Space>::Reset(one_, *memory_.block); }

  void Start(std::uint32_t first, std::uint32_t second = 0, std::uint32_t third = 0,
             std::uint32_t grain = 1) {
    memory_.space->events[kEvent].job = CountingJob{{first, second, third}, grain, 0, nullptr, 0};
    EXPECT_FALSE(test_support::StartEvent(*memory_.space, kEvent));
  }
  /// @shape size: of the stage, as far as the worker knows
  TakenElements Claim(std::uint32_t size, std::uint32_t procedure = 0, std::uint32_t running = 1) {
    TakenElements taken{};
    Tested::Claim(*memory_.space, *memory_.block,
                  {kEvent, {size, procedure}, running, kWorkers, false}, taken);
    EXPECT_FALSE(taken.stuck);
    return taken;
  }
  TakenElements ClaimOnlyForBlock(std::uint32_t size) {
    TakenElements taken{};
    Tested::Claim(*memory_.space, *memory_.block, {kEvent, {size, 0}, 1, kWorkers, true}, taken);
    return taken;
  }
  /// All that is in the range of the block, by portions.
  std::vector<TakenElements> Drain() {
    std::vector<TakenElements> all;
    TakenElements taken{};
    for (Range::Take(range_, taken); taken.claim.count != 0; Range::Take(range_, taken)) {
      all.push_back(taken);
    }
    return all;
  }
  /// Elements of a claim, for the worker and for its block. All of them follow one another.
  std::uint32_t CountOf(const TakenElements& own) {
    std::uint32_t next = own.claim.first + own.claim.count;
    for (const TakenElements& taken : Drain()) {
      EXPECT_EQ(taken.event, kEvent);
      EXPECT_EQ(taken.claim.first, next);
      EXPECT_LE(taken.claim.count, taken.portion);
      next += taken.claim.count;
    }
    return next - own.claim.first;
  }
  void Learn(std::uint32_t elements, std::uint64_t cycles, std::uint32_t procedure = 0) {
    Tested::Learn(*memory_.block, procedure, elements, cycles);
  }
  bool IsOpen() { return memory_.space->board.Read().IsOpen(kEvent); }

  ThreadScope one_{nullptr};
  test_support::SmallMemory<Space> memory_;
  BlockRangeMemory& range_ = memory_.block->range;
};

/// Workers of one thread.
class StageClaimsTest : public StageClaimsFixture<1> {};

TEST_F(StageClaimsTest, BeginsWithOneElementOfAStageThatItDoesNotKnow) {
  Start(1'000);
  EXPECT_EQ(Range::EventWithMore(range_), kNoEvent);
  EXPECT_EQ(CountOf(Claim(0)), 1u);
  EXPECT_EQ(Range::EventWithMore(range_), kEvent);
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
  EXPECT_EQ(Range::EventWithMore(range_), kNoEvent) << "the block did not claim";
  Range::Unlock(range_);
  EXPECT_GE(CountOf(ClaimOnlyForBlock(1'000)), kBlockWorkers);
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
  Learn(1, 3'000);
  const std::uint32_t few = CountOf(Claim(0));
  EXPECT_GT(few, 4u);
  EXPECT_LT(few, many / 8);
  Learn(8, 24'000);
  EXPECT_NEAR(CountOf(Claim(0)), few, 1) << "each takes as long as before";
  for (const std::uint64_t cycles : {std::uint64_t{10'000'000}, ~std::uint64_t{0}}) {
    Learn(1, cycles);
    EXPECT_LE(CountOf(Claim(0)), kBlockWorkers);
  }
  Learn(1'000, 0);
  EXPECT_EQ(CountOf(Claim(0)), Range::kMostElements);
}

TEST_F(StageClaimsTest, LearnsOnlyOfTheStageThatTheBlockClaimedOf) {
  EXPECT_FALSE(Tested::MayLearn(*memory_.block, kEvent, 0));
  Start(100);
  CountOf(Claim(0));
  EXPECT_TRUE(Tested::MayLearn(*memory_.block, kEvent, 0));
  EXPECT_FALSE(Tested::MayLearn(*memory_.block, kEvent, 2)) << "another procedure";
  EXPECT_FALSE(Tested::MayLearn(*memory_.block, kEvent + 1, 0)) << "another event";
  Learn(1, 1);
  while (Range::EventWithMore(range_) != kNoEvent) CountOf(Claim(0));
  EXPECT_FALSE(Tested::MayLearn(*memory_.block, kEvent, 0)) << "there is nothing left to claim";
}

TEST_F(StageClaimsTest, ForgetsWhatItLearnedOfTheStageBefore) {
  Start(20, 0, 4'000);
  CountOf(Claim(0));
  Learn(1, 1);
  std::uint32_t sum = 1;
  while (sum < 20) sum += CountOf(Claim(0));
  memory_.space->events.CountOut(kEvent, 20, 0, memory_.space->board);
  for (int i = 0; i < 2; ++i) {
    EXPECT_LE(CountOf(Claim(4'000, 2)), kMostUnknown) << "as of a stage that it does not know";
  }
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
  EXPECT_EQ(Range::EventWithMore(range_), kNoEvent);
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

TEST_F(StageClaimsTest, PortionsOfRangesOfAnyLengthAreThoseThatTakeLongEnough) {
  Start(0, 10'000, 0, 3);
  CountOf(Claim(0));
  Learn(1, 1, 1);
  const TakenElements own = Claim(0);
  EXPECT_EQ(own.portion, own.claim.count);
  EXPECT_GT(own.portion, 100u);
  EXPECT_LE(own.portion, 10'000u / kWorkers) << "no more than a fair part";
  EXPECT_EQ(Tested::ElementOf(own, 0, own.portion).payload[1], 3 * (1 + own.portion));
  CountOf(own);
  Learn(1, 1'000, 1);
  const TakenElements next = Claim(0);
  EXPECT_LE(next.portion, 8u) << "as long as a worker executes without a look";
  EXPECT_GT(next.portion, 4u);
}

TEST_F(StageClaimsTest, PortionsOfRangesBeginWithOneElement) {
  Start(0, 10'000);
  const TakenElements own = Claim(10'000, 1);
  EXPECT_EQ(own.portion, 1u) << "nobody knows how long it takes";
  EXPECT_EQ(CountOf(own), 1u) << "each worker claims for itself";
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

TEST_F(StageClaimsOfWarps, TheWorkerThatLeadsATeamKeepsAllPackages) {
  Start(0, 0, 1'000);
  const auto claim = [&](std::uint32_t size, std::uint32_t procedure) {
    TakenElements own = Claim(size, procedure);
    const std::uint32_t count = own.claim.count;
    EXPECT_TRUE(own.holds) << "nobody else claims before the team gathers";
    EXPECT_FALSE(Range::Lock(range_));
    Tested::Release(*memory_.block, own);
    return count;
  };
  EXPECT_LE(claim(1'000, 2), kMostPackages);
  EXPECT_FALSE(Range::HasMore(range_));
  Learn(1, 1'000, 2);
  const std::uint32_t many = claim(0, 0);
  EXPECT_GT(many, kMostPackages / 2);
  EXPECT_FALSE(Range::HasMore(range_));
  Learn(1, 100'000, 2);
  EXPECT_LT(claim(0, 0), many);
  EXPECT_FALSE(Range::HasMore(range_));
}

TEST_F(StageClaimsOfWarps, PortionsOfRangesBeginWithOneElement) {
  Start(0, 10'000);
  const TakenElements own = Claim(10'000, 1);
  EXPECT_EQ(own.portion, 1u);
  EXPECT_EQ(own.claim.count, 1u);
  EXPECT_EQ(CountOf(own), 1u) << "each worker claims for itself";
}

}  // namespace
}  // namespace warpyard::model
