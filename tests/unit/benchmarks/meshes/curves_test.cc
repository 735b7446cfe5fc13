// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/meshes/curves.h"

#include <gtest/gtest.h>

#include <cmath>

namespace warpyard::meshes {
namespace {

TEST(Curves, SineAndCosineAreThoseOfTheLibrary) {
  for (double turns = -3; turns < 3; turns += 0.01) {
    EXPECT_NEAR(SineOfTurns(turns), std::sin(2 * M_PI * turns), 1e-13) << turns;
    EXPECT_NEAR(CosineOfTurns(turns), std::cos(2 * M_PI * turns), 1e-13) << turns;
  }
}

TEST(Curves, NoiseIsSmoothAndBounded) {
  for (double x = -2; x < 2; x += 0.01) {
    const double here = SmoothNoise({x, 0.3, -1.7}, 5),
                 near = SmoothNoise({x + 1e-6, 0.3, -1.7}, 5);
    EXPECT_LE(std::fabs(here), 1);
    EXPECT_NEAR(here, near, 1e-5);
    EXPECT_LT(std::fabs(Hills({x, 0.3, -1.7}, 5, 4)), 2);
  }
  EXPECT_NE(SmoothNoise({0.5, 0.5, 0.5}, 1), SmoothNoise({0.5, 0.5, 0.5}, 2));
}

}  // namespace
}  // namespace warpyard::meshes
