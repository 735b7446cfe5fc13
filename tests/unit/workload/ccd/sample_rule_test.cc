// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/sample_rule.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace warpyard::ccd {
namespace {

constexpr std::uint64_t kMany = 4 * SampleRule::kLeastSpared;
constexpr std::uint32_t kStride = 64;

TEST(SampleRule, GoesOnAsLongAsSamplesPay) {
  SampleRule rule;
  EXPECT_TRUE(rule.Samples()) << "nothing is known yet";
  for (int step = 0; step < 100; ++step) {
    rule.TakeSampled(kMany / kStride, kMany - SampleRule::kLeastSpared, kStride);
    EXPECT_TRUE(rule.Samples());
  }
  rule.TakeSampled(kMany / kStride, kMany - SampleRule::kLeastSpared + 1, kStride);
  EXPECT_FALSE(rule.Samples());
}

TEST(SampleRule, TriesAgainAfterAWhileWhereThereAreManyPairs) {
  SampleRule rule;
  rule.TakeSampled(kMany / kStride, kMany, kStride);
  for (std::uint32_t step = 1; step < SampleRule::kRest; ++step) {
    rule.TakeWhole(kMany);
    EXPECT_FALSE(rule.Samples()) << step;
  }
  rule.TakeWhole(kMany);
  EXPECT_TRUE(rule.Samples());
}

TEST(SampleRule, LeavesSmallScenesAlone) {
  SampleRule rule;
  rule.TakeSampled(3, 100, kStride);
  for (std::uint32_t step = 0; step < 3 * SampleRule::kRest; ++step) {
    rule.TakeWhole(SampleRule::kLeastSpared - 1);
    EXPECT_FALSE(rule.Samples());
  }
  rule.TakeWhole(SampleRule::kLeastSpared);
  EXPECT_TRUE(rule.Samples()) << "it has grown";
}

TEST(SampleRule, ASampleThatFindsNothingMeansNoPairs) {
  SampleRule rule;
  rule.TakeSampled(0, 0, kStride);
  EXPECT_FALSE(rule.Samples());
}

}  // namespace
}  // namespace warpyard::ccd
