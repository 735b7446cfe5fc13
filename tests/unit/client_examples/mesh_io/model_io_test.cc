// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/mesh_io/model_io.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "client_examples/mesh_io/join.h"

namespace warpyard::mesh_io {
namespace {

using ::testing::TempDir;

Model TwoMeshes() {
  Primitive primitive;
  primitive.positions = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
  primitive.positions_are_float = true;
  primitive.triangles = {0, 1, 2, 0, 2, 3};
  primitive.normals.values = {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1};
  Model model;
  model.meshes = {{"near", {primitive}}, {"far", {primitive}}};
  for (double& value : model.meshes[1].primitives[0].positions) value += 10;
  return model;
}

std::vector<double> CornersOf(const Model& model) {
  const Primitive joined = *JoinPrimitives(model);
  std::vector<double> corners;
  for (const std::uint32_t index : joined.triangles) {
    for (std::size_t i = 0; i < 3; ++i) corners.push_back(joined.positions[3 * index + i]);
  }
  return corners;
}

TEST(ModelIo, KeepsTheTrianglesInEachFormat) {
  const Model model = TwoMeshes();
  for (const std::string ending : {".ply", ".obj", ".stl", ".glb", ".GLB"}) {
    const std::string path = TempDir() + "model_io" + ending;
    ASSERT_TRUE(WriteModel(path, model).ok()) << WriteModel(path, model);
    const absl::StatusOr<Model> read = ReadModel(path);
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(CornersOf(*read), CornersOf(model)) << ending;
    for (const std::string next : {".ply", ".obj", ".stl", ".glb"}) {
      const std::string second = TempDir() + "model_io_second" + next;
      ASSERT_TRUE(WriteModel(second, *read).ok()) << ending << next << WriteModel(second, *read);
      EXPECT_EQ(CornersOf(*ReadModel(second)), CornersOf(model)) << ending << next;
    }
  }
}

TEST(ModelIo, NamesTheFile) {
  const auto names = [](const absl::Status& status, const std::string& part) {
    return status.message().find(part) != std::string::npos;
  };
  EXPECT_TRUE(names(ReadModel(TempDir() + "absent.glb").status(), "absent.glb: no such file"));
  for (const char* const name :
       {"broken.glb", "broken.gltf", "broken.stl", "broken.obj", "broken.ply", "broken.txt"}) {
    const std::string path = TempDir() + name;
    std::ofstream(path) << "nonsense";
    EXPECT_TRUE(names(ReadModel(path).status(), name)) << ReadModel(path).status();
  }
  for (const std::string ending : {".ply", ".obj", ".stl", ".glb"}) {
    std::ofstream(TempDir() + "empty" + ending).flush();
    EXPECT_EQ(ReadModel(TempDir() + "empty" + ending).status().message(),
              TempDir() + "empty" + ending + ": the file is empty");
  }
  EXPECT_EQ(WriteModel(TempDir() + "model.fbx", TwoMeshes()).code(),
            absl::StatusCode::kUnimplemented);
  EXPECT_EQ(
      CheckEnding("model.fbx"),
      absl::UnimplementedError("model.fbx: the name ends with none of .ply, .obj, .stl and .glb"));
  EXPECT_EQ(CheckEnding("model.Glb"), absl::OkStatus());
  Model bad = TwoMeshes();
  bad.meshes[1].primitives[0].triangles[0] = 4;
  EXPECT_TRUE(names(WriteModel(TempDir() + "bad.glb", bad), "bad.glb: triangle 0: vertex 4"));
  EXPECT_EQ(WriteModel(TempDir() + "no/such/folder.glb", TwoMeshes()).code(),
            absl::StatusCode::kUnavailable);
}

TEST(ModelIo, ReadsTheSharedMeshes) {
  const std::string root = std::string(WARPYARD_SHARED_DATA) + "/meshes/";
  if (!std::filesystem::exists(root)) GTEST_SKIP() << "no shared data in " << root;
  const absl::StatusOr<Model> bunny = ReadModel(root + "bunny.ply");
  ASSERT_TRUE(bunny.ok()) << bunny.status();
  EXPECT_EQ(bunny->meshes[0].primitives[0].triangles.size(), 3u * 69'451);
  const std::string path = TempDir() + "bunny.glb";
  ASSERT_TRUE(WriteModel(path, *bunny, {.meshopt_compression = true}).ok());
  const absl::StatusOr<Model> again = ReadModel(path);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(again->meshes[0].primitives[0].positions, bunny->meshes[0].primitives[0].positions);
}

}  // namespace
}  // namespace warpyard::mesh_io
