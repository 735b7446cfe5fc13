// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/simplify/attributes.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/server/messages.h"

namespace warpyard::server {
namespace {

using test_support::Bytes;
using test_support::Numbers;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::size_t kVertices = 2;

/// A request with normals and one more attribute.
v1::OpenModelRequest Request() {
  v1::OpenModelRequest request;
  v1::VertexAttribute& normals = *request.add_attributes();
  normals.set_name("normals");
  normals.set_kind(v1::ATTRIBUTE_KIND_NORMAL);
  normals.set_components(3);
  normals.set_values(Bytes<float>({0, 0, 1, 0, 1, 0}));
  v1::VertexAttribute& heat = *request.add_attributes();
  heat.set_name("heat");
  heat.set_components(1);
  heat.set_values(Bytes<float>({5, 6}));
  heat.set_weight(0.5f);
  return request;
}

std::string AttributeError(const std::function<void(v1::VertexAttribute&)>& change) {
  v1::OpenModelRequest request = Request();
  change(*request.mutable_attributes(1));
  const auto attributes = ToAttributes(request, kVertices);
  EXPECT_EQ(attributes.status().code(), absl::StatusCode::kInvalidArgument);
  return std::string(attributes.status().message());
}

TEST(ToAttributes, ViewsValuesInPlace) {
  const v1::OpenModelRequest request = Request();
  const auto attributes = ToAttributes(request, kVertices);
  ASSERT_TRUE(attributes.ok()) << attributes.status();
  ASSERT_EQ(attributes->size(), 2u);
  EXPECT_TRUE((*attributes)[0].is_normal);
  EXPECT_EQ((*attributes)[0].components, 3u);
  EXPECT_EQ((*attributes)[0].weight, 0.05f);
  EXPECT_FALSE((*attributes)[1].is_normal);
  EXPECT_EQ((*attributes)[1].weight, 0.5f);
  EXPECT_EQ(static_cast<const void*>((*attributes)[1].values.data()),
            request.attributes(1).values().data());
  EXPECT_THAT((*attributes)[1].values, ElementsAre(5, 6));
}

TEST(ToAttributes, NamesWhatIsWrong) {
  EXPECT_EQ(AttributeError([](auto& a) { a.set_components(5); }),
            "attributes[1].components: 5, expected 1 to 4");
  EXPECT_EQ(AttributeError([](auto& a) { a.set_kind(v1::ATTRIBUTE_KIND_NORMAL); }),
            "attributes[1].components: 1, expected 3 for normals");
  EXPECT_EQ(AttributeError([](auto& a) { a.set_kind(static_cast<v1::AttributeKind>(9)); }),
            "attributes[1].kind: unknown value 9");
  EXPECT_EQ(AttributeError([](auto& a) { a.set_values("123"); }),
            "attributes[1].values: 3 bytes, expected 8 (1 float32 for each of 2 vertices)");
  EXPECT_THAT(AttributeError([](auto& a) {
                a.set_values(Bytes<float>({1, std::numeric_limits<float>::quiet_NaN()}));
              }),
              HasSubstr("attributes[1].values: vertex 1 has nan"));
  EXPECT_THAT(AttributeError([](auto& a) {
                a.set_values(Bytes<float>({-2e6f, 0}));
              }),
              HasSubstr("vertex 0 has -2e+06"));
  EXPECT_EQ(AttributeError([](auto& a) { a.set_weight(-1); }),
            "attributes[1].weight: -1, expected 0 to 1000");
  EXPECT_EQ(AttributeError([](auto& a) { a.set_name("normals"); }),
            "attributes[1].name: \"normals\" is the name of another one, too");
  EXPECT_EQ(AttributeError([](auto& a) { a.set_name(std::string(65, 'x')); }),
            "attributes[1].name: 65 bytes, expected at most 64");
}

TEST(ToAttributes, HasALimitOfComponents) {
  v1::OpenModelRequest request;
  for (int i = 0; i < 5; ++i) {
    v1::VertexAttribute& attribute = *request.add_attributes();
    attribute.set_name(std::to_string(i));
    attribute.set_components(4);
    attribute.set_values(Bytes<float>({0, 0, 0, 0, 0, 0, 0, 0}));
  }
  EXPECT_EQ(ToAttributes(request, kVertices).status().message(),
            "attributes: more than 16 components in all");
  request.mutable_attributes()->RemoveLast();
  EXPECT_TRUE(ToAttributes(request, kVertices).ok());
}

TEST(ToLocked, TakesOneByteAVertexOrNone) {
  EXPECT_THAT(*ToLocked(std::string("\1\0", 2), 2), ElementsAre(1, 0));
  EXPECT_TRUE(ToLocked("", 2)->empty());
  EXPECT_EQ(ToLocked("\1", 2).status().message(),
            "locked_vertices: 1 bytes, expected 2 (one for each vertex) or none");
  EXPECT_EQ(ToLocked("\1\2", 2).status().message(),
            "locked_vertices: vertex 1 has 2, expected 0 or 1");
}

TEST(ToBorders, KnowsItsValues) {
  EXPECT_EQ(*ToBorders(v1::BORDERS_UNSPECIFIED), simplify::Borders::kWeighted);
  EXPECT_EQ(*ToBorders(v1::BORDERS_WEIGHTED), simplify::Borders::kWeighted);
  EXPECT_EQ(*ToBorders(v1::BORDERS_LOCKED), simplify::Borders::kLocked);
  EXPECT_EQ(*ToBorders(v1::BORDERS_FREE), simplify::Borders::kFree);
  EXPECT_EQ(ToBorders(static_cast<v1::Borders>(7)).status().message(), "borders: unknown value 7");
}

TEST(AddAttributes, TakesThemApart) {
  simplify::SimplifiedMesh mesh;
  mesh.sources = {3, 1};
  mesh.attributes = {0, 0, 1, 5, 0, 1, 0, 6};
  v1::SimplifyResponse response;
  AddAttributes(mesh, LayoutsOf(Request()), response);
  ASSERT_EQ(response.attributes_size(), 2);
  EXPECT_EQ(response.attributes(0).name(), "normals");
  EXPECT_EQ(response.attributes(0).kind(), v1::ATTRIBUTE_KIND_NORMAL);
  EXPECT_THAT(Numbers<float>(response.attributes(0).values()), ElementsAre(0, 0, 1, 0, 1, 0));
  EXPECT_EQ(response.attributes(1).kind(), v1::ATTRIBUTE_KIND_LINEAR);
  EXPECT_EQ(response.attributes(1).components(), 1u);
  EXPECT_THAT(Numbers<float>(response.attributes(1).values()), ElementsAre(5, 6));
}

}  // namespace
}  // namespace warpyard::server
