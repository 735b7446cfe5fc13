// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/collision_batch/service.h"

#include <memory>

#include "server/collision_batch/set_calls.h"
#include "server/collision_batch/step_batch_call.h"
#include "server/collision_batch/workload.h"

namespace warpyard::server {

grpc::ServerUnaryReactor* CollisionBatchServiceImpl::OpenScenes(
    grpc::CallbackServerContext* context, const grpc::ByteBuffer* request,
    grpc::ByteBuffer* response) {
  return UnaryCall::Start<OpenScenesCall>(context_, context, request, response);
}

grpc::ServerUnaryReactor* CollisionBatchServiceImpl::StepBatch(grpc::CallbackServerContext* context,
                                                               const grpc::ByteBuffer* request,
                                                               grpc::ByteBuffer* response) {
  return UnaryCall::Start<StepBatchCall>(context_, context, request, response);
}

grpc::ServerUnaryReactor* CollisionBatchServiceImpl::CloseScenes(
    grpc::CallbackServerContext* context, const grpc::ByteBuffer* request,
    grpc::ByteBuffer* response) {
  return UnaryCall::Start<CloseScenesCall>(context_, context, request, response);
}

namespace {

class CollisionBatchWorkload final : public Workload {
 public:
  explicit CollisionBatchWorkload(const ServiceContext& context)
      : service_(BatchContext(context)) {}

  const char* name() const override { return v1::CollisionBatchService::service_full_name(); }
  grpc::Service& service() override { return service_; }

 private:
  CollisionBatchServiceImpl service_;
};

}  // namespace

std::unique_ptr<Workload> MakeCollisionBatchWorkload(const ServiceContext& context) {
  return std::make_unique<CollisionBatchWorkload>(context);
}

}  // namespace warpyard::server
