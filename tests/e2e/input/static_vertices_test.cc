// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Meshes whose last vertices never move, in scenes, in sets and for one step alone.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/e2e/test_server.h"
#include "warpyard/v1/collision_batch_service.grpc.pb.h"

namespace warpyard {
namespace {

using test_support::Bytes;
using test_support::Doubles;
using test_support::NewContext;
using test_support::Numbers;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A triangle (vertices 0..2) above two that never move, of which one lies on the other.
v1::TriangleMesh Mesh() {
  v1::TriangleMesh mesh;
  *mesh.mutable_positions() = Doubles({1, 1, 1, 1.5, 1, 2, 1, 1.5, 2,  //
                                       0, 0, 0, 4,   0, 0, 0, 4,   0,  //
                                       0, 0, 0, 4,   0, 0, 0, 4,   0});
  mesh.set_triangles(Bytes<std::uint32_t>({0, 1, 2, 3, 4, 5, 6, 7, 8}));
  mesh.set_vertex_groups(Bytes<std::uint32_t>({0, 0, 0, 1, 1, 1, 1, 1, 1}));
  return mesh;
}
constexpr std::uint32_t kStatic = 6;

/// The triangle that moves, after its fall.
v1::Positions Fallen() { return Doubles({1, 1, -1, 1.5, 1, 1, 1, 1.5, 1}); }
v1::Pose Lowered() {
  v1::Pose pose;
  pose.set_matrices(Bytes<double>({1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, -1.6}));
  return pose;
}

void ExpectFall(const v1::CollisionResult& result, double time) {
  EXPECT_THAT(Numbers<std::uint32_t>(result.vertex_face_ids()), ElementsAre(0, 1, 0, 2));
  EXPECT_EQ(result.edge_edge_ids(), "");
  EXPECT_NEAR(result.earliest_time(), time, 1e-6);
  EXPECT_EQ(result.statistics().vertices(), 9u);
}

class StaticVerticesTest : public test_support::RealServerTest {
 protected:
  grpc::Status Open(std::uint32_t static_vertices, std::string& scene) {
    v1::OpenSceneRequest request;
    *request.mutable_mesh() = Mesh();
    request.set_static_vertices(static_vertices);
    v1::OpenSceneResponse response;
    const grpc::Status status = stub_.OpenScene(NewContext().get(), request, &response);
    scene = response.scene();
    return status;
  }

  const std::unique_ptr<v1::CollisionBatchService::Stub> batch_ =
      v1::CollisionBatchService::NewStub(server_->channel());
};

TEST_F(StaticVerticesTest, AreLeftOutOfSteps) {
  v1::StepRequest step;
  ASSERT_TRUE(Open(kStatic, *step.mutable_scene()).ok());
  *step.mutable_end() = Mesh().positions();
  EXPECT_THAT(ErrorOf(step), HasSubstr("end.data: 216 bytes, expected 72"));
  *step.mutable_end() = Fallen();
  ExpectFall(Step(step), 0.5);
}

TEST_F(StaticVerticesTest, AreLeftOutOfPoses) {
  v1::StepRequest step;
  ASSERT_TRUE(Open(kStatic, *step.mutable_scene()).ok());
  *step.mutable_end_pose() = Lowered();
  ExpectFall(Step(step), 1 / 1.6);
  step.mutable_end_pose()->mutable_matrices()->append(Lowered().matrices());
  EXPECT_THAT(ErrorOf(step), HasSubstr("end_pose.matrices: 192 bytes, expected 96"));
}

TEST_F(StaticVerticesTest, AreTakenForOneStep) {
  v1::DetectRequest request;
  *request.mutable_mesh() = Mesh();
  *request.mutable_end() = Fallen();
  request.set_static_vertices(kStatic);
  ExpectFall(Detect(request), 0.5);
}

TEST_F(StaticVerticesTest, AreOfEachWorldOfASet) {
  v1::OpenScenesRequest open;
  *open.mutable_mesh() = Mesh();
  open.set_worlds(2);
  open.set_static_vertices(kStatic);
  // One world is below already.
  *open.mutable_starts() = Doubles({1, 1, 1, 1.5, 1, 2, 1, 1.5, 2,  //
                                    1, 1, -3, 1.5, 1, -2, 1, 1.5, -2});
  v1::OpenScenesResponse opened;
  ASSERT_TRUE(batch_->OpenScenes(NewContext().get(), open, &opened).ok());
  v1::StepBatchRequest request;
  v1::SetStep& step = *request.add_sets();
  step.set_set(opened.set());
  *step.mutable_end() = Fallen();
  step.mutable_end()->mutable_data()->append(Doubles({1, 1, -5, 1.5, 1, -4, 1, 1.5, -4}).data());
  v1::StepBatchResponse response;
  ASSERT_TRUE(batch_->StepBatch(NewContext().get(), request, &response).ok());
  const v1::SetOutcome& outcome = response.sets(0);
  EXPECT_FALSE(outcome.has_error()) << outcome.error().message();
  EXPECT_THAT(Numbers<std::uint32_t>(outcome.vertex_face_counts()), ElementsAre(2, 0));
  EXPECT_THAT(Numbers<std::uint32_t>(outcome.result().vertex_face_ids()), ElementsAre(0, 1, 0, 2));
}

TEST_F(StaticVerticesTest, AreRefusedWhereTrianglesWouldTear) {
  std::string scene;
  const grpc::Status torn = Open(5, scene);
  EXPECT_EQ(torn.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(torn.error_message(),
            "static_vertices: triangle 1 has 2 of the vertices from 4 on, which never move; "
            "expected 0 or 3");
  EXPECT_THAT(Open(9, scene).error_message(), HasSubstr("static_vertices: 9 of 9 vertices"));
  EXPECT_THAT(Open(~0u, scene).error_message(), HasSubstr("at least one triangle moves"));
}

}  // namespace
}  // namespace warpyard
