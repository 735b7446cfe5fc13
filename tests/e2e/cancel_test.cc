// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Calls that end early: cancelled, late, failed. The test controls the engine, so it knows the
// stage at which a call ends.

#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "absl/time/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/e2e/test_server.h"

namespace warpyard {
namespace {

using test_support::ClumpMesh;
using test_support::FakeServer;
using test_support::NewContext;
using test_support::SquareEnd;
using test_support::SquareMesh;
using test_support::SquareStep;
using test_support::WaitFor;
using ::testing::HasSubstr;

class CancelTest : public ::testing::Test {
 protected:
  /// A unary call on a thread of its own, so that the test can act while it runs.
  template <class Call>
  void Start(Call call) {
    client_ = std::thread([this, call] { status_ = call(*context_); });
  }

  void StartOpen() {
    Start([this](grpc::ClientContext& context) {
      v1::OpenSceneRequest request;
      *request.mutable_mesh() = SquareMesh();
      v1::OpenSceneResponse response;
      return server_.stub().OpenScene(&context, request, &response);
    });
  }

  void StartStep(const v1::StepRequest& request) {
    Start([this, request](grpc::ClientContext& context) {
      v1::StepResponse response;
      return server_.stub().Step(&context, request, &response);
    });
  }

  void StartDetect() {
    Start([this](grpc::ClientContext& context) {
      v1::DetectRequest request;
      *request.mutable_mesh() = SquareMesh();
      *request.mutable_end() = SquareEnd();
      v1::DetectResponse response;
      return server_.stub().Detect(&context, request, &response);
    });
  }

  grpc::StatusCode End() {
    client_.join();
    return status_.error_code();
  }

  /// Whether the server has no live call any more.
  bool Idle() { return server_.server().WaitUntilIdle(absl::Seconds(10)); }

