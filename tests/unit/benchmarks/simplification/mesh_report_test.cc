// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/simplification/mesh_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "absl/status/status.h"
#include "benchmarks/meshes/procedural_mesh.h"
#include "client_examples/mesh_io/mesh_io.h"

namespace warpyard::simplification_bench {
namespace {

using mesh_measure::CountTopology;
using ::testing::HasSubstr;

TEST(MeshReport, HasDistancesAndCounts) {
  const meshes::TriangleMesh terrain = *meshes::MakeMesh("terrain-200");
  const MeshView view{terrain.positions, terrain.triangles};
  const auto report = MeasureMesh(view, view, {1000, 1, 1});
  ASSERT_TRUE(report.ok()) << report.status();
  const std::string json = report->ToJsonMembers();
  EXPECT_THAT(json,
              HasSubstr("\"original_triangles\": 200, \"triangles\": 200, \"rms_percent\": "));
  EXPECT_THAT(json, HasSubstr("\"border_edges\": 40"));
  EXPECT_THAT(json, HasSubstr("\"closed\": false"));
  EXPECT_TRUE(absl::IsInvalidArgument(MeasureMesh(view, {}).status()));
}

TEST(MeshReport, KnowsTheSharedMeshes) {
  const std::string root = std::string(WARPYARD_SHARED_DATA) + "/meshes/";
  if (!std::filesystem::exists(root)) GTEST_SKIP() << "no shared data in " << root;
  const auto bunny = mesh_io::ReadMesh(root + "bunny.ply");
  const auto armadillo = mesh_io::ReadMesh(root + "armadillo.ply");
  ASSERT_TRUE(bunny.ok() && armadillo.ok());
  const auto open = CountTopology({bunny->positions, bunny->triangles});
  const auto closed = CountTopology({armadillo->positions, armadillo->triangles});
  ASSERT_TRUE(open.ok() && closed.ok());
  EXPECT_EQ(open->border_edges, 223u);
  EXPECT_EQ(open->euler_characteristic, 2 - 5) << "five holes";
  EXPECT_TRUE(closed->Closed());
  EXPECT_EQ(closed->euler_characteristic, 2);
}

}  // namespace
}  // namespace warpyard::simplification_bench
