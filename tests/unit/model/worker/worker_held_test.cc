// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Workers while events are held for one that presses.

#include <gtest/gtest.h>

#include <cstdint>

#include "core/model/worker/worker.h"
#include "core/policy/share.h"
#include "tests/unit/model/worker/worker_fixture.h"

namespace warpyard::model {
namespace {

using test_support::Ends;
using test_support::TreeJob;

class WorkerHeldTest : public test_support::WorkerFixture {
 protected:
  void Hold(std::uint32_t event) { space_.board.ShowHeld({{1u << event, 0}}); }
  void Release() { space_.board.ShowHeld({}); }
  void StepAll(int times) {
    for (int i = 0; i < times; ++i) {
      for (std::uint32_t w = 0; w < workers_.size(); ++w) Step(w);
    }
  }
};

TEST_F(WorkerHeldTest, ExecutesNothingOfAnEventThatIsHeldAndAllOfItLater) {
  Launch(2, 1);
  const TreeJob tree{8, 3, 5};
  Start(9, tree);
  RunUntil(30);
  Hold(9);
  StepAll(kRoundsALook + 1);
  const std::uint32_t executed = Executed(9);
  StepAll(50);
  EXPECT_EQ(Executed(9), executed);
  EXPECT_TRUE(ends_.empty());
  Release();
  RunAll();
  EXPECT_EQ(Executed(9), tree.Elements());
  EXPECT_EQ(ends_, Ends{9});
}

TEST_F(WorkerHeldTest, ClaimsNothingOfAnEventThatIsHeld) {
  Hold(9);
  Start(9, {20, 2, 2});
  for (int i = 0; i < 20; ++i) Step();
  EXPECT_EQ(Executed(9), 0u);
  Release();
  RunAll();
  EXPECT_EQ(ends_, Ends{9});
}

TEST_F(WorkerHeldTest, ServesAllStagesOfTheOneThatPressesAboveWhatIsHeld) {
  Start(9, {1, 3, 7});
  RunUntil(30);
  Hold(9);
  for (std::uint32_t i = 0; i <= kRoundsALook; ++i) Step();
  const std::uint32_t held = workers_[0]->Elements();
  const std::uint32_t executed = Executed(9);
  TreeJob pressing{6, 2, 2};
  pressing.stages = 3;
  Start(3, pressing);
  for (int i = 0; i < 200 && ends_.empty(); ++i) Step();
  EXPECT_EQ(ends_, Ends{3});
  EXPECT_EQ(Executed(9), executed);
  EXPECT_EQ(workers_[0]->Elements(), held);
  Release();
  RunAll();
  EXPECT_EQ(ends_, (Ends{3, 9}));
}

TEST_F(WorkerHeldTest, BringsUpTheOneThatPressesFromBelow) {
  Start(3, {1, 3, 7});
  RunUntil(30);
  space_.board.SetRank(9, 0);
  Start(9, {1, 3, 7});
  for (int i = 0; i < 20 && Executed(9) < 5; ++i) Step();
  ASSERT_GE(Executed(9), 5u);
  const std::uint32_t before = Executed(3);
  Hold(9);
  for (int i = 0; i < 20; ++i) Step();
  EXPECT_GT(Executed(3), before);
  Release();
  RunAll();
  EXPECT_EQ(ends_.size(), 2u);
}

TEST_F(WorkerHeldTest, EndsACancelledEventThatWasHeld) {
  Start(9, {1, 3, 7});
  RunUntil(30);
  Hold(9);
  for (int i = 0; i < 20; ++i) Step();
  space_.events[9].cancel = 1;
  Release();  // RankKeeper does not hold a cancelled event
  RunAll();
  EXPECT_EQ(ends_, Ends{9});
}

TEST_F(WorkerHeldTest, WaitsNoLongerThanUntilItsLaunchEnds) {
  const TreeJob tree{1, 3, 7};
  Start(9, tree);
  RunUntil(30);
  Hold(9);
  for (int i = 0; i < 20; ++i) Step();
  space_.board.Leave(1);
  Found found = Found::kRan;
  for (int i = 0; i < 20 && found != Found::kLeave; ++i) found = Step();
  EXPECT_EQ(found, Found::kLeave);
  Release();
  Launch(1, 2);
  RunAll();
  EXPECT_EQ(Executed(9), tree.Elements());
}

}  // namespace
}  // namespace warpyard::model
