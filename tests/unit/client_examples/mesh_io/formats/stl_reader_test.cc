// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/mesh_io/formats/stl_reader.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "client_examples/mesh_io/formats/stl_writer.h"

namespace warpyard::mesh_io {
namespace {

Primitive TwoTriangles() {
  Primitive primitive;
  primitive.positions = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0.5};
  primitive.positions_are_float = true;
  primitive.triangles = {0, 1, 2, 0, 2, 3};
  return primitive;
}

constexpr char kAscii[] =
    "solid first one\nfacet normal 0 0 1\n outer loop\n  vertex 0 0 0\n  vertex 1e0 0 0\n"
    "  vertex 0 .5 0\n endloop\nendfacet\nendsolid first one\n\nsolid\nendsolid\n"
    "SOLID second\r\nfacet normal 0 0 0\r\nouter loop\r\nvertex 0 0 0\r\nvertex 0 0 0\r\n"
    "vertex 0 0 0.1\r\nendloop\r\nendfacet\r\nendsolid\r\n";

std::string ErrorOf(const std::string& contents) {
  const absl::StatusOr<Model> model = ParseStl(contents);
  return model.ok() ? "" : std::string(model.status().message());
}

TEST(StlReader, GivesBackCornersOfABinaryFile) {
  const std::string file = *EncodeStl(TwoTriangles());
  EXPECT_EQ(file.size(), 84u + 2 * 50);
  EXPECT_EQ(LoadLittleEndian<float>(file.data() + 84 + 8), 1) << "the normal";
  const absl::StatusOr<Model> model = ParseStl(file);
  ASSERT_TRUE(model.ok()) << model.status();
  const Primitive& read = model->meshes[0].primitives[0];
  EXPECT_EQ(read.positions, TwoTriangles().positions);
  EXPECT_EQ(read.triangles, TwoTriangles().triangles);
  EXPECT_TRUE(read.positions_are_float);
}

TEST(StlReader, MakesCornersAtOnePositionOneVertex) {
  // The second triangle has no area, and its first corner differs from the others by one bit.
  Primitive primitive;
  const double next = static_cast<double>(std::nextafterf(1, 2));
  primitive.positions = {0, -0.0, 0, 1, 0, 0, 0, 1, 0, -0.0, 0, 0, next, 0, 0};
  primitive.triangles = {0, 1, 2, 4, 1, 1, 2, 1, 3};
  const absl::StatusOr<Model> model = ParseStl(*EncodeStl(primitive));
  ASSERT_TRUE(model.ok()) << model.status();
  const Primitive& read = model->meshes[0].primitives[0];
  EXPECT_EQ(read.positions, (std::vector<double>{0, 0, 0, 1, 0, 0, 0, 1, 0, next, 0, 0}));
  EXPECT_EQ(read.triangles, (std::vector<std::uint32_t>{0, 1, 2, 3, 1, 1, 2, 1, 0}));
  for (const double value : read.positions) EXPECT_FALSE(std::signbit(value)) << value;
  EXPECT_TRUE(CheckPrimitive(read).ok());
}

TEST(StlReader, SharesNoVerticesBetweenSolids) {
  const absl::StatusOr<Model> model = ParseStl(std::string(kAscii) + kAscii);
  ASSERT_TRUE(model.ok()) << model.status();
  ASSERT_EQ(model->meshes.size(), 4u);
  EXPECT_EQ(model->meshes[2].primitives[0].Vertices(), 3u);
  EXPECT_EQ(model->meshes[3].primitives[0].Vertices(), 2u);
  EXPECT_EQ(model->meshes[3].primitives[0].triangles, (std::vector<std::uint32_t>{0, 0, 1}));
}

TEST(StlReader, ReadsTheSolidsOfAnAsciiFile) {
  const absl::StatusOr<Model> model = ParseStl(kAscii);
  ASSERT_TRUE(model.ok()) << model.status();
  ASSERT_EQ(model->meshes.size(), 2u);
  EXPECT_EQ(model->meshes[0].name, "first one");
  EXPECT_EQ(model->meshes[0].primitives[0].positions,
            (std::vector<double>{0, 0, 0, 1, 0, 0, 0, 0.5, 0}));
  EXPECT_FALSE(model->meshes[1].primitives[0].positions_are_float);
}

TEST(StlReader, KnowsABinaryFileThatBeginsLikeAnAsciiOne) {
  std::string file = *EncodeStl(TwoTriangles());
  file.replace(0, 5, "solid");
  EXPECT_TRUE(ParseStl(file).ok());
}

TEST(StlReader, FindsEveryTruncation) {
  const std::string binary = *EncodeStl(TwoTriangles());
  for (std::size_t size = 0; size < binary.size(); ++size) {
    EXPECT_FALSE(ParseStl(absl::string_view(binary).substr(0, size)).ok()) << size;
  }
  const std::string ascii(kAscii);
  // The last line may lack its end, and an ASCII file may end after any solid, whose last line is
  // complete with its keyword.
  const std::size_t first_end = ascii.find("endsolid") + 8;
  for (std::size_t size = 0; size < first_end; ++size) {
    EXPECT_FALSE(ParseStl(absl::string_view(ascii).substr(0, size)).ok()) << size;
  }
  for (std::size_t size = ascii.find("SOLID") + 5; size < ascii.size() - 2; ++size) {
    EXPECT_FALSE(ParseStl(absl::string_view(ascii).substr(0, size)).ok()) << size;
  }
}

TEST(StlReader, NamesThePlaceOfAnError) {
  std::string file = *EncodeStl(TwoTriangles());
  file[80] = 3;
  EXPECT_NE(ErrorOf(file).find("184 bytes"), std::string::npos);
  file[80] = 2;
  std::string nan;
  AppendLittleEndian(std::numeric_limits<float>::quiet_NaN(), nan);
  file.replace(84 + 50 + 12, 4, nan);
  EXPECT_EQ(ErrorOf(file), "triangle 1: a coordinate is not finite");
  EXPECT_EQ(ErrorOf("solid\nvertex 0 0 0\n"), "line 2: vertex outside a facet");
  EXPECT_EQ(ErrorOf("solid\nfacet\nvertex 0 0 x\n"), "line 3: \"x\" is not a finite number");
  EXPECT_EQ(ErrorOf("solid\nfacet\nvertex 0 0 inf\n"), "line 3: \"inf\" is not a finite number");
  EXPECT_EQ(ErrorOf("solid\nfacet\nendfacet\n"), "line 3: a facet has 3 vertices, not 0");
  EXPECT_EQ(ErrorOf("solid\nfacet\nfacet\n"), "line 3: unexpected \"facet\"");
  EXPECT_EQ(ErrorOf("solid\nbogus\n"), "line 2: unknown keyword \"bogus\"");
  EXPECT_EQ(ErrorOf("solid\nendsolid\nhello\n"), "line 3: expected: solid NAME");
  EXPECT_EQ(ErrorOf("solid\nendsolid\n"), "there are no triangles");
  EXPECT_NE(ErrorOf("").find("neither"), std::string::npos);
}

}  // namespace
}  // namespace warpyard::mesh_io
