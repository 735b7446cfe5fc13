// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/cpp/simplify/mesh/result.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/unit/client_examples/cpp/simplify/samples.h"

namespace warpyard::cli {
namespace {

using mesh_io::ModelMesh;
using mesh_io::NewGeometry;
using mesh_io::Primitive;
using Corners = std::vector<std::uint32_t>;
using Values = std::vector<float>;

/// A triangle of the square of SquareAt.
v1::SimplifyResponse OneTriangle() {
  v1::SimplifyResponse response;
  response.mutable_mesh()->mutable_positions()->set_data(
      BytesOf<float>({0, 0, 0, 2, 0, 0, 0, 2, 0}));
  response.mutable_mesh()->set_triangles(BytesOf(Corners{0, 1, 2}));
  response.set_source_vertices(BytesOf(Corners{0, 2, 3}));
  for (const double x : {1., 0., -1.}) response.add_origin(x);
  return response;
}

v1::VertexAttribute Attribute(const std::string& name, std::uint32_t components,
                              const Values& values) {
  v1::VertexAttribute attribute;
  attribute.set_name(name);
  attribute.set_components(components);
  attribute.set_values(BytesOf(values));
  return attribute;
}

/// Two triangles, of one group each, that share no vertices; vertices of the groups alternate.
v1::SimplifyResponse TwoGroups() {
  v1::SimplifyResponse response;
  response.mutable_mesh()->mutable_positions()->set_data(
      BytesOf<float>({0, 0, 0, 0, 0, 9, 1, 0, 0, 1, 0, 9, 0, 1, 0, 0, 1, 9}));
  response.mutable_mesh()->set_triangles(BytesOf(Corners{1, 3, 5, 0, 2, 4}));
  response.mutable_mesh()->set_vertex_groups(BytesOf(Corners{0, 1, 0, 1, 0, 1}));
  response.set_source_vertices(BytesOf(Corners{0, 4, 1, 5, 3, 7}));
  for (int i = 0; i < 3; ++i) response.add_origin(0);
  return response;
}

std::string ProblemOf(const v1::SimplifyResponse& response, const ModelMesh& mesh) {
  const absl::Status status = SplitResponse(response, mesh, PartsOf(mesh)).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  const std::string start = "the response does not fit the mesh: ";
  EXPECT_EQ(status.message().substr(0, start.size()), start);
  return std::string(status.message().substr(std::min(start.size(), status.message().size())));
}

TEST(ReplaceBy, TakesAttributesThatDidNotTravelFromSourceVertices) {
  ModelMesh mesh = {"", {SquareAt(0)}};
  mesh.primitives[0].others.push_back({"_X", {}, "SCALAR", 1, {10, 11, 12, 13}});
  ASSERT_EQ(ReplaceBy(OneTriangle(), PartsOf(mesh), mesh), absl::OkStatus());
  const Primitive& primitive = mesh.primitives[0];
  EXPECT_EQ(primitive.positions, (std::vector<double>{1, 0, -1, 3, 0, -1, 1, 2, -1}));
  EXPECT_EQ(primitive.triangles, (Corners{0, 1, 2}));
  EXPECT_EQ(primitive.uvs[0].values, (Values{0, 0, 1, 1, 0, 1}));
  EXPECT_EQ(primitive.others[0].bytes, (std::vector<std::uint8_t>{10, 12, 13}));
}

TEST(ReplaceBy, TakesAttributesFromTheResponse) {
  ModelMesh mesh = {"", {ColouredSquareAt(0)}};
  v1::SimplifyResponse response = OneTriangle();
  *response.add_attributes() = Attribute("normals", 3, {1, 0, 0, 0, 1, 0, 0, 0, 1});
  *response.add_attributes() = Attribute("colours", 3, {0.1f, 0.2f, 0.3f, 2, 0, 0, 0, -1, 0.5f});
  *response.add_attributes() = Attribute("unknown", 1, {1, 2, 3});
  ASSERT_EQ(ReplaceBy(response, PartsOf(mesh), mesh), absl::OkStatus());
  EXPECT_EQ(mesh.primitives[0].normals.values, (Values{1, 0, 0, 0, 1, 0, 0, 0, 1}));
  EXPECT_EQ(mesh.primitives[0].colours.values,
            (Values{0.1f, 0.2f, 0.3f, 1, 1, 0, 0, 1, 0, 0, 0.5f, 1}))
      << "in the range of before, and opaque";
}

TEST(ReplaceBy, SplitsTheModelIntoPrimitives) {
  ModelMesh mesh = {"", {SquareAt(0), ColouredSquareAt(9)}};
  mesh.primitives[1].material = 3;
  v1::SimplifyResponse response = TwoGroups();
  *response.add_attributes() = Attribute("uvs", 2, {0, 0, 0, 0, 0.5, 0, 0, 0, 0, 0.5, 0, 0});
  ASSERT_EQ(ReplaceBy(response, PartsOf(mesh), mesh), absl::OkStatus());
  const Primitive &first = mesh.primitives[0], &second = mesh.primitives[1];
  EXPECT_EQ(first.positions, (std::vector<double>{0, 0, 0, 1, 0, 0, 0, 1, 0}));
  EXPECT_EQ(first.triangles, (Corners{0, 1, 2}));
  EXPECT_EQ(first.uvs[0].values, (Values{0, 0, 0.5, 0, 0, 0.5}));
  EXPECT_EQ(second.positions, (std::vector<double>{0, 0, 9, 1, 0, 9, 0, 1, 9}));
  EXPECT_TRUE(second.uvs.empty()) << "it had none";
  EXPECT_EQ(second.colours.values, (Values{1, 0, 0, 1, 0, 1, 0, 1, 0.5, 0.5, 0.5, 1}));
  EXPECT_EQ(second.material, 3u);
}

TEST(ReplaceBy, LeavesPrimitivesThatAreNoPartsAlone) {
  ModelMesh mesh = {"", {SquareAt(0), SquareAt(1)}};
  mesh.primitives[0].pinned_by = "EXT_x";
  ASSERT_EQ(ReplaceBy(OneTriangle(), PartsOf(mesh), mesh), absl::OkStatus());
  EXPECT_EQ(mesh.primitives[0].Vertices(), 4u);
  EXPECT_EQ(mesh.primitives[1].Vertices(), 3u);
}

TEST(ReplaceBy, EmptiesPrimitivesWithoutTriangles) {
  ModelMesh mesh = {"", {SquareAt(0), ColouredSquareAt(9)}};
  v1::SimplifyResponse response = TwoGroups();
  response.mutable_mesh()->set_triangles(BytesOf(Corners{0, 2, 4}));
  ASSERT_EQ(ReplaceBy(response, PartsOf(mesh), mesh), absl::OkStatus());
  EXPECT_TRUE(mesh.primitives[1].triangles.empty());
  ASSERT_EQ(ReplaceBy(v1::SimplifyResponse(), PartsOf(mesh), mesh), absl::OkStatus());
  EXPECT_EQ(mesh.primitives[0].Vertices(), 0u);
  EXPECT_EQ(mesh_io::CheckPrimitive(mesh.primitives[0]), absl::OkStatus());
}

TEST(SplitResponse, RefusesAResponseThatDoesNotFit) {
  const ModelMesh one = {"", {SquareAt(0)}}, two = {"", {SquareAt(0), SquareAt(9)}};
  v1::SimplifyResponse bad = OneTriangle();
  bad.clear_origin();
  EXPECT_EQ(ProblemOf(bad, one), "it has no origin");
  EXPECT_EQ(ProblemOf(OneTriangle(), two), "it has not one group for each vertex");
  bad = OneTriangle();
  bad.mutable_mesh()->mutable_positions()->set_data("12345678");
  EXPECT_EQ(ProblemOf(bad, one), "it has not one source for each vertex");
  bad = OneTriangle();
  bad.set_source_vertices(BytesOf(Corners{0, 2, 4}));
  EXPECT_EQ(ProblemOf(bad, one), "vertex 4 is not in group 0");
  bad = OneTriangle();
  bad.mutable_mesh()->set_triangles(BytesOf(Corners{0, 1, 3}));
  EXPECT_EQ(ProblemOf(bad, one), "there is no vertex 3");
  bad = TwoGroups();
  EXPECT_EQ(ProblemOf(bad, one), "there is no group 1");
  bad.mutable_mesh()->set_triangles(BytesOf(Corners{0, 1, 2}));
  EXPECT_EQ(ProblemOf(bad, two), "a triangle has corners of several groups");
  bad = TwoGroups();
  bad.set_source_vertices(BytesOf(Corners{0, 3, 1, 5, 3, 7}));
  EXPECT_EQ(ProblemOf(bad, two), "vertex 3 is not in group 1");
  bad = OneTriangle();
  *bad.add_attributes() = Attribute("uvs", 2, {1, 2, 3});
  EXPECT_EQ(ProblemOf(bad, one), "uvs has not one value for each vertex");
}

}  // namespace
}  // namespace warpyard::cli
