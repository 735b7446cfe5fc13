// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The service from a client's point of view, with the real engine on CPU threads.

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/e2e/test_server.h"

namespace warpyard {
namespace {

using test_support::Bytes;
using test_support::CallRaw;
using test_support::Doubles;
using test_support::FallingTriangleEnd;
using test_support::FallingTriangleMesh;
using test_support::NewContext;
using test_support::Numbers;
using test_support::ScrapeMetrics;
using test_support::SquareMesh;
using test_support::SquareStep;
using test_support::TestServer;
using ::testing::HasSubstr;

class ServiceTest : public ::testing::Test {
 protected:
  grpc::Status Step(const v1::StepRequest& request, v1::StepResponse* response) {
    const auto context = NewContext();
    return stub_.Step(context.get(), request, response);
  }

  grpc::Status Detect(const v1::DetectRequest& request, v1::DetectResponse* response) {
    const auto context = NewContext();
    return stub_.Detect(context.get(), request, response);
  }

  grpc::Status Close(const std::string& scene) {
    v1::CloseSceneRequest request;
    request.set_scene(scene);
    v1::CloseSceneResponse response;
    const auto context = NewContext();
    return stub_.CloseScene(context.get(), request, &response);
  }

  const std::unique_ptr<TestServer> server_ = TestServer::WithRealEngine();
  v1::CollisionService::Stub& stub_ = server_->stub();
};

v1::StepRequest FallingStep(const std::string& scene) {
  v1::StepRequest request;
  request.set_scene(scene);
  *request.mutable_end() = FallingTriangleEnd();
  return request;
}

v1::DetectRequest FallingDetect() {
  v1::DetectRequest request;
  *request.mutable_mesh() = FallingTriangleMesh();
  *request.mutable_end() = FallingTriangleEnd();
  return request;
}

/// The result of FallingStep: vertex 3 meets face 0 half-way; the edges at vertex 3 touch nothing.
void ExpectFallingResult(const v1::CollisionResult& result) {
  EXPECT_EQ(Numbers<std::uint32_t>(result.vertex_face_ids()), (std::vector<std::uint32_t>{3, 0}));
  const auto times = Numbers<double>(result.vertex_face_times());
  ASSERT_EQ(times.size(), 1u);
  EXPECT_NEAR(times[0], 0.5, 1e-5);
  EXPECT_LE(times[0], 0.5);
  EXPECT_EQ(result.earliest_time(), times[0]);
  EXPECT_EQ(result.edge_edge_ids(), "");
  EXPECT_EQ(result.statistics().vertices(), 6u);
  EXPECT_EQ(result.statistics().edges(), 6u);
  EXPECT_EQ(result.statistics().triangles(), 2u);
  EXPECT_EQ(result.statistics().vertex_face_collisions(), 1u);
  EXPECT_EQ(result.statistics().phases(0).phase(), "queue");
}

TEST_F(ServiceTest, OpensStepsAndCloses) {
  v1::OpenSceneRequest open;
  *open.mutable_mesh() = FallingTriangleMesh();
  v1::OpenSceneResponse scene;
  const auto context = NewContext();
  ASSERT_TRUE(stub_.OpenScene(context.get(), open, &scene).ok());
  EXPECT_EQ(scene.edges(), 6u);
  EXPECT_LE(scene.scene().size(), 64u);
  EXPECT_EQ(scene.phases(0).phase(), "queue");

  v1::StepResponse response;
  ASSERT_TRUE(Step(FallingStep(scene.scene()), &response).ok());
  ExpectFallingResult(response.result());
  EXPECT_TRUE(Close(scene.scene()).ok());
  EXPECT_EQ(Step(FallingStep(scene.scene()), &response).error_code(), grpc::StatusCode::NOT_FOUND);
  EXPECT_EQ(Close(scene.scene()).error_code(), grpc::StatusCode::NOT_FOUND);
}

TEST_F(ServiceTest, StartsWhereTheLastStepEnded) {
  const std::string scene = server_->Open(FallingTriangleMesh());
  v1::StepResponse response;
  ASSERT_TRUE(Step(FallingStep(scene), &response).ok());
  EXPECT_TRUE(response.result().has_earliest_time());
  ASSERT_TRUE(Step(FallingStep(scene), &response).ok());
  EXPECT_FALSE(response.result().has_earliest_time()) << "the triangle is below, and stays there";
  v1::StepRequest again = FallingStep(scene);
  *again.mutable_start() = FallingTriangleMesh().positions();
  ASSERT_TRUE(Step(again, &response).ok());
  ExpectFallingResult(response.result());
}

TEST_F(ServiceTest, DetectsInOneCallAndKeepsNothing) {
  v1::DetectResponse response;
  ASSERT_TRUE(Detect(FallingDetect(), &response).ok());
  ExpectFallingResult(response.result());
}

TEST_F(ServiceTest, ReportsWhatIsAskedFor) {
  v1::DetectRequest request = FallingDetect();
  request.mutable_collision()->set_report(v1::REPORT_EARLIEST);
  v1::DetectResponse response;
  ASSERT_TRUE(Detect(request, &response).ok());
  EXPECT_NEAR(response.result().earliest_time(), 0.5, 1e-5);
  request.mutable_collision()->set_report(v1::REPORT_CANDIDATES);
  ASSERT_TRUE(Detect(request, &response).ok());
  EXPECT_FALSE(response.result().has_earliest_time());
  EXPECT_EQ(response.result().vertex_face_ids().size(),
            8 * response.result().statistics().vertex_face_candidates());
  EXPECT_GE(response.result().statistics().vertex_face_candidates(), 1u);
  EXPECT_EQ(response.result().vertex_face_times(), "");
}

/// Copies of the falling triangles, side by side.
v1::DetectRequest ManyFallingDetect(int copies) {
  const v1::TriangleMesh one = FallingTriangleMesh();
  std::vector<double> start, end;
  std::vector<std::uint32_t> triangles;
  for (int copy = 0; copy < copies; ++copy) {
    const auto append = [copy](const v1::Positions& from, std::vector<double>* to) {
      for (const double x : Numbers<double>(from.data())) {
        to->push_back(to->size() % 3 == 0 ? x + 10 * copy : x);
      }
    };
    append(one.positions(), &start);
    append(FallingTriangleEnd(), &end);
    for (const std::uint32_t i : Numbers<std::uint32_t>(one.triangles())) {
      triangles.push_back(i + 6 * static_cast<std::uint32_t>(copy));
    }
  }
  v1::DetectRequest request;
  *request.mutable_mesh()->mutable_positions() = Doubles(start);
  request.mutable_mesh()->set_triangles(Bytes(triangles));
  *request.mutable_end() = Doubles(end);
  return request;
}

std::map<std::vector<std::uint32_t>, double> VertexFacePairs(const v1::CollisionResult& result) {
  const auto ids = Numbers<std::uint32_t>(result.vertex_face_ids());
  const auto times = Numbers<double>(result.vertex_face_times());
  std::map<std::vector<std::uint32_t>, double> pairs;
  for (std::size_t i = 0; i < times.size(); ++i) pairs[{ids[2 * i], ids[2 * i + 1]}] = times[i];
  return pairs;
}

TEST_F(ServiceTest, FindsTheSameWithoutSorting) {
  constexpr int kCopies = 40;
  v1::DetectRequest request = ManyFallingDetect(kCopies);
  v1::DetectResponse sorted, unsorted;
  ASSERT_TRUE(Detect(request, &sorted).ok());
  request.mutable_collision()->set_unsorted(true);
  ASSERT_TRUE(Detect(request, &unsorted).ok());
  const auto pairs = VertexFacePairs(sorted.result());
  EXPECT_EQ(pairs.size(), kCopies);
  EXPECT_EQ(VertexFacePairs(unsorted.result()), pairs);
  const auto ids = Numbers<std::uint32_t>(sorted.result().vertex_face_ids());
  for (std::size_t i = 0; i + 2 < ids.size(); i += 2) EXPECT_LT(ids[i], ids[i + 2]);
  EXPECT_EQ(unsorted.result().vertex_face_ids().size(), sorted.result().vertex_face_ids().size());
  EXPECT_EQ(unsorted.result().earliest_time(), sorted.result().earliest_time());
}

TEST_F(ServiceTest, UsesRootFinderAndGroups) {
  v1::DetectRequest request = FallingDetect();
  request.mutable_collision()->set_root_finder(v1::ROOT_FINDER_CUBIC);
  v1::DetectResponse response;
  ASSERT_TRUE(Detect(request, &response).ok());
  EXPECT_NEAR(response.result().earliest_time(), 0.5, 1e-9);
  request.mutable_mesh()->set_vertex_groups(Bytes<std::uint32_t>({1, 1, 1, 2, 2, 2}));
  request.set_group_rule(v1::GROUP_RULE_SAME);
  ASSERT_TRUE(Detect(request, &response).ok());
  EXPECT_FALSE(response.result().has_earliest_time());
}

// Vertex 3 falls from 1 above the face to 1 below it.
TEST_F(ServiceTest, LooksForASeparationUntilATime) {
  v1::DetectRequest request = FallingDetect();
  v1::CollisionOptions& options = *request.mutable_collision();
  options.set_min_separation(0.5);
  v1::DetectResponse response;
  ASSERT_TRUE(Detect(request, &response).ok());
  EXPECT_NEAR(response.result().earliest_time(), 0.25, 1e-5);
  EXPECT_LE(response.result().earliest_time(), 0.25);
  options.set_max_time(0.2);
  ASSERT_TRUE(Detect(request, &response).ok());
  EXPECT_FALSE(response.result().has_earliest_time());
  EXPECT_EQ(response.result().vertex_face_ids(), "");
  options.set_min_separation(2);
  options.set_report(v1::REPORT_EARLIEST);
  ASSERT_TRUE(Detect(request, &response).ok());
  EXPECT_TRUE(response.result().has_earliest_time());
  EXPECT_EQ(response.result().earliest_time(), 0);
}

TEST_F(ServiceTest, SaysWhereFeaturesMeet) {
  v1::DetectRequest request = FallingDetect();
  v1::DetectResponse response;
  ASSERT_TRUE(Detect(request, &response).ok());
  EXPECT_EQ(response.result().vertex_face_weights(), "") << "nobody asked";
  request.mutable_collision()->set_with_geometry(true);
  ASSERT_TRUE(Detect(request, &response).ok());
  ExpectFallingResult(response.result());
  const auto weights = Numbers<double>(response.result().vertex_face_weights());
  const auto normal = Numbers<double>(response.result().vertex_face_normals());
  ASSERT_EQ(weights.size(), 3u);
  const auto mesh = Numbers<double>(request.mesh().positions().data());
  for (std::size_t axis = 0; axis < 2; ++axis) {
    double at = 0;
    for (std::size_t k = 0; k < 3; ++k) at += weights[k] * mesh[3 * k + axis];
    EXPECT_NEAR(at, mesh[9 + axis], 1e-12) << "it falls straight down";
  }
  EXPECT_EQ(normal, (std::vector<double>{0, 0, -1}));
  EXPECT_EQ(response.result().edge_edge_normals(), "");
}

TEST_F(ServiceTest, AnswersAStreamInOrder) {
  const std::string falling = server_->Open(FallingTriangleMesh());
  const std::string square = server_->Open(SquareMesh());
  const auto context = NewContext();
  const auto stream = stub_.StreamSteps(context.get());
  constexpr int kSteps = 20;
  for (int i = 0; i < kSteps; ++i) {
    v1::StreamStepsRequest request;
    *request.mutable_step() = i % 3 == 0 ? SquareStep(square) : FallingStep(falling);
    if (i % 3 == 1) *request.mutable_step()->mutable_start() = FallingTriangleMesh().positions();
    ASSERT_TRUE(stream->Write(request));
  }
  stream->WritesDone();
  v1::StreamStepsResponse response;
  for (std::uint64_t i = 0; i < kSteps; ++i) {
    ASSERT_TRUE(stream->Read(&response));
    EXPECT_EQ(response.step(), i);
    EXPECT_TRUE(response.last_part());
    EXPECT_EQ(response.result().statistics().triangles(), 2u);
    EXPECT_EQ(response.result().statistics().vertices(), i % 3 == 0 ? 4u : 6u);
    EXPECT_EQ(response.result().has_earliest_time(), i % 3 == 1) << i;
  }
  EXPECT_FALSE(stream->Read(&response));
  EXPECT_TRUE(stream->Finish().ok());
}

TEST_F(ServiceTest, EndsAStreamWithTheFirstStepThatIsWrong) {
  const std::string scene = server_->Open(FallingTriangleMesh());
  const auto context = NewContext();
  const auto stream = stub_.StreamSteps(context.get());
  v1::StreamStepsRequest request;
  *request.mutable_step() = FallingStep(scene);
  stream->Write(request);
  request.mutable_step()->mutable_end()->mutable_data()->pop_back();
  stream->Write(request);
  v1::StreamStepsResponse response;
  EXPECT_TRUE(stream->Read(&response));
  EXPECT_EQ(response.step(), 0u);
  EXPECT_FALSE(stream->Read(&response));
  const grpc::Status status = stream->Finish();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(status.error_message(), HasSubstr("end.data: 143 bytes, expected 144"));
}

TEST_F(ServiceTest, NamesWhatIsWrong) {
  v1::StepResponse response;
  EXPECT_THAT(Step(FallingStep("scene-x"), &response).error_message(),
              HasSubstr("scene: no scene \"scene-x\""));
  v1::StepRequest request = FallingStep(server_->Open(FallingTriangleMesh()));
  request.mutable_collision()->set_tolerance(-1);
  const grpc::Status status = Step(request, &response);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(status.error_message(), HasSubstr("collision.tolerance: -1"));
  request.mutable_collision()->clear_tolerance();
  request.mutable_collision()->set_max_time(2);
  EXPECT_THAT(Step(request, &response).error_message(), HasSubstr("collision.max_time: 2, "));
}

TEST_F(ServiceTest, RefusesMessagesThatAreTooLarge) {
  v1::DetectRequest request = FallingDetect();
  request.mutable_mesh()->set_vertex_groups(std::string(std::size_t{17} << 20, 'x'));
  v1::DetectResponse response;
  EXPECT_EQ(Detect(request, &response).error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
}

TEST(Service, RefusesASceneThatIsLargerThanItsMemory) {
  server::ServerOptions options = test_support::TestOptions();
  options.engine.memory_limit_bytes = std::size_t{4} << 20;
  const auto server = TestServer::WithRealEngine(options);
  std::vector<std::uint32_t> triangles;
  for (int i = 0; i < 30'000; ++i) triangles.insert(triangles.end(), {0, 1, 2});
  v1::OpenSceneRequest request;
  *request.mutable_mesh() = FallingTriangleMesh();
  request.mutable_mesh()->set_triangles(Bytes(triangles));
  v1::OpenSceneResponse response;
  const auto context = NewContext();
  const grpc::Status status = server->stub().OpenScene(context.get(), request, &response);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_THAT(status.error_message(), HasSubstr("6 vertices and 30000 triangles and needs "));
  EXPECT_THAT(status.error_message(), HasSubstr("0 are in use, limit 4194304"));
  EXPECT_NE(server->Open(FallingTriangleMesh()), "");
}

TEST_F(ServiceTest, RefusesCompressedMessages) {
  const auto context = NewContext();
  context->set_compression_algorithm(GRPC_COMPRESS_GZIP);
  v1::DetectRequest request = FallingDetect();
  request.mutable_mesh()->set_vertex_groups(std::string(std::size_t{1} << 20, 'x'));
  v1::DetectResponse response;
  EXPECT_EQ(stub_.Detect(context.get(), request, &response).error_code(),
            grpc::StatusCode::UNIMPLEMENTED);
}

TEST_F(ServiceTest, SaysThatItServes) {
  // HealthCheckRequest{service} and HealthCheckResponse{status: SERVING}, as bytes.
  const std::string name = v1::CollisionService::service_full_name();
  std::string response;
  EXPECT_TRUE(CallRaw(server_->channel(), "/grpc.health.v1.Health/Check", "", &response).ok());
  EXPECT_EQ(response, "\x08\x01");
  const std::string request = std::string("\x0a") + static_cast<char>(name.size()) + name;
  EXPECT_TRUE(CallRaw(server_->channel(), "/grpc.health.v1.Health/Check", request, &response).ok());
  EXPECT_EQ(response, "\x08\x01");
  EXPECT_EQ(CallRaw(server_->channel(), "/grpc.health.v1.Health/Check", "\x0a\x01x", &response)
                .error_code(),
            grpc::StatusCode::NOT_FOUND);
}

TEST_F(ServiceTest, ListsItsServicesByReflection) {
  EXPECT_THAT(test_support::ListServices(server_->channel()),
              HasSubstr(v1::CollisionService::service_full_name()));
}

TEST(Server, CountsWhatItDoes) {
  const auto server = TestServer::WithRealEngine(test_support::TestOptionsWithMetrics());
  v1::DetectResponse response;
  const auto context = NewContext();
  ASSERT_TRUE(server->stub().Detect(context.get(), FallingDetect(), &response).ok());
  const std::string text = ScrapeMetrics(server->server().metrics_port());
  for (const char* line :
       {"HTTP/1.1 200 OK",
        "warpyard_jobs_finished_total{kind=\"collision_detect\",outcome=\"ok\"} 1",
        "warpyard_job_phase_duration_seconds_count{kind=\"collision_detect\",phase=\"narrow\"} 1",
        "warpyard_job_phase_duration_seconds_count{kind=\"collision_detect\",phase=\"build\"} 1",
        "warpyard_rpc_completed_total{code=\"OK\",method=\"warpyard.v1.CollisionService/Detect\"} "
        "1",
        "warpyard_jobs_pending 0", "warpyard_device_lost{device=\"cpu\"} 0",
        "warpyard_residents 0"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
}

TEST(Server, RefusesAPortThatIsInUse) {
  const auto first = TestServer::WithRealEngine(test_support::TestOptionsWithMetrics());
  server::ServerOptions options = test_support::TestOptions();
  options.listen = "127.0.0.1:" + std::to_string(first->server().port());
  auto second = server::Server::Start(options, std::make_unique<test_support::FakeEngine>());
  EXPECT_EQ(second.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(second.status().message()), HasSubstr("--listen: cannot listen on"));
  options = test_support::TestOptions();
  options.metrics = "127.0.0.1:" + std::to_string(first->server().metrics_port());
  second = server::Server::Start(options, std::make_unique<test_support::FakeEngine>());
  EXPECT_THAT(std::string(second.status().message()), HasSubstr("--metrics: cannot listen on"));
}

}  // namespace
}  // namespace warpyard