  FakeServer server_;
  test_support::FakeEngine& engine_ = server_.engine();
  std::unique_ptr<grpc::ClientContext> context_ = NewContext();
  std::thread client_;
  grpc::Status status_;
};

TEST_F(CancelTest, OpenSceneWhileItRuns) {
  engine_.HoldJobs(true);
  StartOpen();
  ASSERT_TRUE(engine_.WaitForHeld(1));
  context_->TryCancel();
  EXPECT_EQ(End(), grpc::StatusCode::CANCELLED);
  EXPECT_TRUE(Idle());
  EXPECT_EQ(engine_.cancelled_jobs(), 1u);
}

TEST_F(CancelTest, OpenSceneThatSucceedsAllTheSameLeavesNoScene) {
  engine_.HoldJobs(true);
  engine_.HonourCancel(false);
  StartOpen();
  ASSERT_TRUE(engine_.WaitForHeld(1));
  context_->TryCancel();
  EXPECT_EQ(End(), grpc::StatusCode::CANCELLED);
  // The server learns of the cancellation later than the client.
  ASSERT_TRUE(WaitFor([this] { return engine_.cancel_requests() == 1; }));
  engine_.EndNext(absl::OkStatus());
  EXPECT_TRUE(Idle());
  EXPECT_EQ(engine_.open_residents(), 0u);
}

TEST_F(CancelTest, StepWhileItRuns) {
  const std::string scene = server_.Open();
  engine_.HoldJobs(true);
  StartStep(SquareStep(scene));
  ASSERT_TRUE(engine_.WaitForHeld(1));
  context_->TryCancel();
  EXPECT_EQ(End(), grpc::StatusCode::CANCELLED);
  EXPECT_TRUE(Idle());
  EXPECT_EQ(engine_.cancelled_jobs(), 1u);
  EXPECT_EQ(engine_.open_residents(), 1u);
}

TEST_F(CancelTest, DetectWhileItRuns) {
  engine_.HoldJobs(true);
  StartDetect();
  ASSERT_TRUE(engine_.WaitForHeld(1));
  context_->TryCancel();
  EXPECT_EQ(End(), grpc::StatusCode::CANCELLED);
  EXPECT_TRUE(Idle());
  EXPECT_EQ(engine_.jobs().size(), 1u);
  EXPECT_EQ(engine_.open_residents(), 0u);
}

TEST_F(CancelTest, DeadlineOfTheCallIsTheJobs) {
  const std::string scene = server_.Open();
  engine_.HoldJobs(true);
  const absl::Time deadline = absl::Now() + absl::Milliseconds(300);
  context_ = NewContext(absl::Milliseconds(300));
  StartStep(SquareStep(scene));
  ASSERT_TRUE(engine_.WaitForHeld(1));
  EXPECT_LT(absl::AbsDuration(engine_.jobs().back().deadline - deadline), absl::Milliseconds(250));
  EXPECT_EQ(End(), grpc::StatusCode::DEADLINE_EXCEEDED);
  EXPECT_TRUE(Idle());
}

TEST_F(CancelTest, DeadlineOfTheJobCountsIfItIsEarlier) {
  v1::StepRequest request = SquareStep(server_.Open());
  request.mutable_job()->mutable_deadline()->set_nanos(50'000'000);
  request.mutable_job()->set_priority(v1::PRIORITY_URGENT);
  engine_.HoldJobs(true);
  StartStep(request);
  EXPECT_EQ(End(), grpc::StatusCode::DEADLINE_EXCEEDED);
  EXPECT_THAT(status_.error_message(), HasSubstr("the job's deadline has passed"));
  EXPECT_EQ(engine_.jobs().back().priority, Priority::kUrgent);
  EXPECT_TRUE(Idle());
}

TEST_F(CancelTest, FailuresOfTheEngineReachTheClient) {
  const std::string scene = server_.Open();
  for (const absl::Status& failure :
       {absl::ResourceExhaustedError("memory: full"), absl::UnavailableError("device lost"),
        absl::InternalError("broken")}) {
    engine_.SetOutcome(failure);
    context_ = NewContext();
    StartStep(SquareStep(scene));
    EXPECT_EQ(static_cast<int>(End()), static_cast<int>(failure.code()));
    EXPECT_EQ(status_.error_message(), std::string(failure.message()));
    context_ = NewContext();
    StartDetect();
    EXPECT_EQ(static_cast<int>(End()), static_cast<int>(failure.code()));
  }
  EXPECT_TRUE(Idle());
  EXPECT_EQ(engine_.open_residents(), 1u);
}

TEST_F(CancelTest, ResponsesThatAreTooLargeNameTheStream) {
  const std::string clump = server_.Open(ClumpMesh(150));
  v1::StepRequest step;
  step.set_scene(clump);
  *step.mutable_end() = ClumpMesh(150).positions();
  StartStep(step);
  EXPECT_EQ(End(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_THAT(
      status_.error_message(),
      ::testing::MatchesRegex("the result has [0-9]+ bytes, more than --max-response-mib 1 "
                              "allows; StreamSteps sends results in parts, up to --max-unread-mib; "
                              "the step has run: send start with the next one"));
}

TEST_F(CancelTest, AtAnyMoment) {
  const std::string scene = server_.Open();
  std::vector<std::thread> clients;
  for (unsigned seed = 0; seed < 3; ++seed) {
    clients.emplace_back([this, seed, scene] {
      std::mt19937 random(seed);
      for (int i = 0; i < 60; ++i) {
        const auto context = NewContext();
        std::thread canceller([&context, delay_us = random() % 1500] {
          absl::SleepFor(absl::Microseconds(delay_us));
          context->TryCancel();
        });
        v1::StepResponse response;
        if (i % 2 == 0) {
          server_.stub().Step(context.get(), SquareStep(scene), &response);
        } else {
          v1::DetectRequest request;
          *request.mutable_mesh() = SquareMesh();
          *request.mutable_end() = SquareEnd();
          v1::DetectResponse detected;
          server_.stub().Detect(context.get(), request, &detected);
        }
        canceller.join();
      }
    });
  }
  for (int i = 0; i < 50; ++i) {
    engine_.HoldJobs(i % 2 == 0);
    absl::SleepFor(absl::Milliseconds(2));
  }
  engine_.HoldJobs(false);
  for (std::thread& client : clients) client.join();
  EXPECT_TRUE(Idle());
  EXPECT_EQ(engine_.open_residents(), 1u);
}

// AddressSanitizer sees it where the step's completion finds its context gone.
TEST(Server, OutlivesStepsOfStreamsThatAreOver) {
  auto server = std::make_unique<FakeServer>();
  const std::string scene = server->Open();
  server->engine().HoldJobs(true);
  server->engine().HonourCancel(false);
  server->engine().EndLeftJobsWith(absl::OkStatus());
  {
    const auto context = NewContext();
    const auto stream = server->stub().StreamSteps(context.get());
    v1::StreamStepsRequest request;
    *request.mutable_step() = SquareStep(scene);
    ASSERT_TRUE(stream->Write(request));
    ASSERT_TRUE(server->engine().WaitForHeld(1));
    context->TryCancel();
    EXPECT_EQ(stream->Finish().error_code(), grpc::StatusCode::CANCELLED);
    ASSERT_TRUE(server->server().WaitUntilIdle(absl::Seconds(10)));
  }
  // The step ends well while the engine ends, after all calls and the residents' table.
  server.reset();
}

}  // namespace
}  // namespace warpyard
