// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/mesh_io/model.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

namespace warpyard::mesh_io {
namespace {

Primitive Square() {
  Primitive primitive;
  primitive.positions = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
  primitive.positions_are_float = true;
  primitive.triangles = {0, 1, 2, 0, 2, 3};
  primitive.normals.values = {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1};
  primitive.uvs = {{{0, 0, 1, 0, 1, 1, 0, 1}, {}}};
  primitive.colours.values.assign(16, 0.5f);
  primitive.others = {{"JOINTS_0", {ComponentType::kUint8}, "VEC2", 2, {0, 1, 2, 3, 4, 5, 6, 7}}};
  primitive.morph_targets = {{{"POSITION", {ComponentType::kInt8}, "SCALAR", 1, {9, 8, 7, 6}}}};
  return primitive;
}

NewGeometry Half() {
  NewGeometry geometry;
  geometry.triangles = {0, 1, 2};
  geometry.source_vertices = {3, 0, 1};
  return geometry;
}

TEST(Model, CarriesAttributesOverBySourceVertex) {
  Primitive primitive = Square();
  ASSERT_TRUE(ReplaceGeometry(Half(), primitive).ok());
  EXPECT_EQ(primitive.triangles, (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(primitive.positions, (std::vector<double>{0, 1, 0, 0, 0, 0, 1, 0, 0}));
  EXPECT_EQ(primitive.uvs[0].values, (std::vector<float>{0, 1, 0, 0, 1, 0}));
  EXPECT_EQ(primitive.others[0].bytes, (std::vector<std::uint8_t>{6, 7, 0, 1, 2, 3}));
  EXPECT_EQ(primitive.morph_targets[0][0].bytes, (std::vector<std::uint8_t>{6, 9, 8}));
  EXPECT_TRUE(CheckPrimitive(primitive).ok()) << CheckPrimitive(primitive);
}

TEST(Model, TakesNewAttributesInstead) {
  Primitive primitive = Square();
  NewGeometry geometry = Half();
  geometry.positions.assign(9, 0.1);
  geometry.normals.assign(9, 1);
  geometry.uvs = {std::vector<float>(6, 2)};
  geometry.colours.assign(12, 0.25f);
  ASSERT_TRUE(ReplaceGeometry(geometry, primitive).ok());
  EXPECT_EQ(primitive.positions, std::vector<double>(9, static_cast<double>(0.1f)))
      << "floats stay floats";
  EXPECT_EQ(primitive.normals.values, geometry.normals);
  EXPECT_EQ(primitive.uvs[0].values, geometry.uvs[0]);
  EXPECT_EQ(primitive.colours.values, geometry.colours);
}

TEST(Model, RefusesGeometryThatDoesNotFit) {
  const auto refused = [](const auto& change) {
    Primitive primitive = Square();
    NewGeometry geometry = Half();
    change(geometry);
    const absl::Status status = ReplaceGeometry(geometry, primitive);
    EXPECT_EQ(primitive.positions, Square().positions) << "as before";
    return std::string(status.message());
  };
  EXPECT_NE(refused([](NewGeometry& g) { g.triangles[1] = 3; }).find("triangle 0: vertex 3"),
            std::string::npos);
  EXPECT_NE(refused([](NewGeometry& g) { g.source_vertices[2] = 4; }).find("source vertex 2"),
            std::string::npos);
  EXPECT_NE(refused([](NewGeometry& g) {
              g.positions = {1, 2};
            }).find("expected 9"),
            std::string::npos);
  EXPECT_NE(refused([](NewGeometry& g) {
              g.normals.assign(9, std::numeric_limits<float>::quiet_NaN());
            }).find("normals: number 0 is not finite"),
            std::string::npos);
  EXPECT_NE(refused([](NewGeometry& g) { g.positions.assign(9, 1e300); }).find("too large"),
            std::string::npos);
  EXPECT_NE(refused([](NewGeometry& g) { g.uvs.resize(2); }).find("not replaced"),
            std::string::npos);
}

TEST(Model, NamesWhatPinsAPrimitive) {
  Primitive primitive = Square();
  primitive.pinned_by = "extension X";
  const absl::Status status = ReplaceGeometry(Half(), primitive);
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_NE(status.message().find("extension X"), std::string::npos);
}

}  // namespace
}  // namespace warpyard::mesh_io
