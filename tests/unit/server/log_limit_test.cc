// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/log_limit.h"

#include "gtest/gtest.h"

namespace warpyard::server {
namespace {

TEST(LogLimit, LetsAFewLinesASecondPassAndCountsTheOthers) {
  LogLimit limit;
  const absl::Time now = absl::FromUnixSeconds(1000);
  int passed = 0;
  for (int i = 0; i < 1000; ++i) passed += limit.Pass(now).passes ? 1 : 0;
  EXPECT_EQ(passed, LogLimit::kLinesPerSecond);
  const LogLimit::Verdict next = limit.Pass(now + absl::Seconds(1));
  EXPECT_TRUE(next.passes);
  EXPECT_EQ(next.dropped, 1000u - LogLimit::kLinesPerSecond);
  EXPECT_EQ(limit.Pass(now + absl::Seconds(1)).dropped, 0u);
}

}  // namespace
}  // namespace warpyard::server
