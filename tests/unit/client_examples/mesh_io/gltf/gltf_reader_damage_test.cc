// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Damaged glTF files: reading ends with an error, or with a model that can be written.

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>

#include "absl/strings/string_view.h"
#include "client_examples/mesh_io/gltf/gltf_reader.h"
#include "client_examples/mesh_io/gltf/gltf_writer.h"
#include "tests/unit/client_examples/mesh_io/gltf/sample_glb.h"

namespace warpyard::mesh_io {
namespace {

// Whether a file was read; what was read must hold together.
bool Survives(absl::string_view file) {
  const absl::StatusOr<Model> model = ParseGltf(file, "");
  if (!model.ok()) return false;
  for (const ModelMesh& mesh : model->meshes) {
    for (const Primitive& primitive : mesh.primitives) {
      EXPECT_TRUE(CheckPrimitive(primitive).ok()) << CheckPrimitive(primitive);
    }
  }
  const absl::StatusOr<std::string> written = EncodeGlb(*model, true);
  EXPECT_TRUE(!written.ok() || ParseGltf(*written, "").ok());
  return true;
}

TEST(GltfReaderDamage, FindsEveryTruncation) {
  GltfParts parts = RichFile();
  for (const std::string& whole : {parts.Glb(), *EncodeGlb(*ParseGltf(parts.Glb(), ""), true)}) {
    ASSERT_TRUE(Survives(whole));
    for (std::size_t size = 0; size < whole.size(); ++size) {
      EXPECT_FALSE(Survives(absl::string_view(whole).substr(0, size))) << size;
    }
  }
}

// The binary chunk is shorter than the JSON says, the container is intact.
TEST(GltfReaderDamage, FindsEveryTruncationOfTheBinaryChunk) {
  GltfParts parts = Grid();
  const GlbChunks chunks = *SplitGlb(parts.Glb());
  const std::string json(chunks.json);
  const std::string binary = parts.binary;
  for (std::size_t size = 0; size < binary.size(); size += 4) {
    EXPECT_FALSE(Survives(*JoinGlb(json, binary.substr(0, size)))) << size;
  }
}

TEST(GltfReaderDamage, SurvivesRandomBytes) {
  GltfParts parts = RichFile();
  const std::string plain = parts.Glb();
  const std::string compressed = *EncodeGlb(*ParseGltf(plain, ""), true);
  std::mt19937 random(1);
  int read = 0;
  for (int round = 0; round < 4'000; ++round) {
    std::string damaged = round % 2 == 0 ? plain : compressed;
    for (std::uint32_t edits = 1 + random() % 4; edits > 0; --edits) {
      const std::size_t at = random() % damaged.size();
      damaged[at] = static_cast<char>(random() % 2 == 0 ? random() : '0' + random() % 10);
    }
    read += Survives(damaged) ? 1 : 0;
  }
  EXPECT_GT(read, 100) << "the damage should leave some files readable";
}

// Replaces a value somewhere in the JSON.
void Damage(Json& json, std::mt19937& random) {
  Json* at = &json;
  while (at->is_structured() && !at->empty() && random() % 8 != 0) {
    auto child = at->begin();
    std::advance(child, random() % at->size());
    at = &*child;
  }
  switch (random() % 6) {
    case 0:
      *at = -1;
      break;
    case 1:
      *at = random() % 40;
      break;
    case 2:
      *at = 4'294'967'295u;
      break;
    case 3:
      *at = Json::array({Json::object(), 1, "x"});
      break;
    case 4:
      *at = 1e300;
      break;
    default:
      *at = nullptr;
  }
}

TEST(GltfReaderDamage, SurvivesRandomValues) {
  GltfParts parts = RichFile();
  const std::string compressed = *EncodeGlb(*ParseGltf(parts.Glb(), ""), true);
  const GlbChunks chunks = *SplitGlb(compressed);
  const Json compressed_json = *ParseJson(chunks.json);
  std::mt19937 random(2);
  int read = 0;
  for (int round = 0; round < 6'000; ++round) {
    Json json = round % 2 == 0 ? parts.json : compressed_json;
    for (std::uint32_t edits = 1 + random() % 2; edits > 0; --edits) Damage(json, random);
    const absl::StatusOr<std::string> file =
        JoinGlb(json.dump(), round % 2 == 0 ? absl::string_view(parts.binary) : *chunks.binary);
    read += Survives(*file) ? 1 : 0;
  }
  EXPECT_GT(read, 100) << "the damage should leave some files readable";
}

}  // namespace
}  // namespace warpyard::mesh_io
