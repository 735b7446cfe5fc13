// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "tests/support/oracles/feature_distance.h"

#include <gtest/gtest.h>

#include <cmath>

namespace warpyard::test_support {
namespace {

TEST(FeatureDistance, IsThatToTheInsideASideOrACornerOfAFace) {
  Query query;
  query.kind = PairKind::kVertexFace;
  query.start = {{{1, 1, 2}, {0, 0, 0}, {4, 0, 0}, {0, 4, 0}}};
  query.end = query.start;
  EXPECT_NEAR(DistanceAt(query, 0), 2, 1e-8);
  query.end[0] = {1, -1, 0};
  EXPECT_NEAR(DistanceAt(query, 1), 1, 1e-8);
  query.end[0] = {-3, -4, 0};
  EXPECT_NEAR(DistanceAt(query, 1), 5, 1e-8);
  query.end[0] = {3, 3, 0};
  EXPECT_NEAR(DistanceAt(query, 1), std::sqrt(2.0), 1e-8)
      << "to the side opposite the first corner";
  query.end[0] = {1, 1, 0};
  EXPECT_NEAR(DistanceAt(query, 0.25), 1.5, 1e-8);
  EXPECT_NEAR(DistanceAt(query, 1), 0, 1e-8);
}

TEST(FeatureDistance, IsThatBetweenInsidesOrEndsOfEdges) {
  Query query;
  query.kind = PairKind::kEdgeEdge;
  query.start = {{{-1, 0, 0}, {1, 0, 0}, {0, -1, 3}, {0, 1, 3}}};
  query.end = {{{-1, 0, 0}, {1, 0, 0}, {4, 4, 0}, {9, 9, 0}}};
  EXPECT_NEAR(DistanceAt(query, 0), 3, 1e-8);
  EXPECT_NEAR(DistanceAt(query, 1), 5, 1e-8);
  query.end = {{{0, 0, 0}, {4, 0, 0}, {1, 2, 0}, {9, 2, 0}}};
  EXPECT_NEAR(DistanceAt(query, 1), 2, 1e-8) << "parallel";
  query.end = {{{0, 0, 0}, {0, 0, 0}, {0, 3, 4}, {0, 3, 4}}};
  EXPECT_NEAR(DistanceAt(query, 1), 5, 1e-8) << "points";
}

}  // namespace
}  // namespace warpyard::test_support
