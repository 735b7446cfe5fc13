// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// SimplifyLevels: chains of levels in a stream.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/e2e/simplify/simplify_server.h"

namespace warpyard::test_support {
namespace {

using ::testing::HasSubstr;

/// Appends a part to the level that it belongs to, and checks the order.
void Append(const v1::SimplifyLevelPart& part, std::vector<v1::SimplifyResponse>& levels) {
  if (part.has_header()) {
    ASSERT_EQ(part.level(), levels.size());
    v1::SimplifyResponse& level = levels.emplace_back();
    *level.mutable_statistics() = part.header().statistics();
    *level.mutable_origin() = part.header().origin();
    level.mutable_mesh()->mutable_positions()->set_scalar_type(v1::SCALAR_TYPE_FLOAT32);
    return;
  }
  ASSERT_EQ(part.level() + 1, levels.size());
  v1::SimplifyResponse& level = levels.back();
  level.mutable_mesh()->mutable_positions()->mutable_data()->append(part.positions());
  level.mutable_mesh()->mutable_triangles()->append(part.triangles());
  level.mutable_source_vertices()->append(part.source_vertices());
}

v1::SimplifyLevelsRequest Levels(const std::string& model,
                                 const std::vector<std::uint64_t>& goals) {
  v1::SimplifyLevelsRequest request;
  request.set_model(model);
  for (const std::uint64_t goal : goals) request.add_triangles(goal);
  return request;
}

/// A client's side of SimplifyLevels.
class LevelStream {
 public:
  LevelStream(SimplifyServer& server, const v1::SimplifyLevelsRequest& request)
      : reader_(server.stub().SimplifyLevels(context_.get(), request)) {}

  bool Read(v1::SimplifyLevelPart* part) { return reader_->Read(part); }
  void Cancel() { context_->TryCancel(); }
  /// Reads what is left.
  grpc::Status Finish(std::vector<v1::SimplifyResponse>* levels = nullptr) {
    v1::SimplifyLevelPart part;
    while (Read(&part)) {
      EXPECT_LE(part.ByteSizeLong(), (std::size_t{1} << 20) + 100);
      if (levels != nullptr) Append(part, *levels);
    }
    return reader_->Finish();
  }

