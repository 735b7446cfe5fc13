// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/contacts/contact_geometry.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>

#include "tests/support/mesh_fixtures.h"
#include "tests/support/oracles/feature_distance.h"
#include "tests/unit/workload/ccd/narrow/exact_pair.h"

namespace warpyard::ccd {
namespace {

using test_support::OtherKind;
using test_support::Query;
using test_support::Random;
using test_support::Vec3;

using Points = std::array<Vec3, 4>;

MovingPair Moving(PairKind kind, const Points& start, const Points& end) {
  MovingPair pair = test_support::ToMovingPair({test_support::PairKind::kVertexFace, start, end});
  pair.kind = kind;
  return pair;
}

void ExpectNear(const double (&found)[3], const Vec3& expected, double error = 1e-12) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    EXPECT_NEAR(found[axis], expected[axis], error) << "axis " << axis;
  }
}

const Points kFalling = {{{1, 1, 1}, {0, 0, 0}, {4, 0, 0}, {0, 4, 0}}};

Points WithFirst(Points points, const Vec3& first) {
  points[0] = first;
  return points;
}

TEST(VertexFaceGeometry, OfAVertexAboveTheInside) {
  const MovingPair pair = Moving(PairKind::kVertexFace, kFalling, WithFirst(kFalling, {1, 1, -1}));
  const VertexFaceGeometry geometry = VertexFaceGeometryAt(pair, 0.25);
  ExpectNear(geometry.weights, {0.5, 0.25, 0.25});
  ExpectNear(geometry.normal, {0, 0, -1});
}

TEST(VertexFaceGeometry, OfAVertexThatTouchesIsTheFacesOnTheSideThatItMovesTo) {
  for (const double to : {-1.0, -3.0}) {
    for (const double side : {1.0, -1.0}) {
      Points start = WithFirst(kFalling, {1, 1, side}),
             end = WithFirst(kFalling, {1, 1, side * to});
      const VertexFaceGeometry geometry =
          VertexFaceGeometryAt(Moving(PairKind::kVertexFace, start, end), 1 / (1 - to));
      ExpectNear(geometry.normal, {0, 0, -side});
      ExpectNear(geometry.weights, {0.5, 0.25, 0.25});
    }
  }
  // The face moves instead of the vertex.
  Points start = WithFirst(kFalling, {1, 1, 0}), end = start;
  for (std::size_t k = 1; k < 4; ++k) end[k][2] = -2;
  ExpectNear(VertexFaceGeometryAt(Moving(PairKind::kVertexFace, start, end), 0).normal, {0, 0, 1});
}

TEST(VertexFaceGeometry, OfAVertexBesideTheFaceIsTowardsItsSideOrCorner) {
  const auto at = [](const Vec3& vertex) {
    const Points points = WithFirst(kFalling, vertex);
    return VertexFaceGeometryAt(Moving(PairKind::kVertexFace, points, points), 0.5);
  };
  ExpectNear(at({3, 3, 0}).weights, {0, 0.5, 0.5});
  ExpectNear(at({3, 3, 0}).normal, {-std::sqrt(0.5), -std::sqrt(0.5), 0});
  ExpectNear(at({-3, -4, 0}).weights, {1, 0, 0});
  ExpectNear(at({-3, -4, 0}).normal, {0.6, 0.8, 0});
  ExpectNear(at({1, -2, 0}).normal, {0, 1, 0});
}

TEST(VertexFaceGeometry, OfAFaceWithoutAreaIsAcrossIt) {
  const Points start = {{{1, 0, 1}, {0, 0, 0}, {2, 0, 0}, {4, 0, 0}}};
  const Points end = WithFirst(start, {1, 0, -1});
  const MovingPair pair = Moving(PairKind::kVertexFace, start, end);
  ExpectNear(VertexFaceGeometryAt(pair, 0).normal, {0, 0, -1});
  ExpectNear(VertexFaceGeometryAt(pair, 0.5).normal, {0, 0, -1});
  // The motion is along the face, or there is none: any direction perpendicular to the face is
  // right.
  for (const Vec3& to : {Vec3{3, 0, 0}, Vec3{1, 0, 0}}) {
    const VertexFaceGeometry geometry = VertexFaceGeometryAt(
        Moving(PairKind::kVertexFace, WithFirst(start, {1, 0, 0}), WithFirst(start, to)), 0);
    EXPECT_NEAR(geometry.normal[0], 0, 1e-12);
    EXPECT_NEAR(std::hypot(geometry.normal[1], geometry.normal[2]), 1, 1e-12);
  }
}

TEST(VertexFaceGeometry, OfFourPointsInOnePlaceIsTheMotionOrAnything) {
  Points start{}, end{};
  ExpectNear(VertexFaceGeometryAt(Moving(PairKind::kVertexFace, start, end), 0).normal, {1, 0, 0});
  end[0] = {0, 3, 4};
  ExpectNear(VertexFaceGeometryAt(Moving(PairKind::kVertexFace, start, end), 0).normal,
             {0, 0.6, 0.8});
}

