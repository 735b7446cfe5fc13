// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// StreamSteps at every stage, with an engine that the test controls.

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/time/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/e2e/test_server.h"

namespace warpyard {
namespace {

using test_support::ClumpMesh;
using test_support::ClumpStep;
using test_support::ClumpVertexFacePairs;
using test_support::FakeServer;
using test_support::NewContext;
using test_support::Numbers;
using test_support::SquareStep;
using test_support::Stream;
using test_support::WaitFor;
using test_support::Write;
using ::testing::HasSubstr;

class StreamTest : public ::testing::Test {
 protected:
  bool Idle() { return server_.server().WaitUntilIdle(absl::Seconds(10)); }

  FakeServer server_;
  test_support::FakeEngine& engine_ = server_.engine();
  const std::string scene_ = server_.Open();
  const std::unique_ptr<grpc::ClientContext> context_ = NewContext();
  const std::unique_ptr<Stream> stream_ = server_.stub().StreamSteps(context_.get());
  v1::StreamStepsResponse response_;
};

TEST_F(StreamTest, AnEmptyStreamIsFine) {
  stream_->WritesDone();
  EXPECT_FALSE(stream_->Read(&response_));
  EXPECT_TRUE(stream_->Finish().ok());
  EXPECT_TRUE(Idle());
}

TEST_F(StreamTest, IsCancelledBeforeItsFirstStep) {
  context_->TryCancel();
  EXPECT_EQ(stream_->Finish().error_code(), grpc::StatusCode::CANCELLED);
  EXPECT_TRUE(Idle());
}

TEST_F(StreamTest, IsCancelledWithStepsInFlight) {
  const std::vector<std::string> scenes = {server_.Open(), server_.Open(), server_.Open()};
  engine_.HoldJobs(true);
  for (const std::string& scene : scenes) ASSERT_TRUE(Write(*stream_, SquareStep(scene)));
  ASSERT_TRUE(engine_.WaitForHeld(3));
  context_->TryCancel();
  EXPECT_EQ(stream_->Finish().error_code(), grpc::StatusCode::CANCELLED);
  EXPECT_TRUE(Idle());
  EXPECT_TRUE(WaitFor([this] { return engine_.cancelled_jobs() == 3; }));
}

TEST_F(StreamTest, EndsOnlyOnceIfStepsEndAfterIt) {
  engine_.HoldJobs(true);
  engine_.HonourCancel(false);
  ASSERT_TRUE(Write(*stream_, SquareStep(scene_)));
  ASSERT_TRUE(engine_.WaitForHeld(1));
  context_->TryCancel();
  EXPECT_EQ(stream_->Finish().error_code(), grpc::StatusCode::CANCELLED);
  EXPECT_TRUE(Idle());
  engine_.EndNext(absl::OkStatus());
}

TEST_F(StreamTest, ReadsOnlyFourStepsAhead) {
  std::vector<std::string> scenes;
  for (int i = 0; i < 8; ++i) scenes.push_back(server_.Open());
  engine_.HoldJobs(true);
  const std::size_t jobs_before = engine_.jobs().size();
  for (const std::string& scene : scenes) ASSERT_TRUE(Write(*stream_, SquareStep(scene)));
  stream_->WritesDone();
  ASSERT_TRUE(engine_.WaitForHeld(4));
  absl::SleepFor(absl::Milliseconds(50));
  EXPECT_EQ(engine_.jobs().size() - jobs_before, 4u);
  for (std::uint64_t i = 0; i < scenes.size(); ++i) {
    engine_.EndNext(absl::OkStatus());
    ASSERT_TRUE(stream_->Read(&response_));
    EXPECT_EQ(response_.step(), i);
    if (i + 4 < scenes.size()) {
      EXPECT_TRUE(engine_.WaitForHeld(4));
    }
  }
  EXPECT_FALSE(stream_->Read(&response_));
  EXPECT_TRUE(stream_->Finish().ok());
}

TEST_F(StreamTest, RunsStepsOfOneSceneOneAfterAnother) {
  engine_.HoldJobs(true);
  const std::size_t jobs_before = engine_.jobs().size();
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(Write(*stream_, SquareStep(scene_)));
  ASSERT_TRUE(engine_.WaitForHeld(1));
  absl::SleepFor(absl::Milliseconds(50));
  EXPECT_EQ(engine_.jobs().size() - jobs_before, 1u);
  engine_.EndNext(absl::InternalError("the first step fails"));
  EXPECT_FALSE(stream_->Read(&response_));
  const grpc::Status status = stream_->Finish();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::INTERNAL);
  EXPECT_EQ(status.error_message(), "the first step fails");
  EXPECT_TRUE(Idle());
  EXPECT_EQ(engine_.jobs().size() - jobs_before, 1u) << "no step runs after one that failed";
}

TEST_F(StreamTest, AnswersInOrderWhenLaterStepsEndFirst) {
  const std::string other = server_.Open();
  engine_.HoldJobs(true);
  ASSERT_TRUE(Write(*stream_, SquareStep(scene_)));
  ASSERT_TRUE(engine_.WaitForHeld(1));
  engine_.HoldJobs(false);
  const std::size_t jobs_before = engine_.jobs().size();
  ASSERT_TRUE(Write(*stream_, SquareStep(other)));
  ASSERT_TRUE(WaitFor([&] { return engine_.jobs().size() == jobs_before + 1; }));
  engine_.EndNext(absl::OkStatus());
  for (std::uint64_t i = 0; i < 2; ++i) {
    ASSERT_TRUE(stream_->Read(&response_));
    EXPECT_EQ(response_.step(), i);
  }
  stream_->WritesDone();
  EXPECT_TRUE(stream_->Finish().ok());
}

TEST_F(StreamTest, SendsLargeResultsInPartsAndWaitsForTheReader) {
  constexpr std::uint32_t kTriangles = 250;  // 12 MB
  const std::string clump = server_.Open(ClumpMesh(kTriangles));
  ASSERT_TRUE(Write(*stream_, ClumpStep(clump, kTriangles)));
  stream_->WritesDone();
  absl::SleepFor(absl::Milliseconds(100));
  std::vector<std::uint32_t> vertex_face;
  std::size_t edge_edge = 0;
  int parts = 0;
  v1::CollisionStatistics statistics;
  while (stream_->Read(&response_)) {
    EXPECT_EQ(response_.step(), 0u);
    EXPECT_LE(response_.ByteSizeLong(), (1u << 20) + 4096);
    for (const std::uint32_t id : Numbers<std::uint32_t>(response_.result().vertex_face_ids())) {
      vertex_face.push_back(id);
    }
    edge_edge += response_.result().edge_edge_ids().size() / (4 * sizeof(std::uint32_t));
    EXPECT_EQ(response_.last_part(), response_.result().has_statistics());
    statistics = response_.result().statistics();
    ++parts;
  }
  EXPECT_TRUE(stream_->Finish().ok());
  EXPECT_GE(parts, 10);
  ASSERT_EQ(vertex_face.size(), 2 * ClumpVertexFacePairs(kTriangles));
  EXPECT_EQ(edge_edge, statistics.edge_edge_collisions());
  for (std::size_t i = 2; i < vertex_face.size(); i += 2) {
    ASSERT_LT(std::pair(vertex_face[i - 2], vertex_face[i - 1]),
              std::pair(vertex_face[i], vertex_face[i + 1]));
  }
}

TEST_F(StreamTest, IsCancelledWhileTheReaderDoesNotRead) {
  const std::string clump = server_.Open(ClumpMesh(250));
  ASSERT_TRUE(Write(*stream_, ClumpStep(clump, 250)));
  ASSERT_TRUE(stream_->Read(&response_));
  EXPECT_FALSE(response_.last_part());
  context_->TryCancel();
  EXPECT_EQ(stream_->Finish().error_code(), grpc::StatusCode::CANCELLED);
  EXPECT_TRUE(Idle());
}

TEST_F(StreamTest, AnswersTheStepsThatItAcceptedBeforeTheirSceneWasClosed) {
  engine_.HoldJobs(true);
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(Write(*stream_, SquareStep(scene_)));
  stream_->WritesDone();
  ASSERT_TRUE(engine_.WaitForHeld(1));
  // The other steps wait for the first. The server has read all four before it closes the scene.
  absl::SleepFor(absl::Milliseconds(200));
  v1::CloseSceneRequest close;
  close.set_scene(scene_);
  v1::CloseSceneResponse closed;
  ASSERT_TRUE(server_.stub().CloseScene(NewContext().get(), close, &closed).ok());
  engine_.HoldJobs(false);
  engine_.EndNext(absl::OkStatus());
  for (std::uint64_t i = 0; i < 4; ++i) {
    ASSERT_TRUE(stream_->Read(&response_)) << i;
    EXPECT_EQ(response_.step(), i);
  }
  EXPECT_TRUE(stream_->Finish().ok());
  EXPECT_TRUE(WaitFor([this] { return engine_.open_residents() == 0; }));
}

TEST_F(StreamTest, RefusesAStepWithoutAStartBesideAnotherCall) {
  engine_.HoldJobs(true);
  ASSERT_TRUE(Write(*stream_, SquareStep(scene_)));
  ASSERT_TRUE(engine_.WaitForHeld(1));
  v1::StepResponse response;
  grpc::Status status = server_.stub().Step(NewContext().get(), SquareStep(scene_), &response);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::FAILED_PRECONDITION);
  EXPECT_THAT(status.error_message(), HasSubstr("start: missing, while a step of another call"));
  engine_.HoldJobs(false);
  engine_.EndNext(absl::OkStatus());
  ASSERT_TRUE(stream_->Read(&response_));
  status = server_.stub().Step(NewContext().get(), SquareStep(scene_), &response);
  EXPECT_TRUE(status.ok()) << status.error_message();
}

