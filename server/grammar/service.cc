// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// GrammarService on gRPC's callback API: each call is one object, and no call blocks a thread.

#include "grpcpp/server_context.h"
#include "grpcpp/support/byte_buffer.h"
#include "grpcpp/support/server_callback.h"
#include "server/grammar/calls.h"
#include "server/grammar/grammar_context.h"
#include "server/grammar/streams/camera_stream.h"
#include "server/grammar/streams/derive_stream.h"
#include "server/grammar/workload.h"
#include "warpyard/v1/grammar_service.grpc.pb.h"

namespace warpyard::server {
namespace {

/// Raw bytes in and out; see wire.h.
template <class Base>
using RawGrammarMethods = v1::GrammarService::WithRawCallbackMethod_CompileGrammar<
    v1::GrammarService::WithRawCallbackMethod_DeriveGrammarOnce<
        v1::GrammarService::WithRawCallbackMethod_DeriveGrammar<
            v1::GrammarService::WithRawCallbackMethod_FollowCamera<
                v1::GrammarService::WithRawCallbackMethod_CloseGrammar<Base>>>>>;

class GrammarServiceImpl final : public RawGrammarMethods<v1::GrammarService::Service> {
 public:
  explicit GrammarServiceImpl(const ServiceContext& context) : context_(context) {}

  grpc::ServerUnaryReactor* CompileGrammar(grpc::CallbackServerContext* context,
                                           const grpc::ByteBuffer* request,
                                           grpc::ByteBuffer* response) override {
    return UnaryCall::Start<CompileGrammarCall>(context_, context, request, response);
  }
  grpc::ServerUnaryReactor* DeriveGrammarOnce(grpc::CallbackServerContext* context,
                                              const grpc::ByteBuffer* request,
                                              grpc::ByteBuffer* response) override {
    return UnaryCall::Start<DeriveGrammarOnceCall>(context_, context, request, response);
  }
  grpc::ServerWriteReactor<grpc::ByteBuffer>* DeriveGrammar(
      grpc::CallbackServerContext* context, const grpc::ByteBuffer* request) override {
    return PartStream::Start<DeriveStream>(context_, context, request);
  }
  grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>* FollowCamera(
      grpc::CallbackServerContext* context) override {
    return DuplexPartStream::Start<CameraStream>(context_, context, nullptr);
  }
  grpc::ServerUnaryReactor* CloseGrammar(grpc::CallbackServerContext* context,
                                         const grpc::ByteBuffer* request,
                                         grpc::ByteBuffer* response) override {
    return UnaryCall::Start<CloseGrammarCall>(context_, context, request, response);
  }

 private:
  GrammarContext context_;
};

class GrammarWorkload final : public Workload {
 public:
  explicit GrammarWorkload(const ServiceContext& context) : service_(context) {}

  const char* name() const override { return v1::GrammarService::service_full_name(); }
  grpc::Service& service() override { return service_; }

 private:
  GrammarServiceImpl service_;
};

}  // namespace

std::unique_ptr<Workload> MakeGrammarWorkload(const ServiceContext& context) {
  return std::make_unique<GrammarWorkload>(context);
}

}  // namespace warpyard::server
