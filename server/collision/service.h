// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// CollisionService on gRPC's callback API: each call is one object, and no call blocks a thread.
#ifndef WARPYARD_SERVER_COLLISION_SERVICE_H_
#define WARPYARD_SERVER_COLLISION_SERVICE_H_

#include "grpcpp/server_context.h"
#include "grpcpp/support/byte_buffer.h"
#include "grpcpp/support/server_callback.h"
#include "server/collision/collision_context.h"
#include "warpyard/v1/collision_service.grpc.pb.h"

namespace warpyard::server {

/// The generated service, with raw bytes in and out of every method; see wire.h.
template <class Base>
using RawCollisionMethods = v1::CollisionService::WithRawCallbackMethod_OpenScene<
    v1::CollisionService::WithRawCallbackMethod_Step<
        v1::CollisionService::WithRawCallbackMethod_StreamSteps<
            v1::CollisionService::WithRawCallbackMethod_Detect<
                v1::CollisionService::WithRawCallbackMethod_CloseScene<Base>>>>>;

class CollisionServiceImpl final : public RawCollisionMethods<v1::CollisionService::Service> {
 public:
  explicit CollisionServiceImpl(const CollisionContext& context) : context_(context) {}

  grpc::ServerUnaryReactor* OpenScene(grpc::CallbackServerContext* context,
                                      const grpc::ByteBuffer* request,
                                      grpc::ByteBuffer* response) override;
  grpc::ServerUnaryReactor* Step(grpc::CallbackServerContext* context,
                                 const grpc::ByteBuffer* request,
                                 grpc::ByteBuffer* response) override;
  grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>* StreamSteps(
      grpc::CallbackServerContext* context) override;
  grpc::ServerUnaryReactor* Detect(grpc::CallbackServerContext* context,
                                   const grpc::ByteBuffer* request,
                                   grpc::ByteBuffer* response) override;
  grpc::ServerUnaryReactor* CloseScene(grpc::CallbackServerContext* context,
                                       const grpc::ByteBuffer* request,
                                       grpc::ByteBuffer* response) override;

 private:
  CollisionContext context_;
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_COLLISION_SERVICE_H_
