// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "tests/unit/client_examples/mesh_io/gltf/sample_glb.h"

#include "absl/strings/escaping.h"
#include "client_examples/mesh_io/gltf/gltf_reader.h"

namespace warpyard::mesh_io {
namespace {

constexpr int kUint8 = 5121;
constexpr int kUint16 = 5123;
constexpr int kFloat = 5126;

template <class T>
std::vector<T> Repeated(const std::vector<T>& values, std::size_t times) {
  std::vector<T> out;
  for (std::size_t i = 0; i < times; ++i) out.insert(out.end(), values.begin(), values.end());
  return out;
}

std::size_t AddGridPositions(GltfParts& parts) {
  const std::size_t accessor = parts.Add(BytesOf(GridPositions()), kFloat, "VEC3", 9);
  parts.json["accessors"][accessor]["min"] = {0, 0, 0};
  parts.json["accessors"][accessor]["max"] = {2, 2, 0};
  return accessor;
}

void AddGridMesh(GltfParts& parts) {
  Json attributes;
  attributes["POSITION"] = AddGridPositions(parts);
  attributes["NORMAL"] = parts.Add(BytesOf(Repeated<float>({0, 0, 1}, 9)), kFloat, "VEC3", 9);
  attributes["TANGENT"] = parts.Add(BytesOf(Repeated<float>({1, 0, 0, 1}, 9)), kFloat, "VEC4", 9);
  std::vector<std::uint16_t> uvs;
  for (int i = 0; i < 18; ++i) uvs.push_back(static_cast<std::uint16_t>(3'000 * i));
  attributes["TEXCOORD_0"] = parts.Add(BytesOf(uvs), kUint16, "VEC2", 9);
  parts.json["accessors"].back()["normalized"] = true;
  std::vector<std::uint8_t> colours;
  for (int i = 0; i < 36; ++i) colours.push_back(static_cast<std::uint8_t>(7 * i));
  attributes["COLOR_0"] = parts.Add(BytesOf(colours), kUint8, "VEC4", 9);
  parts.json["accessors"].back()["normalized"] = true;
  attributes["JOINTS_0"] =
      parts.Add(BytesOf(Repeated<std::uint8_t>({0, 0, 0, 0}, 9)), kUint8, "VEC4", 9);
  attributes["WEIGHTS_0"] = parts.Add(BytesOf(Repeated<float>({1, 0, 0, 0}, 9)), kFloat, "VEC4", 9);
  std::vector<float> ids;
  for (int i = 0; i < 9; ++i) ids.push_back(static_cast<float>(i));
  attributes["_ID"] = parts.Add(BytesOf(ids), kFloat, "SCALAR", 9);
  const std::size_t target = parts.Add(BytesOf(Repeated<float>({0, 0, 1}, 9)), kFloat, "VEC3", 9);
  parts.json["accessors"][target]["min"] = {0, 0, 1};
  parts.json["accessors"][target]["max"] = {0, 0, 1};
  const std::size_t indices = parts.Add(BytesOf(GridIndices()), kUint16, "SCALAR", 24);
  parts.json["accessors"][indices]["name"] = "corners of the grid";
  parts.json["meshes"].push_back(
      {{"name", "grid"},
       {"extras", {{"targetNames", {"up"}}, {"nothing", nullptr}, {"large", 9007199254740991}}},
       {"weights", {0.25}},
       {"primitives",
        {{{"attributes", attributes},
          {"indices", indices},
          {"material", 1},
          {"targets", {{{"POSITION", target}}}},
          {"extras", {{"empty", Json::object()}}}}}}});
}

// Shares its vertices with nobody; a strip without indices, a list, and points.
void AddSecondMesh(GltfParts& parts) {
  const std::size_t positions = AddGridPositions(parts);
  const std::size_t strip =
      parts.Add(BytesOf<std::uint8_t>({0, 1, 3, 4, 6, 7}), kUint8, "SCALAR", 6);
  const std::size_t list = parts.Add(BytesOf<std::uint8_t>({4, 5, 7}), kUint8, "SCALAR", 3);
  const std::size_t points = AddGridPositions(parts);
  Json mesh = {{"name", "parts \xc3\xa9"}, {"primitives", Json::array()}};
  mesh["primitives"].push_back(
      {{"attributes", {{"POSITION", positions}}}, {"indices", strip}, {"mode", 5}});
  mesh["primitives"].push_back({{"attributes", {{"POSITION", points}}}, {"mode", 0}});
  mesh["primitives"].push_back(
      {{"attributes", {{"POSITION", positions}}}, {"indices", list}, {"material", 0}});
  parts.json["meshes"].push_back(std::move(mesh));
}

void AddAnimationAndSkin(GltfParts& parts) {
  const std::size_t bind = parts.Add(
      BytesOf<float>({1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}), kFloat, "MAT4", 1);
  parts.json["skins"].push_back(
      {{"name", "bones"}, {"inverseBindMatrices", bind}, {"joints", {2}}});
  const std::size_t times = parts.Add(BytesOf<float>({0, 1}), kFloat, "SCALAR", 2);
  parts.json["accessors"][times]["min"] = {0};
  parts.json["accessors"][times]["max"] = {1};
  const std::size_t weights = parts.Add(BytesOf<float>({0, 1}), kFloat, "SCALAR", 2);
  parts.json["animations"].push_back(
      {{"name", "wave"},
       {"samplers", {{{"input", times}, {"output", weights}}}},
       {"channels", {{{"sampler", 0}, {"target", {{"node", 1}, {"path", "weights"}}}}}}});
}

}  // namespace

std::size_t GltfParts::AddView(const std::string& bytes, std::size_t stride) {
  binary.resize((binary.size() + 3) / 4 * 4, '\0');
  Json view = {{"buffer", 0}, {"byteOffset", binary.size()}, {"byteLength", bytes.size()}};
  if (stride != 0) view["byteStride"] = stride;
  binary += bytes;
  json["bufferViews"].push_back(std::move(view));
  return json["bufferViews"].size() - 1;
}

std::size_t GltfParts::Add(const std::string& bytes, int component_type, const std::string& type,
                           std::size_t count, std::size_t stride) {
  const std::size_t view = AddView(bytes, stride);
  json["accessors"].push_back(
      {{"bufferView", view}, {"componentType", component_type}, {"count", count}, {"type", type}});
  return json["accessors"].size() - 1;
}

std::string GltfParts::Glb() {
  json["buffers"] = Json::array();
  json["buffers"].push_back({{"byteLength", binary.size()}});
  return *JoinGlb(json.dump(), binary);
}

std::vector<float> GridPositions() {
  std::vector<float> positions;
  for (int y = 0; y < 3; ++y) {
    for (int x = 0; x < 3; ++x) {
      positions.insert(positions.end(), {static_cast<float>(x), static_cast<float>(y), 0});
    }
  }
  return positions;
}

std::vector<std::uint16_t> GridIndices() {
  std::vector<std::uint16_t> indices;
  for (const int a : {0, 1, 3, 4}) {
    for (const int offset : {0, 1, 4, 0, 4, 3}) {
      indices.push_back(static_cast<std::uint16_t>(a + offset));
    }
  }
  return indices;
}

GltfParts Grid() {
  GltfParts parts;
  const std::size_t positions = AddGridPositions(parts);
  const std::size_t indices = parts.Add(BytesOf(GridIndices()), kUint16, "SCALAR", 24);
  Json primitive = {{"attributes", {{"POSITION", positions}}}, {"indices", indices}};
  parts.json["meshes"].push_back({{"primitives", Json::array({primitive})}});
  return parts;
}

GltfParts RichFile() {
  GltfParts parts;
  AddGridMesh(parts);
  AddSecondMesh(parts);
  AddAnimationAndSkin(parts);
  const std::size_t image = parts.AddView(TinyPng());
  Json& json = parts.json;
  json["images"].push_back({{"name", "dot"}, {"bufferView", image}, {"mimeType", "image/png"}});
  json["samplers"].push_back({{"wrapS", 33071}});
  json["textures"].push_back({{"sampler", 0}, {"source", 0}});
  json["materials"].push_back({{"name", "plain"}, {"doubleSided", true}});
  json["materials"].push_back(
      {{"name", "painted"},
       {"pbrMetallicRoughness", {{"baseColorTexture", {{"index", 0}}}, {"roughnessFactor", 0.1}}},
       {"extras", {{"of", "somebody"}, {"list", {1, 2.5, nullptr, Json::array()}}}}});
  json["scene"] = 0;
  json["scenes"].push_back({{"name", "all"}, {"nodes", {0, 1}}});
  json["nodes"].push_back({{"name", "root"},
                           {"translation", {10, 0, 0}},
                           {"children", {2, 3}},
                           {"extras", {{"id", 123456789012}}}});
  json["nodes"].push_back({{"name", "skinned"}, {"mesh", 0}, {"skin", 0}, {"weights", {0.5}}});
  json["nodes"].push_back({{"name", "bone"}});
  json["nodes"].push_back({{"name", "parts"}, {"mesh", 1}, {"scale", {2, 2, 2}}});
  json["extensionsUsed"].push_back("EXT_unheard_of");
  json["extensions"]["EXT_unheard_of"] = {{"bufferView", image}, {"note", "kept"}};
  json["extras"] = {{"title", "rich"}};
  return parts;
}

std::string TinyPng() {
  std::string bytes;
  absl::Base64Unescape(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5Erk"
      "Jggg==",
      &bytes);
  return bytes;
}

Model Read(GltfParts parts) { return *ParseGltf(parts.Glb(), ""); }

Json JsonOf(const std::string& glb) { return *ParseJson(SplitGlb(glb)->json); }

}  // namespace warpyard::mesh_io
