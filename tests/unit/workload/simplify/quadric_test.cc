// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/simplify/quadric.h"

#include <gtest/gtest.h>

#include <random>

namespace warpyard::simplify {
namespace {

TEST(Quadric, SumsSquaredDistancesToItsPlanes) {
  Quadric quadric;
  quadric.AddPlane({0, 0, 1}, {5, 6, 2}, 1);
  quadric.AddPlane({1, 0, 0}, {-1, 0, 0}, 3);
  EXPECT_DOUBLE_EQ(quadric.At({0, 0, 0}), 4 + 3);
  EXPECT_DOUBLE_EQ(quadric.At({-1, 9, 2}), 0);
  EXPECT_DOUBLE_EQ(quadric.weight, 4);
  Quadric twice = quadric;
  twice += quadric;
  EXPECT_DOUBLE_EQ(twice.At({2, 3, 4}), 2 * quadric.At({2, 3, 4}));
}

TEST(Quadric, IsLeastWhereItsPlanesMeet) {
  Quadric quadric;
  quadric.AddPlane({0, 0, 1}, {0, 0, 2}, 1);
  quadric.AddPlane({0, 1, 0}, {0, 3, 0}, 2);
  quadric.AddPlane({1, 0, 0}, {4, 0, 0}, 5);
  const Vector3d least = quadric.Minimum({4.5, 2.5, 2.25}, 1e-9);
  EXPECT_NEAR(least.x, 4, 1e-6);
  EXPECT_NEAR(least.y, 3, 1e-6);
  EXPECT_NEAR(least.z, 2, 1e-6);
}

TEST(Quadric, StaysAtTheCentreAlongWhatNoPlaneSays) {
  Quadric plane;
  plane.AddPlane({0, 0, 1}, {0, 0, 2}, 1);
  const Vector3d least = plane.Minimum({7, -8, 9}, 1e-3);
  EXPECT_DOUBLE_EQ(least.x, 7);
  EXPECT_DOUBLE_EQ(least.y, -8);
  EXPECT_NEAR(least.z, 2, 1e-2);
  const Vector3d nothing = Quadric{}.Minimum({1, 2, 3}, 0);
  EXPECT_DOUBLE_EQ(nothing.x, 1);
}

TEST(Quadric, IsNoLessAnywhereThanAtItsMinimum) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  const auto any = [&] { return Vector3d{normal(random), normal(random), normal(random)}; };
  for (int i = 0; i < 200; ++i) {
    Quadric quadric;
    for (int plane = 0; plane < 5; ++plane) {
      const Vector3d direction = any();
      quadric.AddPlane((1 / LengthOf(direction)) * direction, any(), 1);
    }
    const Vector3d centre = any();
    const double pull = 1e-3;
    const auto sum = [&](const Vector3d& p) {
      return quadric.At(p) + pull * geometry::Dot(p - centre, p - centre);
    };
    const double least = sum(quadric.Minimum(centre, pull));
    for (int k = 0; k < 20; ++k) EXPECT_GE(sum(any()) - least, -1e-9);
  }
}

}  // namespace
}  // namespace warpyard::simplify
