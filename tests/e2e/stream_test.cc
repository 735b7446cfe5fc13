// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// StreamSteps at every stage, with an engine that the test controls.

#include <cstdint>
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

using test_support::FakeServer;
using test_support::NewContext;
using test_support::Numbers;
using test_support::SquareStep;
using test_support::WaitFor;
using ::testing::HasSubstr;

using Stream = grpc::ClientReaderWriter<v1::StreamStepsRequest, v1::StreamStepsResponse>;

bool Write(Stream& stream, const v1::StepRequest& step) {
  v1::StreamStepsRequest request;
  *request.mutable_step() = step;
  return stream.Write(request);
}

/// A result with `count` pairs of both kinds, to recognise by their ids.
ccd::CollisionResult LargeResult(std::uint32_t count) {
  ccd::CollisionResult result;
  for (std::uint32_t i = 0; i < count; ++i) {
    result.vertex_face.push_back({i, i, 0.5});
    result.edge_edge.push_back({i, i + 1, i + 2, i + 3, 0.25});
  }
  return result;
}

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
  EXPECT_EQ(engine_.jobs().size() - jobs_before, 1u) << "no step runs behind one that failed";
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
  constexpr std::uint32_t kPairs = 500'000;  // 20 MB
  engine_.SetResult(LargeResult(kPairs));
  ASSERT_TRUE(Write(*stream_, SquareStep(scene_)));
  stream_->WritesDone();
  absl::SleepFor(absl::Milliseconds(100));
  std::vector<std::uint32_t> vertex_face;
  std::vector<std::uint32_t> edge_edge;
  int parts = 0;
  while (stream_->Read(&response_)) {
    EXPECT_EQ(response_.step(), 0u);
    EXPECT_LE(response_.ByteSizeLong(), (1u << 20) + 4096);
    for (const std::uint32_t id : Numbers<std::uint32_t>(response_.result().vertex_face_ids())) {
      vertex_face.push_back(id);
    }
    for (const std::uint32_t id : Numbers<std::uint32_t>(response_.result().edge_edge_ids())) {
      edge_edge.push_back(id);
    }
    EXPECT_EQ(response_.last_part(), response_.result().has_statistics());
    ++parts;
  }
  EXPECT_TRUE(stream_->Finish().ok());
  EXPECT_GE(parts, 20);
  ASSERT_EQ(vertex_face.size(), 2 * kPairs);
  ASSERT_EQ(edge_edge.size(), 4 * kPairs);
  for (std::uint32_t i = 0; i < kPairs; ++i) {
    ASSERT_EQ(vertex_face[2 * i], i);
    ASSERT_EQ(edge_edge[4 * i + 3], i + 3);
  }
}

TEST_F(StreamTest, IsCancelledWhileTheReaderDoesNotRead) {
  engine_.SetResult(LargeResult(500'000));
  ASSERT_TRUE(Write(*stream_, SquareStep(scene_)));
  ASSERT_TRUE(stream_->Read(&response_));
  EXPECT_FALSE(response_.last_part());
  context_->TryCancel();
  EXPECT_EQ(stream_->Finish().error_code(), grpc::StatusCode::CANCELLED);
  EXPECT_TRUE(Idle());
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
  engine_.SetResult(LargeResult(30'000));
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
