// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/model/worker/range_refill.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "core/policy/share.h"
#include "tests/unit/model/worker/stage_claims_fixture.h"

namespace warpyard::model {
namespace {

using test_support::ClockScope;
using test_support::CountingJob;
using test_support::StartEvent;

/// The first of eight workers, and what its block knows after its first claim.
class RangeRefillTest : public test_support::StageClaimsFixture<1> {
 protected:
  static constexpr std::uint32_t kLaunch = 1, kElements = 1'000;

  /// The worker takes a portion, and refills where that was the last one.
  const TakenElements& Take(std::uint32_t running = 1) {
    Range::Take(range_, taken_);
    if (!Range::HasMore(range_)) RangeRefill<Space>::Fill(own_, running);
    return taken_;
  }
  /// A claim for the block, of which only the last portion is left.
  void ClaimFirst(std::uint32_t elements = kElements) {
    Start(elements);
    Learn(1, 10'000);
    taken_ = Claim(elements);
    own_.Memory().account.event = kEvent;
    next_ = taken_.claim.count;
    while (LeftInRange() > 1) {
      Range::Take(range_, taken_);
      next_ += taken_.claim.count;
    }
    ASSERT_EQ(LeftInRange(), 1u);
  }
  std::uint32_t LeftInRange() const {
    return (range_.word >> 12 & 0xfffu) - (range_.word & 0xfffu);
  }
  bool HasMore() { return Range::HasMore(range_); }
  BlockSight& Sight() { return memory_.block->sight; }

  const WorkerHandle<Space> own_{*memory_.space, *memory_.block, {0, 0, kWorkers, kLaunch}};
  TakenElements& taken_ = own_.Memory().taken;
  std::uint32_t next_ = 0;  ///< element that nobody has taken
};

TEST_F(RangeRefillTest, FillsTheRangeWhenItsLastPortionIsTaken) {
  ClaimFirst();
  std::vector<std::uint32_t> times(kElements, 0);
  for (std::uint32_t i = 0; i < next_; ++i) ++times[i];
  while (Take().claim.count != 0) {
    for (std::uint32_t i = 0; i < taken_.claim.count; ++i) ++times[taken_.claim.first + i];
    const bool all = taken_.claim.Left() == 0;
    ASSERT_TRUE(HasMore() || all) << "nobody finds the range empty";
  }
  EXPECT_EQ(times, std::vector<std::uint32_t>(kElements, 1));
  EXPECT_FALSE(IsOpen()) << "the last claim closed the stage";
}

TEST_F(RangeRefillTest, TakesOfWhatItClaimsIfItFoundNothing) {
  ClaimFirst();
  Range::Take(range_, taken_);
  next_ += taken_.claim.count;
  ASSERT_FALSE(HasMore());
  EXPECT_EQ(Take().claim.first, next_);
  EXPECT_EQ(taken_.claim.count, 1u);
  EXPECT_TRUE(HasMore());
}

TEST_F(RangeRefillTest, ClaimsNothingOfAStageWithoutElementsThatAreLeft) {
  ClaimFirst(8);
  while (taken_.claim.Left() != 0) Take();
  EXPECT_FALSE(HasMore());
  EXPECT_EQ(Take().claim.count, 0u);
}

TEST_F(RangeRefillTest, ClaimsNothingWhereTheBoardShowsAnotherEvent) {
  ClaimFirst();
  memory_.space->events[kEvent + 1].job = CountingJob{{5, 0, 0}, 1, 0, nullptr, 0};
  ASSERT_FALSE(StartEvent(*memory_.space, kEvent + 1));
  EXPECT_EQ(Take().claim.first, next_) << "it keeps what it took";
  EXPECT_FALSE(HasMore());
  EXPECT_EQ(Take().claim.count, 0u);
}

TEST_F(RangeRefillTest, ClaimsNothingWhereAnotherWorkerOfItsBlockHasSeenSomething) {
  ClaimFirst();
  ++Sight().count;
  Take();
  EXPECT_FALSE(HasMore());
}

TEST_F(RangeRefillTest, ClaimsNothingWhereItsLaunchIsToEnd) {
  ClaimFirst();
  memory_.space->board.Leave(kLaunch);
  Take();
  EXPECT_FALSE(HasMore());
}

TEST_F(RangeRefillTest, ClaimsNothingWhereNobodyHasChosenForLong) {
  ClaimFirst();
  ClockScope::now += 100'000'000;
  Take();
  EXPECT_FALSE(HasMore());
}

TEST_F(RangeRefillTest, ClaimsNothingWhereEventsWithADeadlineCome) {
  ClaimFirst();
  memory_.space->board.ShowUrgent(true);
  Take();
  EXPECT_FALSE(HasMore());
}

TEST_F(RangeRefillTest, ClaimsNothingOfAnEventThatTheWorkerDoesNotServe) {
  ClaimFirst();
  own_.Memory().account.event = kEvent + 1;
  EXPECT_EQ(Take().claim.count, 1u);
  EXPECT_FALSE(HasMore());
}

TEST_F(RangeRefillTest, ClaimsNothingOfAnotherStageThanItsPortionIsOf) {
  ClaimFirst();
  Range::Take(range_, taken_);
  --taken_.claim.stage;
  EXPECT_EQ(Take().claim.count, 0u);
}

TEST_F(RangeRefillTest, ClaimsNothingIfAnotherEventHadSomethingAtTheLastClaim) {
  ClaimFirst();
  Range::Take(range_, taken_);
  taken_.quiet = false;
  EXPECT_EQ(Take().claim.count, 0u);
}

TEST_F(RangeRefillTest, ClaimsNothingWhereAccountsMayShareTheDevice) {
  ClaimFirst();
  memory_.space->board.SetShare(kEvent, policy::PackShare({1, 0, policy::kStrideUnit}));
  memory_.space->event_counts.running = 2;
  Take();
  EXPECT_FALSE(HasMore());
  memory_.space->event_counts.running = 1;
  EXPECT_EQ(Take().claim.count, 1u) << "the event is alone";
  EXPECT_TRUE(HasMore());
}

TEST_F(RangeRefillTest, DoesNotClaimBesideAnotherWorkerThatDraws) {
  ClaimFirst();
  ASSERT_FALSE(Range::Lock(range_)) << "the range has something";
  range_.drawing = 1;
  EXPECT_EQ(Take().claim.first, next_);
  EXPECT_FALSE(HasMore());
  ClockScope::step = 1'000;
  EXPECT_EQ(Take().claim.count, 0u) << "it does not wait for ever";
  EXPECT_EQ(range_.drawing, 1u) << "the lock is that of the other worker";
}

TEST_F(RangeRefillTest, TellsThatTheEventIsCancelled) {
  ClaimFirst();
  memory_.space->events[kEvent].cancel = 1;
  EXPECT_FALSE(Take().dropped) << "it was claimed before";
  EXPECT_TRUE(Take().dropped);
}

}  // namespace
}  // namespace warpyard::model
