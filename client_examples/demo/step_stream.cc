// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/demo/step_stream.h"

#include <bit>
#include <chrono>
#include <utility>

#include "client_examples/support/call_error.h"
#include "client_examples/support/connection.h"

namespace warpyard::demo {
namespace {

using Clock = std::chrono::steady_clock;

static_assert(std::endian::native == std::endian::little, "the wire format is little-endian");

template <class T>
std::string Pack(const std::vector<T>& values) {
  return std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

double Milliseconds(const google::protobuf::Duration& duration) {
  return 1e3 * static_cast<double>(duration.seconds()) + 1e-6 * duration.nanos();
}

void Summarize(const v1::CollisionResult& result, StepSummary& summary) {
  const v1::CollisionStatistics& statistics = result.statistics();
  summary.candidates = statistics.vertex_face_candidates() + statistics.edge_edge_candidates();
  summary.capped_pairs = statistics.capped_pairs();
  if (result.has_earliest_time()) summary.earliest_time = result.earliest_time();
  for (const v1::PhaseDuration& phase : statistics.phases()) {
    for (std::size_t i = 0; i < kPhases.size(); ++i) {
      if (phase.phase() == kPhases[i]) summary.phase_ms[i] += Milliseconds(phase.duration());
    }
  }
}

}  // namespace

v1::Positions PackPositions(const std::vector<float>& positions) {
  v1::Positions packed;
  packed.set_scalar_type(v1::SCALAR_TYPE_FLOAT32);
  packed.set_data(Pack(positions));
  return packed;
}

v1::Positions PackPositions(const std::vector<double>& positions) {
  v1::Positions packed;
  packed.set_scalar_type(v1::SCALAR_TYPE_FLOAT64);
  packed.set_data(Pack(positions));
  return packed;
}

std::string PackIndices(const std::vector<std::uint32_t>& indices) { return Pack(indices); }

absl::StatusOr<std::unique_ptr<StepStream>> StepStream::Open(
    const client_support::Endpoint& server, const v1::TriangleMesh& mesh,
    const v1::CollisionOptions& collision) {
  const auto channel = client_support::Connect(server);
  if (!channel.ok()) return channel.status();
  // Not make_unique: the constructor is private.
  std::unique_ptr<StepStream> stream(new StepStream);
  stream->stub_ = v1::CollisionService::NewStub(*channel);
  v1::OpenSceneRequest request;
  *request.mutable_mesh() = mesh;
  v1::OpenSceneResponse response;
  grpc::ClientContext context;
  if (grpc::Status status = stream->stub_->OpenScene(&context, request, &response); !status.ok()) {
    return client_support::ToStatus(status);
  }
  stream->scene_ = response.scene();
  stream->collision_ = collision;
  stream->stream_ = stream->stub_->StreamSteps(&stream->context_);
  return stream;
}

absl::StatusOr<StepSummary> StepStream::Step(v1::Positions end) {
  v1::StreamStepsRequest request;
  request.mutable_step()->set_scene(scene_);
  *request.mutable_step()->mutable_end() = std::move(end);
  *request.mutable_step()->mutable_collision() = collision_;
  const Clock::time_point sent = Clock::now();
  StepSummary summary;
  v1::StreamStepsResponse part;
  stream_->Write(request);
  // Large results come in parts. A failed Write also shows as the end of the stream.
  while (stream_->Read(&part)) {
    summary.collisions += part.result().vertex_face_times().size() / sizeof(double) +
                          part.result().edge_edge_times().size() / sizeof(double);
    if (!part.last_part()) continue;
    const std::chrono::duration<double, std::milli> round_trip = Clock::now() - sent;
    summary.round_trip_ms = round_trip.count();
    Summarize(part.result(), summary);
    return summary;
  }
  const absl::Status status = client_support::ToStatus(stream_->Finish());
  return status.ok() ? absl::UnavailableError("the server ended the stream early") : status;
}

absl::Status StepStream::Close() {
  stream_->WritesDone();
  if (grpc::Status status = stream_->Finish(); !status.ok())
    return client_support::ToStatus(status);
  v1::CloseSceneRequest request;
  request.set_scene(scene_);
  v1::CloseSceneResponse response;
  grpc::ClientContext context;
  return client_support::ToStatus(stub_->CloseScene(&context, request, &response));
}

}  // namespace warpyard::demo
