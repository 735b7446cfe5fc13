// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/simplify/wedges/field.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <vector>

namespace warpyard::simplify {
namespace {

constexpr Channel kPlain{1, -1e6f, 1e6f, 0};

/// A view with some channels of one rule.
struct Rules {
  std::vector<Channel> channels;
  WedgeView view{};

  explicit Rules(std::vector<Channel> rules) : channels(std::move(rules)) {
    view.channels = static_cast<std::uint32_t>(channels.size());
    view.rules = channels.data();
  }
};

using Field = std::array<float, 1 + 4 * 3>;

class FieldTest : public ::testing::Test {
 protected:
  double Uniform() { return std::uniform_real_distribution<double>(-1, 1)(random_); }
  Vector3d Point() { return {Uniform(), Uniform(), Uniform()}; }
  Field Random(std::uint32_t channels) {
    Field field{};
    field[0] = static_cast<float>(0.1 + std::abs(Uniform()));
    for (std::uint32_t k = 0; k < channels; ++k) {
      LinearFunction{Point(), Uniform()}.Store(field.data(), k);
    }
    return field;
  }

  std::mt19937_64 random_{7};
};

TEST_F(FieldTest, GoesThroughTheValuesOfATriangle) {
  const Vector3d at[3] = {{0.1, 0.2, 0.3}, {0.9, 0.1, 0.4}, {0.3, 0.8, 0.7}};
  const float values[3] = {5, -2, 1};
  const FieldTriangle triangle = FieldTriangle::Of(at);
  const LinearFunction function = triangle.Through(values);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(function.At(at[k]), values[k], 1e-12);
  // It does not change along the normal.
  EXPECT_NEAR(Dot(function.gradient, Cross(at[1] - at[0], at[2] - at[0])), 0, 1e-12);
  EXPECT_NEAR(triangle.area, LengthOf(Cross(at[1] - at[0], at[2] - at[0])) / 2, 1e-12);
}

TEST_F(FieldTest, HasNoGradientOnALine) {
  const Vector3d at[3] = {{0, 0, 0}, {1, 1, 1}, {0.5, 0.5, 0.5}};
  const LinearFunction function = FieldTriangle::Of(at).Through({1, 2, 6});
  EXPECT_EQ(LengthOf(function.gradient), 0);
  EXPECT_DOUBLE_EQ(function.at_origin, 3);
}

TEST_F(FieldTest, CountsTheErrorsOfAllThatBecameOne) {
  const Rules rules({{2, -1e6f, 1e6f, 0}, {0.5f, -1e6f, 1e6f, 0}, {0, -1e6f, 1e6f, 0}});
  std::vector<Field> parts;
  for (int i = 0; i < 20; ++i) parts.push_back(Random(3));
  Field sum{};
  Quadric quadric;
  for (const Field& part : parts) {
    AddDifference(rules.view, sum.data(), part.data(), quadric);
    MergeField(rules.view, part.data(), sum.data());
  }
  EXPECT_EQ(quadric.weight, 0);
  // The sum of squared errors in the plainest way.
  const Vector3d at = Point();
  double expected = 0;
  for (std::uint32_t k = 0; k < 3; ++k) {
    double area = 0, mean = 0;
    for (const Field& part : parts) {
      area += part[0];
      mean += part[0] * LinearFunction::Of(part.data(), k).At(at);
    }
    mean /= area;
    EXPECT_NEAR(LinearFunction::Of(sum.data(), k).At(at), mean, 1e-5);
    EXPECT_NEAR(sum[0], area, 1e-5);
    for (const Field& part : parts) {
      const double error =
          rules.channels[k].weight * (LinearFunction::Of(part.data(), k).At(at) - mean);
      expected += part[0] * error * error;
    }
  }
  EXPECT_NEAR(quadric.At(at), expected, 1e-5 * expected);
}

TEST_F(FieldTest, KeepsItsValuesBesideOneWithoutArea) {
  const Rules rules({kPlain});
  const Field field = Random(1);
  Field none{}, sum = field;
  none[4] = 99;
  Quadric quadric;
  AddDifference(rules.view, sum.data(), none.data(), quadric);
  MergeField(rules.view, none.data(), sum.data());
  EXPECT_EQ(sum, field);
  EXPECT_EQ(quadric.At({1, 1, 1}), 0);
  MergeField(rules.view, field.data(), none.data());
  EXPECT_EQ(none[4], field[4]);
}

TEST_F(FieldTest, StaysWithinTheRangeOfItsValues) {
  const Rules rules({{1, 0, 1, 0}, {1, 0, 1, 0}});
  Field field{};
  LinearFunction{{1, 0, 0}, 0}.Store(field.data(), 0);
  LinearFunction{{-1, 0, 0}, 0}.Store(field.data(), 1);
  float out[2];
  EvaluateField(rules.view, field.data(), {5, 0, 0}, out);
  EXPECT_EQ(out[0], 1);
  EXPECT_EQ(out[1], 0);
}

TEST_F(FieldTest, MakesNormalsUnitVectors) {
  const Rules rules({{1, -1, 1, 1}, {1, -1, 1, 0}, {1, -1, 1, 0}});
  Field field{};
  LinearFunction{{0, 0, 0}, 0.3}.Store(field.data(), 0);
  LinearFunction{{0, 0, 0}, -0.4}.Store(field.data(), 1);
  float out[3];
  EvaluateField(rules.view, field.data(), {0, 0, 0}, out);
  EXPECT_FLOAT_EQ(out[0], 0.6f);
  EXPECT_FLOAT_EQ(out[1], -0.8f);
  EXPECT_FLOAT_EQ(out[2], 0);
  EvaluateField(rules.view, Field{}.data(), {0, 0, 0}, out);
  EXPECT_FLOAT_EQ(std::hypot(out[0], out[1], out[2]), 1);
}

}  // namespace
}  // namespace warpyard::simplify
