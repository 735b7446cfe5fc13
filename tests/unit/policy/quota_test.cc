// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/policy/quota.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "tests/support/workers/policy_simulator.h"

namespace warpyard::policy {
namespace {

using test_support::kMs;
using test_support::PolicySimulator;
using test_support::SimulatedEvent;
using test_support::SimulatorShape;

EventView EventOf(std::uint32_t tenant, std::uint64_t arrival_ns) {
  EventView event;
  event.tenant = tenant;
  event.arrival_ns = arrival_ns;
  return event;
}

TEST(Quota, TakesTheTenantWithTheLeastVirtualTime) {
  TenantTimes tenants;
  tenants.virtual_ns[1] = 1'000'000;
  tenants.virtual_ns[2] = 990'000;
  EXPECT_LT(Quota::Key({}, EventOf(2, 500), tenants, 600),
            Quota::Key({}, EventOf(1, 100), tenants, 600));
}

TEST(Quota, TakesTheOldestEventOfATenant) {
  const TenantTimes tenants;
  const std::uint64_t now_ns = 10 * kMs;
  EXPECT_LT(Quota::Key({}, EventOf(1, 5 * kMs), tenants, now_ns),
            Quota::Key({}, EventOf(1, 6 * kMs), tenants, now_ns));
}

TEST(Quota, StaysWithinItsBitsForEventsOfAnyAge) {
  TenantTimes tenants;
  tenants.virtual_ns[1] = kMostVirtual - 1;
  for (const std::uint64_t now_ns : {std::uint64_t{0}, kMs, ~std::uint64_t{0}}) {
    EXPECT_EQ(Quota::Key({}, EventOf(1, 0), tenants, now_ns) >> Quota::kKeyBits, 0u);
    EXPECT_LT(Quota::Key({}, EventOf(0, now_ns), tenants, now_ns),
              Quota::Key({}, EventOf(1, 0), tenants, now_ns))
        << "age does not outweigh virtual time";
  }
}

PolicyOptions TenToForty() {
  PolicyOptions options;
  options.kind = PolicyKind::kQuota;
  for (std::uint32_t tenant = 0; tenant < 4; ++tenant) options.weights[tenant] = 10 * (tenant + 1);
  return options;
}

/// Checks the shares of four tenants with endless events after `time_ns`. @shape element_ns: of
/// each tenant
void ExpectShares(const std::vector<std::uint64_t>& element_ns, std::uint64_t time_ns,
                  std::uint32_t workers) {
  SimulatorShape shape;
  shape.workers = workers;
  PolicySimulator simulator(TenToForty(), shape);
  for (std::uint32_t tenant = 0; tenant < 4; ++tenant) {
    SimulatedEvent event;
    event.attributes.tenant = tenant;
    event.element_ns = element_ns[tenant];
    simulator.Add(event);
  }
  simulator.RunUntil(PolicySimulator::kStart + time_ns);
  double sum = 0;
  for (std::uint32_t i = 0; i < 4; ++i) sum += static_cast<double>(simulator[i].executed_ns);
  for (std::uint32_t i = 0; i < 4; ++i) {
    const double share = 100 * static_cast<double>(simulator[i].executed_ns) / sum;
    EXPECT_NEAR(share, 10 * (i + 1), 1.0) << "percent of tenant " << i << ", " << workers;
  }
}

TEST(Quota, ConvergesWithinAMillisecondForElementsOfAMicrosecond) {
  for (const std::uint32_t workers : {1u, 16u, 132u}) {
    ExpectShares({1'000, 1'000, 1'000, 1'000}, 1 * kMs, workers);
  }
}

TEST(Quota, ConvergesWithinSevenMillisecondsForElementsOf20Microseconds) {
  for (const std::uint32_t workers : {1u, 16u, 132u}) {
    ExpectShares({20'000, 20'000, 20'000, 20'000}, 7 * kMs, workers);
  }
}

TEST(Quota, CountsTimeAndNotElements) {
  ExpectShares({20'000, 5'000, 1'000, 11'000}, 20 * kMs, 16);
}

TEST(Quota, GivesAllToTheOnesThatAreThereAndItsShareToOneThatComes) {
  PolicySimulator simulator(TenToForty());
  SimulatedEvent event;
  event.attributes.tenant = 0;
  const std::uint32_t old = simulator.Add(event);
  event.attributes.tenant = 3;
  event.arrival_ns = PolicySimulator::kStart + 20 * kMs;
  const std::uint32_t late = simulator.Add(event);
  simulator.RunUntil(PolicySimulator::kStart + 20 * kMs);
  const std::uint64_t alone_ns = simulator[old].executed_ns;
  EXPECT_NEAR(static_cast<double>(alone_ns), 16 * 20.0 * kMs, 1.0 * kMs);
  simulator.RunUntil(PolicySimulator::kStart + 25 * kMs);
  const auto part = static_cast<double>(simulator[old].executed_ns - alone_ns) / (16 * 5.0 * kMs);
  EXPECT_NEAR(part, 0.2, 0.02) << "neither pays for the time when the other was away";
  EXPECT_NEAR(static_cast<double>(simulator[late].executed_ns) / (16 * 5.0 * kMs), 0.8, 0.02);
}

TEST(Quota, ServesEventsOfATenantByArrivalEvenIfNewOnesKeepComing) {
  PolicySimulator simulator(TenToForty());
  SimulatedEvent event;
  event.elements = 160;  // 10 us of the device
  std::vector<std::uint32_t> numbers;
  for (std::uint64_t i = 0; i < 200; ++i) {
    // First 40 at once, and then one more whenever one is done.
    event.arrival_ns = PolicySimulator::kStart + (i < 40 ? 0 : (i - 40) * 10'000);
    numbers.push_back(simulator.Add(event));
  }
  simulator.RunUntil(PolicySimulator::kStart + 10 * kMs);
  for (const std::uint32_t number : numbers) {
    ASSERT_NE(simulator[number].done_ns, 0u);
    EXPECT_LT(simulator[number].done_ns - simulator[number].arrival_ns, 500'000u);
  }
}

}  // namespace
}  // namespace warpyard::policy
