// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/grammar/job/derive_job.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace warpyard::grammar {
namespace {

/// A sum to which workers have added `number` so many times.
ReportSum SumOf(std::uint64_t count, std::int64_t number) {
  return {count * (static_cast<std::uint64_t>(number) & 0xffffffffu),
          count * static_cast<std::uint64_t>(number >> 32)};
}

TEST(ReportSum, IsExactForManyNegativeNumbers) {
  // The low words alone are 2^32 - 1 each: together more than a double has digits for.
  EXPECT_EQ(SumOf(4'000'001, -1).Value(), -4'000'001.0);
  EXPECT_EQ(SumOf(4'000'001, -16'384).Value(), -16'384 * 4'000'001.0);
}

TEST(ReportSum, HoldsMoreThanAWord) {
  EXPECT_EQ(SumOf(1 << 20, std::int64_t{1} << 55).Value(), 0x1p75);
  EXPECT_EQ(SumOf(1 << 20, -(std::int64_t{1} << 55)).Value(), -0x1p75);
}

}  // namespace
}  // namespace warpyard::grammar
