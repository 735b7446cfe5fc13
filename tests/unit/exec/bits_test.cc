// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/exec/bits.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace warpyard::exec {
namespace {

TEST(Bits, LowBitsAreAsManyAsAWordHas) {
  std::uint32_t expected = 0;
  for (std::uint32_t count = 0; count <= 32; ++count) {
    EXPECT_EQ(LowBits(count), expected) << count;
    EXPECT_EQ(CountBits(LowBits(count)), count);
    expected = expected << 1 | 1u;
  }
  EXPECT_EQ(LowBits(33), ~0u);
  EXPECT_EQ(LowBits(~0u), ~0u);
}

TEST(Bits, LowestAndHighestOfAWord) {
  for (std::uint32_t bit = 0; bit < 32; ++bit) {
    EXPECT_EQ(LowestBit(~0u << bit), bit);
    EXPECT_EQ(HighestBit(LowBits(bit + 1)), bit);
  }
}

}  // namespace
}  // namespace warpyard::exec
