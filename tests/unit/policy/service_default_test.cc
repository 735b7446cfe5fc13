// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/policy/service_default.h"

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

constexpr std::uint64_t kNow = 1'000'000 * kMs;

EventView EventOf(std::uint64_t deadline_ns, std::uint32_t priority, std::uint32_t tenant) {
  EventView event;
  event.deadline_ns = deadline_ns;
  event.priority = priority;
  event.tenant = tenant;
  event.arrival_ns = event.served_ns = kNow;
  return event;
}

std::uint64_t KeyNow(const EventView& event, const TenantTimes& tenants = {}) {
  return ServiceDefault::Key({}, event, tenants, kNow);
}

TEST(ServiceDefault, TakesDeadlinesFirstTheEarliestFirst) {
  EXPECT_LT(KeyNow(EventOf(kNow + 8, 0, 0)), KeyNow(EventOf(kNow + 16, 3, 0)));
  EXPECT_LT(KeyNow(EventOf(kNoDeadline - 1, 0, 0)), KeyNow(EventOf(kNoDeadline, 3, 0)));
}

TEST(ServiceDefault, ADeadlineThatIsOverCountsAsNone) {
  EXPECT_GT(KeyNow(EventOf(kNow, 1, 0)), KeyNow(EventOf(kNoDeadline - 1, 1, 0)));
  EXPECT_EQ(KeyNow(EventOf(kNow, 1, 0)), KeyNow(EventOf(kNoDeadline, 1, 0)));
}

TEST(ServiceDefault, TakesPrioritiesThenWhateverTheTenant) {
  TenantTimes tenants;
  tenants.virtual_ns[1] = kMostVirtual - 1;
  EXPECT_LT(KeyNow(EventOf(kNoDeadline, 2, 1), tenants),
            KeyNow(EventOf(kNoDeadline, 1, 0), tenants));
}

TEST(ServiceDefault, TakesTenantsByQuotaWithinAPriority) {
  TenantTimes tenants;
  tenants.virtual_ns[1] = 1'000'000;
  EXPECT_LT(KeyNow(EventOf(kNoDeadline, 1, 0), tenants),
            KeyNow(EventOf(kNoDeadline, 1, 1), tenants));
}

TEST(ServiceDefault, TakesEventsOfATenantByArrival) {
  EventView older = EventOf(kNoDeadline, 1, 0);
  older.arrival_ns -= kMs;
  EXPECT_LT(KeyNow(older), KeyNow(EventOf(kNoDeadline, 1, 0)));
}

TEST(ServiceDefault, TakesAStarvingEventBeforeAllTheOneThatWaitsLongestFirst) {
  EventView starving = EventOf(kNoDeadline, 0, 0), longer = starving, almost = starving;
  starving.served_ns = kNow - PolicyOptions{}.starvation_ns;
  longer.served_ns = starving.served_ns - 8;
  almost.served_ns = starving.served_ns + 8;
  EXPECT_LT(KeyNow(starving), KeyNow(EventOf(kNow + 8, 3, 0)));
  EXPECT_LT(KeyNow(longer), KeyNow(starving));
  EXPECT_GT(KeyNow(almost), KeyNow(EventOf(kNoDeadline - 1, 0, 0)));
}

TEST(ServiceDefault, NeverTakesOneForStarvingThatWasServedAfterTheEvaluationBegan) {
  EventView served = EventOf(kNoDeadline, 0, 0);
  served.served_ns = kNow + 500;
  EXPECT_GT(KeyNow(served), KeyNow(EventOf(kNow + 8, 0, 0)));
}

/// Adds events with deadlines that take 80 % of the device, and an event that takes the rest.
/// Without a rule against starvation, workers would never draw from any other event.
std::vector<std::uint32_t> AddDeadlineStream(PolicySimulator& simulator, std::uint64_t time_ns) {
  std::vector<std::uint32_t> numbers;
  SimulatedEvent event;
  event.element_ns = 2'000;
  for (std::uint64_t at = 0; at < time_ns; at += 250'000) {
    event.arrival_ns = PolicySimulator::kStart + at;
    event.attributes.deadline_ns = event.arrival_ns + 250'000;
    event.elements = 16 * 200'000 / event.element_ns;
    numbers.push_back(simulator.Add(event));
  }
  SimulatedEvent rest;
  rest.attributes.deadline_ns = kNoDeadline - 1;
  simulator.Add(rest);
  return numbers;
}

TEST(ServiceDefault, StarvesNobodyUnderAPermanentStreamOfDeadlinesWhichAreStillMet) {
  constexpr std::uint64_t kTime = 20 * kMs;
  PolicyOptions options;
  options.starvation_ns = 1 * kMs;
  const SimulatorShape shape;
  PolicySimulator simulator(options, shape);
  const std::vector<std::uint32_t> urgent = AddDeadlineStream(simulator, kTime);
  std::vector<std::uint32_t> others;
  for (std::uint32_t i = 0; i < 8; ++i) {
    SimulatedEvent event;
    event.attributes.priority = i % 4;
    event.attributes.tenant = i % 3;
    others.push_back(simulator.Add(event));
  }
  simulator.RunUntil(PolicySimulator::kStart + kTime);
  for (const std::uint32_t number : urgent) {
    EXPECT_NE(simulator[number].done_ns, 0u);
    EXPECT_LE(simulator[number].done_ns, simulator[number].attributes.deadline_ns);
  }
  // All events may starve at once; each is drawn from until the next evaluation sees the draw.
  const std::uint64_t bound_ns =
      options.starvation_ns + (others.size() + 1) * (shape.evaluation_ns + 2'000);
  for (const std::uint32_t number : others) {
    EXPECT_LE(simulator[number].longest_wait_ns, bound_ns);
    EXPECT_GT(simulator[number].executed_ns, 15u * 1'000) << "about once each millisecond";
  }
}

TEST(ServiceDefault, ServesDeadlinesThenPrioritiesThenTenantsByWeight) {
  PolicyOptions options;
  options.weights[1] = 10;
  options.weights[2] = 30;
  PolicySimulator simulator(options);
  SimulatedEvent event;
  event.elements = 16'000;  // a millisecond of the device
  event.attributes.priority = 2;
  const std::uint32_t important = simulator.Add(event);
  event.attributes.deadline_ns = PolicySimulator::kStart + 9 * kMs;
  event.attributes.priority = 0;
  const std::uint32_t urgent = simulator.Add(event);
  event.attributes = {};
  event.elements = SimulatedEvent::kEndless;
  event.attributes.tenant = 1;
  const std::uint32_t light = simulator.Add(event);
  event.attributes.tenant = 2;
  const std::uint32_t heavy = simulator.Add(event);
  simulator.RunUntil(PolicySimulator::kStart + 10 * kMs);
  EXPECT_LT(simulator[urgent].done_ns, PolicySimulator::kStart + kMs + 50'000);
  EXPECT_LT(simulator[important].done_ns, PolicySimulator::kStart + 2 * kMs + 50'000);
  EXPECT_NEAR(static_cast<double>(simulator[heavy].executed_ns) /
                  static_cast<double>(simulator[light].executed_ns),
              3.0, 0.1);
}

}  // namespace
}  // namespace warpyard::policy