 private:
  const std::unique_ptr<grpc::ClientContext> context_ = NewContext(absl::Seconds(100));
  const std::unique_ptr<grpc::ClientReader<v1::SimplifyLevelPart>> reader_;
};

TEST(SimplifyLevels, GiveEachLevel) {
  SimplifyServer server;
  const std::string model = server.NameOf(SphereRequest(1e9));
  for (const v1::Finish finish : {v1::FINISH_COLLAPSE, v1::FINISH_CUT}) {
    v1::SimplifyLevelsRequest request = Levels(model, {6000, 1500, 400});
    request.set_finish(finish);
    std::vector<v1::SimplifyResponse> levels;
    const grpc::Status status = LevelStream(server, request).Finish(&levels);
    ASSERT_TRUE(status.ok()) << status.error_message();
    ASSERT_EQ(levels.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_LE(TrianglesOf(levels[i]), request.triangles(static_cast<int>(i)));
      EXPECT_EQ(levels[i].statistics().shortfall(), v1::SHORTFALL_NONE);
      ASSERT_EQ(levels[i].origin_size(), 3);
      levels[i].set_origin(0, levels[i].origin(0) - 1e9);
      ExpectSphere(levels[i], 0.2);
    }
  }
}

TEST(SimplifyLevels, GiveTheBytesOfOneGoal) {
  SimplifyServer server;
  const std::string model = server.NameOf(SphereRequest());
  v1::SimplifyResponse one = server.ResultOf(ToTriangles(model, 3000));
  std::vector<v1::SimplifyResponse> levels;
  ASSERT_TRUE(LevelStream(server, Levels(model, {3000})).Finish(&levels).ok());
  ASSERT_EQ(levels.size(), 1u);
  ASSERT_EQ(levels[0].statistics().phases_size(), one.statistics().phases_size());
  for (v1::SimplifyResponse* response : {&one, &levels[0]}) {
    response->mutable_statistics()->clear_phases();  // times differ
  }
  EXPECT_EQ(levels[0].SerializeAsString(), one.SerializeAsString());
}

TEST(SimplifyLevels, StayWithinErrors) {
  SimplifyServer server;
  const std::string model = server.NameOf(SphereRequest());
  for (const v1::Finish finish : {v1::FINISH_COLLAPSE, v1::FINISH_CUT}) {
    v1::SimplifyLevelsRequest request = Levels(model, {});
    for (const double error : {0.002, 0.01, 0.05}) request.add_max_errors(error);
    request.set_finish(finish);
    std::vector<v1::SimplifyResponse> levels;
    const grpc::Status status = LevelStream(server, request).Finish(&levels);
    ASSERT_TRUE(status.ok()) << status.error_message();
    ASSERT_EQ(levels.size(), 3u);
    std::size_t most = kTriangles;
    for (std::size_t i = 0; i < 3; ++i) {
      const double error = request.max_errors(static_cast<int>(i));
      EXPECT_LT(TrianglesOf(levels[i]), most);
      most = TrianglesOf(levels[i]);
      EXPECT_EQ(levels[i].statistics().shortfall(), v1::SHORTFALL_NONE);
      EXPECT_LE(levels[i].statistics().max_error(), 1.0001 * error);
      ExpectSphere(levels[i], 4 * error);
    }
    const v1::SimplifyResponse one = server.ResultOf(Request(model, [finish](auto& r) {
      r.set_max_error(0.002);
      r.set_finish(finish);
    }));
    EXPECT_EQ(levels[0].mesh().SerializeAsString(), one.mesh().SerializeAsString());
  }
}

TEST(SimplifyLevels, TakeRatiosAndKeepResultsOfAnySize) {
  server::ServerOptions options = TestOptions();
  options.max_response_bytes = 10'000;
  SimplifyServer server(options);
  v1::SimplifyLevelsRequest request = Levels(server.NameOf(SphereRequest()), {});
  request.add_ratios(1);
  request.add_ratios(0.1);
  std::vector<v1::SimplifyResponse> levels;
  ASSERT_TRUE(LevelStream(server, request).Finish(&levels).ok());
  ASSERT_EQ(levels.size(), 2u);
  EXPECT_EQ(TrianglesOf(levels[0]), kTriangles);
  EXPECT_LE(TrianglesOf(levels[1]), kTriangles / 10);
}

TEST(SimplifyLevels, NameTheFieldThatIsWrong) {
  SimplifyServer server;
  constexpr auto kInvalid = grpc::StatusCode::INVALID_ARGUMENT;
  const std::string model = server.NameOf(SphereRequest());
  const auto error_of = [&](const v1::SimplifyLevelsRequest& request) {
    return LevelStream(server, request).Finish();
  };
  ExpectError(error_of(Levels("model-1", {10})), grpc::StatusCode::NOT_FOUND, "no model");
  ExpectError(error_of(Levels(model, {})), kInvalid, "triangles: 0 goals, and none in ratios");
  ExpectError(error_of(Levels(model, {10, 20})), kInvalid, "triangles: goal 1 is 20");
  v1::SimplifyLevelsRequest request = Levels(model, {10});
  request.mutable_job()->set_tenant(99);
  ExpectError(error_of(request), kInvalid, "job.tenant: 99");
  request.add_max_errors(1);
  ExpectError(error_of(request), kInvalid, "max_errors: set beside triangles");
  request.clear_triangles();
  request.add_max_errors(0.5);
  ExpectError(error_of(request), kInvalid, "max_errors: goal 1 is 0.5, expected greater");
  std::string response;
  ExpectError(CallRaw(server.test().channel(), "/warpyard.v1.SimplifyService/SimplifyLevels",
                      "\xff\xff", &response),
              kInvalid, "warpyard.v1.SimplifyLevelsRequest");
  EXPECT_TRUE(error_of(Levels(model, {10})).ok());
}

TEST(SimplifyLevels, EndWhereResultsHaveNoRoom) {
  server::ServerOptions options = TestOptions();
  options.max_unread_bytes = 100'000;  // the second level fits, the first one does not
  SimplifyServer server(options);
  const std::string model = server.NameOf(SphereRequest());
  ExpectError(LevelStream(server, Levels(model, {12'000, 1000})).Finish(),
              grpc::StatusCode::RESOURCE_EXHAUSTED, "(--max-unread-mib)");
  std::vector<v1::SimplifyResponse> levels;
  EXPECT_TRUE(LevelStream(server, Levels(model, {1000, 500})).Finish(&levels).ok());
  EXPECT_EQ(levels.size(), 2u);
}

TEST(SimplifyLevels, AreCounted) {
  SimplifyServer server(TestOptionsWithMetrics());
  const std::string model = server.NameOf(SphereRequest());
  ASSERT_TRUE(LevelStream(server, Levels(model, {1000, 500})).Finish().ok());
  EXPECT_FALSE(LevelStream(server, Levels(model, {})).Finish().ok());
  ASSERT_TRUE(server.test().server().WaitUntilIdle(absl::Seconds(10)));
  const std::string text = ScrapeMetrics(server.test().server().metrics_port());
  for (const char* line :
       {"warpyard_jobs_finished_total{kind=\"simplify_levels\",outcome=\"ok\"} 1",
        "warpyard_jobs_rejected_total{kind=\"simplify_levels\",reason=\"invalid\"} 1",
        "warpyard_job_phase_duration_seconds_count{kind=\"simplify_levels\",phase=\"cut\"} 1",
        "warpyard_result_bytes 0"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
}

/// A sphere whose levels are far more than gRPC buffers for a client that reads nothing: each has
/// some 8 MB, and while two are left these take half of the room.
class UnreadLevels : public ::testing::Test {
 protected:
  static server::ServerOptions Options() {
    server::ServerOptions options = TestOptions();
    options.max_unread_bytes = std::size_t{31} << 20;
    options.watch.unread_timeout = absl::Milliseconds(200);
    return options;
  }
  static v1::OpenModelRequest LargeSphere() {
    const SphereMesh sphere = Sphere(400, 500);
    v1::OpenModelRequest request;
    *request.mutable_mesh()->mutable_positions() = Doubles(sphere.positions);
    request.mutable_mesh()->set_triangles(Bytes(sphere.triangles));
    return request;
  }
  /// These tests share one server, because a server takes long to build the model.
  static void SetUpTestSuite() {
    server_ = std::make_unique<SimplifyServer>(Options());
    model_ = server_->NameOf(LargeSphere());
  }
  static void TearDownTestSuite() { server_.reset(); }

  static v1::SimplifyLevelsRequest Cuts() {
    v1::SimplifyLevelsRequest request = Levels(model_, {400'000, 390'000, 380'000, 370'000});
    request.set_finish(v1::FINISH_CUT);
    return request;
  }
  static bool EndsWithin(absl::Duration time) {
    return server_->test().server().WaitUntilIdle(time);
  }

  inline static std::unique_ptr<SimplifyServer> server_;
  inline static std::string model_;
};

TEST_F(UnreadLevels, EndWhereOthersNeedTheRoom) {
  ASSERT_FALSE(model_.empty());
  LevelStream stream(*server_, Cuts());
  v1::SimplifyLevelPart part;
  ASSERT_TRUE(stream.Read(&part));  // the server has the call: it is not idle before
  EXPECT_TRUE(EndsWithin(absl::Seconds(60)));
  ExpectError(stream.Finish(), grpc::StatusCode::RESOURCE_EXHAUSTED,
              "results: the client has read none for 200ms");
}

TEST_F(UnreadLevels, AreGivenUpWhenTheClientCancels) {
  LevelStream stream(*server_, Cuts());
  v1::SimplifyLevelPart part;
  ASSERT_TRUE(stream.Read(&part));
  EXPECT_TRUE(part.has_header());
  stream.Cancel();
  EXPECT_EQ(stream.Finish().error_code(), grpc::StatusCode::CANCELLED);
  EXPECT_TRUE(EndsWithin(absl::Seconds(60)));
  EXPECT_TRUE(server_->Simplify(ToTriangles(model_, 100)).ok());
}

TEST(SimplifyLevels, CancelTheirJob) {
  auto owned = std::make_unique<FakeEngine>();
  FakeEngine& engine = *owned;
  SimplifyServer server(TestOptions(), std::move(owned));
  const std::string model = server.NameOf(SphereRequest());
  engine.HoldJobs(true);
  {
    LevelStream stream(server, Levels(model, {100}));
    ASSERT_TRUE(engine.WaitForHeld(1));
    EXPECT_TRUE(server.Close(model).ok());
    EXPECT_EQ(engine.open_residents(), 1u) << "the job still uses it";
    stream.Cancel();
    EXPECT_EQ(stream.Finish().error_code(), grpc::StatusCode::CANCELLED);
  }
  EXPECT_TRUE(server.test().server().WaitUntilIdle(absl::Seconds(10)));
  EXPECT_EQ(engine.cancelled_jobs(), 1u);
  EXPECT_TRUE(WaitFor([&] { return engine.open_residents() == 0; }));
}

TEST(SimplifyLevels, EndWithTheirDeadlineAndWithTheServer) {
  auto owned = std::make_unique<FakeEngine>();
  FakeEngine& engine = *owned;
  SimplifyServer server(TestOptions(), std::move(owned));
  const std::string model = server.NameOf(SphereRequest());
  engine.HoldJobs(true);
  v1::SimplifyLevelsRequest request = Levels(model, {100});
  request.mutable_job()->mutable_deadline()->set_nanos(50'000'000);
  EXPECT_EQ(LevelStream(server, request).Finish().error_code(),
            grpc::StatusCode::DEADLINE_EXCEEDED);
  LevelStream accepted(server, Levels(model, {100}));
  ASSERT_TRUE(engine.WaitForHeld(1));
  server.test().server().BeginDrain();
  EXPECT_EQ(LevelStream(server, Levels(model, {100})).Finish().error_code(),
            grpc::StatusCode::UNAVAILABLE);
  engine.EndNext(absl::OkStatus());
  std::vector<v1::SimplifyResponse> levels;
  EXPECT_TRUE(accepted.Finish(&levels).ok());
  EXPECT_EQ(levels.size(), 1u);
}

}  // namespace
}  // namespace warpyard::test_support
