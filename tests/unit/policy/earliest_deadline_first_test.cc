// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/policy/earliest_deadline_first.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "tests/support/workers/policy_simulator.h"

namespace warpyard::policy {
namespace {

using test_support::PolicySimulator;
using test_support::SimulatedEvent;

std::uint64_t KeyAt(std::uint64_t deadline_ns, std::uint64_t arrival_ns) {
  EventView event;
  event.deadline_ns = deadline_ns;
  event.arrival_ns = arrival_ns;
  return EarliestDeadlineFirst::Key({}, event, {}, 1'000);
}

TEST(EarliestDeadlineFirst, TakesTheEarlierDeadlineWhateverTheArrival) {
  EXPECT_LT(KeyAt(5'000, 900), KeyAt(5'002, 100));
}

TEST(EarliestDeadlineFirst, TakesThoseWithoutADeadlineLastByArrival) {
  EXPECT_LT(KeyAt(kNoDeadline - 1, 900), KeyAt(kNoDeadline, 0));
  EXPECT_LT(KeyAt(kNoDeadline, 100), KeyAt(kNoDeadline, 102));
}

TEST(EarliestDeadlineFirst, KeepsLateOnesInOrder) {
  EXPECT_LT(KeyAt(0, 0), KeyAt(10, 0)) << "the latest first";
  EXPECT_LT(KeyAt(10, 0), KeyAt(2'000, 0));
}

/// Events that repeat, with the period as their deadline: one short and frequent, one long.
struct Stream {
  std::uint64_t period_ns;
  double load;  ///< fraction of the device
};

/// Simulates the events of `streams` for 10 ms; returns how many missed their deadlines.
std::uint32_t CountMissed(PolicyKind kind, const std::vector<Stream>& streams, std::uint32_t seed,
                          bool far_ones) {
  constexpr std::uint64_t kTimeNs = 10'000'000, kElementNs = 2'000;
  PolicyOptions options;
  options.kind = kind;
  PolicySimulator simulator(options);
  std::mt19937 random(seed);
  std::vector<std::uint32_t> numbers;
  for (const Stream& stream : streams) {
    const double device_ns = static_cast<double>(stream.period_ns) * stream.load;
    SimulatedEvent event;
    event.element_ns = kElementNs;
    event.elements = static_cast<std::uint64_t>(device_ns * 16 / kElementNs);
    event.arrival_ns = PolicySimulator::kStart + random() % stream.period_ns;
    for (; event.arrival_ns < PolicySimulator::kStart + kTimeNs;
         event.arrival_ns += stream.period_ns) {
      event.attributes.deadline_ns = event.arrival_ns + stream.period_ns;
      numbers.push_back(simulator.Add(event));
    }
  }
  for (std::uint64_t i = 0; far_ones && i < 8; ++i) {
    SimulatedEvent event;
    event.attributes.deadline_ns = i % 2 == 0 ? kNoDeadline - 1 - i : std::uint64_t{1} << (55 + i);
    simulator.Add(event);
  }
  simulator.RunUntil(PolicySimulator::kStart + 2 * kTimeNs);
  std::uint32_t missed = 0;
  for (const std::uint32_t number : numbers) {
    const SimulatedEvent& event = simulator[number];
    missed += event.done_ns == 0 || event.done_ns > event.attributes.deadline_ns ? 1 : 0;
  }
  return missed;
}

const std::vector<Stream> kStreams = {
    {250'000, 0.2}, {400'000, 0.15}, {1'000'000, 0.2}, {3'000'000, 0.35}};

TEST(EarliestDeadlineFirst, MeetsAllDeadlinesAtALoadOf90PercentWhereFifoDoesNot) {
  for (std::uint32_t seed = 0; seed < 8; ++seed) {
    EXPECT_EQ(CountMissed(PolicyKind::kEarliestDeadline, kStreams, seed, false), 0u) << seed;
    EXPECT_GT(CountMissed(PolicyKind::kFifo, kStreams, seed, false), 0u) << seed;
  }
}

TEST(EarliestDeadlineFirst, IsNotDisturbedByDeadlinesInYears) {
  EXPECT_EQ(CountMissed(PolicyKind::kEarliestDeadline, kStreams, 1, true), 0u);
  EXPECT_EQ(CountMissed(PolicyKind::kService, kStreams, 1, true), 0u);
}

}  // namespace
}  // namespace warpyard::policy
