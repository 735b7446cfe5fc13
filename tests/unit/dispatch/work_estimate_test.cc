// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/dispatch/work_estimate.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace warpyard::dispatch {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

TEST(WorkEstimate, KnowsNothingBeforeTheFirstJob) {
  const WorkEstimate estimate;
  EXPECT_FALSE(estimate.IsKnown());
  EXPECT_EQ(estimate.Cost(0), 0);
}

TEST(WorkEstimate, FollowsWhatJobsTake) {
  WorkEstimate estimate;
  estimate.Learn({100, 300, true});
  EXPECT_TRUE(estimate.IsKnown());
  EXPECT_DOUBLE_EQ(estimate.Cost(0), 100);
  EXPECT_DOUBLE_EQ(estimate.Least(0), 300);
  estimate.Learn({200, 250, true});
  EXPECT_DOUBLE_EQ(estimate.Cost(0), 150) << "the second of two";
  EXPECT_DOUBLE_EQ(estimate.Least(0), 250);
  for (int i = 0; i < 100; ++i) estimate.Learn({800, 900, true});
  EXPECT_NEAR(estimate.Cost(0), 800, 1);
  EXPECT_NEAR(estimate.Least(0), 900, 1);
}

TEST(WorkEstimate, AWaitBehindOthersIsNoLeastTime) {
  WorkEstimate estimate;
  estimate.Learn({100, 5'000, false});
  EXPECT_DOUBLE_EQ(estimate.Least(0), 100);
  estimate.Learn({100, 300, true});
  for (int i = 0; i < 100; ++i) estimate.Learn({100, 5'000, false});
  EXPECT_LE(estimate.Least(0), 300);
}

TEST(WorkEstimate, AJobThatWasEndedOnlyRaisesIt) {
  WorkEstimate estimate;
  estimate.Learn({100, 100, true});
  estimate.LearnAtLeast({50, 50, true});
  EXPECT_DOUBLE_EQ(estimate.Cost(0), 100);
  estimate.LearnAtLeast({300, 300, true});
  EXPECT_GT(estimate.Cost(0), 100);
  EXPECT_GT(estimate.Least(0), 100);
}

TEST(WorkEstimate, AfterASecondOfRefusalsItHalvesEachSecond) {
  WorkEstimate estimate;
  estimate.Learn({100, 100, true});
  EXPECT_DOUBLE_EQ(estimate.Cost(100 * kSecond), 100) << "age alone says nothing";
  estimate.Refuse(100 * kSecond);
  estimate.Refuse(101 * kSecond);
  EXPECT_DOUBLE_EQ(estimate.Cost(101 * kSecond), 100);
  EXPECT_DOUBLE_EQ(estimate.Cost(102 * kSecond), 50);
  EXPECT_DOUBLE_EQ(estimate.Least(103 * kSecond), 25);
  estimate.Learn({100, 100, true});
  EXPECT_DOUBLE_EQ(estimate.Cost(200 * kSecond), 100);
}

}  // namespace
}  // namespace warpyard::dispatch
