// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/cpp/simplify/remote_model.h"

#include <cstddef>

#include "absl/status/status.h"
#include "client_examples/cpp/simplify/goals.h"
#include "grpcpp/grpcpp.h"

namespace warpyard::cli {
namespace {

absl::Status ToStatus(const grpc::Status& status) {
  return absl::Status(static_cast<absl::StatusCode>(status.error_code()), status.error_message());
}

}  // namespace

absl::StatusOr<RemoteModel> RemoteModel::Open(Stub& stub, const v1::OpenModelRequest& request) {
  grpc::ClientContext call;
  v1::OpenModelResponse response;
  const grpc::Status status = stub.OpenModel(&call, request, &response);
  if (!status.ok()) return ToStatus(status);
  return RemoteModel(stub, response.model());
}

RemoteModel::~RemoteModel() {
  if (model_.empty()) return;
  grpc::ClientContext call;
  v1::CloseModelRequest request;
  request.set_model(model_);
  v1::CloseModelResponse response;
  // A model that cannot be closed now expires later.
  stub_->CloseModel(&call, request, &response);
}

absl::StatusOr<v1::SimplifyResponse> RemoteModel::Simplify(v1::SimplifyRequest request) {
  grpc::ClientContext call;
  request.set_model(model_);
  v1::SimplifyResponse response;
  const grpc::Status status = stub_->Simplify(&call, request, &response);
  if (!status.ok()) return ToStatus(status);
  return response;
}

absl::StatusOr<std::vector<v1::SimplifyResponse>> SimplifyLevels(RemoteModel::Stub& stub,
                                                                 const v1::OpenModelRequest& open,
                                                                 const v1::SimplifyRequest& goal,
                                                                 std::size_t levels) {
  absl::StatusOr<RemoteModel> model = RemoteModel::Open(stub, open);
  if (!model.ok()) return model.status();
  std::vector<v1::SimplifyResponse> responses;
  v1::SimplifyRequest next = goal;
  while (responses.size() < levels) {
    absl::StatusOr<v1::SimplifyResponse> response = model->Simplify(next);
    if (!response.ok()) return response.status();
    responses.push_back(*std::move(response));
    const std::size_t triangles = responses.back().mesh().triangles().size() / 12;
    // Nothing is coarser than nothing.
    if (triangles == 0) responses.resize(levels, responses.back());
    next = HalfOf(goal, triangles);
  }
  return responses;
}

}  // namespace warpyard::cli
