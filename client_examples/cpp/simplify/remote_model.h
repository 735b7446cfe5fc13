// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A model on a server, closed at the end of its life.
#ifndef WARPYARD_CLIENT_EXAMPLES_CPP_SIMPLIFY_REMOTE_MODEL_H_
#define WARPYARD_CLIENT_EXAMPLES_CPP_SIMPLIFY_REMOTE_MODEL_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "warpyard/v1/simplify_service.grpc.pb.h"

namespace warpyard::cli {

class RemoteModel {
 public:
  using Stub = v1::SimplifyService::StubInterface;

  /// @errors those of OpenModel. The stub must outlive the model
  static absl::StatusOr<RemoteModel> Open(Stub& stub, const v1::OpenModelRequest& request);

  RemoteModel(RemoteModel&& other) noexcept
      : stub_(other.stub_), model_(std::exchange(other.model_, "")) {}
  RemoteModel& operator=(RemoteModel&&) = delete;
  ~RemoteModel();

  /// @errors those of Simplify
  absl::StatusOr<v1::SimplifyResponse> Simplify(v1::SimplifyRequest request);

 private:
  RemoteModel(Stub& stub, std::string model) : stub_(&stub), model_(std::move(model)) {}

  Stub* stub_;
  std::string model_;  ///< empty once moved from
};

/// Levels of detail of a mesh: the first reaches the goal, and each further one has half the
/// triangles of the one before. Opens a model for them and closes it.
/// @errors those of OpenModel and Simplify
absl::StatusOr<std::vector<v1::SimplifyResponse>> SimplifyLevels(RemoteModel::Stub& stub,
                                                                 const v1::OpenModelRequest& open,
                                                                 const v1::SimplifyRequest& goal,
                                                                 std::size_t levels);

}  // namespace warpyard::cli

#endif  // WARPYARD_CLIENT_EXAMPLES_CPP_SIMPLIFY_REMOTE_MODEL_H_
