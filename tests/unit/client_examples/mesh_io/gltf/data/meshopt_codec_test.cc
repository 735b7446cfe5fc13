// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/mesh_io/gltf/data/meshopt_codec.h"

#include <gtest/gtest.h>
#include <meshoptimizer.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "client_examples/mesh_io/component.h"

namespace warpyard::mesh_io {
namespace {

constexpr std::size_t kCount = 300;

std::string Vertices() {
  std::string bytes;
  for (std::size_t i = 0; i < kCount; ++i) {
    for (const std::size_t value : {i, i * i, 7 * i}) {
      AppendLittleEndian(static_cast<float>(value), bytes);
    }
  }
  return bytes;
}

TEST(MeshoptCodec, GivesBackVertices) {
  const MeshoptLayout layout{kCount, 12, "ATTRIBUTES", "NONE"};
  const std::string compressed = EncodeMeshopt(layout, Vertices());
  EXPECT_EQ(compressed[0], '\xa0') << "the version that the extension wants";
  const absl::StatusOr<std::string> bytes = DecodeMeshopt(layout, compressed);
  ASSERT_TRUE(bytes.ok()) << bytes.status();
  EXPECT_EQ(*bytes, Vertices());
  for (std::size_t size = 0; size < compressed.size(); ++size) {
    EXPECT_FALSE(DecodeMeshopt(layout, absl::string_view(compressed).substr(0, size)).ok()) << size;
  }
}

TEST(MeshoptCodec, GivesBackTriangles) {
  for (const std::size_t stride : {sizeof(std::uint16_t), sizeof(std::uint32_t)}) {
    std::string bytes;
    for (std::uint32_t i = 0; i + 2 < kCount; ++i) {
      for (const std::uint32_t corner : {i, i + 1, i + 2}) {
        AppendLittleEndian(corner, bytes);
        bytes.resize(bytes.size() - (4 - stride));
      }
    }
    const MeshoptLayout layout{3 * (kCount - 2), stride, "TRIANGLES", "NONE"};
    const std::string compressed = EncodeMeshopt(layout, bytes);
    EXPECT_EQ(compressed[0], '\xe1') << "the version that the extension wants";
    EXPECT_LT(compressed.size(), 3 * kCount);
    const absl::StatusOr<std::string> decoded = DecodeMeshopt(layout, compressed);
    ASSERT_TRUE(decoded.ok()) << decoded.status();
    EXPECT_EQ(decoded->size(), bytes.size());
    const absl::string_view half = absl::string_view(compressed).substr(0, compressed.size() / 2);
    EXPECT_FALSE(DecodeMeshopt(layout, half).ok());
  }
}

TEST(MeshoptCodec, DecodesSequencesOfIndices) {
  const std::vector<unsigned int> indices = {5, 0, 5, 9, 1};
  std::string compressed(meshopt_encodeIndexSequenceBound(indices.size(), 10), '\0');
  compressed.resize(meshopt_encodeIndexSequence(reinterpret_cast<unsigned char*>(compressed.data()),
                                                compressed.size(), indices.data(), indices.size()));
  const absl::StatusOr<std::string> bytes =
      DecodeMeshopt({indices.size(), 4, "INDICES", "NONE"}, compressed);
  ASSERT_TRUE(bytes.ok()) << bytes.status();
  EXPECT_EQ(LoadLittleEndian<std::uint32_t>(bytes->data() + 12), 9u);
}

TEST(MeshoptCodec, AppliesFilters) {
  const std::array<float, 4> numbers = {0.5f, -1.25f, 100, 0};
  std::string filtered(16, '\0');
  meshopt_encodeFilterExp(filtered.data(), 1, 16, 20, numbers.data());
  absl::StatusOr<std::string> bytes = DecodeMeshopt(
      {1, 16, "ATTRIBUTES", "EXPONENTIAL"}, EncodeMeshopt({1, 16, "ATTRIBUTES", "NONE"}, filtered));
  ASSERT_TRUE(bytes.ok()) << bytes.status();
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(LoadLittleEndian<float>(bytes->data() + 4 * i), numbers[i], 1e-3);
  }
  const std::array<float, 4> normal = {0, 0.6f, -0.8f, 0};
  filtered.resize(8);
  meshopt_encodeFilterOct(filtered.data(), 1, 8, 16, normal.data());
  bytes = DecodeMeshopt({1, 8, "ATTRIBUTES", "OCTAHEDRAL"},
                        EncodeMeshopt({1, 8, "ATTRIBUTES", "NONE"}, filtered));
  ASSERT_TRUE(bytes.ok()) << bytes.status();
  for (std::size_t i = 0; i < 3; ++i) {
    const auto stored = LoadLittleEndian<std::int16_t>(bytes->data() + 2 * i);
    EXPECT_NEAR(FromStored(stored, true), static_cast<double>(normal[i]), 1e-3);
  }
  const std::array<float, 4> turn = {0.6f, 0, 0, 0.8f};
  meshopt_encodeFilterQuat(filtered.data(), 1, 8, 16, turn.data());
  bytes = DecodeMeshopt({1, 8, "ATTRIBUTES", "QUATERNION"},
                        EncodeMeshopt({1, 8, "ATTRIBUTES", "NONE"}, filtered));
  ASSERT_TRUE(bytes.ok()) << bytes.status();
  EXPECT_NEAR(FromStored(LoadLittleEndian<std::int16_t>(bytes->data()), true), 0.6, 1e-3);
}

TEST(MeshoptCodec, RefusesLayoutsThatDoNotFit) {
  const std::string data(100, '\xa0');
  for (const MeshoptLayout& layout :
       {MeshoptLayout{1, 4, "OTHER", "NONE"}, MeshoptLayout{1, 6, "ATTRIBUTES", "NONE"},
        MeshoptLayout{1, 260, "ATTRIBUTES", "NONE"},
        MeshoptLayout{1, 12, "ATTRIBUTES", "OCTAHEDRAL"},
        MeshoptLayout{1, 4, "ATTRIBUTES", "QUATERNION"}, MeshoptLayout{1, 4, "ATTRIBUTES", "OTHER"},
        MeshoptLayout{3, 8, "TRIANGLES", "NONE"}, MeshoptLayout{4, 4, "TRIANGLES", "NONE"},
        MeshoptLayout{3, 4, "INDICES", "EXPONENTIAL"}, MeshoptLayout{0, 4, "INDICES", "NONE"},
        MeshoptLayout{1'601, 4, "ATTRIBUTES", "NONE"},
        MeshoptLayout{std::size_t{1} << 52, 4, "INDICES", "NONE"}}) {
    const absl::Status status = DecodeMeshopt(layout, data).status();
    EXPECT_FALSE(status.ok()) << layout.mode << layout.filter;
    EXPECT_EQ(status.message().find("malformed"), absl::string_view::npos) << status;
  }
}

}  // namespace
}  // namespace warpyard::mesh_io
