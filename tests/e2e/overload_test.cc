// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// How a server behaves at its limits: too many bytes of waiting requests, and lost devices.

#include <memory>
#include <string>
#include <thread>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/e2e/test_server.h"

namespace warpyard {
namespace {

using test_support::CallRaw;
using test_support::FakeServer;
using test_support::NewContext;
using test_support::ScrapeMetrics;
using test_support::SquareStep;
using test_support::WaitFor;
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

TEST(Health, IsServingWhileADeviceIsLeft) {
  server::ServerOptions options = test_support::TestOptionsWithMetrics();
  options.health_interval = absl::Milliseconds(5);
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
