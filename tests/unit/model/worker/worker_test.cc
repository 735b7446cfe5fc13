// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What a worker executes next.

#include "core/model/worker/worker.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/policy/share.h"
#include "tests/unit/model/worker/worker_fixture.h"

namespace warpyard::model {
namespace {

using test_support::ClockScope;
using test_support::Ends;
using test_support::TreeJob;
using test_support::TreeSpace;
using test_support::Visit;

class WorkerTest : public test_support::WorkerFixture {};

TEST_F(WorkerTest, ExecutesARecursionWithTheNewestElementsFirst) {
  const TreeJob job{1, 2, 3};
  Start(5, job);
  RunAll();
  ASSERT_EQ(log_.size(), job.Elements());
  const std::uint32_t depths[] = {0, 1, 2, 3, 3, 2, 3, 3, 1, 2, 3, 3, 2, 3, 3};
  for (std::size_t i = 0; i < log_.size(); ++i) EXPECT_EQ(log_[i].depth, depths[i]) << i;
  EXPECT_EQ(ends_, Ends{5});
}

TEST_F(WorkerTest, ExecutesOneStageAfterTheOther) {
  TreeJob job{20, 1, 2};
  job.stages = 3;
  Start(5, job);
  RunAll();
  EXPECT_EQ(log_.size(), job.Elements());
  std::vector<std::uint32_t> roots;
  for (const Visit& visit : log_) {
    if (visit.depth == 0) roots.push_back(visit.begin);
  }
  ASSERT_EQ(roots.size(), 60u);
  for (std::uint32_t stage = 0; stage < 3; ++stage) {
    std::sort(roots.begin() + 20 * stage, roots.begin() + 20 * (stage + 1));
    for (std::uint32_t i = 0; i < 20; ++i) EXPECT_EQ(roots[20 * stage + i], i);
  }
  EXPECT_EQ(ends_, Ends{5});
}

TEST_F(WorkerTest, ServesAnUrgentEventOnTopOfWhatItHas) {
  Start(9, {1, 3, 5});
  RunUntil(30);
  const std::uint32_t waiting = workers_[0]->Elements();
  const TreeJob urgent{6, 2, 2};
  Start(3, urgent);
  // It begins at the next look. Between two of its elements that the block has drawn, the worker
  // executes others only up to the next look.
  for (int i = 0; i < 10 && Executed(3) == 0; ++i) Step();
  const std::size_t begun = log_.size();
  EXPECT_LE(begun, 36u);
  EXPECT_GE(workers_[0]->Elements(), waiting / 2) << "what it had waits below";
  for (int i = 0; i < 100 && ends_.empty(); ++i) Step();
  EXPECT_EQ(Executed(3), urgent.Elements());
  EXPECT_LE(log_.size() - begun, urgent.Elements() + 6 * (kRoundsALook - 1));
  RunAll();
  EXPECT_EQ(Executed(9), (TreeJob{1, 3, 5}.Elements()));
  EXPECT_EQ(ends_, (Ends{3, 9}));
}

TEST_F(WorkerTest, ServesAnUrgentEventThatAnotherWorkerOfItsBlockHasSeen) {
  Start(9, {1, 3, 7});
  RunUntil(30);
  Start(3, {200, 0, 0});
  WorkerSight other{};
  See<TreeSpace::Scope>(workers_[0]->Block().sight, other, space_.board.Read());
  for (int i = 0; i < 100 && Executed(3) == 0; ++i) Step();
  EXPECT_GT(Executed(3), 0u);
}

TEST_F(WorkerTest, GoesOnWithAnUrgentEventWithoutALookAtEachClaim) {
  Start(9, {1, 3, 7});
  RunUntil(30);
  const std::uint32_t waiting = workers_[0]->Elements();
  Start(3, {20'000, 0, 0});
  std::uint32_t looks = 0, last = 0, steps = 0;
  for (; steps < 10'000 && ends_.empty(); ++steps) {
    Step();
    // The counts go over to those of all blocks now and then.
    const std::uint32_t now = workers_[0]->Block().counters.looks;
    looks += now > last ? now - last : 0;
    last = now;
  }
  EXPECT_EQ(ends_, Ends{3});
  EXPECT_GE(workers_[0]->Elements(), waiting / 2) << "what it had waits below";
  EXPECT_GT(Executed(3), 500u);
  EXPECT_LE(steps, 20u);
  EXPECT_LE(looks, 10u);
  RunAll();
  EXPECT_EQ(ends_, (Ends{3, 9}));
}

TEST_F(WorkerTest, ServesOneUrgentEventAfterTheOtherWithHardlyALook) {
  Start(9, {1, 3, 11});
  RunUntil(30);
  std::uint32_t looks = 0, last = workers_[0]->Block().counters.looks;
  for (int event = 0; event < 50; ++event) {
    Start(3, {5, 0, 0});
    const std::size_t ended = ends_.size();
    for (int i = 0; i < 100 && ends_.size() == ended; ++i) {
      Step();
      const std::uint32_t now = workers_[0]->Block().counters.looks;
      looks += now > last ? now - last : 0;
      last = now;
    }
    ASSERT_EQ(ends_.size(), ended + 1);
    ASSERT_EQ(ends_.back(), 3u);
    for (int i = 0; i < 10; ++i) Step();  // it reads that there is nothing urgent
  }
  EXPECT_GE(Executed(3), 50u);
  EXPECT_LE(looks, 10u);
  RunAll();
  EXPECT_EQ(ends_.back(), 9u);
}

TEST_F(WorkerTest, ChoosesAgainWhereOthersWereFaster) {
  Start(9, {1, 3, 9});
  RunUntil(30);
  space_.board.Toggle(3);  // a stage of which others have claimed all
  for (int i = 0; i < 10; ++i) Step();
  space_.board.Toggle(3);  // it closes and the next one opens before the worker reads the board
  Start(3, {5, 0, 0});
  for (int i = 0; i < 20 && ends_.empty(); ++i) Step();
  EXPECT_EQ(ends_, Ends{3});
}

TEST_F(WorkerTest, DoesNotInterruptItsEventForALessUrgentOne) {
  Start(3, {1, 3, 4});
  RunUntil(10);
  Start(9, {6, 0, 0});
  RunAll();
  const auto first =
      std::find_if(log_.begin(), log_.end(), [](const Visit& v) { return v.event == 9; });
  EXPECT_EQ(static_cast<std::uint32_t>(first - log_.begin()), (TreeJob{1, 3, 4}.Elements()));
  EXPECT_EQ(ends_, (Ends{3, 9}));
}

TEST_F(WorkerTest, ServesAnUrgentEventThoughTheOneBelowUsesMuchRoom) {
  Start(9, {1, 8, 14});
  const std::uint32_t full = TreeSpace::Shape::kReserveElements / 3;
  for (int i = 0; i < 1000 && workers_[0]->Elements() < full; ++i) Step();
  Start(3, {1, 8, 4});
  for (int i = 0; i < 1'000'000 && ends_.empty(); ++i) Step();
  EXPECT_EQ(ends_, Ends{3});
  EXPECT_EQ(ErrorOf(3), procedure::EventError::kNone);
  space_.events[9].cancel = 1;
  RunAll();
  EXPECT_EQ(ends_, (Ends{3, 9}));
}

TEST_F(WorkerTest, ParkedElementsOfAnUrgentEventComeBeforeALessUrgentOne) {
  const TreeJob urgent{1, 3, 4};
  Start(3, urgent);
  RunUntil(10);
  space_.board.Leave(1);
  ASSERT_TRUE(Leaves());
  Start(9, {6, 0, 0});
  Launch(1, 2);
  RunAll();
  EXPECT_EQ(ends_, (Ends{3, 9}));
}

TEST_F(WorkerTest, ExecutesTheElementsOfLevelsInTheirOrder) {
  TreeJob job{1, 8, 1};
  job.levels = 4;
  Start(5, job);
  RunAll();
  ASSERT_EQ(log_.size(), 9u);
  for (std::size_t i = 1; i < 9; ++i) EXPECT_EQ(log_[i].begin, (i - 1) / 2) << i;
  EXPECT_EQ(ends_, Ends{5});
}

TEST_F(WorkerTest, DrawsLevelsByTheRankThatTheyHaveTogether) {
  TreeJob leveled{1, 8, 1};
  leveled.levels = 2;
  Start(5, leveled);
  space_.board.SetRank(Choice::kLevels, 1);
  space_.board.SetRank(5, 0);
  space_.board.SetRank(6, 2);
  Start(6, {3, 0, 0});
  RunAll();
  EXPECT_EQ(log_[8].event, 5u) << "levels before event 6";
  log_.clear();
  space_.board.SetRank(Choice::kLevels, 3);
  Start(5, leveled);
  Start(6, {3, 0, 0});
  RunAll();
  EXPECT_EQ(log_.back().event, 5u) << "and after it";
}

TEST_F(WorkerTest, MergesRangesOfAnyLength) {
  Start(5, {1'000, 0, 0});
  RunAll();
  EXPECT_LT(log_.size(), 500u);
  std::uint32_t next = 0;
  for (const Visit& visit : log_) {
    EXPECT_EQ(visit.begin, next);
    next = visit.end;
  }
  EXPECT_EQ(next, 1'000u);
  EXPECT_EQ(ends_, Ends{5});
}

TEST_F(WorkerTest, GivesItsOldestElementsToAWorkerThatWaits) {
  Launch(2, 1);
  for (int i = 0; i < 3; ++i) Step(1);
  EXPECT_EQ(space_.hand_over.Waiting(), 1u);
  const TreeJob job{1, 4, 4};
  Start(5, job);
  for (int i = 0; i < 200 && space_.hand_over.Given(1) == 0; ++i) Step(0);
  const std::uint32_t given = space_.hand_over.Given(1);
  ASSERT_GT(given, 0u);
  EXPECT_EQ(space_.hand_over.Waiting(), 0u);
  EXPECT_TRUE(workers_[1]->HasNews());
  const std::size_t before = log_.size();
  Step(1);
  ASSERT_EQ(log_.size(), before + 1);
  EXPECT_LE(log_.back().depth, 2u) << "old elements stand for more work";
  EXPECT_GT(workers_[1]->Elements(), 1u);
  RunAll();
  EXPECT_EQ(log_.size(), job.Elements());
  EXPECT_EQ(ends_, Ends{5});
}

TEST_F(WorkerTest, QueuesUpForGiftsAgainWithoutALook) {
  Launch(2, 1);
  for (int i = 0; i < 3; ++i) Step(1);
  Start(5, {1, 4, 4});
  for (int i = 0; i < 200 && space_.hand_over.Given(1) == 0; ++i) Step(0);
  Step(1);
  ASSERT_GT(workers_[1]->Elements(), 0u);
  ASSERT_EQ(space_.hand_over.Waiting(), 0u);
  const std::uint32_t looks = workers_[1]->Block().counters.looks;
  for (int i = 0; i < 5'000 && space_.hand_over.Waiting() == 0; ++i) Step(1);
  EXPECT_EQ(space_.hand_over.Waiting(), 1u);
  EXPECT_EQ(workers_[1]->Elements(), 0u);
  EXPECT_EQ(workers_[1]->Block().counters.looks, looks);
}

TEST_F(WorkerTest, SharesItsTimeAmongEventsThatShare) {
  for (std::uint32_t event = 1; event <= 2; ++event) {
    space_.board.SetShare(event, policy::PackShare({1, event, event * policy::kStrideUnit}));
    Start(event, {100'000, 1, 1});
  }
  ClockScope::step = 6'000;
  RunUntil(5'000);
  EXPECT_NEAR(Executed(1), 2.0 * Executed(2), 300) << "the stride of the second is twice as long";
  for (std::uint32_t event = 1; event <= 2; ++event) space_.events[event].cancel = 1;
  RunAll();
  EXPECT_EQ(ends_.size(), 2u);
}

}  // namespace
}  // namespace warpyard::model