TEST(EdgeEdgeGeometry, OfEdgesThatCross) {
  const Points start = {{{0, 0, 0}, {4, 0, 0}, {1, -1, 2}, {1, 3, 2}}};
  Points end = start;
  end[2][2] = end[3][2] = -2;
  const MovingPair pair = Moving(PairKind::kEdgeEdge, start, end);
  for (const double time : {0.0, 0.25, 0.5}) {  // the last touches
    const EdgeEdgeGeometry geometry = EdgeEdgeGeometryAt(pair, time);
    EXPECT_NEAR(geometry.parameters[0], 0.25, 1e-12);
    EXPECT_NEAR(geometry.parameters[1], 0.25, 1e-12);
    ExpectNear(geometry.normal, {0, 0, 1});
  }
}

TEST(EdgeEdgeGeometry, OfEdgesThatAreNearestAtTheirEnds) {
  const Points points = {{{0, 0, 0}, {4, 0, 0}, {7, 4, 0}, {9, 9, 1}}};
  const EdgeEdgeGeometry geometry =
      EdgeEdgeGeometryAt(Moving(PairKind::kEdgeEdge, points, points), 1);
  EXPECT_EQ(geometry.parameters[0], 1);
  EXPECT_EQ(geometry.parameters[1], 0);
  ExpectNear(geometry.normal, {0.6, 0.8, 0});
}

TEST(EdgeEdgeGeometry, OfParallelEdgesIsAcrossThem) {
  const Points start = {{{0, 0, 0}, {4, 0, 0}, {1, 0, 2}, {9, 0, 2}}};
  Points end = start;
  end[2] = {1, 0, -2};
  end[3] = {9, 0, -2};
  const MovingPair pair = Moving(PairKind::kEdgeEdge, start, end);
  ExpectNear(EdgeEdgeGeometryAt(pair, 0.25).normal, {0, 0, 1});
  ExpectNear(EdgeEdgeGeometryAt(pair, 0.5).normal, {0, 0, 1});
}

TEST(EdgeEdgeGeometry, OfAPointThatTouchesAnEdgeIsAcrossIt) {
  const Points start = {{{1, 5, 0}, {1, 5, 0}, {0, 0, 0}, {4, 0, 0}}};
  Points end = start;
  end[0] = end[1] = {1, -5, 0};
  const MovingPair pair = Moving(PairKind::kEdgeEdge, start, end);
  ExpectNear(EdgeEdgeGeometryAt(pair, 0.5).normal, {0, -1, 0});
  EXPECT_NEAR(EdgeEdgeGeometryAt(pair, 0.5).parameters[1], 0.25, 1e-12);
}

/// For the closest point of each feature, the weights of the pair's four points.
struct Found {
  std::array<double, 4> first{}, second{};
  Vec3 normal{};

  Found(const MovingPair& pair, double time) {
    if (pair.kind == PairKind::kVertexFace) {
      const VertexFaceGeometry geometry = VertexFaceGeometryAt(pair, time);
      first[0] = 1;
      for (std::size_t k = 0; k < 3; ++k) second[k + 1] = geometry.weights[k];
      for (std::size_t k = 0; k < 3; ++k) normal[k] = geometry.normal[k];
    } else {
      const EdgeEdgeGeometry geometry = EdgeEdgeGeometryAt(pair, time);
      first = {1 - geometry.parameters[0], geometry.parameters[0], 0, 0};
      second = {0, 0, 1 - geometry.parameters[1], geometry.parameters[1]};
      for (std::size_t k = 0; k < 3; ++k) normal[k] = geometry.normal[k];
    }
  }
};

// Pairs of any size and place, degenerate or not: the weights must belong to closest points, and
// the normal must have length 1.
TEST(ContactGeometry, IsOfClosestPointsForAllPairs) {
  Random random(61);
  for (std::uint32_t i = 0; i < 6000; ++i) {
    const double scale = std::ldexp(1.0, static_cast<int>(random.Below(160)) - 80);
    const Vec3 by = random.Point(i % 4 == 0 ? 100 * scale : 0);
    const Query query =
        test_support::Moved(i % 2 == 0 ? test_support::GridQuery(random, OtherKind(i / 2))
                                       : test_support::AimedQuery(random, OtherKind(i / 2), 0),
                            scale, by);
    const double time = i % 3 == 0 ? random.Below(3) * 0.5 : random.Uniform(0, 1);
    const Found found(test_support::ToMovingPair(query), time);
    const auto points = test_support::PointsAt(query, time);
    Vec3 p{}, q{};
    for (std::size_t k = 0; k < 4; ++k) {
      ASSERT_TRUE(found.first[k] >= 0 && found.second[k] >= 0) << query;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        p[axis] += found.first[k] * points[k][axis];
        q[axis] += found.second[k] * points[k][axis];
      }
    }
    const double rounding = 1e-12 * scale;
    ASSERT_LE(test_support::Distance(p, q), test_support::DistanceAt(query, time) + rounding)
        << query << " at " << time;
    ASSERT_NEAR(std::hypot(found.normal[0], found.normal[1], found.normal[2]), 1, 1e-14) << query;
    double along = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) along += found.normal[axis] * (q[axis] - p[axis]);
    ASSERT_GE(along, test_support::Distance(p, q) * (1 - 1e-6) - rounding) << query;
  }
}

}  // namespace
}  // namespace warpyard::ccd
