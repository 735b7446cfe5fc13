// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/meshes/adversarial_mesh.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <set>
#include <string>

#include "client_examples/mesh_measure/mesh_topology.h"
#include "tests/unit/benchmarks/meshes/fingerprint.h"

namespace warpyard::meshes {
namespace {

using mesh_measure::CountTopology;
using mesh_measure::MeshTopology;

/// The mesh of a kind with the least seed.
TriangleMesh MakeKind(const std::string& kind) {
  for (std::uint64_t seed = 0; seed < kAdversarialKinds; ++seed) {
    TriangleMesh mesh = MakeAdversarialMesh(seed);
    if (mesh.name.substr(0, mesh.name.rfind('-')) == kind) return mesh;
  }
  ADD_FAILURE() << "no kind " << kind;
  return {};
}

MeshTopology TopologyOf(const std::string& kind) {
  const TriangleMesh mesh = MakeKind(kind);
  return CountTopology({mesh.positions, mesh.triangles}).value_or(MeshTopology{});
}

double Largest(const TriangleMesh& mesh) {
  double largest = 0;
  for (const double value : mesh.positions) largest = std::fmax(largest, std::fabs(value));
  return largest;
}

TEST(AdversarialMesh, HasValidIndicesAndFiniteFloats) {
  std::set<std::string> names;
  for (std::uint64_t seed = 0; seed < 20 * kAdversarialKinds; ++seed) {
    const TriangleMesh mesh = MakeAdversarialMesh(seed);
    EXPECT_TRUE(names.insert(mesh.name).second) << mesh.name;
    EXPECT_LE(mesh.Triangles(), 20'000u) << mesh.name;
    EXPECT_TRUE(CountTopology({mesh.positions, mesh.triangles}).ok()) << mesh.name;
    EXPECT_LE(Largest(mesh), 1e30) << mesh.name;
    for (const double value : mesh.positions) {
      ASSERT_EQ(static_cast<double>(static_cast<float>(value)), value) << mesh.name;
    }
  }
}

TEST(AdversarialMesh, HasTheDefectsOfItsKind) {
  EXPECT_EQ(TopologyOf("empty").triangles, 0u);
  EXPECT_EQ(TopologyOf("one-triangle").triangles, 1u);
  EXPECT_GT(TopologyOf("repeated-corners").repeated_corners, 0u);
  EXPECT_GT(TopologyOf("zero-area").zero_area, 0u);
  EXPECT_GT(TopologyOf("duplicates").duplicates + TopologyOf("duplicates").fins, 0u);
  EXPECT_EQ(2 * TopologyOf("both-sides").fins, TopologyOf("both-sides").triangles);
  EXPECT_EQ(TopologyOf("non-manifold-fan").non_manifold_edges, 1u);
  EXPECT_EQ(TopologyOf("bow-ties").components, 1u);
  EXPECT_GT(TopologyOf("unused-vertices").unused_vertices, 1u);
  EXPECT_EQ(TopologyOf("in-one-line").zero_area, TopologyOf("in-one-line").triangles);
  EXPECT_EQ(TopologyOf("in-one-point").zero_area, TopologyOf("in-one-point").triangles);
  EXPECT_EQ(TopologyOf("unwelded").components, TopologyOf("unwelded").triangles);
  EXPECT_GT(TopologyOf("mixture").misoriented_edges, 0u) << "a Moebius strip";
  EXPECT_GT(Largest(MakeKind("huge")), 1e28);
  EXPECT_LT(Largest(MakeKind("tiny")), 1e-28);
}

TEST(AdversarialMesh, HasTheSameBitsEverywhere) {
  std::uint64_t all = 0;
  for (std::uint64_t seed = 0; seed < 4 * kAdversarialKinds; ++seed) {
    all = 31 * all + Fingerprint(MakeAdversarialMesh(seed));
  }
  EXPECT_EQ(all, 0xf994f2eaded8be63u);
}

TEST(AdversarialMesh, InvalidMeshesAreInvalid) {
  for (const TriangleMesh& mesh : MakeInvalidMeshes()) {
    EXPECT_FALSE(CountTopology({mesh.positions, mesh.triangles}).ok()) << mesh.name;
  }
}

}  // namespace
}  // namespace warpyard::meshes
