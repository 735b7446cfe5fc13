// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/dispatch/admission/work_estimate.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace warpyard::dispatch {
namespace {

constexpr std::int64_t kMs = 1'000'000;

class Hundred : public WorkEstimate {
 public:
  Hundred() {
    for (int i = 0; i < 3; ++i) Learn({100, 300, true});
  }
};

TEST(WorkEstimate, IsKnownAfterAFewJobsTheFirstOfWhichOftenTakeLonger) {
  WorkEstimate estimate;
  for (const double cost : {900.0, 100.0, 200.0}) {
    EXPECT_FALSE(estimate.IsKnown());
    estimate.Learn({cost, cost, true});
  }
  EXPECT_TRUE(estimate.IsKnown());
  EXPECT_DOUBLE_EQ(estimate.Cost(0), 150);
  EXPECT_DOUBLE_EQ(estimate.Least(0), 100);
}

TEST(WorkEstimate, FollowsWhatJobsTake) {
  Hundred estimate;
  estimate.Learn({200, 400, true});
  EXPECT_DOUBLE_EQ(estimate.Cost(0), 106.25);
  EXPECT_DOUBLE_EQ(estimate.Least(0), 306.25);
  for (int i = 0; i < 100; ++i) estimate.Learn({800, 900, true});
  EXPECT_NEAR(estimate.Cost(0), 800, 2);
  EXPECT_NEAR(estimate.Least(0), 900, 2);
  estimate.Learn({800, 500, false});
  EXPECT_DOUBLE_EQ(estimate.Least(0), 500);
}

TEST(WorkEstimate, AWaitBehindOthersIsNoLeastTime) {
  WorkEstimate first;
  first.Learn({100, 5'000, false});
  EXPECT_DOUBLE_EQ(first.Least(0), 100);
  Hundred estimate;
  for (int i = 0; i < 100; ++i) estimate.Learn({100, 5'000, false});
  EXPECT_DOUBLE_EQ(estimate.Least(0), 300);
}

TEST(WorkEstimate, AJobThatWasEndedOnlyRaisesIt) {
  Hundred estimate;
  estimate.LearnAtLeast({50, 50, true});
  EXPECT_DOUBLE_EQ(estimate.Cost(0), 100);
  estimate.LearnAtLeast({400, 400, true});
  EXPECT_DOUBLE_EQ(estimate.Cost(0), 250);
  EXPECT_DOUBLE_EQ(estimate.Least(0), 400);
}

TEST(WorkEstimate, LearnsFromFirstJobsThatWereEndedToo) {
  for (const bool misses_first : {false, true}) {
    WorkEstimate estimate;
    for (int i = 0; i < 3; ++i) {
      if ((i == 0) == misses_first) {
        estimate.LearnAtLeast({10e6, 10e6, true});
      } else {
        estimate.Learn({10e6, 10e6, true});
      }
    }
    EXPECT_TRUE(estimate.IsKnown());
    EXPECT_DOUBLE_EQ(estimate.Cost(0), 10e6);
    EXPECT_DOUBLE_EQ(estimate.Least(0), 10e6);
  }
}

TEST(WorkEstimate, IsDoubtedAfterRefusalsAndLessOftenWhenTheDoubtWasWrong) {
  Hundred estimate;
  EXPECT_DOUBLE_EQ(estimate.Cost(100'000 * kMs), 100) << "age alone says nothing";
  estimate.Refuse(0, true);
  estimate.Refuse(50 * kMs, true);
  EXPECT_DOUBLE_EQ(estimate.Cost(100 * kMs), 100);
  EXPECT_DOUBLE_EQ(estimate.Cost(200 * kMs), 50);
  EXPECT_DOUBLE_EQ(estimate.Least(300 * kMs), 75);
  estimate.LearnAtLeast({50, 50, true});
  EXPECT_DOUBLE_EQ(estimate.Cost(300 * kMs), 100);
  estimate.Refuse(0, true);
  EXPECT_DOUBLE_EQ(estimate.Cost(200 * kMs), 100);
  EXPECT_DOUBLE_EQ(estimate.Cost(400 * kMs), 50);
  estimate.Learn({100, 300, true});
  estimate.Refuse(0, true);
  EXPECT_DOUBLE_EQ(estimate.Cost(200 * kMs), 50);
}

TEST(WorkEstimate, IsDoubtedLaterWhereOthersWereInTheWay) {
  Hundred estimate;
  estimate.Refuse(0, false);
  EXPECT_DOUBLE_EQ(estimate.Cost(1'000 * kMs), 100);
  EXPECT_DOUBLE_EQ(estimate.Cost(2'000 * kMs), 50);
}

TEST(WorkEstimate, ShowsItsCostToOtherThreadsOnceItIsKnown) {
  WorkEstimate estimate;
  estimate.Learn({100, 300, true});
  EXPECT_EQ(estimate.LatestCost(), 0);
  for (int i = 0; i < 2; ++i) estimate.Learn({100, 300, true});
  EXPECT_DOUBLE_EQ(estimate.LatestCost(), 100);
  estimate.LearnAtLeast({400, 400, true});
  EXPECT_DOUBLE_EQ(estimate.LatestCost(), 250);
}

}  // namespace
}  // namespace warpyard::dispatch
