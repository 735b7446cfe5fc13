// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/metrics/progress_watch.h"

#include "absl/time/clock.h"
#include "gtest/gtest.h"

namespace warpyard::server {
namespace {

class ProgressWatchTest : public ::testing::Test {
 protected:
  ProgressWatchTest() { device_.name = "cuda:0"; }

  /// The age of the device, in seconds, some seconds after the start.
  double AgeAt(int seconds) {
    return absl::ToDoubleSeconds(watch_.AgeOf(device_, start_ + absl::Seconds(seconds)));
  }

  const absl::Time start_ = absl::Now();
  EngineStatistics::Device device_;
  ProgressWatch watch_;
};

TEST_F(ProgressWatchTest, AnIdleDeviceDoesNotAge) {
  EXPECT_EQ(AgeAt(0), 0);
  EXPECT_EQ(AgeAt(100), 0);
}

TEST_F(ProgressWatchTest, ADeviceThatDoesNothingForItsEventsAges) {
  EXPECT_EQ(AgeAt(0), 0);
  device_.running_events = 1;
  EXPECT_EQ(AgeAt(3), 3);
  EXPECT_EQ(AgeAt(5), 5);
  device_.draws.looks = 1;
  EXPECT_EQ(AgeAt(6), 0);
  EXPECT_EQ(AgeAt(8), 2);
  device_.procedures.emplace_back().executed_items = 1;
  EXPECT_EQ(AgeAt(9), 0);
  EXPECT_EQ(AgeAt(10), 1);
  device_.running_events = 0;
  EXPECT_EQ(AgeAt(20), 0);
}

TEST_F(ProgressWatchTest, EachDeviceAgesByItself) {
  device_.running_events = 1;
  EXPECT_EQ(AgeAt(0), 0);
  EngineStatistics::Device other = device_;
  other.name = "cuda:1";
  EXPECT_EQ(watch_.AgeOf(other, start_ + absl::Seconds(4)), absl::ZeroDuration());
  EXPECT_EQ(AgeAt(5), 5);
}

}  // namespace
}  // namespace warpyard::server
