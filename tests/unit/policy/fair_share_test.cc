// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/policy/fair_share.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include "tests/support/policy_simulator.h"

namespace warpyard::policy {
namespace {

using test_support::PolicySimulator;
using test_support::SimulatedEvent;

constexpr std::uint64_t kMs = 1'000'000;

std::uint64_t KeyAfter(std::uint64_t executed_ns, std::uint64_t age_ns) {
  EventView event;
  event.arrival_ns = 5 * kMs;
  event.executed_ns = executed_ns;
  return FairShare::Key({}, event, {}, event.arrival_ns + age_ns);
}

TEST(FairShare, TakesTheOneThatGotLeastForItsAge) {
  EXPECT_LT(KeyAfter(3 * kMs, 2 * kMs), KeyAfter(2 * kMs, 1 * kMs));
  EXPECT_LT(KeyAfter(1 * kMs, 2 * kMs), KeyAfter(2 * kMs, 2 * kMs));
}

TEST(FairShare, StandsTimesOfAnyLength) {
  const std::uint64_t most = ~std::uint64_t{0} - 5 * kMs;
  EXPECT_EQ(KeyAfter(0, 0), 0u);
  EXPECT_LT(KeyAfter(0, most), KeyAfter(most, most));
  EXPECT_LT(KeyAfter(most, most), KeyAfter(most, 0));
  EventView late;
  late.arrival_ns = 100;
  EXPECT_EQ(FairShare::Key({}, late, {}, 50), 0u) << "a clock that is a little behind";
}

/// Two endless events; the second comes when the first has had the device for `age_ns`.
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

  /// The newcomer's part of the time since it came, until `age_ns` after.
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

TEST(FairShare, LetsNoNewcomerHaveAllForLongerThanItsBound) {
  constexpr std::uint64_t kAge = 40 * kMs;
  TwoEvents events(kAge, 1'000, 1'000);
  const auto all_ns = static_cast<std::uint64_t>(std::sqrt(1.0 * kAge * FairShare::kPartNs));
  EXPECT_GT(events.PartAt(all_ns / 2), 0.95) << "it does take what the other had";
  EXPECT_LT(events.PartAt(3 * all_ns), 0.999) << "the old one is served again";
}

TEST(FairShare, GivesAnOldAndANewEventTheSameMeanSinceEachCame) {
  constexpr std::uint64_t kAge = 10 * kMs;
  TwoEvents events(kAge, 1'000, 1'000);
  // With the same mean r: (A + t) r + t r = A + t, and the newcomer's part of t is r.
  for (const std::uint64_t t : {kAge, 4 * kAge}) {
    const double mean = static_cast<double>(kAge + t) / static_cast<double>(kAge + 2 * t);
    EXPECT_NEAR(events.PartAt(t), mean, 0.02) << t;
  }
}

}  // namespace
}  // namespace warpyard::policy
