// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The example of docs/new-workload.md in a server, beside collision detection.

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/time/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/e2e/test_server.h"
#include "tests/example/areas_oracle.h"
#include "tests/example/core/engine/example_engine.h"
#include "tests/example/server/workloads.h"
#include "warpyard/example/v1/areas_service.grpc.pb.h"

namespace warpyard {
namespace {

using example::v1::AreasService;
using example::v1::CountAreasRequest;
using example::v1::CountAreasResponse;
using example::v1::OpenMeshRequest;
using example::v1::OpenMeshResponse;
using test_support::AreasMeshData;
using test_support::AreasOf;
using test_support::Bytes;
using test_support::NewContext;
using test_support::RandomAreasMesh;
using test_support::TestOptions;
using test_support::TestServer;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;

OpenMeshRequest MeshRequest(const AreasMeshData& mesh) {
  OpenMeshRequest request;
  *request.mutable_mesh()->mutable_positions() = test_support::Doubles(mesh.positions);
  request.mutable_mesh()->set_triangles(Bytes(mesh.triangles));
  return request;
}

/// Two triangles with areas of 1/2.
OpenMeshRequest SquareRequest() {
  OpenMeshRequest request;
  *request.mutable_mesh() = test_support::SquareMesh();
  return request;
}

CountAreasRequest CountRequest(const std::string& mesh, const std::vector<double>& limits) {
  CountAreasRequest request;
  request.set_mesh(mesh);
  request.mutable_limits()->Assign(limits.begin(), limits.end());
  return request;
}

/// A server with the example, and calls to it.
class ExampleServer {
 public:
  explicit ExampleServer(const server::ServerOptions& options = TestOptions())
      : ExampleServer(options, example::MakeCpuEngine(options.engine)) {}
  ExampleServer(const server::ServerOptions& options, std::unique_ptr<Engine> engine)
      : server_(options, std::move(engine), example::Workloads()),
        stub_(AreasService::NewStub(server_.channel())) {}

  TestServer& test() { return server_; }
  AreasService::Stub& stub() { return *stub_; }

  grpc::Status Open(const OpenMeshRequest& request, OpenMeshResponse* response) {
    return stub_->OpenMesh(NewContext().get(), request, response);
  }
  grpc::Status Open(const OpenMeshRequest& request) {
    OpenMeshResponse response;
    return Open(request, &response);
  }
  /// Opens a mesh and returns its name; empty if that failed.
  std::string NameOf(const OpenMeshRequest& request) {
    OpenMeshResponse response;
    return Open(request, &response).ok() ? response.mesh() : "";
  }
  grpc::Status Count(const CountAreasRequest& request, CountAreasResponse* response) {
    return stub_->CountAreas(NewContext().get(), request, response);
  }
  grpc::Status Count(const CountAreasRequest& request) {
    CountAreasResponse response;
    return Count(request, &response);
  }

