// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/policy/shortest_job_first.h"

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

constexpr std::uint64_t kBegin = 1'000'000 * kMs;

std::uint64_t KeyOfJob(std::uint64_t expected_ns, std::uint64_t executed_ns,
                       std::uint64_t waited_ns) {
  EventView event;
  event.expected_ns = expected_ns;
  event.executed_ns = executed_ns;
  event.served_ns = kBegin - waited_ns;
  return ShortestJobFirst::Key({}, event, {}, kBegin);
}

TEST(ShortestJobFirst, TakesTheLeastTimeLeft) {
  EXPECT_LT(KeyOfJob(2 * kMs, 0, 0), KeyOfJob(3 * kMs, 0, 0));
  EXPECT_LT(KeyOfJob(9 * kMs, 8 * kMs, 0), KeyOfJob(3 * kMs, 0, 0));
}

TEST(ShortestJobFirst, TakesUnknownOnesForLong) {
  EXPECT_LT(KeyOfJob(9'000 * kMs, 0, 0), KeyOfJob(0, 0, 0));
  EXPECT_LT(KeyOfJob(0, 0, 0), KeyOfJob(11'000 * kMs, 0, 0));
}

TEST(ShortestJobFirst, MakesThoseThatWaitShorter) {
  EXPECT_EQ(KeyOfJob(257 * kMs, 0, 1 * kMs), KeyOfJob(1 * kMs, 0, 0));
  EXPECT_LT(KeyOfJob(256 * kMs, 0, 1 * kMs + 1), KeyOfJob(1, 0, 0));
}

TEST(ShortestJobFirst, KeepsThoseThatWaitedForLongInOrder) {
  EXPECT_LT(KeyOfJob(5 * kMs, 0, 20 * kMs), KeyOfJob(1 * kMs, 0, 10 * kMs));
  EXPECT_LT(KeyOfJob(1 * kMs, 0, 10 * kMs), KeyOfJob(5 * kMs, 0, 10 * kMs));
}

TEST(ShortestJobFirst, TakesOneThatPromisedTooLittleForLongerAndLonger) {
  EXPECT_LT(KeyOfJob(8 * kMs, 8 * kMs, 0), KeyOfJob(2 * kMs, 0, 0)) << "an eighth again";
  EXPECT_GT(KeyOfJob(1, 50 * kMs, 0), KeyOfJob(40 * kMs, 0, 0));
}

TEST(ShortestJobFirst, StandsTimesOfAnyLength) {
  const std::uint64_t most = ~std::uint64_t{0};
  EXPECT_LT(KeyOfJob(1, 0, 0), KeyOfJob(most, 0, 0));
  EXPECT_LT(KeyOfJob(1, 0, 0), KeyOfJob(1, most, 0));
  EventView old;
  old.expected_ns = kMs;
  EXPECT_LT(ShortestJobFirst::Key({}, old, {}, most), KeyOfJob(1, 0, 1'000));
}

SimulatedEvent JobOf(std::uint64_t elements, std::uint64_t arrival_ns) {
  SimulatedEvent event;
  event.elements = elements;
  event.attributes.expected_ns = elements * event.element_ns;
  event.arrival_ns = PolicySimulator::kStart + arrival_ns;
  return event;
}

PolicyOptions PlainOptions(PolicyKind kind) {
  PolicyOptions options;
  options.kind = kind;
  return options;
}

TEST(ShortestJobFirst, FinishesShortJobsFirst) {
  double mean_ns[2] = {0, 0};
  for (const bool fifo : {false, true}) {
    PolicySimulator simulator(PlainOptions(fifo ? PolicyKind::kFifo : PolicyKind::kShortestJob));
    std::vector<std::uint32_t> numbers;
    for (std::uint64_t i = 0; i < 8; ++i) numbers.push_back(simulator.Add(JobOf(64'000 >> i, i)));
    simulator.RunUntil(PolicySimulator::kStart + 50 * kMs);
    for (std::uint64_t i = 0; i < 8; ++i) {
      const SimulatedEvent& event = simulator[numbers[i]];
      ASSERT_NE(event.done_ns, 0u);
      mean_ns[fifo] += static_cast<double>(event.done_ns - event.arrival_ns) / 8;
      if (i == 0 || fifo) continue;
      EXPECT_LT(event.done_ns, simulator[numbers[i - 1]].done_ns) << "half as long";
    }
  }
  EXPECT_LT(mean_ns[0], mean_ns[1] / 2);
}

TEST(ShortestJobFirst, LetsNoLongJobWaitLongerThanItsBound) {
  const SimulatorShape shape;
  PolicySimulator simulator(PlainOptions(PolicyKind::kShortestJob), shape);
  // Short events that need the whole device: 40 that take 10 us of it each, and one more every 10
  // us.
  for (std::uint64_t i = 0; i < 2'000; ++i) {
    simulator.Add(JobOf(160, i < 40 ? 0 : (i - 40) * 10'000));
  }
  SimulatedEvent endless = JobOf(SimulatedEvent::kEndless, 3'000);
  endless.attributes.expected_ns = 128 * kMs;
  const std::uint32_t known = simulator.Add(endless);
  endless.attributes.expected_ns = 256 * kMs;
  const std::uint32_t longer = simulator.Add(endless);
  simulator.RunUntil(PolicySimulator::kStart + 20 * kMs);
  // Events that wait already may come before it: at most 62 short ones, since only they have slots.
  const std::uint64_t slack_ns = 62 * 10'000 + 2 * shape.evaluation_ns;
  for (const std::uint32_t number : {known, longer}) {
    const SimulatedEvent& event = simulator[number];
    const std::uint64_t bound_ns = event.attributes.expected_ns / ShortestJobFirst::kAgeing;
    EXPECT_LE(event.longest_wait_ns, bound_ns + slack_ns);
    EXPECT_GE(event.longest_wait_ns, bound_ns / 2) << "it does wait";
    EXPECT_GT(event.executed_ns, 20 * kMs / bound_ns * event.element_ns);
  }
}

TEST(ShortestJobFirst, LetsOneThatPromisedTooLittleHoldUpNobody) {
  PolicySimulator simulator(PlainOptions(PolicyKind::kShortestJob));
  SimulatedEvent liar;
  liar.attributes.expected_ns = 1;
  simulator.Add(liar);
  const std::uint32_t honest = simulator.Add(JobOf(16'000, 2 * kMs));
  simulator.RunUntil(PolicySimulator::kStart + 5 * kMs);
  EXPECT_NE(simulator[honest].done_ns, 0u);
}

}  // namespace
}  // namespace warpyard::policy
