// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// SimplifyService as a service: errors, limits, deadlines, and what it shares with other workloads.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/time/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/e2e/simplify/simplify_server.h"

namespace warpyard::test_support {
namespace {

using ::testing::HasSubstr;

TEST(Simplify, NamesTheFieldThatIsWrong) {
  SimplifyServer server;
  constexpr auto kInvalid = grpc::StatusCode::INVALID_ARGUMENT;
  v1::OpenModelRequest open = SphereRequest();
  open.mutable_mesh()->set_triangles(Bytes<std::uint32_t>({0, 1, 9999}));
  ExpectError(server.Open(open), kInvalid, "mesh.triangles: triangle 0 has the vertex index 9999");
  open = SphereRequest();
  open.mutable_job()->set_tenant(99);
  ExpectError(server.Open(open), kInvalid, "job.tenant: 99");
  *open.mutable_mesh()->mutable_positions() = Doubles({1, 1, 1, 1, 1, 1, 1, 1, 1});
  open.mutable_mesh()->set_triangles(Bytes<std::uint32_t>({0, 1, 2}));
  open.clear_job();
  ExpectError(server.Open(open), kInvalid, "positions: the largest side of their box is 0");
  const std::string model = server.NameOf(SphereRequest());
  ExpectError(server.Simplify(Request(model, [](auto&) {})), kInvalid, "goal: missing");
  ExpectError(server.Simplify(Request(model, [](auto& r) { r.set_ratio(2); })), kInvalid,
              "ratio: 2, expected more than 0 and at most 1");
  ExpectError(server.Simplify(Request(model, [](auto& r) { r.set_level(22); })), kInvalid,
              "level: 22, expected 0 to 21");
  std::string response;
  ExpectError(CallRaw(server.test().channel(), "/warpyard.v1.SimplifyService/Simplify", "\xff\xff",
                      &response),
              kInvalid, "warpyard.v1.SimplifyRequest");
}

TEST(Simplify, KnowsItsModelsAndNoOthers) {
  SimplifyServer server;
  constexpr auto kNotFound = grpc::StatusCode::NOT_FOUND;
  const std::string model = server.NameOf(SphereRequest());
  const std::string scene = server.test().Open(SquareMesh());
  ExpectError(server.Simplify(ToTriangles("model-1", 10)), kNotFound, "no model");
  ExpectError(server.Simplify(ToTriangles(scene, 10)), kNotFound, "no model");
  ExpectError(server.Close(scene), kNotFound, "no model");
  v1::StepResponse stepped;
  EXPECT_EQ(server.test().stub().Step(NewContext().get(), SquareStep(model), &stepped).error_code(),
            kNotFound);
  EXPECT_TRUE(server.Close(model).ok());
  ExpectError(server.Simplify(ToTriangles(model, 10)), kNotFound, "no model");
}

TEST(Simplify, ReturnsTheMemoryOfClosedModels) {
  server::ServerOptions options = TestOptions();
  options.engine.memory_limit_bytes = std::size_t{16} << 20;
  SimplifyServer server(options);
  std::vector<std::string> models;
  grpc::Status status;
  while (models.size() < 100) {
    v1::OpenModelResponse opened;
    status = server.Open(SphereRequest(), &opened);
    if (!status.ok()) break;
    models.push_back(opened.model());
  }
  ExpectError(status, grpc::StatusCode::RESOURCE_EXHAUSTED, "bytes while it is built");
  EXPECT_FALSE(models.empty());
  for (const std::string& model : models) EXPECT_TRUE(server.Close(model).ok());
  for (int i = 0; i < 20; ++i) {
    const std::string model = server.NameOf(SphereRequest());
    EXPECT_EQ(server.ResultOf(ToTriangles(model, 500)).statistics().shortfall(),
              v1::SHORTFALL_NONE);
    EXPECT_TRUE(server.Close(model).ok());
  }
}

TEST(Simplify, RefusesAResultThatIsTooLarge) {
  server::ServerOptions options = TestOptions();
  options.max_response_bytes = 10'000;
  SimplifyServer server(options);
  const std::string model = server.NameOf(SphereRequest());
  ExpectError(server.Simplify(ToTriangles(model, 5000)), grpc::StatusCode::RESOURCE_EXHAUSTED,
              "--max-response-mib");
  EXPECT_TRUE(server.Simplify(ToTriangles(model, 100)).ok());
}

TEST(Simplify, IsServedLikeTheOthers) {
  SimplifyServer server(TestOptionsWithMetrics());
  const std::string name = v1::SimplifyService::service_full_name();
  std::string response;
  EXPECT_TRUE(CallRaw(server.test().channel(), "/grpc.health.v1.Health/Check",
                      std::string("\x0a") + static_cast<char>(name.size()) + name, &response)
                  .ok());
  EXPECT_EQ(response, "\x08\x01");  // SERVING
  EXPECT_THAT(ListServices(server.test().channel()), HasSubstr(name));
  server.ResultOf(ToTriangles(server.NameOf(SphereRequest()), 500));
  const std::string text = ScrapeMetrics(server.test().server().metrics_port());
  for (const char* line :
       {"warpyard_jobs_finished_total{kind=\"simplify\",outcome=\"ok\"} 1",
        "warpyard_jobs_finished_total{kind=\"simplify_open_model\",outcome=\"ok\"} 1",
        "warpyard_jobs_rejected_total{kind=\"simplify\",reason=\"invalid\"} 0",
        "warpyard_job_phase_duration_seconds_count{kind=\"simplify_open_model\",phase=\"build\"} 1",
        "warpyard_job_phase_duration_seconds_count{kind=\"simplify\",phase=\"cut\"} 1",
        "warpyard_job_phase_duration_seconds_count{kind=\"simplify\",phase=\"collapse\"} 1",
        "warpyard_job_phase_duration_seconds_count{kind=\"simplify\",phase=\"copy_out\"} 1",
        "warpyard_rpc_completed_total{code=\"OK\",method=\"warpyard.v1.SimplifyService/Simplify\"} "
        "1",
        "warpyard_residents 1"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
}

TEST(Simplify, GivesItsBestUntilTheDeadline) {
  SimplifyServer server;
  const std::string model = server.NameOf(SphereRequest());
  v1::SimplifyRequest request = ToTriangles(model, 500);
  request.set_best_effort(true);
  request.mutable_job()->mutable_deadline()->set_seconds(15);
  const v1::SimplifyResponse response = server.ResultOf(request);
  EXPECT_EQ(response.statistics().shortfall(), v1::SHORTFALL_NONE);
  ExpectSphere(response, 0.05);
  // A deadline that is too early for the goal ends with a result, or with no result at all: on a
  // slow machine not even the cut may be ready.
  for (int milliseconds = 1; milliseconds <= 256; milliseconds *= 2) {
    request.mutable_job()->mutable_deadline()->set_seconds(0);
    request.mutable_job()->mutable_deadline()->set_nanos(milliseconds * 1'000'000);
    v1::SimplifyResponse early;
    const grpc::Status status = server.Simplify(request, &early);
    if (!status.ok()) {
      EXPECT_EQ(status.error_code(), grpc::StatusCode::DEADLINE_EXCEEDED) << status.error_message();
      continue;
    }
    ExpectSphere(early, 0.05);
    const bool missed = TrianglesOf(early) > 500;
    EXPECT_EQ(early.statistics().shortfall(), missed ? v1::SHORTFALL_TIME : v1::SHORTFALL_NONE);
  }
}

/// A server whose engine the test controls: no job ends before the test says so.
class HeldSimplifyServer : public ::testing::Test {
 protected:
  HeldSimplifyServer() { engine_->HoldJobs(true); }

  std::unique_ptr<FakeEngine> owned_ = std::make_unique<FakeEngine>();
  FakeEngine* const engine_ = owned_.get();
  SimplifyServer server_{TestOptions(), std::move(owned_)};
};

TEST_F(HeldSimplifyServer, HandsTenantPriorityAndDeadlineOver) {
  engine_->HoldJobs(false);
  v1::SimplifyRequest request = ToTriangles(server_.NameOf(SphereRequest()), 10);
  engine_->HoldJobs(true);
  request.mutable_job()->set_tenant(7);
  request.mutable_job()->set_priority(v1::PRIORITY_URGENT);
  request.mutable_job()->mutable_deadline()->set_nanos(50'000'000);
  EXPECT_EQ(server_.Simplify(request).error_code(), grpc::StatusCode::DEADLINE_EXCEEDED);
  ASSERT_EQ(engine_->jobs().size(), 2u);
  EXPECT_EQ(engine_->jobs()[1].tenant, 7u);
  EXPECT_EQ(engine_->jobs()[1].priority, Priority::kUrgent);
  EXPECT_LT(engine_->jobs()[1].deadline, absl::Now());
}

TEST_F(HeldSimplifyServer, CancelsTheJobOfAClientThatCancels) {
  const auto context = NewContext();
  grpc::Status status;
  std::thread client([&] {
    v1::OpenModelResponse response;
    status = server_.stub().OpenModel(context.get(), SphereRequest(), &response);
  });
  ASSERT_TRUE(engine_->WaitForHeld(1));
  context->TryCancel();
  client.join();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::CANCELLED);
  EXPECT_TRUE(server_.test().server().WaitUntilIdle(absl::Seconds(10)));
  EXPECT_EQ(engine_->cancelled_jobs(), 1u);
  EXPECT_EQ(engine_->open_residents(), 0u);
}

}  // namespace
}  // namespace warpyard::test_support