 private:
  TestServer server_;
  const std::unique_ptr<AreasService::Stub> stub_;
};

void ExpectError(const grpc::Status& status, grpc::StatusCode code, const std::string& message) {
  EXPECT_EQ(status.error_code(), code);
  EXPECT_THAT(status.error_message(), HasSubstr(message));
}

TEST(NewWorkload, CountsWhatAnOracleCounts) {
  ExampleServer server;
  for (const std::uint32_t triangles : {1u, 31u, 257u, 5000u, 100'000u}) {
    const AreasMeshData mesh = RandomAreasMesh(triangles, triangles);
    OpenMeshResponse opened;
    ASSERT_TRUE(server.Open(MeshRequest(mesh), &opened).ok());
    EXPECT_EQ(opened.triangles(), triangles);
    for (const std::vector<double>& limits :
         {std::vector<double>{}, {0.5}, {0.1, 0.4, 0.9, 1.5, 100}}) {
      CountAreasResponse response;
      ASSERT_TRUE(server.Count(CountRequest(opened.mesh(), limits), &response).ok());
      const test_support::ExpectedAreas expected = AreasOf(mesh, limits);
      EXPECT_THAT(response.counts(), ElementsAreArray(expected.counts)) << triangles;
      EXPECT_NEAR(response.total_area(), expected.total_area, 1e-12 * expected.total_area);
    }
  }
}

TEST(NewWorkload, GivesTheSameBitsEveryTime) {
  server::ServerOptions one_thread = TestOptions();
  one_thread.engine.threads = 1;
  ExampleServer server, alone(one_thread);
  const OpenMeshRequest request = MeshRequest(RandomAreasMesh(7, 50'000));
  const std::string mesh = server.NameOf(request), other = alone.NameOf(request);
  CountAreasResponse first, response;
  ASSERT_TRUE(alone.Count(CountRequest(other, {0.5}), &first).ok());
  for (int run = 0; run < 10; ++run) {
    ASSERT_TRUE(server.Count(CountRequest(mesh, {0.5}), &response).ok());
    EXPECT_EQ(response.total_area(), first.total_area());
  }
}

TEST(NewWorkload, PutsAnAreaOnALimitAboveIt) {
  ExampleServer server;
  const std::string mesh = server.NameOf(SquareRequest());
  CountAreasResponse response;
  ASSERT_TRUE(server.Count(CountRequest(mesh, {0.25, 0.5, 0.75}), &response).ok());
  EXPECT_THAT(response.counts(), ElementsAre(0, 0, 2, 0));
  EXPECT_EQ(response.total_area(), 1);
  ASSERT_EQ(response.phases_size(), 3);
  EXPECT_EQ(response.phases(1).phase(), "run");
}

TEST(NewWorkload, TakesPositionsInEveryForm) {
  ExampleServer server;
  OpenMeshRequest request = SquareRequest();
  v1::Positions& positions = *request.mutable_mesh()->mutable_positions();
  positions.set_scalar_type(v1::SCALAR_TYPE_QUANTIZED16);
  positions.set_data(Bytes<std::uint16_t>({0, 0, 0, 65535, 0, 0, 65535, 65535, 0, 0, 65535, 0}));
  for (const double low : {0, 0, 0}) positions.mutable_box()->add_low(low);
  for (const double high : {2, 3, 0}) positions.mutable_box()->add_high(high);
  CountAreasResponse response;
  ASSERT_TRUE(server.Count(CountRequest(server.NameOf(request), {}), &response).ok());
  EXPECT_EQ(response.total_area(), 6);
  positions.clear_box();
  positions.set_scalar_type(v1::SCALAR_TYPE_FLOAT32);
  positions.set_data(Bytes<float>({0, 0, 0, 2, 0, 0, 2, 2, 0, 0, 2, 0}));
  ASSERT_TRUE(server.Count(CountRequest(server.NameOf(request), {}), &response).ok());
  EXPECT_EQ(response.total_area(), 4);
}

TEST(NewWorkload, NamesTheFieldThatIsWrong) {
  ExampleServer server;
  OpenMeshRequest open = SquareRequest();
  open.mutable_mesh()->set_triangles(Bytes<std::uint32_t>({0, 1, 9}));
  ExpectError(server.Open(open), grpc::StatusCode::INVALID_ARGUMENT,
              "mesh.triangles: triangle 0 has the vertex index 9");
  open = SquareRequest();
  open.mutable_job()->set_tenant(99);
  ExpectError(server.Open(open), grpc::StatusCode::INVALID_ARGUMENT, "job.tenant: 99");
  const std::string mesh = server.NameOf(SquareRequest());
  ExpectError(server.Count(CountRequest(mesh, {1, 0.5})), grpc::StatusCode::INVALID_ARGUMENT,
              "limits[1]: 0.5, expected finite and more than 1");
  ExpectError(server.Count(CountRequest(mesh, {0})), grpc::StatusCode::INVALID_ARGUMENT,
              "limits[0]: 0, expected");
  ExpectError(server.Count(CountRequest(mesh, std::vector<double>(32))),
              grpc::StatusCode::INVALID_ARGUMENT, "limits: 32 numbers, at most 31");
  std::string response;
  ExpectError(
      test_support::CallRaw(server.test().channel(), "/warpyard.example.v1.AreasService/CountAreas",
                            "\xff\xff", &response),
      grpc::StatusCode::INVALID_ARGUMENT, "warpyard.example.v1.CountAreasRequest");
}

TEST(NewWorkload, KnowsItsMeshesAndNoOthers) {
  ExampleServer server;
  const std::string mesh = server.NameOf(SquareRequest());
  const std::string scene = server.test().Open(test_support::SquareMesh());
  ExpectError(server.Count(CountRequest(scene, {})), grpc::StatusCode::NOT_FOUND, "no mesh");
  v1::StepResponse stepped;
  EXPECT_EQ(server.test()
                .stub()
                .Step(NewContext().get(), test_support::SquareStep(mesh), &stepped)
                .error_code(),
            grpc::StatusCode::NOT_FOUND);
  example::v1::CloseMeshRequest close;
  close.set_mesh(mesh);
  example::v1::CloseMeshResponse closed;
  EXPECT_TRUE(server.stub().CloseMesh(NewContext().get(), close, &closed).ok());
  ExpectError(server.Count(CountRequest(mesh, {})), grpc::StatusCode::NOT_FOUND, "no mesh");
}

TEST(NewWorkload, RefusesAMeshThatFindsNoMemory) {
  server::ServerOptions options = TestOptions();
  options.engine.memory_limit_bytes = std::size_t{1} << 20;
  ExampleServer server(options);
  ExpectError(server.Open(MeshRequest(RandomAreasMesh(1, 100'000))),
              grpc::StatusCode::RESOURCE_EXHAUSTED, "memory");
  EXPECT_TRUE(server.Open(SquareRequest()).ok());
}

TEST(NewWorkload, IsServedLikeTheOthers) {
  ExampleServer server(test_support::TestOptionsWithMetrics());
  const std::string name = AreasService::service_full_name();
  std::string response;
  EXPECT_TRUE(test_support::CallRaw(server.test().channel(), "/grpc.health.v1.Health/Check",
                                    std::string("\x0a") + static_cast<char>(name.size()) + name,
                                    &response)
                  .ok());
  EXPECT_EQ(response, "\x08\x01");  // SERVING
  EXPECT_THAT(test_support::ListServices(server.test().channel()), HasSubstr(name));
  ASSERT_TRUE(server.Count(CountRequest(server.NameOf(SquareRequest()), {0.1})).ok());
  const std::string text = test_support::ScrapeMetrics(server.test().server().metrics_port());
  for (const char* line :
       {"warpyard_jobs_finished_total{kind=\"areas_count\",outcome=\"ok\"} 1",
        "warpyard_jobs_rejected_total{kind=\"areas_open_mesh\",reason=\"invalid\"} 0",
        "warpyard_job_phase_duration_seconds_count{kind=\"areas_count\",phase=\"run\"} 1",
        "warpyard_rpc_completed_total{code=\"OK\",method=\"warpyard.example.v1.AreasService/"
        "CountAreas\"} 1",
        "procedure=\"MeasureTriangles\"} 1", "warpyard_residents 1"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
}

/// A server whose engine the test controls: no job ends before the test says so.
class HeldServer : public ::testing::Test {
 protected:
  HeldServer() { engine_->HoldJobs(true); }

  std::unique_ptr<test_support::FakeEngine> owned_ = std::make_unique<test_support::FakeEngine>();
  test_support::FakeEngine* const engine_ = owned_.get();
  ExampleServer server_{TestOptions(), std::move(owned_)};
};

TEST_F(HeldServer, HandsTenantPriorityAndDeadlineOver) {
  OpenMeshRequest request = SquareRequest();
  request.mutable_job()->set_tenant(7);
  request.mutable_job()->set_priority(v1::PRIORITY_URGENT);
  request.mutable_job()->mutable_deadline()->set_nanos(50'000'000);
  EXPECT_EQ(server_.Open(request).error_code(), grpc::StatusCode::DEADLINE_EXCEEDED);
  ASSERT_EQ(engine_->jobs().size(), 1u);
  EXPECT_EQ(engine_->jobs()[0].tenant, 7u);
  EXPECT_EQ(engine_->jobs()[0].priority, Priority::kUrgent);
  EXPECT_LT(engine_->jobs()[0].deadline, absl::Now());
}

TEST_F(HeldServer, CancelsTheJobOfAClientThatCancels) {
  const auto context = NewContext();
  grpc::Status status;
  std::thread client([&] {
    OpenMeshResponse response;
    status = server_.stub().OpenMesh(context.get(), SquareRequest(), &response);
  });
  ASSERT_TRUE(engine_->WaitForHeld(1));
  context->TryCancel();
  client.join();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::CANCELLED);
  EXPECT_TRUE(server_.test().server().WaitUntilIdle(absl::Seconds(10)));
  EXPECT_EQ(engine_->cancelled_jobs(), 1u);
}

TEST(NewWorkload, RunsBesideCollisionSteps) {
  ExampleServer server;
  const std::string mesh = server.NameOf(MeshRequest(RandomAreasMesh(3, 50'000)));
  const std::string scene = server.test().Open(test_support::SquareMesh());
  std::atomic<bool> stop = false;
  std::atomic<int> counted = 0;
  std::thread client([&] {
    while (!stop) counted += server.Count(CountRequest(mesh, {0.5})).ok() ? 1 : 0;
  });
  for (int step = 0; step < 20; ++step) {
    v1::StepResponse response;
    const grpc::Status status =
        server.test().stub().Step(NewContext().get(), test_support::SquareStep(scene), &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
  }
  EXPECT_TRUE(test_support::WaitFor([&] { return counted > 0; }));
  stop = true;
  client.join();
}

}  // namespace
}  // namespace warpyard
