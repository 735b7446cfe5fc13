// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/simplify/views/cone.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace warpyard::simplify {
namespace {

class ConeTest : public ::testing::Test {
 protected:
  Vector3d Direction() {
    while (true) {
      const Vector3d v{normal_(random_), normal_(random_), normal_(random_)};
      if (LengthOf(v) > 1e-3) return (1 / LengthOf(v)) * v;
    }
  }
  /// A direction at most so far from another one.
  Vector3d Near(const Vector3d& axis, double radians) {
    const Vector3d side = Cross(axis, Direction());
    const double angle = std::uniform_real_distribution<double>(0, radians)(random_);
    return std::cos(angle) * axis + (std::sin(angle) / LengthOf(side)) * side;
  }

  std::mt19937_64 random_{3};
  std::normal_distribution<double> normal_;
};

double Between(const Vector3d& a, const Vector3d& b) {
  return std::acos(std::min(1.0, std::max(-1.0, Dot(a, b))));
}

TEST_F(ConeTest, KeepsItsAxis) {
  std::vector<Vector3d> axes = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};
  for (int i = 0; i < 1000; ++i) axes.push_back(Direction());
  for (const Vector3d& axis : axes) {
    const Cone cone = Cone::Of(Cone::Word(Cone::AxisWord(axis), 1));
    EXPECT_NEAR(LengthOf(cone.axis), 1, 1e-12);
    EXPECT_LT(Between(cone.axis, axis), 1e-3);
    EXPECT_EQ(cone.angle.sine, 0);
  }
}

TEST_F(ConeTest, IsAllWhereItIsWide) {
  EXPECT_EQ(Cone::Word(Cone::AxisWord({0, 0, 1}), 0), Cone::kAll);
  EXPECT_EQ(Cone::Word(Cone::AxisWord({0, 0, 1}), -0.5), Cone::kAll);
  EXPECT_EQ(ConeSum({0, 0, 0}).Word(), Cone::kAll);
}

TEST_F(ConeTest, HasTheDirectionsOfAllThatItSums) {
  for (int round = 0; round < 300; ++round) {
    const Vector3d middle = Direction();
    std::vector<Cone> cones;
    Vector3d axis{0, 0, 0};
    for (int i = 0; i < 5; ++i) {
      const double cosine = 0.9 + 0.02 * i;
      cones.push_back(Cone::Of(Cone::Word(Cone::AxisWord(Near(middle, 0.5)), cosine)));
      axis = axis + cones.back().axis;
    }
    ConeSum sum(axis);
    for (const Cone& cone : cones) sum.Add(cone.axis, cone.angle);
    ASSERT_NE(sum.Word(), Cone::kAll);
    const Cone all = Cone::Of(sum.Word());
    const double most = std::acos(all.angle.cosine);
    for (const Cone& cone : cones) {
      const double own = std::acos(cone.angle.cosine);
      EXPECT_LE(Between(cone.axis, all.axis) + own, most + 1e-6);
      for (int i = 0; i < 10; ++i) {
        EXPECT_LE(Between(Near(cone.axis, own), all.axis), most + 1e-6);
      }
    }
  }
}

TEST_F(ConeTest, GivesUpOnOppositeDirections) {
  ConeSum sum({0, 0, 1});
  sum.Add({0, 0, 1}, {1, 0});
  sum.Add({0, 0, -1}, {1, 0});
  EXPECT_EQ(sum.Word(), Cone::kAll);
}

}  // namespace
}  // namespace warpyard::simplify