TEST_F(StreamTest, RefusesToGoOnWithoutAStartAfterAnotherCall) {
  ASSERT_TRUE(Write(*stream_, SquareStep(scene_)));
  ASSERT_TRUE(stream_->Read(&response_));
  // Nothing is in flight between two steps of the stream.
  v1::StepResponse response;
  ASSERT_TRUE(server_.stub().Step(NewContext().get(), SquareStep(scene_), &response).ok());
  v1::StepRequest with_start = SquareStep(scene_);
  *with_start.mutable_start() = with_start.end();
  ASSERT_TRUE(Write(*stream_, with_start));
  ASSERT_TRUE(stream_->Read(&response_));
  ASSERT_TRUE(Write(*stream_, SquareStep(scene_)));
  ASSERT_TRUE(stream_->Read(&response_)) << "it was the last one";
  ASSERT_TRUE(server_.stub().Step(NewContext().get(), SquareStep(scene_), &response).ok());
  ASSERT_TRUE(Write(*stream_, SquareStep(scene_)));
  EXPECT_FALSE(stream_->Read(&response_));
  const grpc::Status status = stream_->Finish();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::FAILED_PRECONDITION);
  EXPECT_THAT(status.error_message(), HasSubstr("start: missing, and another call has moved"));
}

TEST(Stream, CountsStepsThatItRefuses) {
  FakeServer server(test_support::TestOptionsWithMetrics());
  const std::string scene = server.Open();
  server.engine().HoldJobs(true);
  const auto context = NewContext(), other = NewContext();
  const auto first = server.stub().StreamSteps(context.get());
  const auto second = server.stub().StreamSteps(other.get());
  ASSERT_TRUE(Write(*first, SquareStep(scene)));
  ASSERT_TRUE(server.engine().WaitForHeld(1));
  ASSERT_TRUE(Write(*second, SquareStep(scene)));
  EXPECT_EQ(second->Finish().error_code(), grpc::StatusCode::FAILED_PRECONDITION);
  EXPECT_THAT(
      test_support::ScrapeMetrics(server.server().metrics_port()),
      HasSubstr("warpyard_jobs_rejected_total{kind=\"collision_step\",reason=\"invalid\"} 1"));
  server.engine().EndNext(absl::OkStatus());
  first->WritesDone();
  v1::StreamStepsResponse response;
  while (first->Read(&response)) {
  }
  EXPECT_TRUE(first->Finish().ok());
}

