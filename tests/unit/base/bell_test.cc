// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/base/bell.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace warpyard {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kLong{30};

TEST(Bell, KeepsARingUntilTheNextWait) {
  Bell bell;
  bell.Ring();
  bell.Ring();
  const Clock::time_point begin = Clock::now();
  bell.WaitFor(kLong);
  EXPECT_LT(Clock::now() - begin, kLong);
  constexpr std::chrono::milliseconds kShort{2};
  const Clock::time_point second = Clock::now();
  bell.WaitFor(kShort);  // both rings were for the first wait
  EXPECT_GE(Clock::now() - second, kShort);
}

TEST(Bell, WakesAThreadThatWaits) {
  constexpr int kRounds = 1000;
  Bell there, back;
  std::atomic<int> rounds = 0;
  std::thread other([&] {
    for (int i = 0; i < kRounds; ++i) {
      there.WaitFor(kLong);
      ++rounds;
      back.Ring();
    }
  });
  const Clock::time_point begin = Clock::now();
  for (int i = 0; i < kRounds; ++i) {
    there.Ring();
    back.WaitFor(kLong);
    EXPECT_EQ(rounds, i + 1);
  }
  other.join();
  EXPECT_LT(Clock::now() - begin, kLong);
}

}  // namespace
}  // namespace warpyard
