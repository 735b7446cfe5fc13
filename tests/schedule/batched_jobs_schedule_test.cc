// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Events of several jobs under seeded interleavings, and proof that these would find broken ones.
//
// WARPYARD_BATCH_SEEDS says how many seeds of each story are run: 2000 are 10,000 together.

#include <gtest/gtest.h>

#include <cstdint>

#include "tests/support/scheduled_scope.h"
#include "tests/support/seed_count.h"
#include "tests/support/workers/batch_run.h"
#include "tests/support/workers/broken_batches.h"

namespace warpyard::test_support {
namespace {

using Story = BatchStory;

template <class Scope>
void ExpectNoFault(Story story, std::uint32_t seeds) {
  const BatchSearch<TinyBatchSpace<Scope>> search(story, seeds);
  EXPECT_EQ(search.fault, "") << "seed " << search.seed;
}

/// A part of the seeds with a switching point at every access.
void ExpectNoFault(Story story) {
  const std::uint32_t seeds = SeedCount("WARPYARD_BATCH_SEEDS", 2'000);
  ExpectNoFault<SchedulerScope>(story, seeds);
  ExpectNoFault<ScheduledScope>(story, seeds / 8);
}

TEST(BatchSchedules, ExecuteEveryShareOfEveryJobOnce) { ExpectNoFault(Story::kAlone); }
TEST(BatchSchedules, KeepJobsApartFromOtherEvents) { ExpectNoFault(Story::kBeside); }
TEST(BatchSchedules, GoOnWithTheNextStartAfterAPark) { ExpectNoFault(Story::kPark); }
TEST(BatchSchedules, ReadNoJobOfACancelledEvent) { ExpectNoFault(Story::kCancelEarly); }
TEST(BatchSchedules, EndACancelledEventAndLeaveOthersAlone) { ExpectNoFault(Story::kCancelLate); }

template <BatchFault kFault>
using BrokenSearch = BatchSearch<BrokenBatchSpace<kFault>, BrokenExecutor<kFault>>;

template <BatchFault kFault>
void ExpectFound(Story story, std::uint32_t seeds) {
  const BrokenSearch<kFault> search(story, seeds);
  EXPECT_NE(search.fault, "") << "not found in " << seeds << " seeds";
}

TEST(BatchSchedules, BlameTheFaultAndNotTheFrame) {
  for (const Story story :
       {Story::kAlone, Story::kBeside, Story::kPark, Story::kCancelEarly, Story::kCancelLate}) {
    const BrokenSearch<BatchFault::kNone> search(story, 100);
    EXPECT_EQ(search.fault, "") << "seed " << search.seed;
  }
}

TEST(BatchSchedules, CatchSharesThatAreNeverExecuted) {
  ExpectFound<BatchFault::kRestForgotten>(Story::kAlone, 100);
}

TEST(BatchSchedules, CatchAShareThatIsExecutedTwice) {
  ExpectFound<BatchFault::kRestTwice>(Story::kAlone, 100);
  ExpectFound<BatchFault::kRestTwice>(Story::kCancelLate, 100);
}

TEST(BatchSchedules, CatchAStageThatEndsBeforeItsShares) {
  ExpectFound<BatchFault::kRestLate>(Story::kAlone, 100);
}

TEST(BatchSchedules, CatchAJobThatIsNotFetchedWhole) {
  ExpectFound<BatchFault::kFetchesLess>(Story::kAlone, 10);
}

TEST(BatchSchedules, CatchThePlanOfAJobThatIsNotFetched) {
  ExpectFound<BatchFault::kPlansDropped>(Story::kCancelEarly, 10);
}

TEST(BatchSchedules, CatchAJobThatIsFinishedTwice) {
  ExpectFound<BatchFault::kFinishesAgain>(Story::kBeside, 10);
}

}  // namespace
}  // namespace warpyard::test_support
