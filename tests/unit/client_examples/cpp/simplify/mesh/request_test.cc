// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/cpp/simplify/mesh/request.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/unit/client_examples/cpp/simplify/samples.h"

namespace warpyard::cli {
namespace {

using mesh_io::ModelMesh;
using mesh_io::Primitive;
using Indices = std::vector<std::uint32_t>;
using Floats = std::vector<float>;

v1::OpenModelRequest Request(const ModelMesh& mesh, const AttributeWeights& weights = {}) {
  const auto request = RequestOf(mesh, PartsOf(mesh), weights);
  EXPECT_TRUE(request.ok()) << request.status();
  return *request;
}

TEST(RequestOf, SendsFloatsAsFloats) {
  const v1::TriangleMesh mesh = Request({"", {SquareAt(0)}}).mesh();
  EXPECT_EQ(mesh.positions().scalar_type(), v1::SCALAR_TYPE_FLOAT32);
  EXPECT_EQ(mesh.positions().data(), BytesOf<float>({0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}));
  EXPECT_EQ(mesh.vertex_groups(), "");
  const Primitive doubles = ColouredSquareAt(0.1);
  const v1::Positions positions = Request({"", {doubles}}).mesh().positions();
  EXPECT_EQ(positions.scalar_type(), v1::SCALAR_TYPE_FLOAT64);
  EXPECT_EQ(positions.data(), BytesOf(doubles.positions));
}

TEST(RequestOf, LeavesOutTrianglesThatNameAVertexTwice) {
  Primitive primitive = SquareAt(0);
  primitive.triangles = {0, 0, 1, 0, 1, 2, 1, 2, 1, 3, 2, 2};
  EXPECT_EQ(Request({"", {primitive}}).mesh().triangles(), BytesOf<std::uint32_t>({0, 1, 2}));
}

TEST(RequestOf, MakesEachPrimitiveAGroup) {
  const v1::OpenModelRequest request = Request({"", {SquareAt(0), ColouredSquareAt(0)}});
  EXPECT_EQ(request.mesh().vertex_groups(), BytesOf(Indices{0, 0, 0, 0, 1, 1, 1, 1}));
  EXPECT_EQ(request.mesh().triangles(), BytesOf(Indices{0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7}));
  EXPECT_EQ(request.mesh().positions().scalar_type(), v1::SCALAR_TYPE_FLOAT64);
  EXPECT_EQ(request.mesh().positions().data().size(), 8 * 24u);
  EXPECT_EQ(request.locked_vertices(), "");
}

TEST(RequestOf, SendsAttributesAndConstantsWhereAPrimitiveHasNone) {
  const v1::OpenModelRequest request = Request({"", {SquareAt(0), ColouredSquareAt(0)}});
  ASSERT_EQ(request.attributes_size(), 3);
  const v1::VertexAttribute& normals = request.attributes(0);
  EXPECT_EQ(normals.name(), "normals");
  EXPECT_EQ(normals.kind(), v1::ATTRIBUTE_KIND_NORMAL);
  EXPECT_EQ(normals.components(), 3u);
  EXPECT_EQ(normals.values().size(), 8 * 12u);
  EXPECT_FALSE(normals.has_weight());
  const v1::VertexAttribute& colours = request.attributes(1);
  EXPECT_EQ(colours.name(), "colours");
  EXPECT_EQ(colours.components(), 3u) << "none has alpha";
  EXPECT_EQ(colours.values(), BytesOf(Floats{1, 1, 1, 1, 1, 1, 1, 1, 1, 1,   1,   1,  //
                                             1, 0, 0, 0, 1, 0, 0, 0, 1, 0.5, 0.5, 0.5}));
  const v1::VertexAttribute& uvs = request.attributes(2);
  EXPECT_EQ(uvs.name(), "uvs");
  EXPECT_EQ(uvs.kind(), v1::ATTRIBUTE_KIND_LINEAR);
  EXPECT_EQ(uvs.values(), BytesOf(Floats{0, 0, 1, 0, 1, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0}));
}

TEST(RequestOf, SendsAlphaIfAPrimitiveHasIt) {
  Primitive clear = ColouredSquareAt(0);
  clear.colours_are_opaque = false;
  const v1::VertexAttribute colours = Request({"", {clear}}).attributes(1);
  EXPECT_EQ(colours.components(), 4u);
  EXPECT_EQ(colours.values(), BytesOf(clear.colours.values));
}

TEST(RequestOf, LeavesOutWhatTheServiceDoesNotTake) {
  Primitive primitive = SquareAt(0);
  primitive.normals.values = {0, 0, 2e6, 0, 0, 1, 0, 0, 1, 0, 0, 1};
  primitive.uvs.resize(12, primitive.uvs[0]);
  const v1::OpenModelRequest request = Request({"", {primitive}});
  ASSERT_EQ(request.attributes_size(), 8) << "sixteen numbers";
  EXPECT_EQ(request.attributes(0).name(), "uvs");
  EXPECT_EQ(request.attributes(7).name(), "uvs_7");
}

TEST(RequestOf, HasTheWeightsThatAreGiven) {
  Primitive primitive = SquareAt(0);
  primitive.uvs.resize(2, primitive.uvs[0]);
  const v1::OpenModelRequest request = Request({"", {primitive}}, {{"uvs", 0}, {"normals", 3}});
  ASSERT_EQ(request.attributes_size(), 2);
  for (const v1::VertexAttribute& uvs : request.attributes()) {
    EXPECT_TRUE(uvs.has_weight());
    EXPECT_EQ(uvs.weight(), 0);
  }
}

TEST(RequestOf, LocksVerticesAtPrimitivesThatStay) {
  Primitive pinned = SquareAt(0);
  pinned.pinned_by = "EXT_x";
  pinned.positions[0] = -0.0;
  pinned.positions[3] = 5;
  const ModelMesh mesh = {"", {pinned, SquareAt(0)}};
  ASSERT_EQ(PartsOf(mesh).size(), 1u);
  EXPECT_EQ(PartsOf(mesh)[0].primitive, 1u);
  const v1::OpenModelRequest request = Request(mesh);
  EXPECT_EQ(request.mesh().vertex_groups(), "");
  EXPECT_EQ(request.locked_vertices(), std::string("\1\0\1\1", 4));
}

TEST(PartsOf, LeavesOutPrimitivesWithoutTriangles) {
  ModelMesh mesh = {"", {SquareAt(0), SquareAt(1), SquareAt(2)}};
  mesh.primitives[1].triangles.clear();
  const std::vector<ModelPart> parts = PartsOf(mesh);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[1].primitive, 2u);
  EXPECT_EQ(parts[1].first_vertex, 4u);
}

TEST(HaveSurface, NeedsThreePositions) {
  ModelMesh mesh = {"", {SquareAt(0)}};
  EXPECT_TRUE(HaveSurface(mesh, PartsOf(mesh)));
  mesh.primitives[0].positions.assign(12, 0);
  mesh.primitives[0].positions[3] = -0.0;
  EXPECT_FALSE(HaveSurface(mesh, PartsOf(mesh)));
  EXPECT_FALSE(HaveSurface(mesh, {}));
}

}  // namespace
}  // namespace warpyard::cli
