// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/mesh_io/formats/ply_reader.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "client_examples/mesh_io/formats/ply_writer.h"

namespace warpyard::mesh_io {
namespace {

constexpr char kBegin[] =
    "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\n"
    "property float y\nproperty float z\n";
constexpr char kSquare[] = "0 0 0\n1 0 0\n0 1 0\n1 1 0\n";

std::string Strips(const std::string& rows, int count) {
  return kBegin + std::string("element tristrips ") + std::to_string(count) +
         "\nproperty list int int vertex_indices\nend_header\n" + kSquare + rows;
}

Primitive Painted() {
  Primitive primitive;
  primitive.positions = {0, 0, 0, 1, 0, 0, 1, 1, 0.1};
  primitive.triangles = {0, 1, 2};
  primitive.normals.values = {0, 0, 1, 0, 1, 0, 1, 0, 0};
  primitive.uvs = {{{0, 0, 0.5, 0.25, 1, 1}, {}}};
  primitive.colours.values = {0, 0.2f, 0.4f, 1, 1, 0.6f, 0.8f, 0, 0, 0, 0, 0.2f};
  primitive.colours.storage = {ComponentType::kUint8, true};
  return primitive;
}

TEST(PlyReader, ReadsStripsOfTriangles) {
  absl::StatusOr<Primitive> mesh = ParsePly(Strips("4 0 1 2 3\n", 1));
  ASSERT_TRUE(mesh.ok()) << mesh.status();
  EXPECT_EQ(mesh->triangles, (std::vector<std::uint32_t>{0, 1, 2, 2, 1, 3}));
  // -1 begins another strip, which begins with an unturned triangle again.
  mesh = ParsePly(Strips("12 0 1 2 -1 1 3 2 -1 -1 0 3 -1\n3 3 3 1\n", 2));
  ASSERT_TRUE(mesh.ok()) << mesh.status();
  EXPECT_EQ(mesh->triangles, (std::vector<std::uint32_t>{0, 1, 2, 1, 3, 2}));
  // Corners that come twice link parts, and the turning goes on.
  mesh = ParsePly(Strips("6 0 1 1 2 3 0\n", 1));
  ASSERT_TRUE(mesh.ok()) << mesh.status();
  EXPECT_EQ(mesh->triangles, (std::vector<std::uint32_t>{1, 2, 3, 3, 2, 0}));
  EXPECT_FALSE(ParsePly(Strips("3 0 1 4\n", 1)).ok());
  EXPECT_FALSE(ParsePly(Strips("3 0 1 -2\n", 1)).ok());
  EXPECT_NE(ParsePly(Strips("3 0 1 4\n", 1)).status().message().find("tristrips 0: vertex 4"),
            std::string::npos);
}

TEST(PlyReader, GivesBackAttributes) {
  const Primitive painted = Painted();
  const absl::StatusOr<Primitive> read = ParsePly(*EncodePly(painted));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->positions, painted.positions);
  EXPECT_FALSE(read->positions_are_float);
  EXPECT_EQ(read->triangles, painted.triangles);
  EXPECT_EQ(read->normals.values, painted.normals.values);
  ASSERT_EQ(read->uvs.size(), 1u);
  EXPECT_EQ(read->uvs[0].values, painted.uvs[0].values);
  EXPECT_EQ(read->colours.values, painted.colours.values);
  EXPECT_EQ(read->colours.storage, painted.colours.storage);
  EXPECT_EQ(*EncodePly(*read), *EncodePly(painted));
}

TEST(PlyReader, KnowsTheNamesOfAttributes) {
  const std::string faces = "element face 0\nproperty list uchar int vertex_indices\nend_header\n";
  const auto read = [&](const std::string& properties, const std::string& row) {
    return ParsePly(
        "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\n"
        "property float y\nproperty float z\n" +
        properties + faces + "1 2 3 " + row);
  };
  absl::StatusOr<Primitive> mesh = read(
      "property float texture_u\nproperty float texture_v\nproperty ushort red\n"
      "property ushort green\nproperty ushort blue\n",
      "0.5 0.25 65535 0 13107\n");
  ASSERT_TRUE(mesh.ok()) << mesh.status();
  EXPECT_EQ(mesh->uvs.at(0).values, (std::vector<float>{0.5, 0.25}));
  EXPECT_EQ(mesh->colours.values, (std::vector<float>{1, 0, 0.2f, 1}));
  EXPECT_TRUE(mesh->colours_are_opaque);
  mesh = read("property float nx\nproperty float ny\nproperty float red\n", "1 0 0.5\n");
  ASSERT_TRUE(mesh.ok());
  EXPECT_TRUE(mesh->normals.values.empty()) << "nz is missing";
  EXPECT_TRUE(mesh->colours.values.empty()) << "green is missing";
  EXPECT_FALSE(
      read("property float nx\nproperty float ny\nproperty double nz\n", "1 0 1e99\n").ok());
}

TEST(PlyReader, FindsEveryTruncation) {
  const std::string whole = *EncodePly(Painted());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(ParsePly(absl::string_view(whole).substr(0, size)).ok()) << size;
  }
}

}  // namespace
}  // namespace warpyard::mesh_io
