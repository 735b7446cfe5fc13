// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The unary calls of CollisionService.
#ifndef WARPYARD_SERVER_COLLISION_CALLS_H_
#define WARPYARD_SERVER_COLLISION_CALLS_H_

#include "absl/status/statusor.h"
#include "core/engine/engine.h"
#include "server/collision/prepared_step.h"
#include "server/rpc/unary_call.h"
#include "warpyard/v1/collision_service.pb.h"

namespace warpyard::server {

/// CollisionService.OpenScene.
class OpenSceneCall final : public UnaryCall {
 public:
  OpenSceneCall(ServiceContext& service, const grpc::CallbackServerContext& context,
                grpc::ByteBuffer* response)
      : UnaryCall(service, context, {RpcMethod::kOpenScene, JobKind::kOpenScene}, response) {}

 private:
  absl::Status Run(grpc::ByteBuffer* request) override;
  void OnOpened(const absl::StatusOr<SceneInfo>& info);

  v1::OpenSceneRequest request_;
  std::size_t vertices_ = 0;
};

/// CollisionService.Step.
class StepCall final : public UnaryCall {
 public:
  StepCall(ServiceContext& service, const grpc::CallbackServerContext& context,
           grpc::ByteBuffer* response)
      : UnaryCall(service, context, {RpcMethod::kStep, JobKind::kStep}, response) {}

 private:
  absl::Status Run(grpc::ByteBuffer* request) override;
  void OnStepped(const absl::StatusOr<ccd::CollisionResult>& result);

  v1::StepRequest request_;
  PreparedStep prepared_;
};

/// CollisionService.Detect: a scene that lives for one step.
class DetectCall final : public UnaryCall {
 public:
  DetectCall(ServiceContext& service, const grpc::CallbackServerContext& context,
             grpc::ByteBuffer* response)
      : UnaryCall(service, context, {RpcMethod::kDetect, JobKind::kStep}, response) {}

 private:
  absl::Status Run(grpc::ByteBuffer* request) override;
  void OnOpened(const absl::StatusOr<SceneInfo>& info);
  void OnStepped(const absl::StatusOr<ccd::CollisionResult>& result);

  v1::DetectRequest request_;
  StepDescription step_;
  JobOptions job_;
};

/// CollisionService.CloseScene.
class CloseSceneCall final : public UnaryCall {
 public:
  CloseSceneCall(ServiceContext& service, const grpc::CallbackServerContext& context,
                 grpc::ByteBuffer* response)
      : UnaryCall(service, context, {RpcMethod::kCloseScene, std::nullopt}, response) {}

 private:
  absl::Status Run(grpc::ByteBuffer* request) override;
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_COLLISION_CALLS_H_
