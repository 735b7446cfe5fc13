// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Claims of packages: by a worker that is to lead a team, and by the team.

#include <gtest/gtest.h>

#include <cstdint>

#include "core/model/worker/stage_claims.h"
#include "tests/unit/model/worker/stage_claims_fixture.h"

namespace warpyard::model {
namespace {

using test_support::StageClaimsFixture;

/// Workers of 32 threads, and packages of more.
class StageClaimsOfPackages : public StageClaimsFixture<32> {
 protected:
  static constexpr std::uint32_t kMostPackages = 32, kProcedure = 2;

  /// A claim of a team, of the stage of which its block claimed last.
  TakenElements ClaimOfTeam(std::uint32_t running = 1, bool urgent = false) {
    TakenElements taken{};
    const bool presses = running > 1;
    Tested::ClaimPackages(
        *memory_.space, *memory_.block,
        {kEvent, {0, 0}, running, kWorkers, true, presses, presses, urgent, urgent}, taken);
    return taken;
  }
  /// The claim of the worker that gathers the team.
  TakenElements ClaimFirst(std::uint32_t size) {
    TakenElements taken = Claim(size, kProcedure);
    Tested::Release(*memory_.block, taken);
    return taken;
  }
};

TEST_F(StageClaimsOfPackages, TheWorkerThatLeadsATeamKeepsAllPackages) {
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

TEST_F(StageClaimsOfPackages, OnePackageOfAnUrgentEventIsClaimed) {
  Start(0, 0, 1'000);
  LearnAnew(1, 1'000, 2);
  TakenElements alone = Claim(1'000, 2);
  EXPECT_GT(alone.claim.count, 1u);
  Tested::Release(*memory_.block, alone);
  const TakenElements urgent = ClaimPressing(900, 2, true);
  EXPECT_EQ(urgent.claim.count, 1u)
      << "a package of another event of the block may come between two of them";
  EXPECT_FALSE(Range::HasMore(range_));
}

TEST_F(StageClaimsOfPackages, ManyAreClaimedBesideUrgentEvents) {
  Start(0, 0, 1'000);
  LearnAnew(1, 7'900, kProcedure);
  EXPECT_EQ(ClaimPressing(1'000, kProcedure).claim.count, 8u) << "they take 32 us";
}

TEST_F(StageClaimsOfPackages, ATeamClaimsTheNextOnes) {
  Start(0, 0, 1'000);
  LearnAnew(1, 15'900, kProcedure);
  const TakenElements first = ClaimFirst(1'000);
  const TakenElements next = ClaimOfTeam();
  EXPECT_EQ(next.event, kEvent);
  EXPECT_EQ(next.claim.first, first.claim.count);
  EXPECT_EQ(next.claim.count, 4u) << "they take 32 us";
  EXPECT_EQ(next.claim.plan.procedure, kProcedure);
  EXPECT_EQ(ClaimOfTeam(4).claim.count, 4u) << "the same where other events run";
  EXPECT_EQ(ClaimOfTeam(4, true).claim.count, 1u) << "of an urgent event";
  EXPECT_TRUE(Range::Lock(range_)) << "it keeps no lock";
}

TEST_F(StageClaimsOfPackages, ATeamClaimsNoneWhileAnotherWorkerDraws) {
  Start(0, 0, 1'000);
  ClaimFirst(1'000);
  ASSERT_TRUE(Range::Lock(range_));
  EXPECT_EQ(ClaimOfTeam().claim.count, 0u);
  Range::Unlock(range_);
  EXPECT_NE(ClaimOfTeam().claim.count, 0u);
}

TEST_F(StageClaimsOfPackages, OfANewStageOfItemsFitAStack) {
  Start(100'000);
  LearnAnew(1, 100);
  Claim(100'000);
  Drain();
  const TakenElements taken = ClaimOfTeam();
  EXPECT_GT(taken.claim.count, 0u);
  EXPECT_LE(taken.claim.count, Tested::kMostForOne);
}

TEST_F(StageClaimsOfPackages, AreLeftUntilTheRangeIsEmptyButUrgentOnes) {
  Start(100'000);
  Claim(100'000);
  ASSERT_TRUE(Range::HasMore(range_));
  EXPECT_EQ(ClaimOfTeam().claim.count, 0u) << "other warps still take what was drawn before";
  EXPECT_NE(ClaimOfTeam(4, true).claim.count, 0u);
}

TEST_F(StageClaimsOfPackages, TheLastOnesCloseTheStage) {
  Start(0, 0, 5);
  ClaimFirst(5);
  EXPECT_TRUE(IsOpen());
  while (EventWithMore() == kEvent) ASSERT_NE(ClaimOfTeam().claim.count, 0u);
  EXPECT_FALSE(IsOpen());
  EXPECT_EQ(ClaimOfTeam().claim.count, 0u);
}

}  // namespace
}  // namespace warpyard::model
