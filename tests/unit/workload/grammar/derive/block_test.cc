// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// How many pieces a block has, and what it makes of bad numbers.

#include "core/workload/grammar/derive/block.h"

#include <gtest/gtest.h>

#include <limits>
#include <ostream>
#include <string>

#include "tests/support/grammar/derive_driver.h"

namespace warpyard {
namespace {

using grammar::CellsOf;

TEST(CellsOf, CountsWholeCellsAndAtLeastOne) {
  EXPECT_EQ(CellsOf(10, 3), 3u);
  EXPECT_EQ(CellsOf(2, 3), 1u);
  EXPECT_EQ(CellsOf(0, 3), 1u);
  EXPECT_EQ(CellsOf(-5, 3), 1u);
  EXPECT_EQ(CellsOf(std::numeric_limits<float>::quiet_NaN(), 3), 1u);
  EXPECT_EQ(CellsOf(1e7f, 1e-3f), 65536u);
  EXPECT_EQ(CellsOf(65535, 1), 65535u);
  EXPECT_EQ(CellsOf(1, 0), 65536u);
}

TEST(CellsOf, TakesMultiplesButForRoundingAsMultiples) {
  for (int n = 1; n < 500; ++n) {
    for (const float extent : {0.1f, 0.3f, 2.7f}) {
      EXPECT_EQ(CellsOf(static_cast<float>(n) * extent, extent), static_cast<std::uint32_t>(n));
      EXPECT_EQ(CellsOf(static_cast<float>(n * static_cast<double>(extent)), extent),
                static_cast<std::uint32_t>(n));
    }
  }
}

/// A block in a scope of 10 m, its pieces and how many numbers are clamped.
struct PiecesCase {
  const char* name;
  const char* block;
  std::size_t pieces;
  std::uint64_t clamped;
};

void PrintTo(const PiecesCase& one, std::ostream* stream) { *stream << one.name; }

class BlockPiecesTest : public testing::TestWithParam<PiecesCase> {};

TEST_P(BlockPiecesTest, HasThePiecesOfTheReference) {
  test_support::DeriveDriver driver;
  ASSERT_TRUE(driver.Open(std::string("wyg 1; start A; rule A = ") + GetParam().block + ";").ok());
  const auto derived = driver.Derive(test_support::Lots(1, 10, 10, 10));
  ASSERT_TRUE(derived.ok()) << derived.status();
  EXPECT_EQ(derived->instances.size(), GetParam().pieces);
  EXPECT_EQ(derived->statistics.rules[0].clamped, GetParam().clamped);
}

INSTANTIATE_TEST_SUITE_P(
    Blocks, BlockPiecesTest,
    testing::Values(PiecesCase{"Repeat", "repeat(x, 3) { box }", 3, 0},
                    PiecesCase{"RepeatOfNothing", "repeat(x, 0) { box }", 1, 1},
                    PiecesCase{"RepeatWithoutEnd", "repeat(x, 1 / 0) { box }", 1, 0},
                    PiecesCase{"Copies", "copies(3.9) { box }", 3, 0},
                    PiecesCase{"NoCopies", "copies(0.5) { box }", 0, 0},
                    PiecesCase{"NegativeCopies", "copies(-1) { box }", 0, 1},
                    PiecesCase{"CopiesOfNoNumber", "copies(0 / 0) { box }", 0, 1},
                    PiecesCase{"Scatter", "scatter(5, 1) { box }", 5, 0},
                    PiecesCase{"ScatterOfBadNumbers", "scatter(-5, -1) { box }", 0, 2},
                    PiecesCase{"ScatterWithoutExtent", "scatter(5, -1) { size(1, 1, 1) box }", 5,
                               1},
                    PiecesCase{"SplitOfBadSizes",
                               "split(x) { -1 : box | 1e8 : box | 0 / 0 : box | ~1 : box }", 4, 3},
                    PiecesCase{"Comp", "comp { all : quad }", 6, 0},
                    PiecesCase{"Border", "border(1) { edge : box | inside : box }", 5, 0},
                    PiecesCase{"OffsetOfABadWidth", "offset(-1) { inside : box }", 1, 1},
                    PiecesCase{"RoofOfABadAngle", "roof(gable, 86) { plane : quad }", 2, 1},
                    PiecesCase{"RoofOfABadOverhang", "roof(hip, 30, -1) { hip : tri }", 8, 1},
                    PiecesCase{"RoofWithoutSuchParts", "roof(pyramid, 30) { plane : quad }", 0, 0}),
    [](const auto& one) { return std::string(one.param.name); });

TEST(Blocks, CutPiecesThatAreTooMany) {
  test_support::DeriveDriver driver;
  ASSERT_TRUE(driver.Open("wyg 1; start A; rule A = copies(70000) { B }; rule B = box;").ok());
  const auto derived = driver.Derive(test_support::Lots(1, 10, 10, 10));
  ASSERT_TRUE(derived.ok()) << derived.status();
  EXPECT_EQ(derived->instances.size(), 65536u);
}

}  // namespace
}  // namespace warpyard
