// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/geometry/bounds.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

namespace warpyard::geometry {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kTiny = std::numeric_limits<float>::denorm_min();

/// Doubles of all sizes for which rounding is defined, many of them close to a float.
std::vector<double> ManyDoubles() {
  std::mt19937_64 random(11);
  std::vector<double> values = {0.0, -0.0, 1.0, -1.0, 0.1, -0.1, 1e38, -1e38, 1e-300, -1e-300};
  while (values.size() < 200'000) {
    std::uint64_t bits = random();
    double value;
    std::memcpy(&value, &bits, sizeof value);
    if (std::abs(value) <= 1e38) values.push_back(value);
    const int exponent = static_cast<int>(random() % 250) - 150;
    value = std::ldexp(static_cast<double>(static_cast<std::int64_t>(random())), exponent - 63);
    if (std::abs(value) > 1e38) continue;
    const double as_float = static_cast<double>(static_cast<float>(value));
    values.insert(values.end(), {value, as_float, std::nextafter(as_float, 1e39),
                                 std::nextafter(as_float, -1e39)});
  }
  return values;
}

TEST(Bounds, RoundToTheNextFloatOutwardAndNoFurther) {
  for (const double value : ManyDoubles()) {
    const float down = RoundDown(value), up = RoundUp(value);
    ASSERT_LE(static_cast<double>(down), value);
    ASSERT_GE(static_cast<double>(up), value);
    ASSERT_GT(static_cast<double>(std::nextafter(down, kInfinity)), value);
    ASSERT_LT(static_cast<double>(std::nextafter(up, -kInfinity)), value);
  }
}

TEST(Bounds, KeepFloatsAsTheyAre) {
  std::mt19937 random(12);
  for (int i = 0; i < 200'000; ++i) {
    const std::uint32_t bits = static_cast<std::uint32_t>(random());
    float value;
    std::memcpy(&value, &bits, sizeof value);
    if (!(std::abs(value) <= 1e38f)) continue;
    ASSERT_EQ(RoundDown(static_cast<double>(value)), value);
    ASSERT_EQ(RoundUp(static_cast<double>(value)), value);
  }
}

TEST(Bounds, RoundTinyNumbersToDenormalsAndZero) {
  EXPECT_EQ(RoundDown(1e-300), 0.0f);
  EXPECT_EQ(RoundUp(1e-300), kTiny);
  EXPECT_EQ(RoundDown(-1e-300), -kTiny);
  EXPECT_EQ(RoundUp(-1e-300), 0.0f);
  EXPECT_EQ(RoundUp(1.5 * static_cast<double>(kTiny)), 2 * kTiny);
  EXPECT_EQ(RoundDown(1.5 * static_cast<double>(kTiny)), kTiny);
}

TEST(Bounds, RoundBothZerosToZero) {
  for (const double zero : {0.0, -0.0}) {
    EXPECT_EQ(RoundDown(zero), 0.0f);
    EXPECT_EQ(RoundUp(zero), 0.0f);
  }
}

TEST(Bounds, StepToTheNextFloat) {
  EXPECT_EQ(NextFloat(0.0f, true), kTiny);
  EXPECT_EQ(NextFloat(-0.0f, true), kTiny);
  EXPECT_EQ(NextFloat(0.0f, false), -kTiny);
  EXPECT_EQ(NextFloat(-0.0f, false), -kTiny);
  EXPECT_EQ(NextFloat(kTiny, false), 0.0f);
  EXPECT_EQ(NextFloat(-kTiny, true), 0.0f);
  for (const float value : {1.0f, -1.0f, 0.1f, 3e38f, -3e38f, 1.17549435e-38f, -1e-40f}) {
    EXPECT_EQ(NextFloat(value, true), std::nextafter(value, kInfinity));
    EXPECT_EQ(NextFloat(value, false), std::nextafter(value, -kInfinity));
  }
}

TEST(Bounds, OrderBitsAsTheirFloats) {
  const std::vector<float> ascending = {-3.4e38f, -1.0f, -1e-40f, -kTiny, 0.0f,   kTiny,
                                        1e-40f,   0.5f,  1.0f,    2.0f,   3.4e38f};
  for (std::size_t i = 0; i + 1 < ascending.size(); ++i) {
    EXPECT_LT(OrderedBits(ascending[i]), OrderedBits(ascending[i + 1])) << ascending[i];
  }
  EXPECT_LT(OrderedBits(-0.0f), OrderedBits(0.0f));
  std::mt19937 random(13);
  for (int i = 0; i < 100'000; ++i) {
    const std::uint32_t pair[2] = {static_cast<std::uint32_t>(random()),
                                   static_cast<std::uint32_t>(random())};
    float a, b;
    std::memcpy(&a, &pair[0], sizeof a);
    std::memcpy(&b, &pair[1], sizeof b);
    if (std::isnan(a) || std::isnan(b) || a == b) continue;
    ASSERT_EQ(a < b, OrderedBits(a) < OrderedBits(b)) << a << " " << b;
    ASSERT_EQ(FromOrderedBits(OrderedBits(a)), a);
  }
}

TEST(Bounds, OrderBitsBetweenTheStartValuesOfMinimumAndMaximum) {
  EXPECT_LT(OrderedBits(3.4e38f), ~0u);
  EXPECT_GT(OrderedBits(-3.4e38f), 0u);
}

TEST(Bounds, HoldASweptPoint) {
  std::mt19937_64 random(14);
  std::uniform_real_distribution<double> uniform(-10, 10);
  for (int i = 0; i < 10'000; ++i) {
    const Vector3d start{uniform(random), uniform(random), uniform(random)};
    const Vector3d end{uniform(random), uniform(random), uniform(random)};
    const Box box = SweptBox(start, end);
    for (const double t : {0.0, 0.25, 0.5, 1.0}) {
      const Vector3d at = (1 - t) * start + t * end;
      const double coordinates[3] = {at.x, at.y, at.z};
      for (int k = 0; k < 3; ++k) {
        ASSERT_LE(static_cast<double>(box.low[k]), coordinates[k]);
        ASSERT_GE(static_cast<double>(box.high[k]), coordinates[k]);
      }
    }
  }
}

TEST(Bounds, OverlapWhenBoxesShareAPoint) {
  const Box box = SweptBox({0, 0, 0}, {1, 1, 1});
  EXPECT_TRUE(Overlap(box, SweptBox({1, 1, 1}, {2, 2, 2}))) << "a corner is shared";
  EXPECT_TRUE(Overlap(box, SweptBox({0.5, 0.5, 0.5}, {0.5, 0.5, 0.5})));
  const double beyond = 1 + 0x1p-20;
  EXPECT_FALSE(Overlap(box, SweptBox({beyond, 0, 0}, {2, 1, 1})));
  EXPECT_FALSE(Overlap(box, SweptBox({0, beyond, 0}, {1, 2, 1})));
  EXPECT_FALSE(Overlap(box, SweptBox({0, 0, beyond}, {1, 1, 2})));
  EXPECT_FALSE(Overlap(SweptBox({0, 0, beyond}, {1, 1, 2}), box));
}

TEST(Bounds, JoinToTheSmallestBoxAroundBoth) {
  const Box joined = Union(SweptBox({0, 5, -1}, {1, 6, -1}), SweptBox({-2, 5.5, 3}, {0.5, 9, 3}));
  const float low[3] = {-2, 5, -1}, high[3] = {1, 9, 3};
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(joined.low[k], low[k]);
    EXPECT_EQ(joined.high[k], high[k]);
  }
}

TEST(Bounds, StartFromABoxOfNoPoint) {
  const Box box = SweptBox({1, -2, 3}, {1, -2, 3});
  const Box joined = Union(EmptyBox(), box);
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(joined.low[k], box.low[k]);
    EXPECT_EQ(joined.high[k], box.high[k]);
  }
  EXPECT_FALSE(Overlap(EmptyBox(), box));
}

}  // namespace
}  // namespace warpyard::geometry
