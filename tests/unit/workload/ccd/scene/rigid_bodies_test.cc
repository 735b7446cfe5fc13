// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/scene/rigid_bodies.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numbers>
#include <string>
#include <vector>

#include "tests/support/mesh_fixtures.h"
#include "tests/unit/engine/position_forms.h"

namespace warpyard::ccd {
namespace {

using geometry::RigidTransform;
using geometry::Vector3d;
using test_support::Matrix;
using test_support::Random;
using test_support::Transformed;
using test_support::Turn;
using test_support::Vec3;

constexpr double kPi = std::numbers::pi;

TEST(CountBodies, IsOneMoreThanTheLargestGroup) {
  EXPECT_EQ(CountBodies({}), 0u);
  EXPECT_EQ(CountBodies(std::vector<std::uint32_t>{0, 0, 0}), 1u);
  EXPECT_EQ(CountBodies(std::vector<std::uint32_t>{2, 0, 2}), 3u);
}

TEST(CountBodies, IsNoneWhereGroupsAreNotNumberedAsBodies) {
  EXPECT_EQ(CountBodies(std::vector<std::uint32_t>{3, 0, 1}), 0u);
  EXPECT_EQ(CountBodies(std::vector<std::uint32_t>{0, 0, 0xffffffff}), 0u);
}

TEST(BallsOf, AreAroundAllVerticesOfTheirBodies) {
  Random random(1);
  std::vector<Vector3d> rest;
  std::vector<std::uint32_t> body_of;
  for (int i = 0; i < 500; ++i) {
    const Vec3 p = random.Point(3);
    rest.push_back({p[0] + 10, p[1], p[2]});
    body_of.push_back(random.Below(4) * 2);  // nothing in the odd ones
  }
  const std::vector<BodyBall> balls = BallsOf(rest, body_of, 8);
  ASSERT_EQ(balls.size(), 8u);
  for (std::size_t b = 0; b < 8; ++b) {
    EXPECT_EQ(balls[b].radius < 0, b % 2 == 1) << b;
    EXPECT_LE(balls[b].radius, 3 * std::sqrt(3.0) + 0.1);
  }
  for (std::size_t v = 0; v < rest.size(); ++v) {
    const Vector3d d = rest[v] - balls[body_of[v]].centre;
    EXPECT_LE(std::hypot(d.x, d.y, d.z), balls[body_of[v]].radius);
  }
}

RigidTransform ToTransform(const Matrix& matrix) {
  RigidTransform transform;
  std::memcpy(&transform, matrix.data(), sizeof transform);
  return transform;
}

TEST(CheckReach, NamesTheBodyThatIsTakenTooFar) {
  const std::vector<BodyBall> balls = {{{0, 0, 0}, 1}, {{1, 0, 0}, -1}, {{5e37, 0, 0}, 1}};
  const RigidTransform rest = ToTransform(test_support::kIdentity);
  const RigidTransform far = ToTransform(Turn({0, 0, 1}, 0, {6e37, 0, 0}));
  EXPECT_TRUE(CheckReach(balls, std::vector{rest, rest, rest}).ok());
  EXPECT_TRUE(CheckReach(balls, std::vector{far, far, rest}).ok());
  const absl::Status status = CheckReach(balls, std::vector{far, far, far});
  EXPECT_TRUE(absl::IsInvalidArgument(status));
  EXPECT_EQ(std::string(status.message()),
            "the pose takes body 2 further than 1e+38 from the origin");
}

/// A body in motion: some of its points, and their positions at each time, by definition.
struct Turning {
  Vec3 axis;
  double angle;
  Vec3 pivot;   ///< on the axis
  Vec3 travel;  ///< of the pivot

  Matrix At(double t) const {
    Matrix turn = Turn(axis, t * angle);
    const Vec3 turned = Transformed(turn, pivot);
    for (std::size_t k = 0; k < 3; ++k) {
      turn[4 * k + 3] = pivot[k] - turned[k] + t * travel[k];
    }
    return turn;
  }

