// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Workers under seeded interleavings, and proof that these would find broken ones.
//
// WARPYARD_SCHEDULER_SEEDS says how many seeds of each story are run: 2000 are 18,000 together.

#include <gtest/gtest.h>

#include <cstdint>

#include "tests/schedule/broken_worker.h"
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

constexpr std::uint32_t kNewestSteps = 100;  // longer than a few elements take

/// The worker as it is; a part of the seeds with a switching point at every access, and a part with
/// several elements between two decisions, as on a CPU.
void ExpectNoFault(Story story) {
  const std::uint32_t seeds = SeedCount("WARPYARD_SCHEDULER_SEEDS", 2'000);
  ExpectNoFault<TinySpace<SchedulerScope>>(story, seeds);
  ExpectNoFault<TinySpace<ScheduledScope>>(story, seeds / 8);
  ExpectNoFault<TinySpace<SchedulerScope, kNewestSteps>>(story, seeds / 2);
}

TEST(WorkerSchedules, ExecuteEveryElementOnce) { ExpectNoFault(Story::kOneEvent); }
TEST(WorkerSchedules, KeepEventsApart) { ExpectNoFault(Story::kTwoEvents); }
TEST(WorkerSchedules, EndACancelledEventAndLeaveTheOtherAlone) { ExpectNoFault(Story::kCancel); }
TEST(WorkerSchedules, ExecuteChainsThatMeetInFewLevels) { ExpectNoFault(Story::kChains); }
TEST(WorkerSchedules, GoOnWithTheNextStartAfterAPark) { ExpectNoFault(Story::kPark); }
TEST(WorkerSchedules, ShareWhatOneOfThemSpawned) { ExpectNoFault(Story::kShare); }
TEST(WorkerSchedules, GoFromOneShortStageToTheNext) { ExpectNoFault(Story::kShort); }
TEST(WorkerSchedules, DivideTheDeviceAmongAccounts) { ExpectNoFault(Story::kAccounts); }
TEST(WorkerSchedules, ShareWhatOneOfThemDrewForItsBlock) { ExpectNoFault(Story::kWide); }

constexpr Story kStories[] = {Story::kOneEvent, Story::kTwoEvents, Story::kCancel,
                              Story::kChains,   Story::kPark,      Story::kShare,
                              Story::kShort,    Story::kAccounts,  Story::kWide};

template <WorkerFault kFault>
void ExpectFound(Story story, std::uint32_t seeds) {
  const SchedulerSearch<BrokenSpace<kFault>> search(story, seeds);
  EXPECT_NE(search.fault, "") << "not found in " << seeds << " seeds";
}

TEST(WorkerSchedules, BlameTheFaultAndNotTheFrameOfABrokenWorker) {
  for (const Story story : kStories) ExpectNoFault<BrokenSpace<WorkerFault::kNone>>(story, 100);
}

TEST(WorkerSchedules, CatchAnInboxThatIsCountedBeforeItIsFilled) {
  ExpectFound<WorkerFault::kCountBeforeElements>(Story::kShare, 200);
}

TEST(WorkerSchedules, CatchAWorkerThatForgetsThatItWaits) {
  ExpectFound<WorkerFault::kWaitsForgotten>(Story::kPark, 4000);
}

TEST(WorkerSchedules, CatchAGiftThatIsLostInAnInboxThatIsEmptiedLate) {
  ExpectFound<WorkerFault::kEmptiedLate>(Story::kShare, 400);
}

TEST(WorkerSchedules, CatchAStageThatIsShownTwice) {
  ExpectFound<WorkerFault::kShownTwice>(Story::kShort, 100);
}

TEST(WorkerSchedules, CatchAStageThatIsClosedNeverOrTooOften) {
  ExpectFound<WorkerFault::kClosedNever>(Story::kTwoEvents, 100);
  ExpectFound<WorkerFault::kClosedByEveryClaim>(Story::kTwoEvents, 100);
}

TEST(WorkerSchedules, CatchElementsThatOthersCanFinishBeforeTheyAreCountedIn) {
  ExpectFound<WorkerFault::kToldLate>(Story::kShare, 100);
  ExpectFound<WorkerFault::kToldLate>(Story::kChains, 400);
  ExpectFound<WorkerFault::kToldLate>(Story::kAccounts, 400);
}

TEST(WorkerSchedules, CatchAWorkerThatWaitsBeforeItTellsWhatItFinished) {
  ExpectFound<WorkerFault::kKeptBack>(Story::kOneEvent, 10);
  ExpectFound<WorkerFault::kKeptBack>(Story::kShort, 10);
}

TEST(WorkerSchedules, CatchACountThatIsNoSingleStep) {
  ExpectFound<WorkerFault::kCountedByTwoSteps>(Story::kShare, 200);
}

}  // namespace
}  // namespace warpyard::test_support
