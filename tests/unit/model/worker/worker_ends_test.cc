// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// How events end, and launches, at a worker.

#include <gtest/gtest.h>

#include <cstdint>

#include "core/model/worker/block_range.h"
#include "core/model/worker/worker.h"
#include "tests/unit/model/worker/worker_fixture.h"

namespace warpyard::model {
namespace {

using test_support::Ends;
using test_support::TreeJob;
using test_support::TreeSpace;

class WorkerEndsTest : public test_support::WorkerFixture {};

TEST_F(WorkerEndsTest, CountsElementsThatItDrops) {
  TreeJob job{500, 2, 4};
  job.stages = 2;
  Start(5, job);
  Start(6, {3, 2, 2});
  RunUntil(40);
  space_.events[5].cancel = 1;
  const std::uint32_t before = Executed(5);
  RunAll();
  EXPECT_LE(Executed(5), before + kRoundsALook) << "until it looks again";
  EXPECT_EQ(Executed(6), (TreeJob{3, 2, 2}.Elements()));
  EXPECT_EQ(ends_, (Ends{5, 6}));
  EXPECT_FALSE(space_.board.Read().HasWork());
  Start(5, {4, 1, 1});  // the next event of the slot is another one
  RunAll();
  EXPECT_EQ(ends_, (Ends{5, 6, 5}));
}

TEST_F(WorkerEndsTest, DropsAnEventThatWasCancelledBeforeItClaimed) {
  Start(5, {1'000'000, 2, 4});
  space_.events[5].cancel = 1;
  RunAll();
  EXPECT_TRUE(log_.empty());
  EXPECT_EQ(ends_, Ends{5});
}

TEST_F(WorkerEndsTest, DropsElementsThatWaitAtLevels) {
  TreeJob job{4, 6, 3};
  job.levels = 6;
  Start(5, job);
  RunUntil(30);
  EXPECT_GT(space_.queues.ApproximateSize(), 0u);
  space_.events[5].cancel = 1;
  RunAll();
  EXPECT_LE(log_.size(), 31u);
  EXPECT_EQ(ends_, Ends{5});
  EXPECT_EQ(space_.queues.ApproximateSize(), 0u);
  EXPECT_EQ(space_.waiting[1], 0u);
}

TEST_F(WorkerEndsTest, FailsAnEventForWhoseSpawnsThereIsNoRoomAndNoOther) {
  Start(5, {1, 8, 60});  // 7 more wait at each depth
  Start(6, {5, 2, 3});
  RunAll();
  EXPECT_EQ(ErrorOf(5), procedure::EventError::kNoRoom);
  EXPECT_EQ(ErrorOf(6), procedure::EventError::kNone);
  EXPECT_EQ(Executed(6), (TreeJob{5, 2, 3}.Elements()));
  EXPECT_EQ(ends_.size(), 2u);
}

/// What a worker claims at once and does not execute at once lies on its stack, too.
TEST_F(WorkerEndsTest, MakesRoomForWhatItClaimedBesideTheSpawns) {
  const TreeJob urgent{2'000, 8, 1};
  for (std::uint32_t waiting = 30; waiting < TreeSpace::Shape::kStackElements; ++waiting) {
    Start(9, {1, 8, waiting / 7 + 1});
    for (int i = 0; i < 1'000 && workers_[0]->Elements() < waiting; ++i) Step();
    Start(3, urgent);
    for (int i = 0; i < 100'000 && ends_.empty(); ++i) Step();
    ASSERT_EQ(ends_, Ends{3}) << waiting;
    ASSERT_EQ(Executed(3), urgent.Elements()) << waiting;
    ASSERT_EQ(ErrorOf(3), procedure::EventError::kNone) << waiting;
    space_.events[9].cancel = 1;
    RunAll();
    ASSERT_EQ(ends_, (Ends{3, 9})) << waiting;
    ends_.clear();
    log_.clear();
  }
}

TEST_F(WorkerEndsTest, FailsNoEventOfItsBlockForTheRoomThatAnotherOneTakes) {
  Start(9, {1, 8, 60});
  for (int i = 0; i < 1'000 && workers_[0]->Elements() + 16 < TreeSpace::Shape::kReserveElements;) {
    Step();
    ++i;
  }
  ASSERT_EQ(ErrorOf(9), procedure::EventError::kNone);
  const TreeJob urgent{8, 8, 2};
  Start(3, urgent);
  // Another worker of the block draws all of it.
  TakenElements drawn{};
  drawn.claim = space_.events.Claim(3, 8, ~0u);
  drawn.event = 3;
  drawn.portion = 1;
  space_.board.Toggle(3);
  BlockRangeMemory& range = workers_[0]->Block().range;
  range.event = 3;
  ASSERT_TRUE(BlockRange<test_support::ClockScope>::Fill(range, drawn, 0));
  RunAll();
  EXPECT_EQ(ErrorOf(3), procedure::EventError::kNone);
  EXPECT_EQ(Executed(3), urgent.Elements());
}

TEST_F(WorkerEndsTest, ParkedElementsComeBackAtTheNextLaunch) {
  const TreeJob job{2, 3, 5};
  Start(5, job);
  RunUntil(50);
  for (std::uint32_t launch = 1; launch < 6; ++launch) {
    space_.board.Leave(launch);
    ASSERT_TRUE(Leaves());
    EXPECT_GT(Outstanding(5), 0u);
    Launch(1, launch + 1);
    const std::size_t before = log_.size();
    RunUntil(before + 30);
  }
  RunAll();
  EXPECT_EQ(log_.size(), job.Elements());
  EXPECT_EQ(ends_, Ends{5});
}

TEST_F(WorkerEndsTest, KeepsElementsForWhichLevelsHaveNoRoom) {
  TreeJob job{3'000, 8, 1};  // more than all pages hold
  job.levels = 8;
  Start(5, job);
  space_.board.SetRank(Choice::kLevels, 100);
  RunAll();
  EXPECT_EQ(log_.size(), job.Elements());
  EXPECT_EQ(ends_, Ends{5});
}

TEST_F(WorkerEndsTest, TakesWhatItWasGivenBeforeItsLaunchEnded) {
  Launch(2, 1);
  for (int i = 0; i < 3; ++i) Step(1);
  space_.board.Leave(1);
  EXPECT_TRUE(Leaves(1));
  const TreeJob job{1, 4, 4};
  Start(5, job);
  space_.board.Leave(0);
  for (int i = 0; i < 200 && space_.hand_over.Given(1) == 0; ++i) Step(0);
  ASSERT_GT(space_.hand_over.Given(1), 0u) << "it is still in the ring";
  space_.board.Leave(1);
  EXPECT_TRUE(Leaves(0));
  Launch(2, 2);
  RunAll();
  EXPECT_EQ(log_.size(), job.Elements());
  EXPECT_EQ(ends_, Ends{5});
}

TEST_F(WorkerEndsTest, SaysWhenThereIsNothingAndWhenThereIsNews) {
  Found found = Found::kRan;
  for (int i = 0; i < 5 && found == Found::kRan; ++i) found = Step();
  EXPECT_EQ(found, Found::kNothing);
  EXPECT_FALSE(workers_[0]->HasNews());
  EXPECT_EQ(space_.hand_over.Waiting(), 1u) << "once, however often it looks";
  Start(5, {2, 0, 0});
  EXPECT_TRUE(workers_[0]->HasNews());
  RunAll();
  EXPECT_FALSE(workers_[0]->HasNews());
  space_.board.Leave(1);
  EXPECT_TRUE(workers_[0]->HasNews());
  EXPECT_TRUE(Leaves());
}

TEST_F(WorkerEndsTest, CountsWhatItDid) {
  const TreeJob job{3, 2, 3};
  Start(5, job);
  RunAll();
  workers_[0]->Rest();
  EXPECT_EQ(space_.procedures[0].executed, 3u);
  EXPECT_EQ(space_.procedures[1].executed, job.Elements() - 3);
  EXPECT_EQ(space_.procedures[0].spawned + space_.procedures[1].spawned, job.Elements() - 3);
}

TEST_F(WorkerEndsTest, ExecutesEveryElementOnceWithSeveralWorkers) {
  for (std::uint32_t workers = 1; workers <= 4; ++workers) {
    log_.clear();
    ends_.clear();
    Launch(workers, workers);
    const std::uint32_t expected = StartTwelve();
    RunAll();
    EXPECT_EQ(log_.size(), expected) << workers;
    EXPECT_EQ(ends_.size(), 12u);
    space_.board.Leave(workers);
    for (std::uint32_t w = 0; w < workers; ++w) EXPECT_TRUE(Leaves(w));
  }
}

}  // namespace
}  // namespace warpyard::model
