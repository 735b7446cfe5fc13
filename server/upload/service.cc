// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// UploadService on gRPC's callback API.

#include "grpcpp/server_context.h"
#include "grpcpp/support/byte_buffer.h"
#include "grpcpp/support/server_callback.h"
#include "server/upload/calls.h"
#include "server/upload/upload_context.h"
#include "server/upload/upload_stream.h"
#include "server/upload/workload.h"

namespace warpyard::server {
namespace {

/// Raw bytes in and out; see wire.h.
template <class Base>
using RawUploadMethods = v1::UploadService::WithRawCallbackMethod_Upload<
    v1::UploadService::WithRawCallbackMethod_FindUpload<
        v1::UploadService::WithRawCallbackMethod_DropUpload<Base>>>;

class UploadServiceImpl final : public RawUploadMethods<v1::UploadService::Service> {
 public:
  explicit UploadServiceImpl(const ServiceContext& context) : context_(context) {}

  grpc::ServerReadReactor<grpc::ByteBuffer>* Upload(grpc::CallbackServerContext* context,
                                                    grpc::ByteBuffer* response) override {
    return UploadStreamReactor::Start(context_, context, response);
  }
  grpc::ServerUnaryReactor* FindUpload(grpc::CallbackServerContext* context,
                                       const grpc::ByteBuffer* request,
                                       grpc::ByteBuffer* response) override {
    return UnaryCall::Start<FindUploadCall>(context_, context, request, response);
  }
  grpc::ServerUnaryReactor* DropUpload(grpc::CallbackServerContext* context,
                                       const grpc::ByteBuffer* request,
                                       grpc::ByteBuffer* response) override {
    return UnaryCall::Start<DropUploadCall>(context_, context, request, response);
  }

 private:
  UploadContext context_;
};

class UploadWorkload final : public Workload {
 public:
  explicit UploadWorkload(const ServiceContext& context) : service_(context) {}

  const char* name() const override { return v1::UploadService::service_full_name(); }
  grpc::Service& service() override { return service_; }

 private:
  UploadServiceImpl service_;
};

}  // namespace

std::unique_ptr<Workload> MakeUploadWorkload(const ServiceContext& context) {
  return std::make_unique<UploadWorkload>(context);
}

}  // namespace warpyard::server
