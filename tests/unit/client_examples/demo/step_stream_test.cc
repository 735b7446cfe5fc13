// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/demo/step_stream.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace warpyard::demo {
namespace {

constexpr double kTolerance = 1e-7;

// Answers each step in two parts: a vertex-face pair, then an edge-edge pair and the rest.
class FakeService : public v1::CollisionService::Service {
 public:
  grpc::Status OpenScene(grpc::ServerContext*, const v1::OpenSceneRequest* request,
                         v1::OpenSceneResponse* response) override {
    if (request->mesh().triangles().empty()) {
      return {grpc::StatusCode::INVALID_ARGUMENT, "mesh.triangles is empty"};
    }
    response->set_scene("scene");
    return grpc::Status::OK;
  }

  grpc::Status StreamSteps(
      grpc::ServerContext*,
      grpc::ServerReaderWriter<v1::StreamStepsResponse, v1::StreamStepsRequest>* stream) override {
    v1::StreamStepsRequest request;
    while (stream->Read(&request)) {
      if (request.step().scene() != "scene") return {grpc::StatusCode::NOT_FOUND, "no scene"};
      if (request.step().collision().tolerance() != kTolerance) {
        return {grpc::StatusCode::INVALID_ARGUMENT, "step.collision.tolerance"};
      }
      if (request.step().end().data().empty()) {
        return {grpc::StatusCode::INVALID_ARGUMENT, "step.end is empty"};
      }
      v1::StreamStepsResponse part;
      part.mutable_result()->set_vertex_face_times(std::string(8, '\0'));
      stream->Write(part);
      v1::StreamStepsResponse last;
      last.set_last_part(true);
      v1::CollisionResult& result = *last.mutable_result();
      result.set_edge_edge_times(std::string(16, '\0'));
      result.set_earliest_time(0.5);
      result.mutable_statistics()->set_vertex_face_candidates(10);
      result.mutable_statistics()->set_edge_edge_candidates(20);
      v1::PhaseDuration& phase = *result.mutable_statistics()->add_phases();
      phase.set_phase("narrow");
      phase.mutable_duration()->set_nanos(2'500'000);
      stream->Write(last);
    }
    return grpc::Status::OK;
  }

  grpc::Status CloseScene(grpc::ServerContext*, const v1::CloseSceneRequest*,
                          v1::CloseSceneResponse*) override {
    closed = true;
    return grpc::Status::OK;
  }

  bool closed = false;
};

class StepStreamTest : public ::testing::Test {
 protected:
  StepStreamTest() {
    int port = 0;
    server_ = grpc::ServerBuilder()
                  .AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port)
                  .RegisterService(&service_)
                  .BuildAndStart();
    address_ = "127.0.0.1:" + std::to_string(port);
    *mesh_.mutable_positions() = PackPositions(std::vector<float>(9));
    mesh_.set_triangles(PackIndices({0, 1, 2}));
    options_.set_tolerance(kTolerance);
  }

  FakeService service_;
  std::unique_ptr<grpc::Server> server_;
  std::string address_;
  v1::TriangleMesh mesh_;
  v1::CollisionOptions options_;
};

TEST_F(StepStreamTest, PutsThePartsOfAStepTogether) {
  const auto stream = StepStream::Open({address_}, mesh_, options_);
  ASSERT_TRUE(stream.ok()) << stream.status();
  for (int i = 0; i < 3; ++i) {
    const auto step = (*stream)->Step(PackPositions(std::vector<double>(9)));
    ASSERT_TRUE(step.ok()) << step.status();
    EXPECT_EQ(step->candidates, 30u);
    EXPECT_EQ(step->collisions, 3u);
    EXPECT_EQ(step->earliest_time, 0.5);
    EXPECT_EQ(step->phase_ms[4], 2.5);
    EXPECT_GT(step->round_trip_ms, 0);
  }
  EXPECT_TRUE((*stream)->Close().ok());
  EXPECT_TRUE(service_.closed);
}

TEST_F(StepStreamTest, PassesOnWhatTheServerSays) {
  v1::TriangleMesh empty;
  EXPECT_EQ(StepStream::Open({address_}, empty, options_).status(),
            absl::InvalidArgumentError("mesh.triangles is empty"));
  const auto stream = StepStream::Open({address_}, mesh_, options_);
  ASSERT_TRUE(stream.ok()) << stream.status();
  EXPECT_EQ((*stream)->Step({}).status(), absl::InvalidArgumentError("step.end is empty"));
}

TEST_F(StepStreamTest, SaysHowToStartAServer) {
  server_->Shutdown();
  const absl::Status status = StepStream::Open({address_}, mesh_, options_).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_NE(std::string(status.message()).find("warpyard-server --listen " + address_),
            std::string::npos);
}

TEST(PackPositions, DeclaresItsLayout) {
  EXPECT_EQ(PackPositions(std::vector<float>{1, 2, 3}).data().size(), 12u);
  EXPECT_EQ(PackPositions(std::vector<float>{}).scalar_type(), v1::SCALAR_TYPE_FLOAT32);
  EXPECT_EQ(PackPositions(std::vector<double>{1, 2, 3}).data().size(), 24u);
  EXPECT_EQ(PackPositions(std::vector<double>{}).scalar_type(), v1::SCALAR_TYPE_FLOAT64);
  EXPECT_EQ(PackIndices({1, 258}), std::string("\1\0\0\0\2\1\0\0", 8));
}

}  // namespace
}  // namespace warpyard::demo
