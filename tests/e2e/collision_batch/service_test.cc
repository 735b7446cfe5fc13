// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Batches of steps over gRPC: sets of worlds, unlike scenes in one message, and what fails alone.

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/e2e/collision_batch/batch_server.h"

namespace warpyard {
namespace {

using test_support::BadFall;
using test_support::BatchTest;
using test_support::Bytes;
using test_support::FallingTriangleEnd;
using test_support::FallingTriangleMesh;
using test_support::kNever;
using test_support::NewContext;
using test_support::NoFall;
using test_support::Numbers;
using test_support::Rows;
using test_support::SquareStep;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST_F(BatchTest, AnswersEachWorldOfASet) {
  const std::string set = OpenSet(OpenRequest(3));
  const auto step = Step(SetRequest(set, {FallingTriangleEnd(), NoFall(), FallingTriangleEnd()}));
  const v1::SetOutcome& outcome = step.sets(0);
  EXPECT_FALSE(outcome.has_error());
  EXPECT_EQ(outcome.world_errors_size(), 0);
  const auto times = Numbers<double>(outcome.earliest_times());
  ASSERT_EQ(times.size(), 3u);
  EXPECT_NEAR(times[0], 0.5, 1e-6);
  EXPECT_EQ(times[1], kNever);
  EXPECT_EQ(times[2], times[0]);
  EXPECT_THAT(Numbers<std::uint32_t>(outcome.vertex_face_counts()), ElementsAre(1, 0, 1));
  EXPECT_THAT(Numbers<std::uint32_t>(outcome.vertex_face_counts()).size(),
              Numbers<std::uint32_t>(outcome.edge_edge_counts()).size());
  EXPECT_THAT(Numbers<std::uint32_t>(outcome.result().vertex_face_ids()), ElementsAre(3, 0, 3, 0));
  EXPECT_THAT(Numbers<double>(outcome.result().vertex_face_times()),
              ElementsAre(times[0], times[0]));
  EXPECT_EQ(outcome.result().earliest_time(), times[0]);
  EXPECT_EQ(outcome.result().statistics().vertices(), 18u);
}

TEST_F(BatchTest, AnswersTheWorldsThatAStepNames) {
  v1::OpenScenesRequest open = OpenRequest(4);
  *open.mutable_starts() =
      Rows({NoFall(), FallingTriangleEnd(), FallingTriangleEnd(), FallingTriangleEnd()});
  const std::string set = OpenSet(open);
  // World 1 rises, world 3 stays below; then world 0 falls, and world 1 again.
  v1::StepBatchRequest request =
      SetRequest(set, {NoFall(), FallingTriangleEnd()}, v1::REPORT_EARLIEST);
  request.mutable_sets(0)->add_worlds(1);
  request.mutable_sets(0)->add_worlds(3);
  v1::SetOutcome outcome = Step(request).sets(0);
  auto times = Numbers<double>(outcome.earliest_times());
  ASSERT_EQ(times.size(), 2u);
  EXPECT_NEAR(times[0], 0.5, 1e-6);
  EXPECT_EQ(times[1], kNever);
  EXPECT_EQ(outcome.vertex_face_counts(), "");
  request = SetRequest(set, {FallingTriangleEnd(), FallingTriangleEnd()}, v1::REPORT_EARLIEST);
  request.mutable_sets(0)->add_worlds(0);
  request.mutable_sets(0)->add_worlds(1);
  times = Numbers<double>(Step(request).sets(0).earliest_times());
  ASSERT_EQ(times.size(), 2u);
  EXPECT_NEAR(times[0], 0.5, 1e-6);
  EXPECT_NEAR(times[1], 0.5, 1e-6);
}

TEST_F(BatchTest, TakesPoses) {
  v1::OpenScenesRequest open = OpenRequest(3);
  open.mutable_mesh()->set_vertex_groups(Bytes<std::uint32_t>({0, 0, 0, 1, 1, 1}));
  const std::string set = OpenSet(open);
  const std::vector<double> rest = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
  std::vector<double> pose;
  for (int body = 0; body < 6; ++body) pose.insert(pose.end(), rest.begin(), rest.end());
  pose[12 + 11] = -2;  // the upper triangle of the first world falls
  pose[36 + 2] = 1;    // that of the second world is bent
  v1::StepBatchRequest request;
  request.add_sets()->set_set(set);
  request.mutable_sets(0)->mutable_end_pose()->set_matrices(Bytes(pose));
  const v1::StepBatchResponse response = Step(request);
  const auto times = Numbers<double>(response.sets(0).earliest_times());
  const auto deviations = Numbers<double>(response.sets(0).path_deviations());
  ASSERT_EQ(times.size(), 3u);
  ASSERT_EQ(deviations.size(), 3u);
  EXPECT_NEAR(times[0], 0.5, 1e-6);
  EXPECT_TRUE(std::isnan(times[1]) && std::isnan(deviations[1]));
  EXPECT_EQ(times[2], kNever);
  EXPECT_EQ(deviations[2], 0);
  EXPECT_THAT(response.sets(0).world_errors(0).error().message(),
              HasSubstr("end_pose.matrices: the transform of body 1 is not rigid"));
}

TEST_F(BatchTest, FailsAWorldAlone) {
  const std::string set = OpenSet(OpenRequest(6));
  v1::StepBatchRequest request = SetRequest(
      set, {FallingTriangleEnd(), BadFall(), FallingTriangleEnd(), NoFall(), FallingTriangleEnd()});
  for (const std::uint32_t world : {0, 1, 2, 2, 9}) request.mutable_sets(0)->add_worlds(world);
  const v1::StepBatchResponse response = Step(request);
  const v1::SetOutcome& outcome = response.sets(0);
  EXPECT_FALSE(outcome.has_error());
  const auto times = Numbers<double>(outcome.earliest_times());
  ASSERT_EQ(times.size(), 5u);
  EXPECT_NEAR(times[0], 0.5, 1e-6);
  EXPECT_NEAR(times[2], 0.5, 1e-6);
  for (const std::size_t bad : {1, 3, 4}) EXPECT_TRUE(std::isnan(times[bad])) << bad;
  EXPECT_THAT(Numbers<std::uint32_t>(outcome.vertex_face_counts()), ElementsAre(1, 0, 1, 0, 0));
  ASSERT_EQ(outcome.world_errors_size(), 3);
  EXPECT_EQ(outcome.world_errors(0).place(), 1u);
  EXPECT_EQ(outcome.world_errors(0).error().code(), 3u);
  EXPECT_EQ(outcome.world_errors(0).error().reason(), "INVALID_FIELD");
  EXPECT_EQ(outcome.world_errors(0).error().message(),
            "end.data: vertex 1 has a coordinate that is not finite");
  EXPECT_EQ(outcome.world_errors(1).error().message(),
            "worlds[3]: 2; worlds ascend, and are less than 6");
  EXPECT_EQ(outcome.world_errors(2).place(), 4u);
  // The world that failed has stayed where it was, so now it can fall.
  request = SetRequest(set, {FallingTriangleEnd()}, v1::REPORT_EARLIEST);
  request.mutable_sets(0)->add_worlds(1);
  EXPECT_NEAR(Numbers<double>(Step(request).sets(0).earliest_times())[0], 0.5, 1e-6);
}

TEST_F(BatchTest, RunsUnlikeScenesAndSetsOfOneMessage) {
  const std::string falling = server_.Open(FallingTriangleMesh()), square = server_.Open();
  const std::string set = OpenSet(OpenRequest(2));
  v1::StepBatchRequest request = SetRequest(set, {FallingTriangleEnd(), NoFall()});
  v1::StepRequest& first = *request.add_steps();
  first.set_scene(falling);
  *first.mutable_end() = FallingTriangleEnd();
  *request.add_steps() = SquareStep("scene-0");
  *request.add_steps() = SquareStep(square);
  *request.add_steps() = SquareStep(square);
  request.add_steps()->set_scene(set);
  const v1::StepBatchResponse response = Step(request);
  EXPECT_NEAR(response.steps(0).result().earliest_time(), 0.5, 1e-6);
  EXPECT_THAT(Numbers<std::uint32_t>(response.steps(0).result().vertex_face_ids()),
              ElementsAre(3, 0));
  EXPECT_EQ(response.steps(1).error().code(), 5u);
  EXPECT_EQ(response.steps(1).error().reason(), "UNKNOWN_HANDLE");
  EXPECT_FALSE(response.steps(1).has_result());
  EXPECT_EQ(response.steps(2).result().statistics().vertices(), 4u);
  EXPECT_THAT(response.steps(3).error().message(),
              HasSubstr("steps[3].scene: the same as steps[2].scene"));
  EXPECT_EQ(response.steps(4).error().code(), 5u) << "a set is no scene";
  EXPECT_THAT(Numbers<std::uint32_t>(response.sets(0).vertex_face_counts()), ElementsAre(1, 0));
}

TEST_F(BatchTest, NamesTheFieldsOfStepsThatAreWrong) {
  const std::string scene = server_.Open(), set = OpenSet(OpenRequest(2)),
                    other = OpenSet(OpenRequest(1)), third = OpenSet(OpenRequest(1));
  v1::StepBatchRequest request = SetRequest(set, {FallingTriangleEnd()});
  request.add_steps()->set_scene(scene);
  request.add_sets()->set_set(other);
  *request.add_sets() = SetRequest(third, {NoFall()}).sets(0);
  request.mutable_sets(2)->mutable_collision()->set_traversal(v1::TRAVERSAL_FRONT);
  const v1::StepBatchResponse response = Step(request);
  EXPECT_EQ(response.steps(0).error().message(),
            "steps[0].end: missing; a step needs end or end_pose");
  EXPECT_EQ(response.sets(0).error().message(),
            "sets[0].end.data: 144 bytes, expected 288 (24 for each of 12 vertices)");
  EXPECT_THAT(response.sets(1).error().message(), HasSubstr("sets[1].end: missing"));
  EXPECT_THAT(response.sets(2).error().message(), HasSubstr("sets[2].collision.traversal: "));
  EXPECT_EQ(response.sets(0).earliest_times(), "");
}

TEST_F(BatchTest, RefusesStepsWithoutStartBesideOthersOfTheirScene) {
  const std::string scene = server_.Open(), set = OpenSet(OpenRequest(1));
  server_.engine().HoldJobs(true);
  v1::StepBatchRequest request = SetRequest(set, {NoFall()});
  *request.add_steps() = SquareStep(scene);
  v1::StepBatchResponse first;
  std::thread client([&] { first = Step(request); });
  EXPECT_TRUE(server_.engine().WaitForHeld(2));
  const v1::StepBatchResponse second = Step(request);
  EXPECT_EQ(second.steps(0).error().reason(), "START_MISSING");
  EXPECT_EQ(second.sets(0).error().reason(), "START_MISSING");
  server_.engine().EndNext(absl::OkStatus());
  server_.engine().EndNext(absl::ResourceExhaustedError("no room"));
  client.join();
  EXPECT_TRUE(first.steps(0).has_result());
  EXPECT_EQ(first.sets(0).error().code(), 8u);
  EXPECT_EQ(first.sets(0).error().message(), "no room");
}

TEST_F(BatchTest, EndsOnlyTheStepWhoseDeadlinePasses) {
  const std::string scene = server_.Open(), set = OpenSet(OpenRequest(1));
  server_.engine().HoldJobs(true);
  v1::StepBatchRequest request = SetRequest(set, {NoFall()});
  *request.add_steps() = SquareStep(scene);
  request.mutable_sets(0)->mutable_job()->mutable_deadline()->set_nanos(1'000'000);
  v1::StepBatchResponse response;
  std::thread client([&] { response = Step(request); });
  EXPECT_TRUE(server_.engine().WaitForHeld(1));
  server_.engine().EndNext(absl::OkStatus());
  client.join();
  EXPECT_TRUE(response.steps(0).has_result()) << response.steps(0).error().message();
  EXPECT_EQ(response.sets(0).error().reason(), "DEADLINE_PASSED");
}

TEST_F(BatchTest, CancelsAllJobsWithTheCall) {
  const std::string scene = server_.Open(), set = OpenSet(OpenRequest(1));
  server_.engine().HoldJobs(true);
  v1::StepBatchRequest request = SetRequest(set, {NoFall()});
  *request.add_steps() = SquareStep(scene);
  const auto context = NewContext();
  grpc::Status status;
  std::thread client([&] {
    v1::StepBatchResponse response;
    status = stub_->StepBatch(context.get(), request, &response);
  });
  EXPECT_TRUE(server_.engine().WaitForHeld(2));
  context->TryCancel();
  client.join();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::CANCELLED);
  EXPECT_TRUE(server_.server().WaitUntilIdle(absl::Seconds(10)));
  EXPECT_EQ(server_.engine().cancelled_jobs(), 2u);
}

TEST_F(BatchTest, ClosesSets) {
  const std::string set = OpenSet(OpenRequest(2)), scene = server_.Open();
  v1::CloseScenesRequest request;
  v1::CloseScenesResponse response;
  request.set_set(scene);
  EXPECT_EQ(stub_->CloseScenes(NewContext().get(), request, &response).error_code(),
            grpc::StatusCode::NOT_FOUND);
  request.set_set(set);
  EXPECT_TRUE(stub_->CloseScenes(NewContext().get(), request, &response).ok());
  EXPECT_TRUE(test_support::WaitFor([this] { return server_.engine().open_residents() == 1; }));
  EXPECT_EQ(Step(SetRequest(set, {NoFall(), NoFall()})).sets(0).error().reason(), "UNKNOWN_HANDLE");
}

TEST_F(BatchTest, ServesOnAfterRandomBytes) {
  const std::string set = OpenSet(OpenRequest(2));
  v1::StepBatchRequest request = SetRequest(set, {FallingTriangleEnd(), NoFall()});
  request.mutable_sets(0)->add_worlds(0);
  request.mutable_sets(0)->add_worlds(1);
  *request.mutable_sets(0)->mutable_start() = Rows({NoFall(), NoFall()});
  *request.add_steps() = SquareStep(server_.Open());
  const std::string valid = request.SerializeAsString();
  std::mt19937 random(2026);
  for (int i = 0; i < 500; ++i) {
    std::string bytes = valid, answer;
    for (int k = 0; k < 4; ++k) bytes[random() % bytes.size()] = static_cast<char>(random());
    if (i % 3 == 0) bytes.resize(random() % bytes.size());
    const grpc::Status status = test_support::CallRaw(
        server_.channel(), "/warpyard.v1.CollisionBatchService/StepBatch", bytes, &answer);
    EXPECT_THAT(status.error_code(),
                ::testing::AnyOf(grpc::StatusCode::OK, grpc::StatusCode::INVALID_ARGUMENT))
        << status.error_message();
  }
  const v1::SetOutcome outcome = Step(request).sets(0);
  EXPECT_THAT(Numbers<std::uint32_t>(outcome.vertex_face_counts()), ElementsAre(1, 0));
}

}  // namespace
}  // namespace warpyard
