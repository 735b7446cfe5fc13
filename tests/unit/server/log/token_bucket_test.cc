// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/log/token_bucket.h"

#include "gtest/gtest.h"

namespace warpyard::server {
namespace {

int Taken(TokenBucket& bucket, absl::Time now) {
  int taken = 0;
  while (bucket.Take(now)) ++taken;
  return taken;
}

TEST(TokenBucket, GivesABurstAndThenTheRate) {
  TokenBucket bucket(10, 25);
  const absl::Time start = absl::FromUnixSeconds(1000);
  EXPECT_EQ(Taken(bucket, start), 25);
  EXPECT_EQ(Taken(bucket, start + absl::Milliseconds(500)), 5);
  EXPECT_EQ(Taken(bucket, start + absl::Hours(1)), 25) << "a full bucket gets no more";
}

TEST(TokenBucket, GetsNothingFromAClockThatGoesBackwards) {
  TokenBucket bucket(10, 1);
  const absl::Time start = absl::FromUnixSeconds(1000);
  EXPECT_TRUE(bucket.Take(start));
  EXPECT_FALSE(bucket.Take(start - absl::Hours(1)));
  EXPECT_FALSE(bucket.Take(start));
  EXPECT_TRUE(bucket.Take(start + absl::Seconds(1)));
}

}  // namespace
}  // namespace warpyard::server
