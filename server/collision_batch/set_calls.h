// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The calls of CollisionBatchService that open and close sets.
#ifndef WARPYARD_SERVER_COLLISION_BATCH_SET_CALLS_H_
#define WARPYARD_SERVER_COLLISION_BATCH_SET_CALLS_H_

#include "absl/status/statusor.h"
#include "core/api/scene_set.h"
#include "server/collision_batch/batch_context.h"
#include "server/collision_batch/set_request.h"
#include "server/rpc/unary_call.h"

namespace warpyard::server {

/// CollisionBatchService.OpenScenes.
class OpenScenesCall final : public UnaryCall {
 public:
  OpenScenesCall(BatchContext& own, grpc::CallbackServerContext& context,
                 grpc::ByteBuffer* response)
      : UnaryCall(own.service, context, {own.open_scenes, &own.open_jobs}, response) {}

 private:
  absl::Status Run(grpc::ByteBuffer* request) override;
  void DropRequest() override { request_ = {}; }
  void OnOpened(const absl::StatusOr<collision::SetInfo>& info);

  v1::OpenScenesRequest request_;
  std::size_t vertices_ = 0;
  std::uint32_t worlds_ = 0;
};

/// CollisionBatchService.CloseScenes.
class CloseScenesCall final : public UnaryCall {
 public:
  CloseScenesCall(BatchContext& own, grpc::CallbackServerContext& context,
                  grpc::ByteBuffer* response)
      : UnaryCall(own.service, context, {own.close_scenes, nullptr}, response) {}

 private:
  absl::Status Run(grpc::ByteBuffer* request) override;
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_COLLISION_BATCH_SET_CALLS_H_
