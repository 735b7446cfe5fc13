// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/model/worker_loop.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/exec/thread_scope.h"
#include "tests/unit/model/counting_program.h"

namespace warpyard::model {
namespace {

using exec::ThreadScope;
using test_support::CountingProgram;
using test_support::HostCounting;

/// The loop, driven by hand: nothing happens but what the test does.
class WorkerLoopTest : public ::testing::Test {
 protected:
  using Space = Workspace<ThreadScope, CountingProgram>;

  WorkerLoopTest() { space_->Reset(); }

  Round Start(std::uint32_t slot, const HostCounting& counting) {
    space_->events[slot].job = counting.job;
    space_->events[slot].state = static_cast<std::uint32_t>(EventState::kRunning);
    return loop_.StartEvent(slot);
  }

  /// Draws until nothing is left; returns how many elements were executed or dropped.
  std::uint32_t RunUntilIdle() {
    std::uint32_t rounds = 0;
    while (loop_.RunOnce() != Round::kIdle) ++rounds;
    return rounds;
  }

  bool IsDone(std::uint32_t slot) const {
    return space_->events[slot].state == static_cast<std::uint32_t>(EventState::kDone);
  }

  const std::unique_ptr<Space> space_ = std::make_unique<Space>();
  alignas(64) std::byte shared_[256];
  ThreadScope scope_{shared_};
  WorkerLoop<ThreadScope, CountingProgram> loop_{scope_, *space_};
};

TEST_F(WorkerLoopTest, IsIdleWithoutAnEvent) { EXPECT_EQ(loop_.RunOnce(), Round::kIdle); }

TEST_F(WorkerLoopTest, ExecutesEveryIndexOfEveryStageOnce) {
  const HostCounting counting(1000, 1, 333, 10);
  EXPECT_EQ(Start(0, counting), Round::kWorked);
  EXPECT_EQ(RunUntilIdle(), 100u + 1 + 34);
  EXPECT_TRUE(IsDone(0));
  EXPECT_EQ(counting.FindFault(), "");
}

TEST_F(WorkerLoopTest, SaysOnceThatAnEventIsDone) {
  const HostCounting counting(3, 2, 1, 1);
  Start(0, counting);
  std::uint32_t rounds = 0, done = 0;
  for (Round round = loop_.RunOnce(); round != Round::kIdle; round = loop_.RunOnce()) {
    ++rounds;
    if (round == Round::kEventDone) ++done;
    EXPECT_EQ(round == Round::kEventDone, rounds == 6);
  }
  EXPECT_EQ(done, 1u);
}

TEST_F(WorkerLoopTest, PassesOverEmptyStages) {
  for (const auto& counts : {std::array<std::uint32_t, 3>{0, 5, 0}, {5, 0, 5}, {0, 0, 5}}) {
    const HostCounting counting(counts[0], counts[1], counts[2], 2);
    Start(0, counting);
    RunUntilIdle();
    EXPECT_TRUE(IsDone(0));
    EXPECT_EQ(counting.FindFault(), "");
  }
}

TEST_F(WorkerLoopTest, EndsAnEventWithoutElementsAtOnce) {
  const HostCounting counting(0, 0, 0, 1);
  EXPECT_EQ(Start(0, counting), Round::kEventDone);
  EXPECT_TRUE(IsDone(0));
  EXPECT_EQ(loop_.RunOnce(), Round::kIdle);
}

TEST_F(WorkerLoopTest, CutsAStageThatWouldFillItsQueueIntoLargerElements) {
  const HostCounting counting(100'000, 0, 0, 1);
  Start(0, counting);
  EXPECT_LE(space_->queues.ApproximateSize(0), Space::kQueueCapacity / 2);
  RunUntilIdle();
  EXPECT_EQ(counting.FindFault(), "");
}

// A queue takes two such stages; the third event's elements find no room.
TEST_F(WorkerLoopTest, ExecutesDepthFirstWhatFindsNoRoom) {
  const std::uint32_t half = Space::kQueueCapacity / 2;
  const HostCounting first(half, 1, 1, 1), second(half, 1, 1, 1), third(half, 7, 9, 1);
  Start(0, first);
  Start(1, second);
  EXPECT_EQ(space_->queues.ApproximateSize(0), Space::kQueueCapacity);
  Start(2, third);
  EXPECT_EQ(third.job.Finished(0), half) << "its first stage ran while it was queued";
  EXPECT_EQ(first.job.Finished(0), 0u);
  EXPECT_EQ(space_->queues.ApproximateSize(1), 7u) << "its second stage found room";
  RunUntilIdle();
  for (const HostCounting* counting : {&first, &second, &third}) {
    EXPECT_EQ(counting->FindFault(), "");
  }
  for (std::uint32_t slot = 0; slot < 3; ++slot) EXPECT_TRUE(IsDone(slot));
}

TEST_F(WorkerLoopTest, QueuesTheRestOfAStageOfWhichOnlyAPartFindsNoRoom) {
  const std::uint32_t half = Space::kQueueCapacity / 2;
  const HostCounting first(half, 0, 0, 1), second(half - 10, 0, 0, 1), third(30, 0, 0, 1);
  Start(0, first);
  Start(1, second);
  EXPECT_EQ(Start(2, third), Round::kWorked);
  EXPECT_EQ(third.job.Finished(0), 20u);
  RunUntilIdle();
  EXPECT_EQ(third.FindFault(), "");
  EXPECT_TRUE(IsDone(2));
}

TEST_F(WorkerLoopTest, FinishesLaterStagesBeforeItStartsOtherWork) {
  const HostCounting first(1, 4, 0, 1), second(4, 0, 0, 1);
  Start(0, first);
  loop_.RunOnce();  // the second stage of the first event is queued now
  Start(1, second);
  for (int i = 0; i < 4; ++i) loop_.RunOnce();
  EXPECT_TRUE(IsDone(0));
  EXPECT_EQ(second.job.Finished(0), 0u);
  RunUntilIdle();
  EXPECT_TRUE(IsDone(1));
}

TEST_F(WorkerLoopTest, DropsWhatIsQueuedAndSkipsTheStagesOfACancelledEvent) {
  const HostCounting counting(100, 100, 100, 1);
  Start(0, counting);
  for (int i = 0; i < 5; ++i) loop_.RunOnce();
  space_->events[0].cancel = 1;
  EXPECT_EQ(RunUntilIdle(), 95u);
  EXPECT_TRUE(IsDone(0));
  EXPECT_EQ(counting.job.Finished(0), 5u);
  EXPECT_EQ(counting.job.Finished(1), 0u);
}

TEST_F(WorkerLoopTest, LeavesOtherEventsAloneWhenOneIsCancelled) {
  const HostCounting cancelled(50, 50, 50, 1), other(50, 50, 50, 1);
  Start(0, cancelled);
  Start(1, other);
  space_->events[0].cancel = 1;
  RunUntilIdle();
  EXPECT_EQ(cancelled.job.Finished(0), 0u);
  EXPECT_EQ(other.FindFault(), "");
}

TEST_F(WorkerLoopTest, CountsTheElementsOfEachProcedure) {
  const HostCounting counting(10, 20, 30, 2);
  Start(0, counting);
  RunUntilIdle();
  EXPECT_EQ(space_->procedures[0].executed, 5u);
  EXPECT_EQ(space_->procedures[1].executed, 10u);
  EXPECT_EQ(space_->procedures[2].executed, 15u);
}

TEST_F(WorkerLoopTest, RecordsWhenItsStagesBegan) {
  const HostCounting counting(10, 0, 10, 1);
  Start(0, counting);
  RunUntilIdle();
  const std::uint64_t* begin_ns = space_->events[0].begin_ns;
  EXPECT_GT(begin_ns[0], 0u);
  for (int stage = 0; stage < 3; ++stage) EXPECT_LE(begin_ns[stage], begin_ns[stage + 1]);
}

}  // namespace
}  // namespace warpyard::model
