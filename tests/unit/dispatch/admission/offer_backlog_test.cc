// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/dispatch/admission/offer_backlog.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <optional>

namespace warpyard::dispatch {
namespace {

constexpr std::int64_t kShort = 1'000, kLong = 1'000'000;  // us, ms

class OfferBacklogTest : public testing::Test {
 protected:
  /// Learns what an offer takes.
  void Take(std::int64_t ns) {
    for (int i = 0; i < 100; ++i) Offer(0, 32, 32 * ns);
  }
  void Add(std::uint32_t tenant, int jobs) {
    for (int i = 0; i < jobs; ++i) backlog_.Add(tenant);
  }
  void Remove(std::uint32_t tenant, std::int64_t jobs, std::int64_t took_ns) {
    std::array<std::int64_t, kAdmissionTenants> offered{};
    offered[tenant] = jobs;
    backlog_.Remove(offered, took_ns);
  }
  /// Jobs come and are offered.
  void Offer(std::uint32_t tenant, int jobs, std::int64_t took_ns) {
    Add(tenant, jobs);
    Remove(tenant, jobs, took_ns);
  }

  OfferBacklog backlog_{std::array<std::uint32_t, kAdmissionTenants>{1, 1, 3}};
};

TEST_F(OfferBacklogTest, RefusesNothingWhileTheWaitIsShort) {
  Take(4 * kShort);
  EXPECT_EQ(backlog_.Refuse(0, kShort), std::nullopt) << "nothing waits";
  Add(0, 600);
  EXPECT_EQ(backlog_.Refuse(0, 10 * kLong), std::nullopt) << "a wait of 2.4 ms";
  Add(0, 50);
  const auto wait_ns = backlog_.Refuse(0, 10 * kLong);
  ASSERT_NE(wait_ns, std::nullopt);
  EXPECT_NEAR(static_cast<double>(*wait_ns), 2.6 * kLong, 0.1 * kLong);
  EXPECT_EQ(backlog_.Refuse(0, 20 * kLong), std::nullopt) << "it has more time";
}

TEST_F(OfferBacklogTest, AcceptsTenantsWithLessThanTheirShare) {
  Take(10 * kShort);
  Add(0, 1800);
  Add(1, 180);
  EXPECT_NE(backlog_.Refuse(0, 10 * kLong), std::nullopt);
  EXPECT_EQ(backlog_.Refuse(1, 10 * kLong), std::nullopt);
  EXPECT_EQ(backlog_.Refuse(3, 10 * kLong), std::nullopt) << "none of its jobs waits";
  Add(1, 1620);
  EXPECT_NE(backlog_.Refuse(1, 10 * kLong), std::nullopt) << "equal tenants have no more";
  Add(2, 1800);
  EXPECT_NE(backlog_.Refuse(1, 10 * kLong), std::nullopt);
  EXPECT_EQ(backlog_.Refuse(2, 10 * kLong), std::nullopt) << "its weight is 3 of 5";
}

TEST_F(OfferBacklogTest, ForgetsWhatWasOffered) {
  Take(10 * kShort);
  Add(0, 1000);
  Add(1, 1000);
  Remove(0, 1000, 10'000 * kShort);
  EXPECT_EQ(backlog_.Refuse(0, 10 * kLong), std::nullopt);
  EXPECT_NE(backlog_.Refuse(1, 10 * kLong), std::nullopt) << "it is the only one that waits";
  Remove(1, 1000, 10'000 * kShort);
  EXPECT_EQ(backlog_.Refuse(1, kShort), std::nullopt);
}

TEST_F(OfferBacklogTest, BelievesNoSingleDelay) {
  Take(4 * kShort);
  Offer(0, 32, 5 * kLong);
  EXPECT_LT(backlog_.NsOfOffer(), 7 * kShort);
  Take(4 * kShort);
  Offer(0, 1, 5 * kLong);
  EXPECT_LT(backlog_.NsOfOffer(), 4.1 * kShort);
  Take(-kShort);
  EXPECT_GE(backlog_.NsOfOffer(), 0) << "a clock that was set back";
  Take(4 * kShort);
  EXPECT_NEAR(backlog_.NsOfOffer(), 4 * kShort, 10);
}

}  // namespace
}  // namespace warpyard::dispatch
