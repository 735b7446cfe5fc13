// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Calls of Step with bytes instead of messages, and a service that only transports bytes.
#ifndef WARPYARD_BENCHMARKS_SERVER_RAW_STEP_H_
#define WARPYARD_BENCHMARKS_SERVER_RAW_STEP_H_

#include <cstddef>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "grpcpp/create_channel.h"
#include "grpcpp/generic/generic_stub.h"
#include "grpcpp/impl/codegen/proto_utils.h"
#include "grpcpp/security/credentials.h"
#include "warpyard/v1/collision_service.grpc.pb.h"

namespace warpyard::collision_bench {

inline constexpr char kStepMethod[] = "/warpyard.v1.CollisionService/Step";
/// Ends the process with the error, if there is one.
inline void ExitUnlessOk(const grpc::Status& status) {
  if (status.ok()) return;
  std::cerr << status.error_message() << "\n";
  std::exit(1);
}

/// A Step that answers at once with a given number of bytes, to measure the transport alone.
class TransportService final
    : public v1::CollisionService::WithRawCallbackMethod_Step<v1::CollisionService::Service> {
 public:
  /// Must not be called while a call runs.
  void SetResponseBytes(std::size_t bytes) {
    const grpc::Slice slice(std::string(bytes, 'x'));
    response_ = grpc::ByteBuffer(&slice, 1);
  }

  grpc::ServerUnaryReactor* Step(grpc::CallbackServerContext* context, const grpc::ByteBuffer*,
                                 grpc::ByteBuffer* response) override {
    *response = response_;
    grpc::ServerUnaryReactor* const reactor = context->DefaultReactor();
    reactor->Finish(grpc::Status::OK);
    return reactor;
  }

 private:
  grpc::ByteBuffer response_;
};

inline std::shared_ptr<grpc::Channel> NewChannel(int port) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  arguments.SetMaxReceiveMessageSize(-1);
  arguments.SetMaxSendMessageSize(-1);
  return grpc::CreateCustomChannel(absl::StrCat("127.0.0.1:", port),
                                   grpc::InsecureChannelCredentials(), arguments);
}

/// Calls Step with bytes on the waiting thread, as the synchronous stub does.
class RawStub {
 public:
  explicit RawStub(const std::shared_ptr<grpc::Channel>& channel) : stub_(channel) {}
  ~RawStub() {
    queue_.Shutdown();
    void* tag;
    bool ok;
    while (queue_.Next(&tag, &ok)) {
    }
  }

  void Step(const grpc::ByteBuffer& request, grpc::ByteBuffer* response) {
    grpc::ClientContext context;
    const auto call = stub_.PrepareUnaryCall(&context, kStepMethod, request, &queue_);
    call->StartCall();
    grpc::Status status;
    call->Finish(response, &status, nullptr);
    void* tag;
    bool ok;
    queue_.Next(&tag, &ok);
    ExitUnlessOk(status);
  }

 private:
  grpc::CompletionQueue queue_;
  grpc::GenericStub stub_;
};

inline grpc::ByteBuffer Serialized(const v1::StepRequest& request) {
  const grpc::Slice slice(request.SerializeAsString());
  return grpc::ByteBuffer(&slice, 1);
}

inline v1::StepResponse Parsed(grpc::ByteBuffer* bytes) {
  v1::StepResponse response;
  ExitUnlessOk(grpc::SerializationTraits<v1::StepResponse>::Deserialize(bytes, &response));
  return response;
}

}  // namespace warpyard::collision_bench

#endif  // WARPYARD_BENCHMARKS_SERVER_RAW_STEP_H_
