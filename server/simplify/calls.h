// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The calls of SimplifyService.
#ifndef WARPYARD_SERVER_SIMPLIFY_CALLS_H_
#define WARPYARD_SERVER_SIMPLIFY_CALLS_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "core/api/simplify.h"
#include "server/rpc/unary_call.h"
#include "server/simplify/attributes.h"
#include "server/simplify/simplify_context.h"
#include "warpyard/v1/simplify_service.pb.h"

namespace warpyard::server {

/// What calls must know of a model.
struct ModelFacts {
  static constexpr const char* kNoun = "model";

  /// Ratios are of this number.
  std::uint32_t triangles = 0;
  /// What the response of a call that names the model again says.
  simplify::ModelInfo info;
  AttributeLayouts attributes;
};

/// SimplifyService.OpenModel.
class OpenModelCall final : public UnaryCall {
 public:
  OpenModelCall(SimplifyContext& own, grpc::CallbackServerContext& context,
                grpc::ByteBuffer* response)
      : UnaryCall(own.service, context, {own.open_model, &own.open_jobs}, response) {}

 private:
  absl::Status Run(grpc::ByteBuffer* request) override;
  void DropRequest() override { request_ = {}; }
  /// Starts the job that opens the model of the request.
  absl::Status Open(const JobOptions& job);
  /// Whether a model of the upload is open. If so, the call has ended.
  absl::StatusOr<bool> Reuse();
  void OnOpened(const absl::StatusOr<simplify::ModelInfo>& info);

  v1::OpenModelRequest request_;  // the job has views into it
  std::string content_;           // the model's, if it comes from an upload; see ResidentTable
};

/// SimplifyService.Simplify.
class SimplifyCall final : public UnaryCall {
 public:
  SimplifyCall(SimplifyContext& own, grpc::CallbackServerContext& context,
               grpc::ByteBuffer* response)
      : UnaryCall(own.service, context, {own.simplify, &own.simplify_jobs}, response) {}

 private:
  absl::Status Run(grpc::ByteBuffer* request) override;
  void OnSimplified(const absl::StatusOr<simplify::SimplifiedMesh>& mesh);

  ResidentTable::Use<ModelFacts> model_;  // stays open until the call ends
};

/// SimplifyService.CloseModel.
class CloseModelCall final : public UnaryCall {
 public:
  CloseModelCall(SimplifyContext& own, grpc::CallbackServerContext& context,
                 grpc::ByteBuffer* response)
      : UnaryCall(own.service, context, {own.close_model, nullptr}, response) {}

 private:
  absl::Status Run(grpc::ByteBuffer* request) override;
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_SIMPLIFY_CALLS_H_
