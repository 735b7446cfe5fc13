// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// How a server stops: running calls may finish, new calls are refused, remaining calls are
// cancelled.

#include <memory>
#include <string>
#include <thread>

#include "absl/time/clock.h"
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
using ::testing::HasSubstr;

class DrainTest : public ::testing::Test {
 protected:
  void StartStep() {
    client_ = std::thread([this] {
      v1::StepResponse response;
      const auto context = NewContext();
      status_ = server_.stub().Step(context.get(), SquareStep(scene_), &response);
    });
  }

  FakeServer server_;
  test_support::FakeEngine& engine_ = server_.engine();
  const std::string scene_ = server_.Open();
  std::thread client_;
  grpc::Status status_;
};

TEST_F(DrainTest, LetsRunningCallsFinishAndRefusesNewOnes) {
  engine_.HoldJobs(true);
  StartStep();
  ASSERT_TRUE(engine_.WaitForHeld(1));
  server_.server().BeginDrain();
  EXPECT_FALSE(server_.server().WaitUntilIdle(absl::Milliseconds(20)));

  v1::StepResponse response;
  const auto context = NewContext();
  const grpc::Status refused = server_.stub().Step(context.get(), SquareStep(scene_), &response);
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_EQ(refused.error_message(), "the server is shutting down");
  std::string health;
  ASSERT_TRUE(CallRaw(server_.channel(), "/grpc.health.v1.Health/Check", "", &health).ok());
  EXPECT_EQ(health, "\x08\x02") << "NOT_SERVING";

  engine_.EndNext(absl::OkStatus());
  client_.join();
  EXPECT_TRUE(status_.ok()) << status_.error_message();
  EXPECT_TRUE(server_.server().WaitUntilIdle(absl::Seconds(10)));
}

TEST_F(DrainTest, EndsStreamsThatWaitForTheirClient) {
  const auto context = NewContext();
  const auto stream = server_.stub().StreamSteps(context.get());
  v1::StreamStepsRequest request;
  *request.mutable_step() = SquareStep(scene_);
  v1::StreamStepsResponse response;
  ASSERT_TRUE(stream->Write(request));
  ASSERT_TRUE(stream->Read(&response));
  server_.server().BeginDrain();
  EXPECT_FALSE(stream->Read(&response));
  EXPECT_EQ(stream->Finish().error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_TRUE(server_.server().WaitUntilIdle(absl::Seconds(10)));
}

TEST_F(DrainTest, AnswersTheStepsThatAStreamHasSent) {
  engine_.HoldJobs(true);
  const auto context = NewContext();
  const auto stream = server_.stub().StreamSteps(context.get());
  v1::StreamStepsRequest request;
  *request.mutable_step() = SquareStep(scene_);
  ASSERT_TRUE(stream->Write(request));
  ASSERT_TRUE(engine_.WaitForHeld(1));
  server_.server().BeginDrain();
  engine_.EndNext(absl::OkStatus());
  v1::StreamStepsResponse response;
  EXPECT_TRUE(stream->Read(&response));
  EXPECT_FALSE(stream->Read(&response));
  EXPECT_EQ(stream->Finish().error_code(), grpc::StatusCode::UNAVAILABLE);
}

TEST_F(DrainTest, RefusesNewStreams) {
  server_.server().BeginDrain();
  const auto context = NewContext();
  const auto stream = server_.stub().StreamSteps(context.get());
  v1::StreamStepsResponse response;
  EXPECT_FALSE(stream->Read(&response));
  EXPECT_EQ(stream->Finish().error_code(), grpc::StatusCode::UNAVAILABLE);
}

TEST_F(DrainTest, ShutdownCancelsWhatStillRuns) {
  engine_.HoldJobs(true);
  StartStep();
  ASSERT_TRUE(engine_.WaitForHeld(1));
  server_.server().Shutdown();
  client_.join();
  EXPECT_FALSE(status_.ok());
  EXPECT_EQ(engine_.cancelled_jobs(), 1u);
  EXPECT_TRUE(server_.server().WaitUntilIdle(absl::ZeroDuration()));
}

TEST(ServerTest, CountsWhatItRefusesAsItDrains) {
  FakeServer server(test_support::TestOptionsWithMetrics());
  server.server().BeginDrain();
  v1::StepResponse response;
  const auto context = NewContext();
  server.stub().Step(context.get(), SquareStep("scene-1"), &response);
  EXPECT_THAT(ScrapeMetrics(server.server().metrics_port()),
              HasSubstr("jobs_rejected_total{kind=\"collision_step\",reason=\"draining\"} 1"));
}

TEST(ServerTest, ClosesScenesThatNobodyUses) {
  server::ServerOptions options = test_support::TestOptions();
  options.resident_ttl = absl::Milliseconds(1);
  FakeServer server(options);
  const std::string scene = server.Open();
  EXPECT_NE(scene, "");
  EXPECT_TRUE(test_support::WaitFor([&] { return server.engine().open_residents() == 0; }));
  v1::StepResponse response;
  const auto context = NewContext();
  EXPECT_EQ(server.stub().Step(context.get(), SquareStep(scene), &response).error_code(),
            grpc::StatusCode::NOT_FOUND);
}

}  // namespace
}  // namespace warpyard
