// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "tests/support/mesh_fixtures.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/support/oracles/brute_force.h"
#include "tests/support/oracles/exact_query.h"

namespace warpyard::test_support {
namespace {

void ExpectValid(const Motion& motion) {
  EXPECT_EQ(motion.start.size() % 3, 0u);
  EXPECT_EQ(motion.start.size(), motion.end.size());
  EXPECT_EQ(motion.vertex_groups.size(), motion.Vertices());
  for (const double value : motion.start) EXPECT_TRUE(std::isfinite(value));
  for (const double value : motion.end) EXPECT_TRUE(std::isfinite(value));
  for (std::size_t i = 0; i < motion.triangles.size(); i += 3) {
    const std::uint32_t* corner = &motion.triangles[i];
    for (int c = 0; c < 3; ++c) EXPECT_LT(corner[c], motion.Vertices());
    EXPECT_TRUE(corner[0] != corner[1] && corner[1] != corner[2] && corner[2] != corner[0]);
  }
}

// Pairs of a mesh that touch, exactly.
std::size_t Collisions(const Motion& motion) {
  const CandidatePairs pairs = BruteForceCandidates(motion);
  const std::vector<IdPair> edges = UniqueEdges(motion.triangles);
  std::size_t collisions = 0;
  for (const auto& [vertex, face] : pairs.vertex_face) {
    collisions += EarliestImpact(VertexFaceQuery(motion, vertex, face)).has_value();
  }
  for (const auto& [a, b] : pairs.edge_edge) {
    collisions +=
        EarliestImpact(EdgeEdgeQuery(motion, {edges[a][0], edges[a][1], edges[b][0], edges[b][1]}))
            .has_value();
  }
  return collisions;
}

TEST(MeshFixtures, AreValidAndCollide) {
  for (const int grid_bits : {0, 3}) {
    const Motion soup = TriangleSoup(1, {100, 0.3, 0.3, grid_bits});
    ExpectValid(soup);
    EXPECT_EQ(soup.Triangles(), 100u);
    EXPECT_GT(Collisions(soup), 20u);
  }
  const Motion cloth = FoldingCloth(1, 12, 13);
  ExpectValid(cloth);
  EXPECT_EQ(cloth.Triangles(), 2u * 11 * 12);
  EXPECT_GT(Collisions(cloth), 20u);
  Motion both = Tetrahedra(1, 20);
  ExpectValid(both);
  EXPECT_GT(Collisions(both), 20u);
  Append(cloth, both);
  ExpectValid(both);
  EXPECT_EQ(both.Triangles(), 80u + cloth.Triangles());
  EXPECT_EQ(both.vertex_groups.back(), 20u);
}

TEST(MeshFixtures, FollowTheSeed) {
  EXPECT_EQ(TriangleSoup(5, {}).end, TriangleSoup(5, {}).end);
  EXPECT_NE(TriangleSoup(5, {}).end, TriangleSoup(6, {}).end);
  EXPECT_EQ(Random(1).Uniform(0, 1), 0.13387664401253263);
}

TEST(MeshFixtures, DegenerateMotionsAreWhatTheirNamesSay) {
  for (const NamedMotion& named : DegenerateMotions()) {
    SCOPED_TRACE(named.name);
    ExpectValid(named.motion);
    const bool apart = named.name == "one_triangle" || named.name == "nothing_moves_apart";
    EXPECT_EQ(Collisions(named.motion) == 0, apart);
  }
}

}  // namespace
}  // namespace warpyard::test_support
