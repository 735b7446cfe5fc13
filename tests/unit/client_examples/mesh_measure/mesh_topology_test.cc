// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/mesh_measure/mesh_topology.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "benchmarks/meshes/adversarial_mesh.h"

namespace warpyard::mesh_measure {
namespace {

using Indices = std::vector<std::uint32_t>;

/// Enough vertices for all cases; no three of them are in one line.
std::vector<double> Places(std::size_t count) {
  std::vector<double> positions;
  for (std::size_t i = 0; i < count; ++i) {
    const auto x = static_cast<double>(i);
    positions.insert(positions.end(), {x, x * x, x * x * x});
  }
  return positions;
}

MeshTopology Count(const Indices& triangles, std::size_t vertices = 8) {
  const std::vector<double> positions = Places(vertices);
  const auto topology = CountTopology({positions, triangles});
  EXPECT_TRUE(topology.ok()) << topology.status();
  return topology.value_or(MeshTopology{});
}

const Indices kTetrahedron = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};

TEST(MeshTopology, OfACubeIsThatOfABall) {
  const MeshTopology cube = Count({0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4,
                                   1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7});
  EXPECT_EQ(cube.triangles, 12u);
  EXPECT_EQ(cube.vertices, 8u);
  EXPECT_EQ(cube.edges, 18u);
  EXPECT_EQ(cube.euler_characteristic, 2);
  EXPECT_EQ(cube.components, 1u);
  EXPECT_EQ(cube.misoriented_edges, 0u);
  EXPECT_TRUE(cube.Closed());
}

TEST(MeshTopology, CountsBordersPartsAndUnusedVertices) {
  Indices open = kTetrahedron;
  open.resize(9);
  open.insert(open.end(), {4, 5, 6});
  const MeshTopology topology = Count(open);
  EXPECT_EQ(topology.border_edges, 3u + 3u);
  EXPECT_EQ(topology.components, 2u);
  EXPECT_EQ(topology.vertices, 7u);
  EXPECT_EQ(topology.unused_vertices, 1u);
  EXPECT_EQ(topology.euler_characteristic, 1 + 1);
  EXPECT_FALSE(topology.Closed());
}

TEST(MeshTopology, CountsEdgesWithMoreThanTwoTriangles) {
  const MeshTopology book = Count({0, 1, 2, 0, 1, 3, 0, 1, 4});
  EXPECT_EQ(book.non_manifold_edges, 1u);
  EXPECT_EQ(book.border_edges, 6u);
  EXPECT_EQ(Count({0, 1, 2, 1, 0, 3}).non_manifold_edges, 0u);
}

TEST(MeshTopology, TellsFinsFromDuplicates) {
  const MeshTopology fin = Count({0, 1, 2, 1, 0, 2});
  EXPECT_EQ(fin.fins, 1u);
  EXPECT_EQ(fin.duplicates, 0u);
  EXPECT_EQ(fin.border_edges, 0u);
  const MeshTopology duplicate = Count({0, 1, 2, 1, 2, 0});
  EXPECT_EQ(duplicate.fins, 0u);
  EXPECT_EQ(duplicate.duplicates, 1u);
  EXPECT_EQ(duplicate.misoriented_edges, 3u);
  const MeshTopology both = Count({0, 1, 2, 2, 0, 1, 0, 2, 1});
  EXPECT_EQ(both.fins, 1u);
  EXPECT_EQ(both.duplicates, 1u);
}

TEST(MeshTopology, LeavesRepeatedCornersOutOfAllElse) {
  Indices triangles = kTetrahedron;
  triangles.insert(triangles.end(), {0, 0, 5, 6, 7, 6, 3, 3, 3});
  const MeshTopology topology = Count(triangles);
  EXPECT_EQ(topology.triangles, 7u);
  EXPECT_EQ(topology.repeated_corners, 3u);
  EXPECT_EQ(topology.vertices, 4u);
  EXPECT_EQ(topology.zero_area, 0u);
  EXPECT_TRUE(topology.Closed());
}

TEST(MeshTopology, CountsTrianglesWithoutArea) {
  const std::vector<double> positions = {0, 0, 0, 1, 1, 1, 3, 3, 3, 0, 1, 0, 1, 1, 1};
  const Indices triangles = {0, 1, 2, 0, 1, 3, 1, 4, 3};
  const auto topology = CountTopology({positions, triangles});
  ASSERT_TRUE(topology.ok());
  EXPECT_EQ(topology->zero_area, 2u) << "one in a line, one with two corners in one place";
}

TEST(MeshTopology, JoinsPartsThatShareOneVertex) {
  Indices bow_tie = kTetrahedron;
  for (const std::uint32_t vertex : kTetrahedron) bow_tie.push_back(vertex == 0 ? 0 : vertex + 3);
  const MeshTopology topology = Count(bow_tie);
  EXPECT_EQ(topology.components, 1u);
  EXPECT_EQ(topology.euler_characteristic, 3) << "two balls less one vertex";
}

TEST(MeshTopology, TakesEveryValidMeshAndRefusesTheOthers) {
  for (std::uint64_t seed = 0; seed < meshes::kAdversarialKinds; ++seed) {
    const meshes::TriangleMesh mesh = meshes::MakeAdversarialMesh(seed);
    EXPECT_TRUE(CountTopology({mesh.positions, mesh.triangles}).ok()) << mesh.name;
  }
  for (const meshes::TriangleMesh& mesh : meshes::MakeInvalidMeshes()) {
    const auto topology = CountTopology({mesh.positions, mesh.triangles});
    EXPECT_TRUE(absl::IsInvalidArgument(topology.status())) << mesh.name;
  }
}

}  // namespace
}  // namespace warpyard::mesh_measure
