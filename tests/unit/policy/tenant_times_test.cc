// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/policy/tenant_times.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace warpyard::policy {
namespace {

PolicyOptions WithWeights(std::uint32_t first, std::uint32_t second) {
  PolicyOptions options;
  options.weights[0] = first;
  options.weights[1] = second;
  return options;
}

TEST(TenantTimes, GrowByWhatWasExecutedDividedByTheWeight) {
  const PolicyOptions options = WithWeights(10, 40);
  TenantTimes tenants;
  Charge(tenants, options, 0, 1'000);
  Charge(tenants, options, 1, 4'000);
  EXPECT_EQ(tenants.virtual_ns[0], 100 * kVirtualUnit);
  EXPECT_EQ(tenants.virtual_ns[1], tenants.virtual_ns[0]);
  EXPECT_EQ(tenants.executed_ns[0], 1'000u);
  EXPECT_EQ(tenants.executed_ns[1], 4'000u);
}

TEST(TenantTimes, TakeNoWeightForWeightOne) {
  const PolicyOptions options;
  TenantTimes tenants;
  Charge(tenants, options, 3, 7);
  EXPECT_EQ(tenants.virtual_ns[3], 7 * kVirtualUnit);
}

TEST(TenantTimes, LoseNothingByRoundingHoweverLargeTheWeights) {
  const PolicyOptions options = WithWeights(4'000'000'000, 1'000'000'000);
  TenantTimes tenants;
  for (int i = 0; i < 4'000'000; ++i) Charge(tenants, options, 0, 100);
  for (int i = 0; i < 1'000'000; ++i) Charge(tenants, options, 1, 100);
  EXPECT_EQ(tenants.virtual_ns[0], 4'000'000ull * 100 * kVirtualUnit / 4'000'000'000);
  EXPECT_EQ(tenants.virtual_ns[1], tenants.virtual_ns[0]);
}

TEST(TenantTimes, StayInOrderForYears) {
  // 1,000 blocks, charged each second; the first tenant is ahead by one second of one block.
  // Without a new start, 64 bits would last for five hours.
  constexpr std::uint64_t kSecond = 1'000'000'000, kYear = 366 * 24 * 3'600;
  const PolicyOptions options;
  TenantTimes tenants;
  Charge(tenants, options, 0, kSecond);
  for (std::uint64_t second = 0; second < kYear; ++second) {
    Charge(tenants, options, 0, 500 * kSecond);
    Charge(tenants, options, 1, 500 * kSecond);
    ASSERT_EQ(tenants.virtual_ns[0] - tenants.virtual_ns[1], kSecond * kVirtualUnit);
    ASSERT_LT(tenants.virtual_ns[0], kMostVirtual);
  }
  EXPECT_EQ(tenants.executed_ns[1], kYear * 500 * kSecond) << "only virtual times start again";
}

TEST(TenantTimes, CountWhatWasExecutedWithoutAWrapForYears) {
  constexpr std::uint64_t kYearNs = 366ull * 24 * 3'600 * 1'000'000'000;
  constexpr std::uint64_t kBlocks = 132;  // never idle, all for one tenant
  EXPECT_GE(~std::uint64_t{0} / kBlocks / kYearNs, 4u);
}

TEST(TenantTimes, StandAChargeOfAnyLength) {
  const PolicyOptions options;
  TenantTimes tenants;
  for (int i = 0; i < 10'000; ++i) {
    Charge(tenants, options, 0, ~std::uint64_t{0} >> i % 64);
    ASSERT_LT(tenants.virtual_ns[0], kMostVirtual);
  }
  EXPECT_EQ(tenants.virtual_ns[1], 0u);
}

TEST(TenantTimes, OfOneThatComesBackGoOnFromTheLeastOfTheActive) {
  TenantTimes tenants;
  tenants.virtual_ns[0] = 5'000;
  tenants.virtual_ns[1] = 9'000;
  tenants.virtual_ns[2] = 100;
  tenants.virtual_ns[3] = 10;
  Activate(tenants, 3, 1u << 0 | 1u << 1);
  EXPECT_EQ(tenants.virtual_ns[3], 5'000u) << "the time away is not paid out";
  EXPECT_EQ(tenants.virtual_ns[2], 100u) << "others stay as they are";
}

TEST(TenantTimes, OfOneThatIsAheadStayWhenItComesBack) {
  TenantTimes tenants;
  tenants.virtual_ns[0] = 5'000;
  tenants.virtual_ns[1] = 9'000;
  Activate(tenants, 1, 1u << 0 | 1u << 1);
  EXPECT_EQ(tenants.virtual_ns[1], 9'000u) << "going away for a moment does not pay";
}

TEST(TenantTimes, BeginAnewAfterAnIdleTime) {
  TenantTimes tenants;
  tenants.virtual_ns[0] = 1'000'000;  // had the device to itself
  Activate(tenants, 1, 0);
  EXPECT_EQ(tenants.virtual_ns[1], 1'000'000u);
  Activate(tenants, 0, 1u << 1);
  EXPECT_EQ(tenants.virtual_ns[0], tenants.virtual_ns[1]) << "nobody waits for the other";
}

}  // namespace
}  // namespace warpyard::policy
