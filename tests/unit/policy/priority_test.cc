// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/policy/priority.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace warpyard::policy {
namespace {

std::uint64_t KeyAt(std::uint32_t priority, std::uint64_t arrival_ns) {
  EventView event;
  event.priority = priority;
  event.arrival_ns = arrival_ns;
  return Priority::Key({}, event, {}, 0);
}

TEST(Priority, TakesTheHigherOneWhateverTheArrival) {
  for (std::uint32_t priority = 0; priority < 3; ++priority) {
    EXPECT_LT(KeyAt(priority + 1, ~std::uint64_t{0}), KeyAt(priority, 0));
  }
}

TEST(Priority, TakesTheEarlierArrivalWithinOne) { EXPECT_LT(KeyAt(2, 100), KeyAt(2, 104)); }

TEST(Priority, TakesWhatIsAboveTheHighestForTheHighest) {
  EXPECT_EQ(KeyAt(3, 8), KeyAt(4, 8));
  EXPECT_EQ(KeyAt(3, 8), KeyAt(~0u, 8));
}

}  // namespace
}  // namespace warpyard::policy
