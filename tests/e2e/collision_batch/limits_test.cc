// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Batches at their limits: too much is asked for, or results are too large.

#include <cstdint>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/e2e/collision_batch/batch_server.h"

namespace warpyard {
namespace {

using test_support::BatchTest;
using test_support::ClumpMesh;
using test_support::Doubles;
using test_support::ExpectError;
using test_support::NoFall;
using test_support::Numbers;
using test_support::Rows;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

server::ServerOptions SmallLimits() {
  server::ServerOptions options = test_support::TestOptions();
  options.limits.worlds = 4;
  options.limits.batch_steps = 2;
  options.max_response_bytes = 3000;
  options.max_request_bytes = std::size_t{64} << 10;
  return options;
}

class SmallBatchTest : public BatchTest {
 protected:
  SmallBatchTest() : BatchTest(SmallLimits()) {}
};

TEST_F(SmallBatchTest, RefusesTooFewAndTooManyWorlds) {
  for (const std::uint32_t worlds : {0u, 5u, 0xffffffffu}) {
    ExpectError(OpenError(OpenRequest(worlds)), grpc::StatusCode::INVALID_ARGUMENT,
                "expected 1 to 4 (--max-worlds)");
  }
  v1::OpenScenesRequest request = OpenRequest(2);
  *request.mutable_starts() = NoFall();
  ExpectError(OpenError(request), grpc::StatusCode::INVALID_ARGUMENT,
              "starts.data: 144 bytes, expected 288");
  request.clear_starts();
  request.mutable_mesh()->clear_triangles();
  ExpectError(OpenError(request), grpc::StatusCode::INVALID_ARGUMENT, "mesh.triangles: empty");
}

TEST_F(SmallBatchTest, RefusesTooFewAndTooManySteps) {
  v1::StepBatchRequest request;
  ExpectError(ErrorOf(request), grpc::StatusCode::INVALID_ARGUMENT, "expected 1 to 2");
  request.add_steps();
  request.add_steps();
  request.add_sets();
  ExpectError(ErrorOf(request), grpc::StatusCode::INVALID_ARGUMENT,
              "steps: 3 with those of sets, expected 1 to 2 (--max-batch-steps)");
}

TEST_F(SmallBatchTest, RefusesAMessageThatIsTooLarge) {
  v1::StepBatchRequest request;
  request.add_sets()->mutable_end()->set_data(std::string(std::size_t{65} << 10, 'x'));
  EXPECT_EQ(ErrorOf(request).error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  v1::StepBatchResponse response;
  std::string answer;
  ExpectError(
      test_support::CallRaw(server_.channel(), "/warpyard.v1.CollisionBatchService/StepBatch",
                            "\x0a\x7f", &answer),
      grpc::StatusCode::INVALID_ARGUMENT, "not a valid");
}

TEST_F(SmallBatchTest, LeavesOutOnlyTheWorldsWhoseListsDoNotFit) {
  // All triangles of a clump touch. Apart from each other they do not.
  v1::OpenScenesRequest open;
  *open.mutable_mesh() = ClumpMesh(4);
  open.set_worlds(4);
  std::vector<double> apart = Numbers<double>(open.mesh().positions().data());
  for (std::size_t i = 2; i < apart.size(); i += 3) apart[i] = double(i / 9);
  const v1::Positions clump = open.mesh().positions();
  *open.mutable_starts() = Rows({clump, Doubles(apart), clump, clump});
  const std::string set = OpenSet(open);
  v1::StepBatchRequest request =
      SetRequest(set, {clump, Doubles(apart), clump, clump}, v1::REPORT_COLLISIONS);
  const v1::StepBatchResponse response = Step(request);
  const v1::SetOutcome& outcome = response.sets(0);
  const auto faces = Numbers<std::uint32_t>(outcome.vertex_face_counts());
  const auto edges = Numbers<std::uint32_t>(outcome.edge_edge_counts());
  EXPECT_THAT(faces, ElementsAre(36, 0, 0, 0));
  EXPECT_EQ(outcome.result().vertex_face_ids().size(), 36u * 8);
  EXPECT_EQ(outcome.result().edge_edge_ids().size(), edges[0] * 16u);
  ASSERT_EQ(outcome.world_errors_size(), 2);
  EXPECT_EQ(outcome.world_errors(0).place(), 2u);
  EXPECT_EQ(outcome.world_errors(1).error().reason(), "RESULT_TOO_LARGE");
  EXPECT_THAT(outcome.world_errors(1).error().message(), HasSubstr("the step has run"));
}

class MeasuredBatchTest : public BatchTest {
 protected:
  MeasuredBatchTest() : BatchTest(test_support::TestOptionsWithMetrics()) {}
};

TEST_F(MeasuredBatchTest, CountsItsJobsByKinds) {
  const std::string set = OpenSet(OpenRequest(1));
  Step(SetRequest(set, {NoFall()}));
  Step(SetRequest("set-0", {NoFall()}));
  const std::string text = test_support::ScrapeMetrics(server_.server().metrics_port());
  EXPECT_THAT(text, HasSubstr("warpyard_jobs_finished_total{kind=\"collision_open_scene\","
                              "outcome=\"ok\"} 1"));
  EXPECT_THAT(text, HasSubstr("warpyard_jobs_finished_total{kind=\"collision_set_step\","
                              "outcome=\"ok\"} 1"));
}

}  // namespace
}  // namespace warpyard
