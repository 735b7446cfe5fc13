// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/mesh_io/gltf/gltf_reader.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "client_examples/mesh_io/gltf/document.h"
#include "tests/unit/client_examples/mesh_io/gltf/sample_glb.h"

namespace warpyard::mesh_io {
namespace {

std::vector<double> GridAsDoubles() {
  const std::vector<float> grid = GridPositions();
  return {grid.begin(), grid.end()};
}

std::vector<std::uint32_t> GridTriangles() {
  const std::vector<std::uint16_t> grid = GridIndices();
  return {grid.begin(), grid.end()};
}

absl::StatusOr<Primitive> ReadPrimitive(GltfParts parts) {
  const absl::StatusOr<Model> model = ParseGltf(parts.Glb(), "");
  if (!model.ok()) return model.status();
  return model->meshes[0].primitives[0];
}

Json& FirstPrimitive(GltfParts& parts) { return parts.json["meshes"][0]["primitives"][0]; }

void ExpectRefused(GltfParts parts, const std::string& part) {
  const absl::Status status = ParseGltf(parts.Glb(), ::testing::TempDir() + "gltf_images").status();
  EXPECT_FALSE(status.ok()) << part;
  EXPECT_NE(std::string(status.message()).find(part), std::string::npos)
      << part << " is not in: " << status.message();
}

TEST(GltfReader, ReadsGeometryAndAttributes) {
  const absl::StatusOr<Model> model = ParseGltf(RichFile().Glb(), "");
  ASSERT_TRUE(model.ok()) << model.status();
  ASSERT_EQ(model->meshes.size(), 2u);
  EXPECT_EQ(model->meshes[0].name, "grid");
  EXPECT_EQ(model->material_names, (std::vector<std::string>{"plain", "painted"}));
  const Primitive& grid = model->meshes[0].primitives[0];
  EXPECT_TRUE(CheckPrimitive(grid).ok()) << CheckPrimitive(grid);
  EXPECT_EQ(grid.material, 1u);
  EXPECT_EQ(grid.positions, GridAsDoubles());
  EXPECT_TRUE(grid.positions_are_float);
  EXPECT_EQ(grid.triangles, GridTriangles());
  ASSERT_EQ(grid.uvs.size(), 1u);
  EXPECT_FLOAT_EQ(grid.uvs[0].values[17], 51'000.0f / 65'535);
  EXPECT_FLOAT_EQ(grid.colours.values[35], 245.0f / 255);
  EXPECT_EQ(grid.colours.storage, (Storage{ComponentType::kUint8, true}));
  ASSERT_EQ(grid.others.size(), 4u);
  EXPECT_EQ(grid.others[0].name, "JOINTS_0");
  EXPECT_EQ(grid.morph_targets.size(), 1u);
  EXPECT_EQ(model->meshes[1].primitives.size(), 2u) << "points stay in the document";
  EXPECT_EQ(model->meshes[1].other_primitives, 1u);
  EXPECT_EQ(model->meshes[1].primitives[1].gltf_primitive, 2u);
}

TEST(GltfReader, TurnsStripsIntoTriangles) {
  const absl::StatusOr<Model> model = ParseGltf(RichFile().Glb(), "");
  ASSERT_TRUE(model.ok());
  const Primitive& strip = model->meshes[1].primitives[0];
  // Vertices 0 1 3 4 6 7 of the grid are 0 to 5 here.
  EXPECT_EQ(strip.triangles, (std::vector<std::uint32_t>{0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5}));
  EXPECT_EQ(strip.Vertices(), 6u) << "vertices without triangles are left out";
}

TEST(GltfReader, TurnsFansAndCornersWithoutIndicesIntoTriangles) {
  GltfParts parts = Grid();
  FirstPrimitive(parts).erase("indices");
  FirstPrimitive(parts)["mode"] = 6;
  const absl::StatusOr<Primitive> fan = ReadPrimitive(parts);
  ASSERT_TRUE(fan.ok()) << fan.status();
  EXPECT_EQ(fan->triangles.size(), 3u * 7);
  EXPECT_EQ(fan->triangles[20], 0u);
  FirstPrimitive(parts)["mode"] = 4;
  const absl::StatusOr<Primitive> list = ReadPrimitive(parts);
  ASSERT_TRUE(list.ok()) << list.status();
  EXPECT_EQ(list->triangles, (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7, 8}));
}

TEST(GltfReader, ReadsSparseAccessors) {
  GltfParts parts = Grid();
  const std::size_t indices = parts.AddView(BytesOf<std::uint8_t>({2, 8}));
  const std::size_t values = parts.AddView(BytesOf<float>({7, 7, 7, 9, 9, 9}));
  Json& positions = parts.json["accessors"][0];
  positions["sparse"] = {{"count", 2},
                         {"indices", {{"bufferView", indices}, {"componentType", 5121}}},
                         {"values", {{"bufferView", values}}}};
  absl::StatusOr<Primitive> primitive = ReadPrimitive(parts);
  ASSERT_TRUE(primitive.ok()) << primitive.status();
  EXPECT_EQ(primitive->positions[3], 1);
  EXPECT_EQ(primitive->positions[8], 7);
  EXPECT_EQ(primitive->positions[26], 9);
  positions.erase("bufferView");
  primitive = ReadPrimitive(parts);
  ASSERT_TRUE(primitive.ok()) << primitive.status();
  EXPECT_EQ(primitive->positions[3], 0) << "without a buffer view the others are zero";
  EXPECT_EQ(primitive->positions[26], 9);
  positions["sparse"]["count"] = 3;
  ExpectRefused(parts, "accessors[0].sparse.indices");
  positions["sparse"]["count"] = 2;
  parts.binary[parts.json["bufferViews"][indices]["byteOffset"]] = 8;
  ExpectRefused(parts, "not ascending");
}

TEST(GltfReader, ReadsQuantisedAndStridedAttributes) {
  GltfParts parts = Grid();
  // Three shorts and two bytes of padding, then a normal of three signed bytes.
  std::string bytes;
  for (int i = 0; i < 9; ++i) {
    for (const int value : {i, -2 * i, 32'767}) {
      AppendLittleEndian(static_cast<std::int16_t>(value), bytes);
    }
    bytes += std::string("\xff\xff\x00\x00\x81\x00", 6);
  }
  const std::size_t position = parts.Add(bytes, 5122, "VEC3", 9, 12);
  const std::size_t normal = parts.Add("", 5120, "VEC3", 9);
  Json& accessor = parts.json["accessors"][normal];
  accessor["bufferView"] = parts.json["accessors"][position]["bufferView"];
  accessor["byteOffset"] = 8;
  accessor["normalized"] = true;
  FirstPrimitive(parts)["attributes"] = {{"POSITION", position}, {"NORMAL", normal}};
  parts.json["extensionsUsed"] = parts.json["extensionsRequired"] = {"KHR_mesh_quantization"};
  absl::StatusOr<Primitive> primitive = ReadPrimitive(parts);
  ASSERT_TRUE(primitive.ok()) << primitive.status();
  EXPECT_EQ(primitive->positions[3 * 8], 8);
  EXPECT_EQ(primitive->positions[3 * 8 + 1], -16);
  EXPECT_EQ(primitive->normals.values[2], -1.0f);
  parts.json["accessors"][position]["normalized"] = true;
  primitive = ReadPrimitive(parts);
  ASSERT_TRUE(primitive.ok());
  EXPECT_EQ(primitive->positions[2], 1);
  EXPECT_EQ(primitive->positions[4], static_cast<double>(-2.0f / 32'767));
}

TEST(GltfReader, PlacesMeshesAsTheNodesDo) {
  const absl::StatusOr<Model> model = ParseGltf(RichFile().Glb(), "");
  ASSERT_TRUE(model.ok());
  ASSERT_EQ(model->instances.size(), 2u);
  EXPECT_EQ(model->instances[0].mesh, 1u);
  EXPECT_EQ(model->instances[0].transform[0], 2);
  EXPECT_EQ(model->instances[0].transform[12], 10);
  EXPECT_EQ(model->instances[1].mesh, 0u);
  GltfParts parts = RichFile();
  parts.json["nodes"][1]["translation"] = {1, 2, 3};
  EXPECT_EQ(Read(parts).instances[1].transform[12], 0) << "its skin places it";
  parts.json["nodes"][1].erase("skin");
  EXPECT_EQ(Read(parts).instances[1].transform[12], 1);
  parts.json["nodes"][2]["children"] = {0};
  ExpectRefused(parts, "nodes[0] is below two nodes or below itself");
}

TEST(GltfReader, ReadsFilesBesideIt) {
  const std::string folder = ::testing::TempDir() + "gltf_folder/";
  std::filesystem::create_directories(folder + "sub dir");
  std::ofstream(::testing::TempDir() + "outside.bin") << "secret";
  GltfParts parts = Grid();
  const auto parse = [&](const std::string& uri) {
    parts.json["buffers"] = Json::array();
    parts.json["buffers"].push_back({{"byteLength", parts.binary.size()}, {"uri", uri}});
    return ParseGltf(parts.json.dump(), folder).status();
  };
  std::ofstream(folder + "sub dir/data.bin", std::ios::binary) << parts.binary;
  EXPECT_TRUE(parse("sub%20dir/data.bin").ok()) << parse("sub%20dir/data.bin");
  EXPECT_TRUE(parse("./sub dir/data.bin").ok());
  EXPECT_TRUE(
      parse("data:application/octet-stream;base64," + absl::Base64Escape(parts.binary)).ok());
  EXPECT_EQ(parse("absent.bin").code(), absl::StatusCode::kNotFound);
  std::filesystem::remove(folder + "link.bin");
  std::filesystem::create_symlink("../outside.bin", folder + "link.bin");
  for (const char* const uri :
       {"../outside.bin", "sub dir/../../outside.bin", "/etc/hostname", "%2e%2e/outside.bin",
        "link.bin", "http://host/data.bin", "..\\outside.bin", "%00", "%4", "data:,hello",
        "data:x;base64,!!"}) {
    const absl::Status status = parse(uri);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << uri << status;
    EXPECT_NE(std::string(status.message()).find("buffers[0]"), std::string::npos) << status;
  }
}

TEST(GltfReader, EmbedsImagesThatAreFiles) {
  const std::string folder = ::testing::TempDir() + "gltf_images/";
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "dot.png", std::ios::binary) << TinyPng();
  GltfParts parts = RichFile();
  parts.json["images"][0] = {{"name", "dot"}, {"uri", "dot.png"}};
  parts.json["images"].push_back({{"uri", "./dot.png"}});
  const absl::StatusOr<Model> model = ParseGltf(parts.Glb(), folder);
  ASSERT_TRUE(model.ok()) << model.status();
  const Json& json = model->document->json;
  const std::size_t view = json["images"][0]["bufferView"];
  EXPECT_EQ(
      json["images"][0].dump(),
      absl::StrCat("{\"name\":\"dot\",\"mimeType\":\"image/png\",\"bufferView\":", view, "}"));
  EXPECT_EQ(json["images"][1]["bufferView"], view) << "one file is embedded once";
  EXPECT_EQ(model->document->views[view], TinyPng());
  parts.json["images"][1]["uri"] = "../dot.png";
  ExpectRefused(parts, "images[1]: \"../dot.png\" is no file in the folder");
}

TEST(GltfReader, NamesThePlaceOfAnError) {
  GltfParts parts = Grid();
  parts.json["accessors"][0]["count"] = 10;
  ExpectRefused(parts, "accessors[0]: 10 elements at byte 0 do not fit");
  parts = Grid();
  parts.json["accessors"][1]["count"] = 23;
  ExpectRefused(parts, "meshes[0].primitives[0]: 23 corners make no triangles");
  parts = Grid();
  parts.binary[parts.binary.size() - 1] = 1;
  ExpectRefused(parts, "index 23: vertex 263 does not exist, there are 9");
  parts = Grid();
  parts.json["bufferViews"][0]["byteLength"] = 1'000;
  ExpectRefused(parts, "bufferViews[0]: bytes 0 to 1000 are not in buffer 0");
  parts = Grid();
  FirstPrimitive(parts)["attributes"]["NORMAL"] = 1;
  ExpectRefused(parts, "\"NORMAL\" has 24 elements, POSITION 9");
  parts = Grid();
  FirstPrimitive(parts)["material"] = 0;
  ExpectRefused(parts, "meshes[0].primitives[0]: material 0 does not exist");
  parts = Grid();
  parts.binary.replace(0, 4, BytesOf<float>({std::numeric_limits<float>::quiet_NaN()}));
  ExpectRefused(parts, "\"POSITION\": a number is not finite");
  parts = Grid();
  parts.json["asset"]["version"] = "1.0";
  ExpectRefused(parts, "glTF version \"1.0\"");
  parts = Grid();
  parts.json["meshes"] = 3;
  ExpectRefused(parts, "meshes is no array of objects");
}

TEST(GltfReader, RefusesCompressionThatItDoesNotKnow) {
  GltfParts parts = Grid();
  FirstPrimitive(parts)["extensions"]["KHR_draco_mesh_compression"] = {{"bufferView", 0}};
  ExpectRefused(parts, "KHR_draco_mesh_compression, which is not supported");
  parts = Grid();
  parts.json["extensionsRequired"] = {"KHR_draco_mesh_compression"};
  EXPECT_EQ(ParseGltf(parts.Glb(), "").status().code(), absl::StatusCode::kUnimplemented);
}

// Files of a few hundred bytes that announce, or name many times, more than they hold.
TEST(GltfReader, TakesNoMoreMemoryThanTheFileDeserves) {
  GltfParts parts = Grid();
  parts.json["accessors"][0].erase("bufferView");
  parts.json["accessors"][0]["count"] = 4'000'000'000;
  FirstPrimitive(parts).erase("indices");
  ExpectRefused(parts, "too small for the data that it announces");
  parts = Grid();
  parts.json["accessors"][1].erase("bufferView");
  parts.json["accessors"][1]["count"] = 3'000'000'000;
  ExpectRefused(parts, "too small for the data that it announces");
  parts = Grid();
  const std::size_t big = parts.Add(std::string(400'000, '\0'), 5123, "SCALAR", 200'000 / 3 * 3);
  FirstPrimitive(parts)["indices"] = big;
  const Json primitive = FirstPrimitive(parts);
  for (int i = 0; i < 1'000; ++i) parts.json["meshes"][0]["primitives"].push_back(primitive);
  ExpectRefused(parts, "too small for the data that it announces");
  parts = Grid();
  for (int i = 0; i < 5'000; ++i) parts.json["extras"][absl::StrCat(i)];
  ExpectRefused(parts, "more than 4096 members");
  const std::string deep(100'000, '[');
  EXPECT_FALSE(ParseGltf("{\"a\":" + deep, "").ok());
}

}  // namespace
}  // namespace warpyard::mesh_io
