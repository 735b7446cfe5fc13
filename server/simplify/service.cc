// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// SimplifyService on gRPC's callback API: each call is one object, and no call blocks a thread.

#include "grpcpp/server_context.h"
#include "grpcpp/support/byte_buffer.h"
#include "grpcpp/support/server_callback.h"
#include "server/simplify/calls.h"
#include "server/simplify/level_stream.h"
#include "server/simplify/simplify_context.h"
#include "server/simplify/workload.h"
#include "warpyard/v1/simplify_service.grpc.pb.h"

namespace warpyard::server {
namespace {

/// Raw bytes in and out; see wire.h.
template <class Base>
using RawSimplifyMethods = v1::SimplifyService::WithRawCallbackMethod_OpenModel<
    v1::SimplifyService::WithRawCallbackMethod_Simplify<
        v1::SimplifyService::WithRawCallbackMethod_SimplifyLevels<
            v1::SimplifyService::WithRawCallbackMethod_CloseModel<Base>>>>;

class SimplifyServiceImpl final : public RawSimplifyMethods<v1::SimplifyService::Service> {
 public:
  explicit SimplifyServiceImpl(const ServiceContext& context) : context_(context) {}

  grpc::ServerUnaryReactor* OpenModel(grpc::CallbackServerContext* context,
                                      const grpc::ByteBuffer* request,
                                      grpc::ByteBuffer* response) override {
    return UnaryCall::Start<OpenModelCall>(context_, context, request, response);
  }
  grpc::ServerUnaryReactor* Simplify(grpc::CallbackServerContext* context,
                                     const grpc::ByteBuffer* request,
                                     grpc::ByteBuffer* response) override {
    return UnaryCall::Start<SimplifyCall>(context_, context, request, response);
  }
  grpc::ServerWriteReactor<grpc::ByteBuffer>* SimplifyLevels(
      grpc::CallbackServerContext* context, const grpc::ByteBuffer* request) override {
    return PartStream::Start<LevelStream>(context_, context, request);
  }
  grpc::ServerUnaryReactor* CloseModel(grpc::CallbackServerContext* context,
                                       const grpc::ByteBuffer* request,
                                       grpc::ByteBuffer* response) override {
    return UnaryCall::Start<CloseModelCall>(context_, context, request, response);
  }

 private:
  SimplifyContext context_;
};

class SimplifyWorkload final : public Workload {
 public:
  explicit SimplifyWorkload(const ServiceContext& context) : service_(context) {}

  const char* name() const override { return v1::SimplifyService::service_full_name(); }
  grpc::Service& service() override { return service_; }

 private:
  SimplifyServiceImpl service_;
};

}  // namespace

std::unique_ptr<Workload> MakeSimplifyWorkload(const ServiceContext& context) {
  return std::make_unique<SimplifyWorkload>(context);
}

}  // namespace warpyard::server
