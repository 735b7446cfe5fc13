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

TEST(Bits, BytesOfAWordComeLowestFirst) {
  constexpr std::uint32_t kWord = 0x44332211u;
  EXPECT_EQ(ByteOf<0>(kWord), 0x11u);
  EXPECT_EQ(ByteOf<1>(kWord), 0x22u);
  EXPECT_EQ(ByteOf<2>(kWord), 0x33u);
  EXPECT_EQ(ByteOf<3>(kWord), 0x44u);
}

TEST(PackedPair, KeepsBothValuesApart) {
  constexpr PackedPair kPair = PackedPair::Of(0xffffu, 1u);
  EXPECT_EQ(kPair.First(), 0xffffu);
  EXPECT_EQ(kPair.Second(), 1u);
  EXPECT_EQ(kPair.Get(0), kPair.First());
  EXPECT_EQ(kPair.Get(1), kPair.Second());
  EXPECT_EQ(PackedPair{kPair.word}.word, 0x1ffffu);
}

}  // namespace
}  // namespace warpyard::exec
