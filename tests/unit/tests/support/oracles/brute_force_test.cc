// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "tests/support/oracles/brute_force.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "tests/support/mesh_fixtures.h"
#include "tests/support/oracles/query_file.h"

namespace warpyard::test_support {
namespace {

using ccd::GroupRule;

TEST(BruteForce, NumbersEdgesByLargerThenSmallerVertex) {
  const std::vector<std::uint32_t> triangles = {0, 1, 2, 3, 2, 1};
  const std::vector<IdPair> expected = {{0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 3}};
  EXPECT_EQ(UniqueEdges(triangles), expected);
}

TEST(BruteForce, PairsNoFeaturesThatShareAVertex) {
  const Motion cloth = FoldingCloth(1, 2, 2);
  const CandidatePairs pairs = BruteForceCandidates(cloth);
  // Two triangles with a common side: only the opposite corners and sides may pair.
  EXPECT_LE(pairs.vertex_face.size(), 2u);
  EXPECT_LE(pairs.edge_edge.size(), 2u);
}

TEST(BruteForce, CountsBoxesThatOnlyTouch) {
  for (const NamedMotion& named : DegenerateMotions()) {
    if (named.name != "touches_at_the_end_only") continue;
    const CandidatePairs pairs = BruteForceCandidates(named.motion);
    EXPECT_FALSE(pairs.vertex_face.empty());
    EXPECT_FALSE(pairs.edge_edge.empty());
  }
}

TEST(BruteForce, SplitsPairsByGroup) {
  const Motion soup = Tetrahedra(3, 30);
  const CandidatePairs all = BruteForceCandidates(soup);
  const CandidatePairs same = BruteForceCandidates(soup, GroupRule::kSame);
  const CandidatePairs different = BruteForceCandidates(soup, GroupRule::kDifferent);
  EXPECT_FALSE(same.vertex_face.empty());
  EXPECT_FALSE(different.vertex_face.empty());
  EXPECT_EQ(same.vertex_face.size() + different.vertex_face.size(), all.vertex_face.size());
  EXPECT_EQ(same.edge_edge.size() + different.edge_edge.size(), all.edge_edge.size());
}

TEST(BruteForce, LeavesOutVerticesThatNoTriangleUses) {
  for (const NamedMotion& named : DegenerateMotions()) {
    if (named.name != "vertex_that_no_triangle_uses") continue;
    for (const IdPair& pair : BruteForceCandidates(named.motion).vertex_face) {
      EXPECT_NE(pair[0], named.motion.Vertices() - 1);
    }
  }
}

// Counts and hashes that were computed elsewhere with a different method.
TEST(BruteForce, AgreesOnTheArmadilloScene) {
  const auto scene = ReadSharedScene("armadillo-rollers");
  if (!scene.ok()) GTEST_SKIP() << scene.status();
  const CandidatePairs pairs = BruteForceCandidates(scene->motion);
  EXPECT_EQ(pairs.vertex_face.size(), 2'031'902u);
  EXPECT_EQ(pairs.edge_edge.size(), 5'068'080u);
  EXPECT_EQ(PairSetHash(pairs.vertex_face), 0x94b61c45b21e5418u);
  EXPECT_EQ(PairSetHash(pairs.edge_edge), 0x1ef802ab605e699eu);
}

}  // namespace
}  // namespace warpyard::test_support
