// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/policy/fifo.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "tests/support/workers/policy_simulator.h"

namespace warpyard::policy {
namespace {

TEST(Fifo, LooksAtNothingButTheArrival) {
  EventView first, second;
  first.arrival_ns = 7;
  second.arrival_ns = 8;
  second.deadline_ns = 1;
  second.priority = 3;
  EXPECT_LT(Fifo::Key({}, first, {}, 9), Fifo::Key({}, second, {}, 9));
}

TEST(Fifo, FinishesEventsInTheOrderInWhichTheyCame) {
  PolicyOptions options;
  options.kind = PolicyKind::kFifo;
  test_support::PolicySimulator simulator(options);
  std::vector<std::uint32_t> numbers;
  for (std::uint64_t i = 0; i < 100; ++i) {
    test_support::SimulatedEvent event;
    event.arrival_ns = test_support::PolicySimulator::kStart + i * 20'000;
    event.elements = 160 + i * 37 % 500;
    numbers.push_back(simulator.Add(event));
  }
  simulator.RunUntil(test_support::PolicySimulator::kStart + 20'000'000);
  for (std::size_t i = 1; i < numbers.size(); ++i) {
    ASSERT_NE(simulator[numbers[i]].done_ns, 0u);
    EXPECT_LE(simulator[numbers[i - 1]].done_ns, simulator[numbers[i]].done_ns);
  }
}

}  // namespace
}  // namespace warpyard::policy
