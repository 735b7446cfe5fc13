// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/mesh_io/gltf/gltf_writer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "client_examples/mesh_io/gltf/gltf_reader.h"
#include "tests/unit/client_examples/mesh_io/gltf/sample_glb.h"

namespace warpyard::mesh_io {
namespace {

// The bytes of a buffer view of a GLB file that is not compressed.
std::string ViewBytes(const std::string& glb, std::size_t view) {
  const Json json = JsonOf(glb);
  const Json& object = json["bufferViews"][view];
  return std::string(SplitGlb(glb)->binary->substr(object["byteOffset"].get<std::size_t>(),
                                                   object["byteLength"].get<std::size_t>()));
}

void ExpectEqual(const RawAttribute& a, const RawAttribute& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.storage, b.storage);
  EXPECT_EQ(a.type, b.type);
  EXPECT_EQ(a.bytes, b.bytes);
}

void ExpectEqual(const Primitive& a, const Primitive& b) {
  EXPECT_EQ(a.material, b.material);
  EXPECT_EQ(a.positions, b.positions);
  EXPECT_EQ(a.position_storage, b.position_storage);
  EXPECT_EQ(a.normals.values, b.normals.values);
  EXPECT_EQ(a.colours.values, b.colours.values);
  EXPECT_EQ(a.colours.storage, b.colours.storage);
  ASSERT_EQ(a.uvs.size(), b.uvs.size());
  for (std::size_t i = 0; i < a.uvs.size(); ++i) EXPECT_EQ(a.uvs[i].values, b.uvs[i].values);
  ASSERT_EQ(a.others.size(), b.others.size());
  for (std::size_t i = 0; i < a.others.size(); ++i) ExpectEqual(a.others[i], b.others[i]);
  ASSERT_EQ(a.morph_targets.size(), b.morph_targets.size());
  for (std::size_t i = 0; i < a.morph_targets.size(); ++i) {
    ExpectEqual(a.morph_targets[i].at(0), b.morph_targets[i].at(0));
  }
  EXPECT_EQ(a.gltf_primitive, b.gltf_primitive);
}

// Triangles with the smallest corner first: compression may turn them.
std::vector<std::uint32_t> Turned(std::vector<std::uint32_t> triangles) {
  for (auto at = triangles.begin(); at != triangles.end(); at += 3) {
    std::rotate(at, std::min_element(at, at + 3), at + 3);
  }
  return triangles;
}

// Half of the grid of RichFile: its lower row of squares.
NewGeometry LowerHalf() {
  NewGeometry geometry;
  geometry.triangles = {0, 1, 4, 0, 4, 3, 1, 2, 5, 1, 5, 4};
  geometry.source_vertices = {0, 1, 2, 3, 4, 5};
  return geometry;
}

TEST(GltfWriter, GivesBackWhatWasRead) {
  const Model model = Read(RichFile());
  for (const bool compressed : {false, true}) {
    const absl::StatusOr<std::string> glb = EncodeGlb(model, compressed);
    ASSERT_TRUE(glb.ok()) << glb.status();
    const absl::StatusOr<Model> again = ParseGltf(*glb, "");
    ASSERT_TRUE(again.ok()) << again.status();
    ASSERT_EQ(again->meshes.size(), model.meshes.size());
    for (std::size_t mesh = 0; mesh < model.meshes.size(); ++mesh) {
      EXPECT_EQ(again->meshes[mesh].name, model.meshes[mesh].name);
      ASSERT_EQ(again->meshes[mesh].primitives.size(), model.meshes[mesh].primitives.size());
      for (std::size_t i = 0; i < model.meshes[mesh].primitives.size(); ++i) {
        const Primitive& old = model.meshes[mesh].primitives[i];
        const Primitive& read = again->meshes[mesh].primitives[i];
        ExpectEqual(read, old);
        EXPECT_EQ(Turned(read.triangles), Turned(old.triangles));
      }
    }
  }
}

TEST(GltfWriter, KeepsWhatItDoesNotKnow) {
  GltfParts parts = RichFile();
  const std::string before = parts.Glb();
  for (const bool compressed : {false, true}) {
    const std::string after = *EncodeGlb(*ParseGltf(before, ""), compressed);
    const Json old_json = JsonOf(before);
    const Json new_json = JsonOf(after);
    for (const char* const name :
         {"asset", "scene", "scenes", "nodes", "materials", "textures", "samplers", "images",
          "skins", "animations", "extras", "extensions"}) {
      EXPECT_EQ(new_json[name].dump(), old_json[name].dump()) << name;
    }
    for (std::size_t i = 0; i < 2; ++i) {
      const Json& mesh = new_json["meshes"][i];
      EXPECT_EQ(mesh["name"], old_json["meshes"][i]["name"]);
      EXPECT_EQ(mesh.value("extras", Json()), old_json["meshes"][i].value("extras", Json()));
    }
    EXPECT_EQ(new_json["meshes"][0]["primitives"][0]["extras"].dump(), "{\"empty\":{}}");
    EXPECT_EQ(new_json["meshes"][1]["primitives"][1].dump(),
              old_json["meshes"][1]["primitives"][1].dump())
        << "points";
    const std::size_t corners = new_json["meshes"][0]["primitives"][0]["indices"];
    EXPECT_EQ(new_json["accessors"][corners]["name"], "corners of the grid");
    const std::size_t image = new_json["images"][0]["bufferView"];
    EXPECT_EQ(ViewBytes(after, image), TinyPng());
    const std::size_t bind = new_json["skins"][0]["inverseBindMatrices"];
    EXPECT_EQ(ViewBytes(after, new_json["accessors"][bind]["bufferView"]).size(), 64u);
    const Json& used = new_json["extensionsUsed"];
    EXPECT_EQ(used[0], "EXT_unheard_of");
    EXPECT_EQ(used.size(), compressed ? 2u : 1u);
  }
}

TEST(GltfWriter, WritesReplacedGeometryWithTheAttributesOfItsSources) {
  Model model = Read(RichFile());
  const Primitive old = model.meshes[0].primitives[0];
  NewGeometry geometry = LowerHalf();
  geometry.source_vertices = {3, 4, 5, 6, 7, 8};
  ASSERT_TRUE(ReplaceGeometry(geometry, model.meshes[0].primitives[0]).ok());
  const std::string glb = *EncodeGlb(model, false);
  const absl::StatusOr<Model> again = ParseGltf(glb, "");
  ASSERT_TRUE(again.ok()) << again.status();
  const Primitive& read = again->meshes[0].primitives[0];
  EXPECT_EQ(read.triangles, geometry.triangles);
  EXPECT_EQ(read.positions, std::vector<double>(old.positions.begin() + 9, old.positions.end()));
  EXPECT_EQ(read.uvs[0].values,
            std::vector<float>(old.uvs[0].values.begin() + 6, old.uvs[0].values.end()));
  ASSERT_EQ(read.others[3].name, "_ID");
  EXPECT_EQ(LoadLittleEndian<float>(read.others[3].bytes.data()), 3);
  EXPECT_EQ(read.morph_targets[0][0].bytes.size(), 6u * 12);
  EXPECT_LT(SplitGlb(glb)->binary->size(), RichFile().binary.size()) << "the old one is gone";
  EXPECT_EQ(*EncodeGlb(model, false), glb) << "the same bytes each time";
}

TEST(GltfWriter, FollowsTheRulesOfAlignment) {
  Model model = Read(RichFile());
  ASSERT_TRUE(ReplaceGeometry(LowerHalf(), model.meshes[0].primitives[0]).ok());
  const Json json = JsonOf(*EncodeGlb(model, false));
  EXPECT_EQ(json["buffers"].size(), 1u);
  for (const Json& mesh : json["meshes"]) {
    for (const Json& primitive : mesh["primitives"]) {
      for (const auto& item : primitive["attributes"].items()) {
        const Json& accessor = json["accessors"][item.value().get<std::size_t>()];
        const Json& view = json["bufferViews"][accessor["bufferView"].get<std::size_t>()];
        EXPECT_EQ(view["byteOffset"].get<int>() % 4, 0);
        EXPECT_EQ(view.value("byteStride", 12) % 4, 0);
        EXPECT_EQ(item.key() == "POSITION", accessor.contains("min")) << item.key();
      }
      if (!primitive.contains("indices")) continue;
      const Json& indices = json["accessors"][primitive["indices"].get<std::size_t>()];
      EXPECT_EQ(indices["componentType"], 5123);
    }
  }
}

TEST(GltfWriter, UsesLongIndicesOnlyWhereTheyAreNeeded) {
  for (const std::size_t vertices : {std::size_t{65'535}, std::size_t{65'536}}) {
    Primitive primitive;
    primitive.positions.assign(3 * vertices, 0.5);
    primitive.triangles = {0, 1, static_cast<std::uint32_t>(vertices - 1)};
    Model model;
    model.meshes.push_back({"", {primitive}});
    const Json json = JsonOf(*EncodeGlb(model, false));
    const Json& indices =
        json["accessors"][json["meshes"][0]["primitives"][0]["indices"].get<std::size_t>()];
    EXPECT_EQ(indices["componentType"], vertices == 65'535 ? 5123 : 5125);
  }
}

TEST(GltfWriter, KeepsQuantisedPositionsWhileTheyHoldTheValues) {
  GltfParts parts = Grid();
  std::vector<std::int16_t> shorts;
  for (const float value : GridPositions()) {
    shorts.insert(shorts.end(), {static_cast<std::int16_t>(value)});
    if (shorts.size() % 4 == 3) shorts.push_back(0);
  }
  const std::size_t position = parts.Add(BytesOf(shorts), 5122, "VEC3", 9, 8);
  parts.json["meshes"][0]["primitives"][0]["attributes"] = {{"POSITION", position}};
  parts.json["extensionsUsed"] = parts.json["extensionsRequired"] = {"KHR_mesh_quantization"};
  Model model = Read(parts);
  const auto position_type = [](const Json& json) {
    const Json& primitive = json["meshes"][0]["primitives"][0];
    return json["accessors"][primitive["attributes"]["POSITION"].get<std::size_t>()]
               ["componentType"];
  };
  Json json = JsonOf(*EncodeGlb(model, false));
  EXPECT_EQ(position_type(json), 5122);
  EXPECT_EQ(json["extensionsRequired"][0], "KHR_mesh_quantization");
  NewGeometry geometry = LowerHalf();
  geometry.positions.assign(18, 0.5);
  ASSERT_TRUE(ReplaceGeometry(geometry, model.meshes[0].primitives[0]).ok());
  json = JsonOf(*EncodeGlb(model, false));
  EXPECT_EQ(position_type(json), 5126);
  EXPECT_FALSE(json.contains("extensionsRequired"));
}

TEST(GltfWriter, LeavesOutPrimitivesWithoutTriangles) {
  Model model = Read(RichFile());
  model.meshes[1].primitives[0].triangles.clear();
  Json json = JsonOf(*EncodeGlb(model, false));
  EXPECT_EQ(json["meshes"][1]["primitives"].size(), 2u);
  model.meshes[0].primitives[0].triangles.clear();
  const absl::Status status = EncodeGlb(model, false).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << status;
  EXPECT_NE(status.message().find("morph targets"), std::string::npos);

  Model two;
  two.meshes = {model.meshes[1], model.meshes[1]};
  for (ModelMesh& mesh : two.meshes) {
    mesh.primitives.erase(mesh.primitives.begin());
    mesh.primitives[0].material.reset();
  }
  const Model read = *ParseGltf(*EncodeGlb(two, false), "");
  Model one = read;
  one.meshes[0].primitives[0].triangles.clear();
  json = JsonOf(*EncodeGlb(one, false));
  EXPECT_FALSE(json["nodes"][0].contains("mesh"));
  EXPECT_EQ(json["nodes"][1]["mesh"], 1);
  one.meshes[1].primitives[0].triangles.clear();
  EXPECT_NE(EncodeGlb(one, false).status().message().find("no triangles"), std::string::npos);
}

TEST(GltfWriter, NamesWhatCannotBeKept) {
  GltfParts parts = Grid();
  parts.json["meshes"][0]["primitives"][0]["extensions"]["X_outline"] = {{"indices", 1}};
  Model model = Read(parts);
  EXPECT_TRUE(EncodeGlb(model, false).ok());
  const absl::Status status = ReplaceGeometry(LowerHalf(), model.meshes[0].primitives[0]);
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_NE(status.message().find("meshes[0].primitives[0]: extension \"X_outline\""),
            std::string::npos)
      << status;
  model.meshes.clear();
  EXPECT_FALSE(EncodeGlb(model, false).ok());
}

TEST(GltfWriter, CompressesAndSaysSo) {
  Primitive primitive;
  for (int i = 0; i < 3'000; ++i) primitive.positions.push_back(i % 100);
  for (std::uint32_t i = 0; i + 2 < 1'000; ++i) {
    primitive.triangles.insert(primitive.triangles.end(), {i, i + 1, i + 2});
  }
  Model model;
  model.meshes.push_back({"", {primitive}});
  const std::string plain = *EncodeGlb(model, false);
  const std::string compressed = *EncodeGlb(model, true);
  EXPECT_LT(2 * compressed.size(), plain.size());
  const Json json = JsonOf(compressed);
  EXPECT_EQ(json["extensionsRequired"][0], "EXT_meshopt_compression");
  EXPECT_TRUE(json["buffers"][1]["extensions"]["EXT_meshopt_compression"]["fallback"]);
  const Model read = *ParseGltf(compressed, "");
  EXPECT_EQ(read.meshes[0].primitives[0].positions, primitive.positions);
  EXPECT_EQ(Turned(read.meshes[0].primitives[0].triangles), Turned(primitive.triangles));
  const Json decompressed = JsonOf(*EncodeGlb(read, false));
  EXPECT_FALSE(decompressed.contains("extensionsRequired"));
  EXPECT_EQ(decompressed["buffers"].size(), 1u);
}

}  // namespace
}  // namespace warpyard::mesh_io
