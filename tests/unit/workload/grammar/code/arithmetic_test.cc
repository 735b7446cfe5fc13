// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/grammar/code/arithmetic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace warpyard {
namespace {

using grammar::Op;
using grammar::PowerOf;
using grammar::SineCosineOf;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// Half a unit in the last place, and a little for the functions that the expected value went
/// through.
double RoundingOf(double expected) { return 7e-8 * std::fabs(expected) + 1e-38; }

TEST(Arithmetic, HasSinesAsExactAsFloats) {
  for (double degrees = -2000; degrees <= 2000; degrees += 0.37) {
    const auto x = static_cast<float>(degrees);
    const double radians = static_cast<double>(x) * 3.14159265358979323846 / 180;
    const grammar::SineCosine got = SineCosineOf(x);
    EXPECT_NEAR(got.sine, std::sin(radians), 1e-7) << x;
    EXPECT_NEAR(got.cosine, std::cos(radians), 1e-7) << x;
  }
}

TEST(Arithmetic, TurnsByRightAnglesExactly) {
  const float expected[] = {0, 1, 0, -1};
  for (int quarter = -8; quarter <= 8; ++quarter) {
    const grammar::SineCosine got = SineCosineOf(static_cast<float>(quarter * 90));
    EXPECT_EQ(got.sine, expected[quarter & 3]);
    EXPECT_EQ(got.cosine, expected[(quarter + 1) & 3]);
  }
}

TEST(Arithmetic, TakesAnglesWithoutEndAsZero) {
  for (const float degrees : {kInfinity, -kInfinity, kNan, 1.1e9f}) {
    EXPECT_EQ(SineCosineOf(degrees).sine, 0);
    EXPECT_EQ(SineCosineOf(degrees).cosine, 1);
  }
}

TEST(Arithmetic, HasPowersAsExactAsFloats) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> exponents(-20, 20), logarithms(-4, 4);
  for (int i = 0; i < 20'000; ++i) {
    const float base = std::exp2(logarithms(random)), exponent = exponents(random);
    const double expected = std::pow(static_cast<double>(base), static_cast<double>(exponent));
    EXPECT_NEAR(PowerOf(base, exponent), expected, RoundingOf(expected)) << base << " " << exponent;
  }
}

TEST(Arithmetic, HasWholePowersOfNegativeNumbers) {
  for (const float base : {-3.0f, -1.0f, -0.5f, -2.5f}) {
    for (int exponent = -9; exponent <= 9; ++exponent) {
      const double expected = std::pow(static_cast<double>(base), exponent);
      EXPECT_NEAR(PowerOf(base, static_cast<float>(exponent)), expected, RoundingOf(expected));
    }
    EXPECT_TRUE(std::isnan(PowerOf(base, 0.5f)));
  }
}

TEST(Arithmetic, HasPowersAtTheEnds) {
  EXPECT_EQ(PowerOf(0, 0), 1);
  EXPECT_EQ(PowerOf(kNan, 0), 1);
  EXPECT_EQ(PowerOf(1, kNan), 1);
  EXPECT_EQ(PowerOf(0, 2), 0);
  EXPECT_EQ(PowerOf(0, -2), kInfinity);
  EXPECT_EQ(PowerOf(10, 39), kInfinity);
  EXPECT_EQ(PowerOf(-10, 40), kInfinity);
  EXPECT_EQ(PowerOf(10, -60), 0);
  EXPECT_TRUE(std::isnan(PowerOf(kNan, 2)));
  EXPECT_TRUE(std::isnan(PowerOf(2, kNan)));
  EXPECT_NEAR(PowerOf(2, 127), std::exp2(127.0), std::exp2(104.0));
  EXPECT_EQ(PowerOf(4, 0.5f), 2);
}

TEST(Arithmetic, HasNegativeInfinityForOddPowers) { EXPECT_EQ(PowerOf(-10, 41), -kInfinity); }

TEST(Arithmetic, TakesRemaindersWithTheSignOfTheDivisor) {
  EXPECT_EQ(Apply(Op::kMod, 7, 3), 1);
  EXPECT_EQ(Apply(Op::kMod, -7, 3), 2);
  EXPECT_EQ(Apply(Op::kMod, 7, -3), -2);
  EXPECT_EQ(Apply(Op::kMod, 5.5f, 2), 1.5f);
  EXPECT_TRUE(std::isnan(Apply(Op::kMod, 1, 0)));
}

TEST(Arithmetic, RoundsHalvesUp) {
  EXPECT_EQ(Apply(Op::kRound, 2.5f), 3);
  EXPECT_EQ(Apply(Op::kRound, -2.5f), -2);
  EXPECT_EQ(Apply(Op::kFloor, -0.5f), -1);
  EXPECT_EQ(Apply(Op::kCeil, 0.5f), 1);
}

TEST(Arithmetic, RoundsNumbersWithoutFractionToThemselves) {
  // The least float below a half, and odd numbers for which x + 0.5 has to be rounded.
  EXPECT_EQ(Apply(Op::kRound, 0.49999997f), 0);
  EXPECT_EQ(Apply(Op::kRound, 8388609.0f), 8388609.0f);
  EXPECT_EQ(Apply(Op::kRound, -8388609.0f), -8388609.0f);
}

TEST(Arithmetic, ComparesAsIeee754Says) {
  EXPECT_EQ(Apply(Op::kLess, 1, 2), 1);
  EXPECT_EQ(Apply(Op::kLess, 2, 2), 0);
  EXPECT_EQ(Apply(Op::kAtMost, 2, 2), 1);
  EXPECT_EQ(Apply(Op::kAtMost, kNan, 2), 0);
  EXPECT_EQ(Apply(Op::kEqual, kNan, kNan), 0);
  EXPECT_EQ(Apply(Op::kUnequal, kNan, kNan), 1);
  EXPECT_EQ(Apply(Op::kEqual, 0.0f, -0.0f), 1);
  // What is no number is true, since it is not 0.
  EXPECT_EQ(Apply(Op::kNot, kNan), 0);
  EXPECT_EQ(Apply(Op::kTruth, kNan), 1);
  EXPECT_EQ(Apply(Op::kTruth, -0.0f), 0);
}

TEST(Arithmetic, ClampsToTheLeastWhereLimitsContradictEachOther) {
  EXPECT_EQ(grammar::ClampOf(5, 1, 3), 3);
  EXPECT_EQ(grammar::ClampOf(0, 1, 3), 1);
  EXPECT_EQ(grammar::ClampOf(2, 1, 3), 2);
  EXPECT_EQ(grammar::ClampOf(2, 3, 1), 3);
}

TEST(Arithmetic, KnowsHowManyNumbersItTakes) {
  EXPECT_EQ(grammar::NumbersOf(Op::kNegate), 1u);
  EXPECT_EQ(grammar::NumbersOf(Op::kCos), 1u);
  EXPECT_EQ(grammar::NumbersOf(Op::kMin), 2u);
  EXPECT_EQ(grammar::NumbersOf(Op::kPow), 2u);
  EXPECT_EQ(grammar::NumbersOf(Op::kClamp), 3u);
  EXPECT_EQ(grammar::NumbersOf(Op::kNear), 0u);
  EXPECT_EQ(grammar::NumbersOf(Op::kJump), 0u);
}

}  // namespace
}  // namespace warpyard