TEST_F(StreamTest, EndsAtItsDeadline) {
  const auto context = NewContext(absl::Milliseconds(200));
  const auto stream = server_.stub().StreamSteps(context.get());
  engine_.HoldJobs(true);
  ASSERT_TRUE(Write(*stream, SquareStep(scene_)));
  EXPECT_FALSE(stream->Read(&response_));
  EXPECT_EQ(stream->Finish().error_code(), grpc::StatusCode::DEADLINE_EXCEEDED);
  context_->TryCancel();
  stream_->Finish();
  EXPECT_TRUE(Idle());
}

TEST_F(StreamTest, CancelledAtAnyMoment) {
  context_->TryCancel();
  stream_->Finish();
  std::mt19937 random(7);
  for (int i = 0; i < 80; ++i) {
    engine_.HoldJobs(i % 4 == 3);
    const auto context = NewContext();
    const auto stream = server_.stub().StreamSteps(context.get());
    std::thread canceller([&context, delay_us = random() % 4000] {
      absl::SleepFor(absl::Microseconds(delay_us));
      context->TryCancel();
    });
    for (int step = 0; step < 3 && Write(*stream, SquareStep(scene_)); ++step) {
    }
    while (stream->Read(&response_)) {
    }
    canceller.join();
    stream->Finish();
  }
  EXPECT_TRUE(Idle());
}

}  // namespace
}  // namespace warpyard
