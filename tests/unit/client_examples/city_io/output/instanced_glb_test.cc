// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/city_io/output/instanced_glb.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <set>
#include <sstream>
#include <string>

#include "client_examples/mesh_io/gltf/data/container.h"
#include "client_examples/mesh_io/gltf/data/json.h"
#include "tests/unit/client_examples/city_io/sample_city.h"
#include "tests/unit/client_examples/mesh_io/gltf/validator.h"

namespace warpyard::city_io {
namespace {

using mesh_io::Json;

std::string WriteInstanced(const City& city) {
  std::ostringstream out;
  EXPECT_EQ(WriteInstancedGlb(city, out), absl::OkStatus());
  return out.str();
}

/// The parts of a file, whose lengths SplitGlb checks.
class ReadGlb {
 public:
  explicit ReadGlb(const std::string& file) : chunks_(*mesh_io::SplitGlb(file)) {
    json = *mesh_io::ParseJson(chunks_.json);
  }

  /// The numbers of an accessor. @shape width: numbers of an element
  std::vector<float> Floats(std::size_t accessor, std::size_t width) const {
    const Json& a = json["accessors"][accessor];
    const Json& view = json["bufferViews"][a["bufferView"].get<std::size_t>()];
    std::vector<float> floats(a["count"].get<std::size_t>() * width);
    EXPECT_EQ(view["byteLength"], floats.size() * 4);
    std::memcpy(floats.data(), chunks_.binary->data() + view["byteOffset"].get<std::size_t>(),
                floats.size() * 4);
    return floats;
  }

  Json json;

 private:
  mesh_io::GlbChunks chunks_;
};

TEST(WriteInstancedGlb, HasANodeForEachMeshMaterialAndColour) {
  const SampleCity sample;
  const std::string file = WriteInstanced(sample.city());
  const ReadGlb glb(file);
  // The six meshes; red quads; triangles without a material, mirrored; boxes that are turned are
  // with the first ones.
  ASSERT_EQ(glb.json["nodes"].size(), 8u);
  EXPECT_EQ(glb.json["scenes"][0]["nodes"].size(), 8u);
  EXPECT_EQ(glb.json["extensionsRequired"], Json::array({"EXT_mesh_gpu_instancing"}));
  std::multiset<float> buildings;
  for (const Json& node : glb.json["nodes"]) {
    const Json& a = node["extensions"]["EXT_mesh_gpu_instancing"]["attributes"];
    const Json& features = node["extensions"]["EXT_instance_features"]["featureIds"][0];
    EXPECT_EQ(features["featureCount"], 2);
    const std::size_t count = glb.json["accessors"][a["SCALE"].get<std::size_t>()]["count"];
    for (const float id : glb.Floats(a["_FEATURE_ID_0"], 1)) buildings.insert(id);
    EXPECT_EQ(glb.Floats(a["TRANSLATION"], 3).size(), 3 * count);
    EXPECT_EQ(glb.Floats(a["ROTATION"], 4).size(), 4 * count);
    const std::vector<float> scale = glb.Floats(a["SCALE"], 3);
    for (std::size_t i = 0; i < scale.size(); i += 3) {
      EXPECT_GT(scale[i] * scale[i + 1] * scale[i + 2], 0);
    }
  }
  EXPECT_EQ(buildings.count(0), sample.instances.size() / 2);
  EXPECT_EQ(buildings.count(1), sample.instances.size() / 2);
}

TEST(WriteInstancedGlb, KeepsPlacesAsTheyAre) {
  SampleCity sample;
  sample.instances.resize(1);
  const std::string file = WriteInstanced(sample.city());
  const ReadGlb glb(file);
  const Json& a = glb.json["nodes"][0]["extensions"]["EXT_mesh_gpu_instancing"]["attributes"];
  EXPECT_EQ(glb.Floats(a["TRANSLATION"], 3), (std::vector<float>{0, 1, 2}));
  EXPECT_EQ(glb.Floats(a["ROTATION"], 4), (std::vector<float>{0, 0, 0, 1}));
  EXPECT_EQ(glb.Floats(a["SCALE"], 3), (std::vector<float>{1, 2, 3}));
}

TEST(WriteInstancedGlb, PaintsByMaterialMeshAndColour) {
  const SampleCity sample;
  const std::string file = WriteInstanced(sample.city());
  const ReadGlb glb(file);
  std::set<std::string> names;
  for (const Json& material : glb.json["materials"]) {
    names.insert(material["name"].get<std::string>());
    const bool is_half = material["pbrMetallicRoughness"]["baseColorFactor"][3] < 1;
    EXPECT_EQ(material.contains("alphaMode"), is_half);
  }
  EXPECT_EQ(names, (std::set<std::string>{"box", "glass", "roof", "prism", "quad", "tri"}));
}

TEST(WriteInstancedGlb, WritesAnEmptyCity) {
  SampleCity sample;
  sample.instances.clear();
  const std::string file = WriteInstanced(sample.city());
  EXPECT_FALSE(mesh_io::SplitGlb(file)->binary.has_value());
  EXPECT_FALSE(ReadGlb(file).json.contains("nodes"));
}

TEST(WriteInstancedGlb, RefusesInstancesOfNothing) {
  SampleCity sample;
  sample.instances[0].mesh = 99;
  std::ostringstream out;
  EXPECT_EQ(WriteInstancedGlb(sample.city(), out).code(), absl::StatusCode::kInvalidArgument);
}

TEST(WriteInstancedGlb, PassesTheValidator) {
  SampleCity sample, empty;
  empty.instances.clear();
  const std::optional<bool> passed =
      mesh_io::PassValidator({{"city.glb", WriteInstanced(sample.city())},
                              {"empty_city.glb", WriteInstanced(empty.city())}});
  if (!passed) GTEST_SKIP() << "the npm package gltf-validator is not installed";
  EXPECT_TRUE(*passed);
}

}  // namespace
}  // namespace warpyard::city_io
