// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// How a server behaves at its limits: too many bytes of waiting requests, results that clients do
// not read, and lost devices.

#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/e2e/test_server.h"

namespace warpyard {
namespace {

using test_support::CallRaw;
using test_support::ClumpMesh;
using test_support::ClumpStep;
using test_support::FakeServer;
using test_support::NewContext;
using test_support::ScrapeMetrics;
using test_support::SquareEnd;
using test_support::SquareMesh;
using test_support::SquareStep;
using test_support::Stream;
using test_support::TestServer;
using test_support::WaitFor;
using test_support::Write;
using ::testing::HasSubstr;

/// A step with many extra bytes; the fake engine reads none of them.
v1::StepRequest LargeStep(const std::string& scene) {
  v1::StepRequest request = SquareStep(scene);
  *request.mutable_start() = request.end();
  // An unknown field with 600 kB.
  request.GetReflection()->MutableUnknownFields(&request)->AddLengthDelimited(
      1000, std::string(600'000, 'x'));
  return request;
}

server::ServerOptions SmallBudget() {
  server::ServerOptions options = test_support::TestOptions();
  options.max_request_bytes = options.max_pending_bytes = std::size_t{1} << 20;
  return options;
}

TEST(Overload, RefusesRequestsThatWouldBeTooManyBytes) {
  FakeServer server(SmallBudget());
  const std::string scene = server.Open();
  server.engine().HoldJobs(true);
  grpc::Status first;
  std::thread client([&] {
    v1::StepResponse response;
    first = server.stub().Step(NewContext().get(), LargeStep(scene), &response);
  });
  ASSERT_TRUE(server.engine().WaitForHeld(1));
  v1::StepResponse response;
  const grpc::Status refused = server.stub().Step(NewContext().get(), LargeStep(scene), &response);
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_THAT(refused.error_message(), HasSubstr("the limit is 1 MiB (--max-pending-mib)"));
  server.engine().EndNext(absl::OkStatus());
  client.join();
  EXPECT_TRUE(first.ok()) << first.error_message();
  server.engine().HoldJobs(false);
  // The bytes are released when the call is over, a moment after its answer.
  EXPECT_TRUE(WaitFor(
      [&] { return server.stub().Step(NewContext().get(), LargeStep(scene), &response).ok(); }));
}

TEST(Overload, EndsAStreamWhoseStepIsTooMuch) {
  FakeServer server(SmallBudget());
  const std::string scene = server.Open();
  server.engine().HoldJobs(true);
  std::thread client([&] {
    v1::StepResponse response;
    server.stub().Step(NewContext().get(), LargeStep(scene), &response);
  });
  ASSERT_TRUE(server.engine().WaitForHeld(1));
  const auto context = NewContext();
  const auto stream = server.stub().StreamSteps(context.get());
  v1::StreamStepsRequest request;
  *request.mutable_step() = LargeStep(scene);
  stream->Write(request);
  EXPECT_EQ(stream->Finish().error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  server.engine().EndNext(absl::OkStatus());
  client.join();
}

TEST(Overload, AStreamDoesNotReadAheadWhatHasNoRoom) {
  FakeServer server(SmallBudget());
  const std::string scene = server.Open();
  const auto context = NewContext();
  const auto stream = server.stub().StreamSteps(context.get());
  std::thread writer([&] {
    v1::StreamStepsRequest request;
    *request.mutable_step() = LargeStep(scene);
    for (int step = 0; step < 6; ++step) stream->Write(request);
    stream->WritesDone();
  });
  v1::StreamStepsResponse response;
  int steps = 0;
  while (stream->Read(&response)) ++steps;
  writer.join();
  const grpc::Status status = stream->Finish();
  EXPECT_TRUE(status.ok()) << status.error_message();
  EXPECT_EQ(steps, 6);
}

TEST(Overload, DetectsDoNotCountAsResidents) {
  server::ServerOptions options = test_support::TestOptions();
  options.engine.max_residents = 1;
  const auto server = TestServer::WithRealEngine(options);
  ASSERT_NE(server->Open(SquareMesh()), "");
  EXPECT_EQ(server->Open(SquareMesh()), "") << "one is open";
  constexpr int kCalls = 20;
  std::vector<grpc::Status> statuses(kCalls);
  std::vector<std::thread> clients;
  for (grpc::Status& status : statuses) {
    clients.emplace_back([&server, &status] {
      v1::DetectRequest request;
      *request.mutable_mesh() = SquareMesh();
      *request.mutable_end() = SquareEnd();
      v1::DetectResponse response;
      status = server->stub().Detect(NewContext().get(), request, &response);
    });
  }
  for (std::thread& client : clients) client.join();
  for (const grpc::Status& status : statuses) EXPECT_TRUE(status.ok()) << status.error_message();
}

TEST(UnreadResults, DoNotKeepTheFirstStepOfTheirStreamFromRunning) {
  constexpr std::uint32_t kTriangles = 200;  // a result of 6 MB
  server::ServerOptions options = test_support::TestOptions();
  options.max_unread_bytes = std::size_t{8} << 20;
  FakeServer server(options);
  const std::string square = server.Open(), clump = server.Open(ClumpMesh(kTriangles));
  const auto context = NewContext(absl::Seconds(60));
  const auto stream = server.stub().StreamSteps(context.get());
  server.engine().HoldJobs(true);
  ASSERT_TRUE(Write(*stream, SquareStep(square)));
  ASSERT_TRUE(server.engine().WaitForHeld(1));
  server.engine().HoldJobs(false);
  // The third step runs beside the first; the second waits for the first.
  ASSERT_TRUE(Write(*stream, SquareStep(square)));
  ASSERT_TRUE(Write(*stream, ClumpStep(clump, kTriangles)));
  stream->WritesDone();
  ASSERT_TRUE(WaitFor([&] { return server.engine().ended_jobs() == 3; })) << "2 scenes, 1 step";
  server.engine().EndNext(absl::OkStatus());
  v1::StreamStepsResponse response;
  std::uint64_t last = 0;
  while (stream->Read(&response)) last = response.step();
  EXPECT_TRUE(stream->Finish().ok());
  EXPECT_EQ(last, 2u);
}

TEST(UnreadResults, StayWithinTheirLimit) {
  constexpr std::uint32_t kTriangles = 300;  // a result of 14 MB, more than gRPC buffers
  server::ServerOptions options = test_support::TestOptions();
  options.max_unread_bytes = std::size_t{20} << 20;
  FakeServer server(options);
  const std::string clump = server.Open(ClumpMesh(kTriangles));
  struct Reader {
    std::unique_ptr<grpc::ClientContext> context;
    std::unique_ptr<Stream> stream;
  };
  std::vector<Reader> readers;
  int refused = 0;
  for (int i = 0; i < 2; ++i) {
    Reader& reader = readers.emplace_back();
    reader.context = NewContext(absl::Seconds(100));
    reader.stream = server.stub().StreamSteps(reader.context.get());
    v1::StepRequest step = ClumpStep(clump, kTriangles);
    *step.mutable_start() = step.end();
    ASSERT_TRUE(Write(*reader.stream, step));
    reader.stream->WritesDone();
  }
  // Under ThreadSanitizer the jobs take several seconds.
  const auto have_ended = [&] { return server.engine().ended_jobs() == 3; };
  ASSERT_TRUE(WaitFor(have_ended) || WaitFor(have_ended) || WaitFor(have_ended));
  for (Reader& reader : readers) {
    v1::StreamStepsResponse response;
    while (reader.stream->Read(&response)) {
    }
    const grpc::Status status = reader.stream->Finish();
    if (status.ok()) continue;
    EXPECT_EQ(status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
    EXPECT_THAT(status.error_message(),
                HasSubstr("(--max-unread-mib); the step has run: send start"));
    ++refused;
  }
  EXPECT_EQ(refused, 1) << "one of two results fits";
}

/// A stream that has been sent a result of 6 MB, of which its client reads nothing.
class UnreadStream {
 public:
  explicit UnreadStream(std::size_t max_unread_mib) : server_(Options(max_unread_mib)) {
    constexpr std::uint32_t kTriangles = 200;
    const std::string clump = server_.Open(ClumpMesh(kTriangles));
    EXPECT_TRUE(Write(*stream_, ClumpStep(clump, kTriangles)));
  }

  /// Waits for the result: under ThreadSanitizer the job takes several seconds.
  bool HasResult() {
    const auto has_ended = [this] { return server_.engine().ended_jobs() == 2; };
    return WaitFor(has_ended) || WaitFor(has_ended) || WaitFor(has_ended);
  }

  /// Whether the server is done with it, now or within a time.
  bool EndsWithin(absl::Duration time) { return server_.server().WaitUntilIdle(time); }

  void Cancel() { context_->TryCancel(); }

  grpc::Status Finish() {
    v1::StreamStepsResponse response;
    while (stream_->Read(&response)) {
    }
    return stream_->Finish();
  }

 private:
  static server::ServerOptions Options(std::size_t max_unread_mib) {
    server::ServerOptions options = test_support::TestOptions();
    options.max_unread_bytes = max_unread_mib << 20;
    options.watch.unread_timeout = absl::Milliseconds(200);
    return options;
  }

  FakeServer server_;
  const std::unique_ptr<grpc::ClientContext> context_ = NewContext(absl::Seconds(100));
  const std::unique_ptr<Stream> stream_ = server_.stub().StreamSteps(context_.get());
};

TEST(UnreadResults, EndTheirStreamWhereOthersNeedTheRoom) {
  UnreadStream unread(8);
  ASSERT_TRUE(unread.HasResult());
  EXPECT_TRUE(unread.EndsWithin(absl::Seconds(30)));
  const grpc::Status status = unread.Finish();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_THAT(status.error_message(), HasSubstr("results: the client has read none for 200ms"));
}

TEST(UnreadResults, MayWaitWhereThereIsRoom) {
  UnreadStream unread(64);
  ASSERT_TRUE(unread.HasResult());
  EXPECT_FALSE(unread.EndsWithin(absl::Seconds(3)));
  unread.Cancel();
  EXPECT_EQ(unread.Finish().error_code(), grpc::StatusCode::CANCELLED);
}

TEST(Health, IsServingWhileADeviceIsLeft) {
  server::ServerOptions options = test_support::TestOptionsWithMetrics();
  options.watch.health_interval = absl::Milliseconds(5);
  FakeServer server(options);
  const auto health = [&server] {
    std::string response;
    CallRaw(server.channel(), "/grpc.health.v1.Health/Check", "", &response);
    return response;
  };
  EXPECT_EQ(health(), "\x08\x01") << "SERVING";
  server.engine().LoseDevice(0);
  const std::string text = ScrapeMetrics(server.server().metrics_port());
  EXPECT_THAT(text, HasSubstr("warpyard_device_lost{device=\"fake:0\"} 1"));
  EXPECT_THAT(text, HasSubstr("warpyard_device_lost{device=\"fake:1\"} 0"));
  EXPECT_EQ(health(), "\x08\x01") << "SERVING";
  server.engine().LoseDevice(1);
  EXPECT_TRUE(WaitFor([&] { return health() == "\x08\x02"; })) << "NOT_SERVING";
}

}  // namespace
}  // namespace warpyard
