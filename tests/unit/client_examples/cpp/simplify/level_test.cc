// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/cpp/simplify/level.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "client_examples/mesh_io/gltf/gltf_writer.h"
#include "tests/unit/client_examples/cpp/simplify/samples.h"
#include "tests/unit/client_examples/mesh_io/gltf/sample_glb.h"

namespace warpyard::cli {
namespace {

using mesh_io::Model;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

FilePlan PlanOf(const Model& model) {
  SimplifyArguments arguments;
  arguments.files = {"in.glb", "out.glb"};
  arguments.request.set_triangles(100);
  return *PlanFile(model, arguments);
}

/// The level in which each mesh has its first triangles.
absl::StatusOr<FileLevel> LevelOf(const Model& model, const std::vector<std::uint64_t>& triangles) {
  const FilePlan plan = PlanOf(model);
  std::vector<v1::SimplifyResponse> responses;
  std::vector<const v1::SimplifyResponse*> pointers;
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    responses.push_back(FirstTriangles(plan.jobs[i].open, triangles[i]));
  }
  for (const v1::SimplifyResponse& response : responses) pointers.push_back(&response);
  return MakeLevel(model, plan, pointers);
}

TEST(MakeLevel, ReplacesTheMeshes) {
  Model model = ModelOf({SquareAt(0), SquareAt(1)});
  model.meshes.push_back({"", {SquareAt(2)}});
  model.instances = {{0, ScaleBy(2, 1, 1)}};
  const auto level = LevelOf(model, {3, 1});
  ASSERT_TRUE(level.ok()) << level.status();
  EXPECT_EQ(level->model.meshes[0].primitives[0].triangles.size(), 6u);
  EXPECT_EQ(level->model.meshes[0].primitives[1].triangles.size(), 3u);
  EXPECT_EQ(level->model.meshes[1].primitives[0].triangles.size(), 3u);
  ASSERT_EQ(level->meshes.size(), 2u);
  EXPECT_EQ(level->meshes[0].label, "mesh \"m\"");
  EXPECT_EQ(level->meshes[0].triangles, 3u);
  EXPECT_EQ(level->meshes[0].vertices, 8u);
  EXPECT_EQ(level->meshes[0].statistics.input_triangles(), 4u);
  EXPECT_EQ(level->meshes[0].error, 0.5) << "in the scene";
  EXPECT_THAT(level->notes, IsEmpty());
}

TEST(MakeLevel, LeavesOutWhatHasNoTriangle) {
  Model model = ModelOf({SquareAt(0), SquareAt(1)});
  model.meshes.push_back({"", {SquareAt(2)}});
  const auto level = LevelOf(model, {2, 0});
  ASSERT_TRUE(level.ok()) << level.status();
  EXPECT_EQ(level->model.meshes[1].name, "");
  EXPECT_THAT(level->notes,
              ElementsAre("mesh \"m\": primitive 1 has no triangle left, so it is left out",
                          "mesh 1: no triangle is left, so it is left out"));
  EXPECT_EQ(LevelOf(model, {0, 0}).status().message(),
            "no triangle is left, so there is nothing to write");
}

TEST(MakeLevel, KeepsAMeshWithMorphTargetsRatherThanNothing) {
  Model model = ModelOf({SquareAt(0)});
  model.meshes[0].primitives[0].morph_targets.resize(1);
  const auto level = LevelOf(model, {0});
  ASSERT_TRUE(level.ok()) << level.status();
  EXPECT_EQ(level->model.meshes[0].primitives[0].triangles.size(), 6u);
  EXPECT_EQ(level->meshes[0].triangles, 2u);
  EXPECT_THAT(level->notes, ElementsAre("mesh \"m\": no triangle is left, so it stays as it is for "
                                        "its morph targets"));
}

TEST(MakeLevel, NamesTheMeshThatAResponseDoesNotFit) {
  const Model model = ModelOf({SquareAt(0), SquareAt(1)});
  v1::SimplifyResponse response;
  response.mutable_mesh()->set_triangles("123456789012");
  EXPECT_EQ(MakeLevel(model, PlanOf(model), {&response}).status().message(),
            "mesh \"m\": the response does not fit the mesh: it has no origin");
}

TEST(MakeLevel, KeepsWhatElseAGltfFileHas) {
  const Model model = mesh_io::Read(mesh_io::RichFile());
  const auto level = LevelOf(model, {5, 1});
  ASSERT_TRUE(level.ok()) << level.status();
  const auto glb = mesh_io::EncodeGlb(level->model, false);
  ASSERT_TRUE(glb.ok()) << glb.status();
  const mesh_io::Json before = mesh_io::RichFile().json, after = mesh_io::JsonOf(*glb);
  for (const char* const part : {"nodes", "scenes", "materials", "textures", "extras"}) {
    EXPECT_EQ(after[part], before[part]) << part;
  }
  EXPECT_EQ(after["meshes"][0]["name"], before["meshes"][0]["name"]);
  EXPECT_EQ(after["meshes"][0]["primitives"][0]["targets"].size(), 1u);
  const mesh_io::Json& primitives = after["meshes"][1]["primitives"];
  EXPECT_EQ(primitives.size(), before["meshes"][1]["primitives"].size() - 1)
      << "the empty one is left out, and points stay";
}

TEST(LevelPath, NumbersTheName) {
  EXPECT_EQ(LevelPath("a.b/out.glb", 0), "a.b/out_0.glb");
  EXPECT_EQ(LevelPath("/x/out", 12), "/x/out_12");
  EXPECT_EQ(LevelPath("out.v2.obj", 3), "out.v2_3.obj");
}

}  // namespace
}  // namespace warpyard::cli
