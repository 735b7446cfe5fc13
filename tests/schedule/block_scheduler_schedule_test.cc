// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Tests the scheduler of blocks under seeded interleavings, and proves that the interleavings find
// a broken scheduler.
//
// WARPYARD_SCHEDULER_SEEDS is the number of seeds of each story: 2000 are 10,000 together.

#include <gtest/gtest.h>

#include <cstdint>

#include "tests/schedule/broken_scheduler.h"
#include "tests/support/scheduled_scope.h"
#include "tests/support/seed_count.h"
#include "tests/support/workers/scheduler_run.h"

namespace warpyard::test_support {
namespace {

using Story = SchedulerStory;

template <class Space>
void ExpectNoFault(Story story, std::uint32_t seeds) {
  const SchedulerSearch<Space> search(story, seeds);
  EXPECT_EQ(search.fault, "") << "seed " << search.seed;
}

/// Runs the real scheduler; some seeds have a switching point at every access.
void ExpectNoFault(Story story) {
  const std::uint32_t seeds = SeedCount("WARPYARD_SCHEDULER_SEEDS", 400);
  ExpectNoFault<TinySpace<SchedulerScope>>(story, seeds);
  ExpectNoFault<TinySpace<ScheduledScope>>(story, seeds / 8);
}

TEST(BlockSchedulerSchedules, ExecuteEveryElementOnce) { ExpectNoFault(Story::kOneEvent); }
TEST(BlockSchedulerSchedules, KeepEventsApart) { ExpectNoFault(Story::kTwoEvents); }
TEST(BlockSchedulerSchedules, EndACancelledEventAndLeaveTheOtherAlone) {
  ExpectNoFault(Story::kCancel);
}
TEST(BlockSchedulerSchedules, ExecuteChainsThatMeetInFewQueues) { ExpectNoFault(Story::kChains); }
TEST(BlockSchedulerSchedules, GoOnWithTheNextStartAfterAPark) { ExpectNoFault(Story::kPark); }

template <class Space>
void ExpectFound(Story story, std::uint32_t seeds) {
  const SchedulerSearch<Space> search(story, seeds);
  EXPECT_NE(search.fault, "") << "not found in " << seeds << " seeds";
}

constexpr Story kStories[] = {Story::kOneEvent, Story::kTwoEvents, Story::kCancel, Story::kChains,
                              Story::kPark};

template <class Looked>
using Forgetful = TinySpace<ForgetfulScope<Looked>>;

TEST(BlockSchedulerSchedules, BlameTheFaultAndNotTheFrameOfABrokenScheduler) {
  for (const Story story : kStories) {
    ExpectNoFault<Forgetful<void>>(story, 100);
    ExpectNoFault<MiscountingSpace<AccountFault::kNone>>(story, 100);
  }
}

TEST(BlockSchedulerSchedules, CatchAHintOfAStageThatIsClearedWithoutLookingAgain) {
  ExpectFound<Forgetful<std::uint64_t>>(Story::kTwoEvents, 1000);
  ExpectFound<Forgetful<std::uint64_t>>(Story::kPark, 1000);
}

TEST(BlockSchedulerSchedules, CatchAHintOfAQueueThatIsClearedWithoutLookingAgain) {
  // Rare, because an element must be the last one of its queue. buckets_schedule_test.cc finds it
  // more easily.
  ExpectFound<Forgetful<std::int32_t>>(Story::kChains, 10000);
}

TEST(BlockSchedulerSchedules, CatchElementsThatAreFinishedBeforeWhatTheySpawnedIsCountedIn) {
  for (const Story story : kStories) {
    ExpectFound<MiscountingSpace<AccountFault::kFinishedBeforeSpawned>>(story, 100);
  }
}

TEST(BlockSchedulerSchedules, CatchElementsThatOthersCanDrawBeforeTheyAreCountedIn) {
  ExpectFound<MiscountingSpace<AccountFault::kGivenBeforeCounted>>(Story::kChains, 400);
}

}  // namespace
}  // namespace warpyard::test_support
