// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/jobs/periodic.h"

#include <atomic>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"

namespace warpyard::server {
namespace {

TEST(Periodic, WorksAgainAndAgainAndStopsAtOnce) {
  std::atomic<int> calls = 0;
  {
    const Periodic periodic(std::chrono::milliseconds(1), [&] { ++calls; });
    const absl::Time give_up = absl::Now() + absl::Seconds(20);
    while (calls < 3 && absl::Now() < give_up) absl::SleepFor(absl::Milliseconds(1));
  }
  const int at_the_end = calls;
  EXPECT_GE(at_the_end, 3);
  absl::SleepFor(absl::Milliseconds(10));
  EXPECT_EQ(calls, at_the_end);
}

TEST(Periodic, DoesNotWaitForItsIntervalToEnd) {
  const absl::Time begin = absl::Now();
  {
    const Periodic periodic(std::chrono::minutes(10), [] {});
  }
  EXPECT_LT(absl::Now() - begin, absl::Seconds(60));
}

}  // namespace
}  // namespace warpyard::server
