// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/dispatch/admission/shared_time.h"

#include <gtest/gtest.h>

namespace warpyard::dispatch {
namespace {

TEST(SharedTime, ChargesTheEarliestDeadline) {
  SharedTime time;
  const DeadlineKey late = {900, 1}, soon = {500, 2};
  EXPECT_TRUE(time.IsIdle());
  time.Begin(late, 0);
  time.Begin(soon, 10);
  EXPECT_FALSE(time.IsIdle());
  EXPECT_EQ(time.Of(late, 30), 10);
  EXPECT_EQ(time.Of(soon, 30), 20);
  time.End(soon, 40);
  EXPECT_EQ(time.Of(late, 45), 15);
}

TEST(SharedTime, ChargesNobodyForIdleTime) {
  SharedTime time;
  time.Begin({5, 1}, 100);
  time.End({5, 1}, 110);
  time.Begin({6, 2}, 500);
  EXPECT_EQ(time.Of({6, 2}, 503), 3);
}

TEST(SharedTime, AClockThatGoesBackChargesNothing) {
  SharedTime time;
  time.Begin({5, 1}, 100);
  EXPECT_EQ(time.Of({5, 1}, 90), 0);
  EXPECT_EQ(time.Of({5, 1}, 110), 10);
}

TEST(SharedTime, JobsOfOneDeadlineComeInTheOrderOfTheirIds) {
  SharedTime time;
  time.Begin({5, 2}, 0);
  time.Begin({5, 1}, 0);
  EXPECT_EQ(time.Of({5, 1}, 7), 7);
  EXPECT_EQ(time.Of({5, 2}, 7), 0);
}

}  // namespace
}  // namespace warpyard::dispatch
