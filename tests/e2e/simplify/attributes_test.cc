// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Attributes, groups and locks through SimplifyService.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/e2e/simplify/simplify_server.h"

namespace warpyard::test_support {
namespace {

/// The sphere with normals, and with the height as an attribute.
v1::OpenModelRequest AttributedSphere() {
  v1::OpenModelRequest request = SphereRequest();
  const auto positions = Numbers<double>(request.mesh().positions().data());
  v1::VertexAttribute& normals = *request.add_attributes();
  normals.set_name("normals");
  normals.set_kind(v1::ATTRIBUTE_KIND_NORMAL);
  normals.set_components(3);
  normals.set_values(Bytes(std::vector<float>(positions.begin(), positions.end())));
  std::vector<float> heights;
  for (std::size_t i = 2; i < positions.size(); i += 3) {
    heights.push_back(static_cast<float>(positions[i]));
  }
  v1::VertexAttribute& height = *request.add_attributes();
  height.set_name("height");
  height.set_components(1);
  height.set_values(Bytes(heights));
  return request;
}

TEST(SimplifyAttributes, ComeBackWithTheNewVertices) {
  SimplifyServer server;
  const std::string model = server.NameOf(AttributedSphere());
  const v1::SimplifyResponse response = server.ResultOf(ToTriangles(model, 600));
  ExpectSphere(response, 0.05);
  ASSERT_EQ(response.attributes_size(), 2);
  EXPECT_EQ(response.attributes(0).name(), "normals");
  EXPECT_EQ(response.attributes(1).name(), "height");
  const auto positions = Numbers<float>(response.mesh().positions().data());
  const auto normals = Numbers<float>(response.attributes(0).values());
  const auto heights = Numbers<float>(response.attributes(1).values());
  ASSERT_EQ(normals.size(), positions.size());
  ASSERT_EQ(heights.size(), VerticesOf(response));
  for (std::size_t v = 0; v < VerticesOf(response); ++v) {
    for (std::size_t k = 0; k < 3; ++k) {
      const double at = positions[3 * v + k] + response.origin(static_cast<int>(k));
      EXPECT_NEAR(normals[3 * v + k], at, 0.1);
    }
    EXPECT_NEAR(heights[v], positions[3 * v + 2] + response.origin(2), 0.05);
  }
}

TEST(SimplifyAttributes, GiveTheSameResultWhenOpenedAgain) {
  SimplifyServer server;
  const auto result = [&] {
    return server.ResultOf(ToTriangles(server.NameOf(AttributedSphere()), 500));
  };
  const v1::SimplifyResponse first = result(), second = result();
  EXPECT_EQ(first.mesh().SerializeAsString(), second.mesh().SerializeAsString());
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(first.attributes(i).values(), second.attributes(i).values());
}

TEST(SimplifyAttributes, KeepGroupsAndLockedVertices) {
  SimplifyServer server;
  // Two spheres in one mesh, each with its group. Vertices 0 and kVertices are poles.
  v1::OpenModelRequest request = SphereRequest();
  auto positions = Numbers<double>(request.mesh().positions().data());
  auto triangles = Numbers<std::uint32_t>(request.mesh().triangles());
  std::vector<std::uint32_t> groups(kVertices, 4);
  const std::size_t numbers = positions.size(), corners = triangles.size();
  for (std::size_t i = 0; i < numbers; ++i)
    positions.push_back(positions[i] + (i % 3 == 0 ? 5 : 0));
  for (std::size_t i = 0; i < corners; ++i) triangles.push_back(triangles[i] + kVertices);
  groups.resize(2 * std::size_t{kVertices}, 9);
  *request.mutable_mesh()->mutable_positions() = Doubles(positions);
  request.mutable_mesh()->set_triangles(Bytes(triangles));
  request.mutable_mesh()->set_vertex_groups(Bytes(groups));
  std::string locked(2 * std::size_t{kVertices}, '\0');
  locked[0] = locked[kVertices] = 1;
  request.set_locked_vertices(locked);
  const v1::SimplifyResponse response = server.ResultOf(ToTriangles(server.NameOf(request), 1000));
  const auto sources = Numbers<std::uint32_t>(response.source_vertices());
  const auto kept = Numbers<std::uint32_t>(response.mesh().vertex_groups());
  ASSERT_EQ(kept.size(), sources.size());
  for (std::size_t v = 0; v < kept.size(); ++v) EXPECT_EQ(kept[v], groups[sources[v]]);
  EXPECT_THAT(sources, ::testing::IsSupersetOf({0u, kVertices}));
  EXPECT_THAT(kept, ::testing::IsSupersetOf({4u, 9u}));
}

TEST(SimplifyAttributes, NameTheFieldThatIsWrong) {
  SimplifyServer server;
  constexpr auto kInvalid = grpc::StatusCode::INVALID_ARGUMENT;
  v1::OpenModelRequest request = AttributedSphere();
  request.mutable_attributes(1)->set_name("normals");
  ExpectError(server.Open(request), kInvalid, "attributes[1].name");
  request = AttributedSphere();
  request.set_locked_vertices("1");
  ExpectError(server.Open(request), kInvalid, "locked_vertices: 1 bytes, expected");
  request = AttributedSphere();
  request.set_borders(static_cast<v1::Borders>(5));
  ExpectError(server.Open(request), kInvalid, "borders: unknown value 5");
}

}  // namespace
}  // namespace warpyard::test_support
