// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Other programs' opinion of the files that are written: the Khronos validator, and TinyGLTF.

#include <gtest/gtest.h>
#include <tiny_gltf.h>

#include <optional>
#include <string>
#include <vector>

#include "client_examples/mesh_io/gltf/gltf_reader.h"
#include "client_examples/mesh_io/gltf/gltf_writer.h"
#include "tests/unit/client_examples/mesh_io/gltf/sample_glb.h"
#include "tests/unit/client_examples/mesh_io/gltf/validator.h"

namespace warpyard::mesh_io {
namespace {

Model HalfRichModel() {
  GltfParts parts = RichFile();
  Model model = *ParseGltf(parts.Glb(), "");
  NewGeometry geometry;
  geometry.triangles = {0, 1, 4, 0, 4, 3, 1, 2, 5, 1, 5, 4};
  geometry.source_vertices = {0, 1, 2, 3, 4, 5};
  EXPECT_TRUE(ReplaceGeometry(geometry, model.meshes[0].primitives[0]).ok());
  return model;
}

// A model that was not read from glTF, with colours out of range and normals of any length.
Model PlainModel() {
  Primitive primitive;
  primitive.positions = {0, 0, 0, 1, 0, 0, 0, 1.1, 0};
  primitive.triangles = {0, 1, 2};
  primitive.normals.values = {0, 0, 2, 0, 0, 0, 0, 1, 0};
  primitive.uvs = {{{0, 0, 1, 0, 0, 1}, {}}, {{0, 0, 9, 0, 0, 1}, {}}};
  primitive.colours.values = {0, 0, 0, 1, 1, 2, 255, 1, 0.5, 0.5, 0.5, 1};
  primitive.material = 0;
  Model model;
  model.material_names = {"paint", ""};
  model.meshes = {{"one", {primitive, primitive}}, {"", {primitive}}};
  return model;
}

std::vector<NamedFile> Files() {
  Model shrunk = HalfRichModel();
  shrunk.meshes[1].primitives[0].triangles.clear();
  Model emptied = *ParseGltf(*EncodeGlb(PlainModel(), false), "");
  emptied.meshes[1].primitives[0].triangles.clear();
  GltfParts quantised = Grid();
  std::vector<std::int8_t> bytes;
  for (std::int8_t i = 0; i < 9; ++i) {
    bytes.insert(bytes.end(), {i, static_cast<std::int8_t>(i * i), 0, 0});
  }
  const std::size_t position = quantised.Add(BytesOf(bytes), 5120, "VEC3", 9, 4);
  quantised.json["meshes"][0]["primitives"][0]["attributes"] = {{"POSITION", position}};
  GltfParts rich = RichFile();
  return {{"original.glb", rich.Glb()},
          {"half.glb", *EncodeGlb(HalfRichModel(), false)},
          {"shrunk.glb", *EncodeGlb(shrunk, false)},
          {"plain.glb", *EncodeGlb(PlainModel(), false)},
          {"emptied.glb", *EncodeGlb(emptied, false)},
          {"quantised.glb", *EncodeGlb(*ParseGltf(quantised.Glb(), ""), false)},
          {"compressed.glb", *EncodeGlb(HalfRichModel(), true)}};
}

TEST(GltfWriterValidator, FindsNoErrorAndNoWarning) {
  const std::optional<bool> passed = PassValidator(Files());
  if (!passed) GTEST_SKIP() << "the npm package gltf-validator is not installed";
  EXPECT_TRUE(*passed);
}

TEST(GltfWriterValidator, TinyGltfReadsTheSame) {
  for (const NamedFile& file : Files()) {
    // TinyGLTF cannot read it: there are buffers without data.
    if (file.name == "compressed.glb") continue;
    tinygltf::TinyGLTF reader;
    reader.SetImageLoader([](auto...) { return true; }, nullptr);
    tinygltf::Model peer;
    std::string error;
    std::string warning;
    ASSERT_TRUE(reader.LoadBinaryFromMemory(
        &peer, &error, &warning, reinterpret_cast<const unsigned char*>(file.bytes.data()),
        static_cast<unsigned int>(file.bytes.size())))
        << file.name << error;
    const Model model = *ParseGltf(file.bytes, "");
    ASSERT_EQ(peer.meshes.size(), model.meshes.size());
    for (std::size_t i = 0; i < model.meshes.size(); ++i) {
      EXPECT_EQ(peer.meshes[i].name, model.meshes[i].name);
      for (const Primitive& primitive : model.meshes[i].primitives) {
        const tinygltf::Primitive& other = peer.meshes[i].primitives.at(primitive.gltf_primitive);
        EXPECT_EQ(other.attributes.size(), 1 + (primitive.normals.values.empty() ? 0u : 1u) +
                                               primitive.uvs.size() + primitive.others.size() +
                                               (primitive.colours.values.empty() ? 0u : 1u));
        const tinygltf::Accessor& position =
            peer.accessors.at(static_cast<std::size_t>(other.attributes.at("POSITION")));
        EXPECT_GE(position.count, primitive.Vertices());
      }
    }
  }
}

}  // namespace
}  // namespace warpyard::mesh_io
