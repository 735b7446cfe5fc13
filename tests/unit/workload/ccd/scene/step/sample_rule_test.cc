// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/scene/step/sample_rule.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace warpyard::ccd {
namespace {

constexpr std::uint64_t kLeast = 1000, kAll = 4 * kLeast;

TEST(SampleRule, GoesOnAsLongAsSamplesPay) {
  SampleRule rule;
  EXPECT_TRUE(rule.Samples()) << "nothing is known yet";
  for (int step = 0; step < 100; ++step) {
    rule.TakeSampled(kAll, kAll - kLeast, kLeast);
    EXPECT_TRUE(rule.Samples());
  }
  rule.TakeSampled(kAll, kAll - kLeast + 1, kLeast);
  EXPECT_FALSE(rule.Samples());
}

TEST(SampleRule, TriesAgainAfterAWhileWhereThereAreManyPairs) {
  SampleRule rule;
  rule.TakeSampled(kAll, kAll, kLeast);
  for (std::uint32_t step = 1; step < SampleRule::kRest; ++step) {
    rule.TakeWhole(kAll, kLeast);
    EXPECT_FALSE(rule.Samples()) << step;
  }
  rule.TakeWhole(kAll, kLeast);
  EXPECT_TRUE(rule.Samples());
}

TEST(SampleRule, LeavesScenesWithFewPairsAlone) {
  SampleRule rule;
  rule.TakeSampled(192, 100, kLeast);
  for (std::uint32_t step = 0; step < 3 * SampleRule::kRest; ++step) {
    rule.TakeWhole(kLeast - 1, kLeast);
    EXPECT_FALSE(rule.Samples());
  }
  rule.TakeWhole(kLeast, kLeast);
  EXPECT_TRUE(rule.Samples()) << "there are more by now";
}

TEST(SampleRule, ASampleThatFindsNothingMeansNoPairs) {
  SampleRule rule;
  rule.TakeSampled(0, 0, kLeast);
  EXPECT_FALSE(rule.Samples());
}

TEST(SampleRule, FewWorkersPayBySceneAndADeviceByStages) {
  EXPECT_EQ(SampleRule::LeastSpared(2, 24'000), 48'000u);
  EXPECT_EQ(SampleRule::LeastSpared(263, 24'000), SampleRule::LeastSpared(263, 1000));
  EXPECT_GT(SampleRule::LeastSpared(2, 0xffffffffu), 0xffffffffu) << "in 64 bits";
}

}  // namespace
}  // namespace warpyard::ccd
