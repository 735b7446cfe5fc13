// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/scene/topology.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/support/mesh_fixtures.h"
#include "tests/support/oracles/brute_force.h"

namespace warpyard::ccd {
namespace {

using test_support::IdPair;
using test_support::Motion;

/// Meshes of all kinds: soups, cloths, closed bodies, a fan with an edge of many triangles.
std::vector<std::vector<std::uint32_t>> Meshes() {
  std::vector<std::vector<std::uint32_t>> meshes;
  meshes.push_back({0, 1, 2});
  meshes.push_back({0, 1, 2, 3, 2, 1});
  meshes.push_back({0, 1, 2, 1, 0, 3, 0, 1, 4, 5, 1, 0});
  meshes.push_back({2, 1, 0, 2, 1, 0});
  meshes.push_back(test_support::TriangleSoup(1, {}).triangles);
  meshes.push_back(test_support::FoldingCloth(2, 9, 14).triangles);
  meshes.push_back(test_support::Tetrahedra(3, 20).triangles);
  return meshes;
}

std::uint32_t VertexCount(const std::vector<std::uint32_t>& triangles) {
  return 1 + *std::max_element(triangles.begin(), triangles.end());
}

TEST(Topology, NumbersEdgesByLargerThenSmallerVertex) {
  const std::vector<std::uint32_t> triangles = {0, 1, 2, 3, 2, 1};
  const Topology topology = BuildTopology(triangles, 4);
  EXPECT_EQ(topology.edge_vertices, (std::vector<std::uint32_t>{0, 1, 0, 2, 1, 2, 1, 3, 2, 3}));
  EXPECT_EQ(topology.EdgeCount(), 5u);
}

TEST(Topology, NumbersEdgesAsTheReferenceData) {
  for (const auto& triangles : Meshes()) {
    const Topology topology = BuildTopology(triangles, VertexCount(triangles));
    const std::vector<IdPair> expected = test_support::UniqueEdges(triangles);
    ASSERT_EQ(topology.EdgeCount(), expected.size());
    for (std::size_t e = 0; e < expected.size(); ++e) {
      EXPECT_EQ(topology.edge_vertices[2 * e], expected[e][0]);
      EXPECT_EQ(topology.edge_vertices[2 * e + 1], expected[e][1]);
    }
  }
}

TEST(Topology, JoinsEachSideOfATriangleWithItsEdge) {
  for (const auto& triangles : Meshes()) {
    const Topology topology = BuildTopology(triangles, VertexCount(triangles));
    ASSERT_EQ(topology.triangles.size(), triangles.size() / 3);
    for (std::size_t t = 0; t < topology.triangles.size(); ++t) {
      const Triangle& triangle = topology.triangles[t];
      EXPECT_EQ(triangle.id, t);
      for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_EQ(triangle.vertex[k], triangles[3 * t + k]);
        const std::uint32_t a = triangle.vertex[k], b = triangle.vertex[(k + 1) % 3];
        const std::size_t e = triangle.edge[k];
        EXPECT_EQ(topology.edge_vertices[2 * e], std::min(a, b));
        EXPECT_EQ(topology.edge_vertices[2 * e + 1], std::max(a, b));
      }
    }
  }
}

TEST(Topology, GivesEachVertexAndEachEdgeToExactlyOneTriangle) {
  for (const auto& triangles : Meshes()) {
    const std::uint32_t vertices = VertexCount(triangles) + 3;
    const Topology topology = BuildTopology(triangles, vertices);
    std::vector<int> vertex_owners(vertices, 0), edge_owners(topology.EdgeCount(), 0);
    std::vector<int> uses(vertices, 0);
    for (const Triangle& triangle : topology.triangles) {
      for (int k = 0; k < 3; ++k) {
        vertex_owners[triangle.vertex[k]] += triangle.OwnsVertex(k) ? 1 : 0;
        edge_owners[triangle.edge[k]] += triangle.OwnsEdge(k) ? 1 : 0;
        ++uses[triangle.vertex[k]];
      }
    }
    for (std::uint32_t v = 0; v < vertices; ++v) {
      EXPECT_EQ(vertex_owners[v], uses[v] > 0 ? 1 : 0) << "vertex " << v;
    }
    for (const int owners : edge_owners) EXPECT_EQ(owners, 1);
  }
}

TEST(Topology, IsTheSameForTheSameMesh) {
  const Motion cloth = test_support::FoldingCloth(4, 40, 40);
  const Topology first = BuildTopology(cloth.triangles, 1600),
                 again = BuildTopology(cloth.triangles, 1600);
  EXPECT_EQ(first.edge_vertices, again.edge_vertices);
  for (std::size_t t = 0; t < first.triangles.size(); ++t) {
    EXPECT_EQ(first.triangles[t].owned, again.triangles[t].owned);
  }
}

}  // namespace
}  // namespace warpyard::ccd
