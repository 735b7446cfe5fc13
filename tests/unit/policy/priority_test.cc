// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/policy/priority.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace warpyard::policy {
namespace {

std::uint64_t KeyOf(std::uint32_t priority, std::uint64_t arrival_ns) {
  EventView event;
  event.priority = priority;
  event.arrival_ns = arrival_ns;
  return Priority::Key({}, event, {}, 0);
}

TEST(Priority, TakesTheHigherOneWhateverTheArrival) {
  for (std::uint32_t priority = 0; priority < 3; ++priority) {
    EXPECT_LT(KeyOf(priority + 1, ~std::uint64_t{0}), KeyOf(priority, 0));
  }
}

TEST(Priority, TakesTheEarlierArrivalWithinOne) { EXPECT_LT(KeyOf(2, 100), KeyOf(2, 104)); }

TEST(Priority, TakesWhatIsAboveTheHighestForTheHighest) {
  EXPECT_EQ(KeyOf(3, 8), KeyOf(4, 8));
  EXPECT_EQ(KeyOf(3, 8), KeyOf(~0u, 8));
}

}  // namespace
}  // namespace warpyard::policy
