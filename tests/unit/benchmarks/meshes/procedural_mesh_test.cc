// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/meshes/procedural_mesh.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "client_examples/mesh_measure/mesh_topology.h"
#include "tests/unit/benchmarks/meshes/fingerprint.h"

namespace warpyard::meshes {
namespace {

using mesh_measure::CountTopology;
using mesh_measure::MeshTopology;

constexpr const char* kNames[] = {"noisy-sphere-10k", "torus-knot-10k", "terrain-10k",
                                  "cad-part-10k",     "many-parts-10k", "thin-sheets-10k"};

TriangleMesh Make(const std::string& name, std::uint64_t seed = 1) {
  auto mesh = MakeMesh(name, seed);
  EXPECT_TRUE(mesh.ok()) << mesh.status();
  return mesh.value_or(TriangleMesh{});
}

MeshTopology TopologyOfNamed(const std::string& name) {
  const TriangleMesh mesh = Make(name);
  return CountTopology({mesh.positions, mesh.triangles}).value_or(MeshTopology{});
}

TEST(ProceduralMesh, IsACleanSurfaceOfTheWantedSize) {
  for (const char* name : kNames) {
    const MeshTopology topology = TopologyOfNamed(name);
    EXPECT_LE(topology.triangles, 10'000u) << name;
    EXPECT_GT(topology.triangles, 5'000u) << name;
    EXPECT_EQ(topology.non_manifold_edges + topology.misoriented_edges, 0u) << name;
    EXPECT_EQ(topology.repeated_corners + topology.zero_area, 0u) << name;
    EXPECT_EQ(topology.duplicates + topology.fins + topology.unused_vertices, 0u) << name;
  }
}

TEST(ProceduralMesh, HasTheTopologyOfItsKind) {
  EXPECT_TRUE(TopologyOfNamed("noisy-sphere-10k").Closed());
  EXPECT_EQ(TopologyOfNamed("noisy-sphere-10k").euler_characteristic, 2);
  EXPECT_TRUE(TopologyOfNamed("torus-knot-10k").Closed());
  EXPECT_EQ(TopologyOfNamed("torus-knot-10k").euler_characteristic, 0);
  EXPECT_TRUE(TopologyOfNamed("cad-part-10k").Closed());
  EXPECT_EQ(TopologyOfNamed("cad-part-10k").euler_characteristic, 2 - 2 * 4) << "four holes";
  EXPECT_EQ(TopologyOfNamed("terrain-10k").border_edges, 4 * 70u);
  EXPECT_EQ(TopologyOfNamed("terrain-10k").euler_characteristic, 1);
  EXPECT_TRUE(TopologyOfNamed("many-parts-10k").Closed());
  EXPECT_EQ(TopologyOfNamed("many-parts-10k").components, 50u);
  EXPECT_EQ(TopologyOfNamed("thin-sheets-10k").components, 2u);
}

/// Six times the volume inside, where the mesh is closed and faces outward.
double SixfoldVolume(const TriangleMesh& mesh) {
  const mesh_measure::MeshView view{mesh.positions, mesh.triangles};
  double volume = 0;
  for (std::size_t t = 0; t < view.Triangles(); ++t) {
    const auto corners = view.CornersOf(t);
    volume += Dot(corners[0], Cross(corners[1], corners[2]));
  }
  return volume;
}

TEST(ProceduralMesh, FacesOutward) {
  EXPECT_GT(SixfoldVolume(Make("noisy-sphere-10k")), 0);
  EXPECT_GT(SixfoldVolume(Make("torus-knot-10k")), 0);
  EXPECT_GT(SixfoldVolume(Make("many-parts-10k")), 0);
  EXPECT_NEAR(SixfoldVolume(Make("cad-part-10k")) / 6, 12 * 8 * 2 - 6 * 2 + 4 * 4 * 2, 1e-3);
}

TEST(ProceduralMesh, HasFloatsAsCoordinates) {
  for (const char* name : kNames) {
    for (const double value : Make(name).positions) {
      ASSERT_EQ(static_cast<double>(static_cast<float>(value)), value) << name;
    }
  }
}

TEST(ProceduralMesh, FollowsItsSeed) {
  for (const char* name : {"noisy-sphere-1k", "terrain-1k", "many-parts-1k", "thin-sheets-1k"}) {
    EXPECT_EQ(Fingerprint(Make(name, 3)), Fingerprint(Make(name, 3))) << name;
    EXPECT_NE(Fingerprint(Make(name, 3)), Fingerprint(Make(name, 4))) << name;
  }
}

// Every machine and every compiler must give the same bits, or results cannot be compared.
TEST(ProceduralMesh, GivesTheSameBitsEverywhere) {
  EXPECT_EQ(Fingerprint(Make("noisy-sphere-1k")), 0x9a56af9aa534daf9u);
  EXPECT_EQ(Fingerprint(Make("torus-knot-2k")), 0x6c2e2f53e8c8d6fu);
  EXPECT_EQ(Fingerprint(Make("many-parts-1k")), 0xa4ddd8fb3d6d686du);
}

TEST(ProceduralMesh, RefusesWhatItCannotMake) {
  for (const char* name : {"", "terrain", "terrain-", "terrain-1", "torus-knot-1999", "cad-part-4x",
                           "noisy-sphere-1000m", "teapot-1k"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(MakeMesh(name).status())) << name;
  }
}

}  // namespace
}  // namespace warpyard::meshes
