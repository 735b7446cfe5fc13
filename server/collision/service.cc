// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/collision/service.h"

#include "server/collision/calls.h"
#include "server/collision/step_stream.h"
#include "server/collision/workload.h"

namespace warpyard::server {

grpc::ServerUnaryReactor* CollisionServiceImpl::OpenScene(grpc::CallbackServerContext* context,
                                                          const grpc::ByteBuffer* request,
                                                          grpc::ByteBuffer* response) {
  return UnaryCall::Start<OpenSceneCall>(context_, context, request, response);
}

grpc::ServerUnaryReactor* CollisionServiceImpl::Step(grpc::CallbackServerContext* context,
                                                     const grpc::ByteBuffer* request,
                                                     grpc::ByteBuffer* response) {
  return UnaryCall::Start<StepCall>(context_, context, request, response);
}

grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>* CollisionServiceImpl::StreamSteps(
    grpc::CallbackServerContext* context) {
  return StepStreamReactor::Start(context_, context);
}

grpc::ServerUnaryReactor* CollisionServiceImpl::Detect(grpc::CallbackServerContext* context,
                                                       const grpc::ByteBuffer* request,
                                                       grpc::ByteBuffer* response) {
  return UnaryCall::Start<DetectCall>(context_, context, request, response);
}

grpc::ServerUnaryReactor* CollisionServiceImpl::CloseScene(grpc::CallbackServerContext* context,
                                                           const grpc::ByteBuffer* request,
                                                           grpc::ByteBuffer* response) {
  return UnaryCall::Start<CloseSceneCall>(context_, context, request, response);
}

namespace {

class CollisionWorkload final : public Workload {
 public:
  explicit CollisionWorkload(const ServiceContext& context) : service_(CollisionContext(context)) {}

  const char* name() const override { return v1::CollisionService::service_full_name(); }
  grpc::Service& service() override { return service_; }

 private:
  CollisionServiceImpl service_;
};

}  // namespace

std::unique_ptr<Workload> MakeCollisionWorkload(const ServiceContext& context) {
  return std::make_unique<CollisionWorkload>(context);
}

}  // namespace warpyard::server
