// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/city_io/paint.h"

#include <gtest/gtest.h>

#include "client_examples/city_io/instance.h"

namespace warpyard::city_io {
namespace {

TEST(PaintOf, KnowsWordsAndGivesOtherNamesAColourOfTheirOwn) {
  EXPECT_EQ(PaintOf("RoofTiles").color, PaintOf("roof").color);
  EXPECT_LT(PaintOf("glass").roughness, 0.5F);
  EXPECT_EQ(PaintOf("abc").color, PaintOf("abc").color);
  EXPECT_NE(PaintOf("abc").color, PaintOf("abd").color);
  for (const float channel : PaintOf("abc").color) {
    EXPECT_GE(channel, 0.5F);
    EXPECT_LE(channel, 1);
  }
}

TEST(PaintOf, PrefersTheColourOfTheInstance) {
  EXPECT_EQ(PaintOf("roof", kNoColor).color, PaintOf("roof").color);
  EXPECT_EQ(PaintOf("roof", 0x000000FF).color, (std::array<float, 4>{1, 0, 0, 0}));
  EXPECT_EQ(PaintOf("roof", 0xFFFF0000).color, (std::array<float, 4>{0, 0, 1, 1}));
}

TEST(LinearOf, KeepsBlackAndWhite) {
  EXPECT_EQ(LinearOf(0), 0);
  EXPECT_FLOAT_EQ(LinearOf(1), 1);
  EXPECT_NEAR(LinearOf(0.5F), 0.214, 0.001);
}

}  // namespace
}  // namespace warpyard::city_io
