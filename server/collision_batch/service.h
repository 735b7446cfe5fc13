// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// CollisionBatchService on gRPC's callback API.
#ifndef WARPYARD_SERVER_COLLISION_BATCH_SERVICE_H_
#define WARPYARD_SERVER_COLLISION_BATCH_SERVICE_H_

#include "grpcpp/server_context.h"
#include "grpcpp/support/byte_buffer.h"
#include "grpcpp/support/server_callback.h"
#include "server/collision_batch/batch_context.h"
#include "warpyard/v1/collision_batch_service.grpc.pb.h"

namespace warpyard::server {

/// The generated service, with raw bytes in and out of every method; see wire.h.
template <class Base>
using RawCollisionBatchMethods = v1::CollisionBatchService::WithRawCallbackMethod_OpenScenes<
    v1::CollisionBatchService::WithRawCallbackMethod_StepBatch<
        v1::CollisionBatchService::WithRawCallbackMethod_CloseScenes<Base>>>;

class CollisionBatchServiceImpl final
    : public RawCollisionBatchMethods<v1::CollisionBatchService::Service> {
 public:
  explicit CollisionBatchServiceImpl(const BatchContext& context) : context_(context) {}

  grpc::ServerUnaryReactor* OpenScenes(grpc::CallbackServerContext* context,
                                       const grpc::ByteBuffer* request,
                                       grpc::ByteBuffer* response) override;
  grpc::ServerUnaryReactor* StepBatch(grpc::CallbackServerContext* context,
                                      const grpc::ByteBuffer* request,
                                      grpc::ByteBuffer* response) override;
  grpc::ServerUnaryReactor* CloseScenes(grpc::CallbackServerContext* context,
                                        const grpc::ByteBuffer* request,
                                        grpc::ByteBuffer* response) override;

 private:
  BatchContext context_;
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_COLLISION_BATCH_SERVICE_H_
