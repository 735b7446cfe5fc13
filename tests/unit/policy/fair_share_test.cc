// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/policy/fair_share.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "tests/support/workers/policy_simulator.h"

namespace warpyard::policy {
namespace {

using test_support::kMs;
using test_support::PolicySimulator;
using test_support::SimulatedEvent;

std::uint64_t KeyAfter(std::uint64_t begun_ns, std::uint64_t executed_ns) {
  EventView event;
  event.begun_ns = begun_ns;
  event.executed_ns = executed_ns;
  return FairShare::Key({}, event, {}, 0);
}

TEST(FairShare, TakesTheOneThatGotLeast) {
  EXPECT_LT(KeyAfter(0, 1 * kMs), KeyAfter(0, 2 * kMs));
  EXPECT_LT(KeyAfter(5 * kMs, 1 * kMs), KeyAfter(0, 7 * kMs));
}

TEST(FairShare, StandsTimesOfAnyLength) {
  const std::uint64_t most = ~std::uint64_t{0};
  EXPECT_LT(KeyAfter(1, most - 2), KeyAfter(most, most));
  EXPECT_EQ(KeyAfter(most, 1), most);
}

TEST(FairShare, StartsANewcomerAtTheLeastOfTheOthers) {
  FairStart start;
  EXPECT_EQ(start.BegunNs(), 0u);
  start.Add(7);
  start.Add(5);
  EXPECT_EQ(start.BegunNs(), 5u);
}

/// Two endless events; the second one arrives after the first has had the device for `age_ns`.
class TwoEvents {
 public:
  TwoEvents(std::uint64_t age_ns, std::uint64_t old_element_ns, std::uint64_t new_element_ns)
      : simulator_(Options()), begin_ns_(PolicySimulator::kStart + age_ns) {
    SimulatedEvent event;
    event.element_ns = old_element_ns;
    simulator_.Add(event);
    event.element_ns = new_element_ns;
    event.arrival_ns = begin_ns_;
    simulator_.Add(event);
    simulator_.RunUntil(begin_ns_);
    alone_ns_ = simulator_[0].executed_ns;
  }

  /// The second event's part of the time from its arrival until `age_ns` later.
  double PartAt(std::uint64_t age_ns) {
    simulator_.RunUntil(begin_ns_ + age_ns);
    const auto before = static_cast<double>(simulator_[0].executed_ns - alone_ns_);
    const auto late = static_cast<double>(simulator_[1].executed_ns);
    return late / (before + late);
  }

  const SimulatedEvent& Newcomer() const { return simulator_[1]; }

 private:
  static PolicyOptions Options() {
    PolicyOptions options;
    options.kind = PolicyKind::kFairShare;
    return options;
  }

  PolicySimulator simulator_;
  std::uint64_t begin_ns_;
  std::uint64_t alone_ns_ = 0;
};

TEST(FairShare, GivesEventsThatCameTogetherTheSameTime) {
  EXPECT_NEAR(TwoEvents(0, 1'000, 1'000).PartAt(5 * kMs), 0.5, 0.01);
  EXPECT_NEAR(TwoEvents(0, 20'000, 3'000).PartAt(20 * kMs), 0.5, 0.01) << "time, not elements";
}

TEST(FairShare, ServesANewcomerAtOnce) {
  TwoEvents events(20 * kMs, 1'000, 1'000);
  events.PartAt(kMs);
  EXPECT_LE(events.Newcomer().started_ns, events.Newcomer().arrival_ns + 6'000);
}

TEST(FairShare, LetsNewcomersNeitherStarveNorHaveAllHoweverOldTheOtherIs) {
  for (const std::uint64_t age_ns : {1 * kMs, 10 * kMs, 100 * kMs}) {
    TwoEvents events(age_ns, 1'000, 1'000);
    for (std::uint64_t t = 1; t < 5; ++t) EXPECT_NEAR(events.PartAt(t * kMs), 0.5, 0.02) << age_ns;
  }
}

}  // namespace
}  // namespace warpyard::policy
