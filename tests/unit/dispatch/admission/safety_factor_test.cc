// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/dispatch/admission/safety_factor.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

namespace warpyard::dispatch {
namespace {

TEST(SafetyFactor, OneLateJobInAHundredIsNotTooMany) {
  SafetyFactor factor;
  for (int i = 0; i < 99; ++i) factor.Watch(factor.Offer(), false);
  factor.Watch(factor.Offer(), true);
  EXPECT_EQ(factor.value(), SafetyFactor::kFirst);
  factor.Watch(factor.Offer(), true);
  EXPECT_GT(factor.value(), SafetyFactor::kFirst);
}

TEST(SafetyFactor, FallsWhileNoJobIsLate) {
  SafetyFactor factor;
  for (int i = 0; i < 20'000; ++i) factor.Watch(factor.Offer(), false);
  EXPECT_GE(factor.value(), 1);
  EXPECT_LT(factor.value(), 1.001);
}

TEST(SafetyFactor, HasALimit) {
  SafetyFactor factor;
  for (int i = 0; i < 1000; ++i) factor.Watch(factor.Offer(), true);
  EXPECT_EQ(factor.value(), SafetyFactor::kMost);
}

TEST(SafetyFactor, JobsThatWereOfferedBeforeItGrewSayNothing) {
  SafetyFactor factor;
  std::vector<std::uint64_t> offers;
  for (int i = 0; i < 300; ++i) offers.push_back(factor.Offer());
  factor.Watch(offers[0], true);
  factor.Watch(offers[1], true);
  const double grown = factor.value();
  EXPECT_GT(grown, SafetyFactor::kFirst);
  for (int i = 2; i < 300; ++i) factor.Watch(offers[i], true);
  EXPECT_EQ(factor.value(), grown) << "all of them were late together";
  factor.Watch(factor.Offer(), true);
  factor.Watch(factor.Offer(), true);
  EXPECT_GT(factor.value(), grown);
}

TEST(SafetyFactor, SettlesWhereAboutOneInAHundredIsLate) {
  // The larger the factor, the fewer jobs are late.
  SafetyFactor factor;
  std::mt19937 random(1);
  std::uniform_real_distribution<double> unit(0, 1);
  int late = 0;
  constexpr int kJobs = 200'000;
  for (int i = 0; i < kJobs; ++i) {
    const bool is_late = unit(random) < 0.1 * (2 - factor.value());
    factor.Watch(factor.Offer(), is_late);
    late += i >= kJobs / 2 && is_late;
  }
  EXPECT_GT(late, kJobs / 2 / 400);
  EXPECT_LT(late, kJobs / 2 / 50);
}

}  // namespace
}  // namespace warpyard::dispatch
