// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/collision/scene_request.h"

#include <cstdint>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/server/messages.h"

namespace warpyard::server {
namespace {

using test_support::Bytes;
using test_support::Doubles;
using test_support::FallingTriangleMesh;
using test_support::SquareEnd;
using test_support::SquareMesh;
using ::testing::HasSubstr;

v1::OpenSceneRequest Request(v1::GroupRule rule) {
  v1::OpenSceneRequest request;
  *request.mutable_mesh() = SquareMesh();
  request.set_group_rule(rule);
  return request;
}

TEST(ToScene, KnowsEveryGroupRule) {
  for (const auto& [rule, core] : {std::pair(v1::GROUP_RULE_UNSPECIFIED, ccd::GroupRule::kAll),
                                   std::pair(v1::GROUP_RULE_ALL, ccd::GroupRule::kAll),
                                   std::pair(v1::GROUP_RULE_DIFFERENT, ccd::GroupRule::kDifferent),
                                   std::pair(v1::GROUP_RULE_SAME, ccd::GroupRule::kSame)}) {
    const auto scene = ToScene(Request(rule));
    ASSERT_TRUE(scene.ok()) << scene.status();
    EXPECT_EQ(scene->group_rule, core);
  }
  EXPECT_EQ(ToScene(Request(static_cast<v1::GroupRule>(9))).status().message(),
            "group_rule: unknown value 9");
}

TEST(ToScene, KnowsEveryBuild) {
  v1::OpenSceneRequest open = Request(v1::GROUP_RULE_ALL);
  v1::DetectRequest detect;
  *detect.mutable_mesh() = SquareMesh();
  for (const auto& [build, core] :
       {std::pair(v1::HIERARCHY_BUILD_UNSPECIFIED, ccd::HierarchyBuild::kMorton),
        std::pair(v1::HIERARCHY_BUILD_MORTON, ccd::HierarchyBuild::kMorton),
        std::pair(v1::HIERARCHY_BUILD_TOP_DOWN, ccd::HierarchyBuild::kTopDown)}) {
    open.set_hierarchy_build(build);
    detect.set_hierarchy_build(build);
    for (const auto& scene : {ToScene(open), ToScene(detect)}) {
      ASSERT_TRUE(scene.ok()) << scene.status();
      EXPECT_EQ(scene->build, core);
    }
  }
  open.set_hierarchy_build(static_cast<v1::HierarchyBuild>(7));
  EXPECT_EQ(ToScene(open).status().message(), "hierarchy_build: unknown value 7");
  detect.set_hierarchy_build(static_cast<v1::HierarchyBuild>(-1));
  EXPECT_EQ(ToScene(detect).status().message(), "hierarchy_build: unknown value -1");
}

TEST(ToScene, TakesAMatrixForGroups) {
  v1::OpenSceneRequest request = Request(v1::GROUP_RULE_MATRIX);
  request.add_group_matrix(1);
  EXPECT_EQ(ToScene(request).status().message(), "group_matrix: the mesh has no groups");
  request.mutable_mesh()->set_vertex_groups(Bytes<std::uint32_t>({0, 0, 0, 0}));
  const auto scene = ToScene(request);
  ASSERT_TRUE(scene.ok()) << scene.status();
  EXPECT_EQ(scene->group_rule, ccd::GroupRule::kMatrix);
  EXPECT_EQ(scene->group_matrix.data(), request.group_matrix().data());
}

TEST(ToScene, TakesVerticesThatNeverMove) {
  v1::OpenSceneRequest request = Request(v1::GROUP_RULE_ALL);
  request.set_static_vertices(4);
  EXPECT_EQ(ToScene(request).status().message(),
            "static_vertices: 4 of 4 vertices, expected fewer: at least one triangle moves");
  v1::DetectRequest detect;
  *detect.mutable_mesh() = FallingTriangleMesh();
  detect.set_static_vertices(3);
  const auto scene = ToScene(detect);
  ASSERT_TRUE(scene.ok()) << scene.status();
  EXPECT_EQ(scene->static_vertices, 3u);
  EXPECT_EQ(MovingVertices(*scene), 3u);
  *detect.mutable_end() = detect.mesh().positions();
  EXPECT_THAT(std::string(ToStep(detect, *scene).status().message()),
              HasSubstr("end.data: 144 bytes, expected 72"));
}

class ToStepTest : public ::testing::Test {
 protected:
  absl::StatusOr<StepRequest> Check() { return ToStep(request_, {}, residents_); }

  ResidentTable residents_{absl::Minutes(1), [](ResidentId) {}};
  v1::StepRequest request_;
  ToStepTest() {
    request_.set_scene(residents_.Add<SceneFacts>(ResidentTable::kNobody, ResidentId{7}, 4u, 0u));
  }
};

TEST_F(ToStepTest, TakesPositions) {
  *request_.mutable_end() = SquareEnd();
  const auto step = Check();
  ASSERT_TRUE(step.ok()) << step.status();
  EXPECT_EQ(step->scene->id, ResidentId{7});
  EXPECT_FALSE(step->step.start.has_value());
}

TEST_F(ToStepTest, NamesAnEndThatIsMissing) {
  EXPECT_EQ(Check().status().message(), "end: missing; a step needs end or end_pose");
}

TEST_F(ToStepTest, RefusesAnotherNumberOfVertices) {
  *request_.mutable_end() = Doubles({0, 0, 0});
  EXPECT_THAT(std::string(Check().status().message()),
              HasSubstr("end.data: 24 bytes, expected 96"));
}

TEST_F(ToStepTest, KnowsOnlyOpenScenes) {
  request_.set_scene("scene-1");
  EXPECT_EQ(Check().status().code(), absl::StatusCode::kNotFound);
}

TEST(ToStepOfADetection, NamesAnEndThatIsMissing) {
  v1::DetectRequest request;
  *request.mutable_mesh() = SquareMesh();
  const auto scene = ToScene(request);
  ASSERT_TRUE(scene.ok());
  EXPECT_EQ(ToStep(request, *scene).status().message(), "end: missing");
}

}  // namespace
}  // namespace warpyard::server