  /// The largest distance at any time between the points and their straight lines.
  double LargestDeviation(const std::vector<Vec3>& points) const {
    double largest = 0;
    for (int i = 0; i <= 200; ++i) {
      const double t = i / 200.0;
      const Matrix now = At(t);
      for (const Vec3& p : points) {
        const Vec3 from = Transformed(At(0), p), to = Transformed(At(1), p);
        const Vec3 on_arc = Transformed(now, p);
        double squares = 0;
        for (std::size_t k = 0; k < 3; ++k) {
          const double off = (1 - t) * from[k] + t * to[k] - on_arc[k];
          squares += off * off;
        }
        largest = std::max(largest, std::sqrt(squares));
      }
    }
    return largest;
  }
};

std::vector<BodyBall> BallAround(const std::vector<Vec3>& points) {
  std::vector<Vector3d> rest;
  for (const Vec3& p : points) rest.push_back({p[0], p[1], p[2]});
  return BallsOf(rest, std::vector<std::uint32_t>(points.size(), 0), 1);
}

double BoundOf(const Turning& turning, const std::vector<Vec3>& points) {
  return PathDeviation(BallAround(points), std::vector{ToTransform(turning.At(0))},
                       std::vector{ToTransform(turning.At(1))});
}

TEST(PathDeviation, BoundsBodiesThatTurnAboutTheirCentresOnStraightLines) {
  Random random(2);
  for (int i = 0; i < 200; ++i) {
    std::vector<Vec3> points;
    for (int k = 0; k < 12; ++k) points.push_back(random.Point(1));
    const Vector3d centre = BallAround(points)[0].centre;
    const Turning turning{random.Point(1),
                          random.Uniform(-kPi, kPi),
                          {centre.x, centre.y, centre.z},
                          random.Point(5)};
    EXPECT_LE(turning.LargestDeviation(points), BoundOf(turning, points) * (1 + 1e-9));
  }
}

TEST(PathDeviation, BoundsBodiesThatMoveAsAScrew) {
  Random random(3);
  for (int i = 0; i < 200; ++i) {
    std::vector<Vec3> points;
    for (int k = 0; k < 12; ++k) points.push_back(random.Point(1));
    const Vec3 axis = random.Point(1);
    const double pitch = random.Uniform(-2, 2);
    const Turning turning{axis,
                          random.Uniform(-kPi, kPi),
                          random.Point(20),
                          {pitch * axis[0], pitch * axis[1], pitch * axis[2]}};
    EXPECT_LE(turning.LargestDeviation(points), BoundOf(turning, points) * (1 + 1e-9));
  }
}

TEST(PathDeviation, IsTheSagittaOfAnArcAboutTheCentre) {
  const std::vector<Vec3> points = {{2, 0, 0}, {-2, 0, 0}};
  for (const double angle : {1e-6, 0.01, 0.5, 2.0, kPi}) {
    const double sine = std::sin(angle / 4);
    const double sagitta = 2 * 2 * sine * sine;  // r (1 - cos(angle / 2))
    const Turning turning{{0, 0, 1}, angle, {0, 0, 0}, {0, 0, 0}};
    EXPECT_NEAR(BoundOf(turning, points), sagitta, 1e-9 * sagitta) << angle;
    EXPECT_NEAR(turning.LargestDeviation(points), sagitta, 1e-9 * sagitta + 1e-15) << angle;
  }
}

TEST(PathDeviation, IsNothingWithoutRotation) {
  const std::vector<Vec3> points = {{2, 0, 0}, {-2, 1, 0}};
  EXPECT_EQ(BoundOf({{0, 0, 1}, 0, {0, 0, 0}, {3, 4, 5}}, points), 0);
}

TEST(PathDeviation, IsThatOfTheWorstBodyWithVertices) {
  const std::vector<BodyBall> balls = {{{0, 0, 0}, 1}, {{0, 0, 0}, 3}, {{0, 0, 0}, -1}};
  const RigidTransform rest = ToTransform(test_support::kIdentity);
  const RigidTransform half_turn = ToTransform(Turn({1, 1, 1}, kPi));
  EXPECT_NEAR(PathDeviation(balls, std::vector{rest, rest, rest},
                            std::vector{half_turn, half_turn, half_turn}),
              3, 1e-6);
  EXPECT_NEAR(
      PathDeviation(balls, std::vector{rest, rest, rest}, std::vector{half_turn, rest, half_turn}),
      1, 1e-6);
}

}  // namespace
}  // namespace warpyard::ccd
