// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/mesh_io/formats/obj_model.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "client_examples/mesh_io/formats/obj_writer.h"

namespace warpyard::mesh_io {
namespace {

constexpr char kFile[] =
    "mtllib paints.mtl\nv 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 1 1 0\nv 0 1 0\nv 5 5 5\n"
    "vt 0 0\nvt 1 0 0\nvt 1 1\nvt 0.5\nvn 0 0 1\n"
    "f 1 2 3\no roof\nusemtl red\nf 1/1/1 2/2/1 3/3/1\nusemtl blue\nf 1/-1/1 3/3/1 4/1/1\n"
    "usemtl red\nf 1/1/1 3/3/1 4/4/-1\no door\nf 1//1 2 3\nf 2/1 3/2 4/3\n";

absl::StatusOr<Model> Read(absl::string_view contents) {
  const absl::StatusOr<ObjContents> obj = ParseObj(contents);
  return obj.ok() ? ObjModel(*obj) : obj.status();
}

// An attribute of each corner, however many vertices share it.
template <class T>
std::vector<T> AtCorners(const Primitive& primitive, const std::vector<T>& values,
                         std::size_t width) {
  std::vector<T> out;
  for (const std::uint32_t index : primitive.triangles) {
    for (std::size_t i = 0; i < width && !values.empty(); ++i) {
      out.push_back(values[index * width + i]);
    }
  }
  return out;
}

TEST(ObjModel, MakesMeshesOfObjectsAndPrimitivesOfMaterials) {
  const absl::StatusOr<Model> model = Read(kFile);
  ASSERT_TRUE(model.ok()) << model.status();
  EXPECT_EQ(model->material_libraries, std::vector<std::string>{"paints.mtl"});
  EXPECT_EQ(model->material_names, (std::vector<std::string>{"red", "blue"}));
  ASSERT_EQ(model->meshes.size(), 3u);
  EXPECT_EQ(model->meshes[0].name, "");
  EXPECT_FALSE(model->meshes[0].primitives[0].material);
  EXPECT_EQ(model->meshes[0].primitives[0].positions,
            (std::vector<double>{0, 0, 0, 1, 0, 0, 1, 1, 0}));
  EXPECT_EQ(model->meshes[0].primitives[0].colours.values,
            (std::vector<float>{1, 0, 0, 1, 0, 1, 0, 1, 1, 1, 1, 1}));
  EXPECT_EQ(model->meshes[1].name, "roof");
  ASSERT_EQ(model->meshes[1].primitives.size(), 2u);
  const Primitive& red = model->meshes[1].primitives[0];
  EXPECT_EQ(red.material, 0u);
  EXPECT_EQ(red.triangles, (std::vector<std::uint32_t>{0, 1, 2, 0, 2, 3}));
  EXPECT_EQ(red.uvs.at(0).values, (std::vector<float>{0, 0, 1, 0, 1, 1, 0.5, 0}));
  EXPECT_EQ(red.normals.values.size(), 12u);
  const Primitive& door = model->meshes[2].primitives[0];
  EXPECT_EQ(door.material, 0u) << "a material lasts until the next one";
  EXPECT_TRUE(door.normals.values.empty()) << "some corners have none";
  EXPECT_EQ(door.Vertices(), 6u);
  for (const ModelMesh& mesh : model->meshes) {
    for (const Primitive& primitive : mesh.primitives) {
      EXPECT_TRUE(CheckPrimitive(primitive).ok()) << CheckPrimitive(primitive);
    }
  }
}

TEST(ObjModel, IsTheSameAfterWritingAndReading) {
  const Model model = *Read(kFile);
  const std::string text = EncodeObj(model);
  const absl::StatusOr<Model> again = Read(text);
  ASSERT_TRUE(again.ok()) << again.status() << text;
  EXPECT_EQ(EncodeObj(*again), text);
  ASSERT_EQ(again->meshes.size(), model.meshes.size());
  for (std::size_t i = 0; i < model.meshes.size(); ++i) {
    EXPECT_EQ(again->meshes[i].name, model.meshes[i].name);
    ASSERT_EQ(again->meshes[i].primitives.size(), model.meshes[i].primitives.size());
    for (std::size_t j = 0; j < model.meshes[i].primitives.size(); ++j) {
      const Primitive& old = model.meshes[i].primitives[j];
      const Primitive& read = again->meshes[i].primitives[j];
      EXPECT_EQ(read.material, old.material);
      EXPECT_EQ(AtCorners(read, read.positions, 3), AtCorners(old, old.positions, 3));
      EXPECT_EQ(AtCorners(read, read.normals.values, 3), AtCorners(old, old.normals.values, 3));
      EXPECT_EQ(AtCorners(read, read.colours.values, 4), AtCorners(old, old.colours.values, 4));
      EXPECT_EQ(read.uvs.size(), old.uvs.size());
    }
  }
}

// A closed surface with a seam in its texture must stay closed.
TEST(ObjModel, WritesAPositionOnceAcrossASeam) {
  const Model model =
      *Read("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nvt 0 0\nvt 1 1\nf 1/1 2/1 3/1\nf 3/2 2/2 4/2\n");
  EXPECT_EQ(model.meshes[0].primitives[0].Vertices(), 6u);
  const ObjContents written = *ParseObj(EncodeObj(model));
  EXPECT_EQ(written.positions.size(), 12u);
  EXPECT_EQ(written.corners[1].position, written.corners[4].position);
}

TEST(ObjModel, NamesTheLineOfAnError) {
  const std::string vertices = "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\n";
  const auto error = [&](const std::string& rest) {
    const absl::StatusOr<Model> model = Read(vertices + rest);
    return model.ok() ? "" : std::string(model.status().message());
  };
  EXPECT_EQ(error("f 1/1 2/2 3/1\n"), "line 6: texture coordinate 2 does not exist, there are 1");
  EXPECT_EQ(error("f 1//1 2//1 3//7\n"), "line 6: normal 7 does not exist, there are 1");
  EXPECT_NE(error("f 1/x 2 3\n").find("line 6: \"x\""), std::string::npos);
  EXPECT_NE(error("vt nan 1\n").find("line 6: \"nan\" is not finite"), std::string::npos);
  EXPECT_NE(error("vt 1e39 1\n").find("line 6: a number is not finite"), std::string::npos);
  EXPECT_NE(error("vn 1 1\n").find("a normal needs x y z"), std::string::npos);
  EXPECT_EQ(error(""), "no face (\"f\") found");
}

}  // namespace
}  // namespace warpyard::mesh_io
