// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The unary calls of CollisionService.
#ifndef WARPYARD_SERVER_COLLISION_CALLS_H_
#define WARPYARD_SERVER_COLLISION_CALLS_H_

#include "absl/status/statusor.h"
#include "core/api/collision.h"
#include "server/collision/collision_context.h"
#include "server/collision/scene_request.h"
#include "server/rpc/unary_call.h"
#include "warpyard/v1/collision_service.pb.h"

namespace warpyard::server {

/// CollisionService.OpenScene.
class OpenSceneCall final : public UnaryCall {
 public:
  OpenSceneCall(CollisionContext& own, grpc::CallbackServerContext& context,
                grpc::ByteBuffer* response)
      : UnaryCall(own.service, context, {own.open_scene, &own.open_jobs}, response) {}

 private:
  absl::Status Run(grpc::ByteBuffer* request) override;
  void DropRequest() override { request_ = {}; }
  void OnOpened(const absl::StatusOr<collision::SceneInfo>& info);

  v1::OpenSceneRequest request_;
  std::size_t vertices_ = 0;
};

/// A call that answers with the result of one step.
class ResultCall : public UnaryCall {
 protected:
  using UnaryCall::UnaryCall;

  /// Ends the call. @shape Response: StepResponse or DetectResponse
  template <class Response>
  void EndWithResult(const absl::StatusOr<ccd::CollisionResult>& result, ccd::Report report);
};

/// CollisionService.Step.
class StepCall final : public ResultCall {
 public:
  StepCall(CollisionContext& own, grpc::CallbackServerContext& context, grpc::ByteBuffer* response)
      : ResultCall(own.service, context, {own.step, &own.step_jobs}, response) {}

 private:
  absl::Status Run(grpc::ByteBuffer* request) override;
  void DropRequest() override { request_ = {}; }
  void OnStepped(const absl::StatusOr<ccd::CollisionResult>& result);

  v1::StepRequest request_;
  StepRequest step_;
  StepOrder::Turn turn_;  // held until the job is done
};

/// CollisionService.Detect: a job with a scene of its own.
class DetectCall final : public ResultCall {
 public:
  DetectCall(CollisionContext& own, grpc::CallbackServerContext& context,
             grpc::ByteBuffer* response)
      : ResultCall(own.service, context, {own.detect, &own.detect_jobs}, response) {}

 private:
  absl::Status Run(grpc::ByteBuffer* request) override;
  void DropRequest() override { request_ = {}; }

  v1::DetectRequest request_;
  ccd::Report report_ = ccd::Report::kCollisions;
};

/// CollisionService.CloseScene.
class CloseSceneCall final : public UnaryCall {
 public:
  CloseSceneCall(CollisionContext& own, grpc::CallbackServerContext& context,
                 grpc::ByteBuffer* response)
      : UnaryCall(own.service, context, {own.close_scene, nullptr}, response) {}

 private:
  absl::Status Run(grpc::ByteBuffer* request) override;
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_COLLISION_CALLS_H_
