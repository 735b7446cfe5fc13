// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A scene in the collision service and the stream of its steps: how a simulation loop uses gRPC.
#ifndef WARPYARD_CLIENT_EXAMPLES_DEMO_STEP_STREAM_H_
#define WARPYARD_CLIENT_EXAMPLES_DEMO_STEP_STREAM_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client_examples/support/connection.h"
#include "grpcpp/grpcpp.h"
#include "warpyard/v1/collision_service.grpc.pb.h"

namespace warpyard::demo {

/// The phases of a step, in the order in which the service reports them.
inline constexpr std::array<const char*, 6> kPhases = {"queue", "copy_in", "refit",
                                                       "broad", "narrow",  "copy_out"};

/// The result of one step, in numbers.
struct StepSummary {
  std::uint64_t candidates = 0;
  std::uint64_t collisions = 0;
  std::uint64_t capped_pairs = 0;
  std::optional<double> earliest_time;
  /// @shape one for each of kPhases
  std::array<double, kPhases.size()> phase_ms{};
  double round_trip_ms = 0;
};

/// Positions in the form of the service's messages.
v1::Positions PackPositions(const std::vector<float>& positions);
v1::Positions PackPositions(const std::vector<double>& positions);

/// Indices (triangles or groups) in the form of the service's messages.
std::string PackIndices(const std::vector<std::uint32_t>& indices);

class StepStream {
 public:
  /// Connects to a server and opens a scene; the options `collision` apply to all its steps.
  /// @errors UNAVAILABLE when no server answers, or the server's error
  static absl::StatusOr<std::unique_ptr<StepStream>> Open(const client_support::Endpoint& server,
                                                          const v1::TriangleMesh& mesh,
                                                          const v1::CollisionOptions& collision);

  /// Sends the positions at the end of a step and waits for its collisions.
  /// @errors the server's error; the stream has ended then
  absl::StatusOr<StepSummary> Step(v1::Positions end);

  /// Ends the stream and closes the scene.
  absl::Status Close();

 private:
  StepStream() = default;

  std::unique_ptr<v1::CollisionService::Stub> stub_;
  std::string scene_;
  v1::CollisionOptions collision_;
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReaderWriter<v1::StreamStepsRequest, v1::StreamStepsResponse>>
      stream_;
};

}  // namespace warpyard::demo

#endif  // WARPYARD_CLIENT_EXAMPLES_DEMO_STEP_STREAM_H_
