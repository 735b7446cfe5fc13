// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/cpp/simplify_model.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace warpyard::cli {
namespace {

using mesh_io::Model;
using mesh_io::Primitive;

template <class Number>
std::string BytesOf(const std::vector<Number>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number)};
}

/// A square of two triangles, with texture coordinates.
Primitive Square() {
  Primitive primitive;
  primitive.positions = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
  primitive.positions_are_float = true;
  primitive.triangles = {0, 1, 2, 0, 2, 3};
  primitive.uvs.resize(1);
  primitive.uvs[0].values = {0, 0, 1, 0, 1, 1, 0, 1};
  return primitive;
}

/// The square with vertices of its own for each triangle.
Primitive SplitSquare() {
  Primitive primitive = Square();
  primitive.positions = {0, 0, 0, 1, 0, 0, 1, 1, 0, -0.0, 0, 0, 1, 1, 0, 0, 1, 0};
  primitive.triangles = {0, 1, 2, 3, 4, 5};
  primitive.uvs[0].values = {0, 0, 1, 0, 1, 1, 0, 0, 1, 1, 0, 1};
  return primitive;
}

Model ModelOf(const std::vector<Primitive>& primitives) {
  Model model;
  model.meshes.push_back({"m", primitives});
  return model;
}

std::string ProblemOf(Model model) {
  const auto only = OnlyPrimitive(model);
  EXPECT_EQ(only.status().code(), absl::StatusCode::kFailedPrecondition);
  return std::string(only.status().message());
}

TEST(OnlyPrimitive, IsInTheModel) {
  Model model = ModelOf({Square()});
  const auto only = OnlyPrimitive(model);
  ASSERT_TRUE(only.ok());
  EXPECT_EQ(*only, &model.meshes[0].primitives[0]);
}

TEST(OnlyPrimitive, MayHaveVerticesAtOnePositionThatAreAlike) {
  Model model = ModelOf({SplitSquare()});
  EXPECT_TRUE(OnlyPrimitive(model).ok());
}

TEST(OnlyPrimitive, RefusesWhatCannotBeKept) {
  const std::string remedy = "; --attributes drop joins all primitives and keeps positions only";
  EXPECT_EQ(ProblemOf(Model()), "0 primitives, expected one" + remedy);
  EXPECT_EQ(ProblemOf(ModelOf({Square(), Square()})), "2 primitives, expected one" + remedy);
  Primitive seam = SplitSquare();
  seam.uvs[0].values[6] = 0.5;
  const std::string problem =
      "there is a seam: vertices 0 and 3 are at one position, with unlike attributes" + remedy;
  EXPECT_EQ(ProblemOf(ModelOf({seam})), problem);
  seam = SplitSquare();
  seam.normals.values.assign(18, 0);
  seam.normals.values[11] = 1;
  EXPECT_EQ(ProblemOf(ModelOf({seam})), problem);
  seam = SplitSquare();
  seam.others.push_back({"_X", {}, "SCALAR", 1, {1, 1, 1, 2, 1, 1}});
  EXPECT_EQ(ProblemOf(ModelOf({seam})), problem);
  Primitive pinned = Square();
  pinned.pinned_by = "EXT_x";
  EXPECT_EQ(ProblemOf(ModelOf({pinned})),
            "EXT_x may refer to single vertices, so it cannot be kept" + remedy);
}

TEST(DropAttributes, JoinsPrimitivesAndKeepsPositions) {
  auto model = DropAttributes(ModelOf({Square(), SplitSquare()}));
  ASSERT_TRUE(model.ok());
  const auto only = OnlyPrimitive(*model);
  ASSERT_TRUE(only.ok());
  EXPECT_EQ((*only)->Vertices(), 10u);
  EXPECT_EQ((*only)->triangles, (std::vector<std::uint32_t>{0, 1, 2, 0, 2, 3, 4, 5, 6, 7, 8, 9}));
  EXPECT_TRUE((*only)->positions_are_float);
  EXPECT_TRUE((*only)->uvs.empty());
  EXPECT_FALSE(DropAttributes(Model()).ok());
}

TEST(SetMesh, SendsFloatsAsFloats) {
  v1::TriangleMesh mesh;
  SetMesh(Square(), mesh);
  EXPECT_EQ(mesh.positions().scalar_type(), v1::SCALAR_TYPE_FLOAT32);
  EXPECT_EQ(mesh.positions().data(), BytesOf<float>({0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}));
  Primitive doubles = Square();
  doubles.positions_are_float = false;
  SetMesh(doubles, mesh);
  EXPECT_EQ(mesh.positions().scalar_type(), v1::SCALAR_TYPE_FLOAT64);
  EXPECT_EQ(mesh.positions().data(), BytesOf(doubles.positions));
}

TEST(SetMesh, LeavesOutTrianglesThatNameAVertexTwice) {
  Primitive primitive = Square();
  primitive.triangles = {0, 0, 1, 0, 1, 2, 1, 2, 1, 3, 2, 2};
  v1::TriangleMesh mesh;
  SetMesh(primitive, mesh);
  EXPECT_EQ(mesh.triangles(), BytesOf<std::uint32_t>({0, 1, 2}));
}

TEST(ReplaceBy, TakesAttributesFromSourceVertices) {
  v1::SimplifyResponse response;
  response.mutable_mesh()->mutable_positions()->set_data(
      BytesOf<float>({0, 0, 0, 2, 0, 0, 0, 2, 0}));
  response.mutable_mesh()->set_triangles(BytesOf<std::uint32_t>({0, 1, 2}));
  response.set_source_vertices(BytesOf<std::uint32_t>({0, 2, 3}));
  for (const double x : {1., 0., -1.}) response.add_origin(x);
  Primitive primitive = Square();
  ASSERT_EQ(ReplaceBy(response, primitive), absl::OkStatus());
  EXPECT_EQ(primitive.positions, (std::vector<double>{1, 0, -1, 3, 0, -1, 1, 2, -1}));
  EXPECT_EQ(primitive.triangles, (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(primitive.uvs[0].values, (std::vector<float>{0, 0, 1, 1, 0, 1}));
}

TEST(ReplaceBy, RefusesAResponseThatDoesNotFit) {
  Primitive primitive = Square();
  v1::SimplifyResponse response;
  EXPECT_EQ(ReplaceBy(response, primitive).message(),
            "no triangle is left, so there is nothing to write");
  response.mutable_mesh()->set_triangles(BytesOf<std::uint32_t>({0, 1, 2}));
  EXPECT_EQ(ReplaceBy(response, primitive).message(), "the response has no origin");
  for (int i = 0; i < 3; ++i) response.add_origin(0);
  EXPECT_FALSE(ReplaceBy(response, primitive).ok());
  EXPECT_EQ(primitive.Vertices(), 4u);
}

}  // namespace
}  // namespace warpyard::cli
