// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/message/clock_map.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace warpyard::message {
namespace {

TEST(ClockMap, LeavesTimesAsTheyAreBeforeTheFirstExchange) {
  const ClockMap clock;
  EXPECT_EQ(clock.ToDevice(1234), 1234u);
  EXPECT_EQ(clock.ErrorNs(), ~std::uint64_t{0} / 2);
}

TEST(ClockMap, TakesTheShortestExchange) {
  ClockMap clock;
  clock.Add(1000, 51'000, 3000);  // the answer may lie anywhere in 2 us
  clock.Add(10'000, 60'105, 10'200);
  clock.Add(20'000, 71'000, 22'000);
  EXPECT_EQ(clock.ToDevice(10'100), 60'105u);
  EXPECT_EQ(clock.ErrorNs(), 100u);
}

TEST(ClockMap, ForgetsOldExchanges) {
  ClockMap clock;
  clock.Add(0, 100, 2);  // a short exchange, long ago
  for (std::uint64_t i = 0; i < 8; ++i) clock.Add(1000 * i, 1000 * i + 505, 1000 * i + 10);
  EXPECT_EQ(clock.ToDevice(9000), 9500u);
}

TEST(ClockMap, MapsADeviceThatIsBehind) {
  ClockMap clock;
  clock.Add(1'000'000, 400, 1'000'100);
  EXPECT_EQ(clock.ToDevice(1'000'050), 400u);
  EXPECT_EQ(clock.ToDevice(10), 0u);  // before the device's time began
}

TEST(ClockMap, GivesFarTimesTheGreatestNumber) {
  ClockMap clock;
  clock.Add(100, 1'000'000, 200);
  EXPECT_EQ(clock.ToDevice(~std::uint64_t{0} - 1), ~std::uint64_t{0});
}

TEST(ClockMap, IgnoresAnExchangeThatEndsBeforeItBegins) {
  ClockMap clock;
  clock.Add(200, 5, 100);
  EXPECT_EQ(clock.ToDevice(7), 7u);
}

}  // namespace
}  // namespace warpyard::message
