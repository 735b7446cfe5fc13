// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/mesh_io/join.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace warpyard::mesh_io {
namespace {

Model OneTriangle() {
  Primitive primitive;
  primitive.positions = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  primitive.positions_are_float = true;
  primitive.triangles = {0, 1, 2};
  primitive.normals.values = {0, 0, 1, 0, 0, 1, 0, 0, 1};
  primitive.uvs = {{{0, 0, 1, 0, 0, 1}, {}}};
  Model model;
  model.meshes = {{"", {primitive}}};
  return model;
}

TEST(Join, AppliesTheTransformOfEachInstance) {
  Model model = OneTriangle();
  model.instances = {{0, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1}},
                     // Scaled by 2, and reflected at the plane z = 0.
                     {0, {2, 0, 0, 0, 0, 2, 0, 0, 0, 0, -2, 0, 0, 0, 1, 1}}};
  const absl::StatusOr<Primitive> joined = JoinPrimitives(model);
  ASSERT_TRUE(joined.ok()) << joined.status();
  EXPECT_EQ(joined->positions, (std::vector<double>{5, 6, 7, 6, 6, 7, 5, 7, 7,  //
                                                    0, 0, 1, 2, 0, 1, 0, 2, 1}));
  EXPECT_EQ(joined->triangles, (std::vector<std::uint32_t>{0, 1, 2, 3, 5, 4}))
      << "a reflection turns triangles round";
  EXPECT_EQ(joined->normals.values[2], 1);
  EXPECT_EQ(joined->normals.values[11], -1);
}

TEST(Join, KeepsTheAttributesThatAllHave) {
  Model model = OneTriangle();
  model.meshes.push_back(model.meshes[0]);
  model.meshes[1].primitives[0].uvs.clear();
  const absl::StatusOr<Primitive> joined = JoinPrimitives(model);
  ASSERT_TRUE(joined.ok()) << joined.status();
  EXPECT_TRUE(joined->uvs.empty());
  EXPECT_EQ(joined->normals.values.size(), 18u);
  EXPECT_TRUE(CheckPrimitive(*joined).ok());
}

TEST(Join, LeavesOutPrimitivesWithoutVertices) {
  Model model = OneTriangle();
  model.meshes.insert(model.meshes.begin(), {"", {Primitive{}}});
  const absl::StatusOr<Primitive> joined = JoinPrimitives(model);
  ASSERT_TRUE(joined.ok()) << joined.status();
  EXPECT_EQ(joined->normals.values.size(), 9u) << "it has no attributes, and takes none away";
  model.meshes.pop_back();
  EXPECT_FALSE(JoinPrimitives(model).ok());
}

TEST(Join, RefusesAMeshThatIsRepeatedTooOften) {
  Model model = OneTriangle();
  model.instances.assign(1'001, {0, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}});
  EXPECT_NE(JoinPrimitives(model).status().message().find("3003 vertices"), std::string::npos);
  model.instances.assign(1, {0, {1e300, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}});
  EXPECT_NE(JoinPrimitives(model).status().message().find("not finite"), std::string::npos);
  EXPECT_FALSE(JoinPrimitives(Model()).ok());
}

}  // namespace
}  // namespace warpyard::mesh_io
