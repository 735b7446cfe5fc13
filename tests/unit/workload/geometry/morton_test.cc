// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/geometry/morton.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace warpyard::geometry {
namespace {

/// The code by definition, bit by bit.
std::uint32_t Interleave(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  std::uint32_t code = 0;
  for (std::uint32_t bit = 0; bit < 10; ++bit) {
    code |= (x >> bit & 1) << (3 * bit + 2);
    code |= (y >> bit & 1) << (3 * bit + 1);
    code |= (z >> bit & 1) << (3 * bit);
  }
  return code;
}

TEST(Morton, InterleavesTheBitsOfACell) {
  for (std::uint32_t value = 0; value < 1024; ++value) {
    ASSERT_EQ(MortonCode(value, 0, 0), Interleave(value, 0, 0));
    ASSERT_EQ(MortonCode(0, value, 1023 - value), Interleave(0, value, 1023 - value));
    ASSERT_EQ(MortonCode(value, value * 7 % 1024, value * 13 % 1024),
              Interleave(value, value * 7 % 1024, value * 13 % 1024));
  }
  EXPECT_EQ(MortonCode(1023, 1023, 1023), 0x3fffffffu);
}

TEST(Morton, PutsValuesIntoTheirCells) {
  EXPECT_EQ(GridCell(0.0f, 0.0f, 1024.0f), 0u);
  EXPECT_EQ(GridCell(0.5f, 0.0f, 1024.0f), 0u);
  EXPECT_EQ(GridCell(1.0f, 0.0f, 1024.0f), 1u);
  EXPECT_EQ(GridCell(1023.5f, 0.0f, 1024.0f), 1023u);
  EXPECT_EQ(GridCell(-3.0f, -4.0f, 2.0f), 512u);
}

TEST(Morton, PutsValuesAtAndBeyondTheBorderIntoTheBorderCells) {
  EXPECT_EQ(GridCell(1024.0f, 0.0f, 1024.0f), 1023u);
  EXPECT_EQ(GridCell(1e30f, 0.0f, 1024.0f), 1023u);
  EXPECT_EQ(GridCell(-1.0f, 0.0f, 1024.0f), 0u);
  EXPECT_EQ(GridCell(1e38f, -1e38f, 2e38f), 1023u);
  EXPECT_EQ(GridCell(-1e38f, -1e38f, 2e38f), 0u);
}

TEST(Morton, PutsAllIntoOneCellWhenThereIsNoExtent) {
  EXPECT_EQ(GridCell(5.0f, 5.0f, 0.0f), 0u);
  const float tiny = std::numeric_limits<float>::denorm_min();
  EXPECT_LE(GridCell(tiny, 0.0f, tiny), 1023u);
}

TEST(Morton, KeepsTheOrderOfValues) {
  std::uint32_t last = 0;
  for (int i = -100; i <= 1100; ++i) {
    const std::uint32_t cell = GridCell(static_cast<float>(i) * 0.37f, 0.0f, 370.0f);
    EXPECT_GE(cell, last);
    last = cell;
  }
}

}  // namespace
}  // namespace warpyard::geometry
