// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/simplify/result/edge_counts.h"

#include <gtest/gtest.h>

#include "client_examples/mesh_measure/mesh_topology.h"
#include "tests/support/serial_sorts.h"
#include "tests/support/simplify/simplify_driver.h"

namespace warpyard::simplify {
namespace {

using test_support::FloatMesh;
using test_support::Made;

SimplifiedMesh MeshOf(const FloatMesh& mesh) {
  SimplifiedMesh made;
  made.positions.assign(mesh.positions.begin(), mesh.positions.end());
  made.triangles.assign(mesh.triangles.begin(), mesh.triangles.end());
  return made;
}

TEST(CountEdges, CountsAsTheClientsMeasureDoes) {
  for (const char* name : {"noisy-sphere-3k", "terrain-2k", "thin-sheets-1k"}) {
    const FloatMesh mesh = Made(name);
    const EdgeCounts counts = CountEdges(MeshOf(mesh));
    const std::vector<double> positions(mesh.positions.begin(), mesh.positions.end());
    const auto topology = mesh_measure::CountTopology({positions, mesh.triangles});
    ASSERT_TRUE(topology.ok()) << topology.status();
    EXPECT_EQ(counts.border, topology->border_edges) << name;
    EXPECT_EQ(counts.non_manifold, topology->non_manifold_edges) << name;
  }
}

TEST(CountEdges, FindsEdgesOfManyTriangles) {
  // Three triangles around the edge from 0 to 1.
  const FloatMesh fan({0, 0, 0, 1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1}, {0, 1, 2, 1, 0, 3, 0, 1, 4});
  const EdgeCounts counts = CountEdges(MeshOf(fan));
  EXPECT_EQ(counts.non_manifold, 1u);
  EXPECT_EQ(counts.border, 6u);
  EXPECT_EQ(CountEdges({}).border, 0u);
}

TEST(CountEdges, TakesVerticesOfASeamForOne) {
  // Two triangles with vertices of their own on the edge between them.
  const FloatMesh mesh({0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, -1, 0}, {0, 1, 2, 3, 4, 5});
  SimplifiedMesh seam = MeshOf(mesh);
  EXPECT_EQ(CountEdges(seam).border, 6u);
  seam.groups.assign(6, 0);
  EXPECT_EQ(CountEdges(seam).border, 4u);
}

}  // namespace
}  // namespace warpyard::simplify
