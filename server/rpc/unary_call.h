// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// One unary call: parses the request, runs engine jobs, answers once.
#ifndef WARPYARD_SERVER_RPC_UNARY_CALL_H_
#define WARPYARD_SERVER_RPC_UNARY_CALL_H_

#include <memory>
#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "grpcpp/server_context.h"
#include "grpcpp/support/byte_buffer.h"
#include "grpcpp/support/server_callback.h"
#include "server/rpc/service_context.h"
#include "server/rpc/wire.h"

namespace warpyard::server {

/// Base of the unary calls.
///
/// A call lives until gRPC is done with it and no completion of the engine refers to it any more.
/// It ends where its last job ends, never before: a client's cancellation ends the job, and so the
/// call.
class UnaryCall : public grpc::ServerUnaryReactor, public std::enable_shared_from_this<UnaryCall> {
 public:
  /// Answers one call with `Call`, a class derived from this one.
  template <class Call>
  static grpc::ServerUnaryReactor* Start(ServiceContext& service,
                                         grpc::CallbackServerContext* context,
                                         const grpc::ByteBuffer* request,
                                         grpc::ByteBuffer* response) {
    const auto call = std::make_shared<Call>(service, *context, response);
    call->self_ = call;
    // The request is gRPC's for the whole call; parsing frees it, so that it is in memory once.
    call->Begin(const_cast<grpc::ByteBuffer*>(request));
    return call.get();
  }

 protected:
  /// What a call is counted as: a method and, if it runs jobs, the kind of a job that is rejected.
  struct Kind {
    RpcMethod method;
    std::optional<JobKind> job;
  };

  UnaryCall(ServiceContext& service, const grpc::CallbackServerContext& context, Kind kind,
            grpc::ByteBuffer* response);
  ~UnaryCall() override = default;

  /// Checks the request and starts the first job, or calls End.
  /// @errors what is wrong with the request: ends the call and counts as a rejected job
  virtual absl::Status Run(grpc::ByteBuffer* request) = 0;

  /// Ends the call. Exactly once; on any thread.
  void End(const absl::Status& status);

  /// Ends the call with a response.
  template <class Message>
  void EndWith(const Message& message) {
    End(Serialize(message, response_));
  }

  /// Ends the call with a response that is in bytes already, or with what went wrong.
  void EndWith(absl::StatusOr<grpc::ByteBuffer> response) {
    if (response.ok()) response_->Swap(&*response);
    End(response.status());
  }

  ServiceContext& service() { return service_; }
  const CallTimes& times() const { return times_; }
  const std::shared_ptr<JobHandle>& handle() const { return handle_; }
  bool cancelled() const { return context_.IsCancelled(); }

 private:
  void Begin(grpc::ByteBuffer* request);
  absl::Status Admit(grpc::ByteBuffer* request);
  void OnCancel() final { handle_->Cancel(); }
  void OnDone() final;

  ServiceContext& service_;
  const grpc::CallbackServerContext& context_;
  const Kind kind_;
  grpc::ByteBuffer* const response_;
  const CallTimes times_;
  const std::shared_ptr<JobHandle> handle_;
  CallTracker::Admission admission_;
  RequestBudget::Share share_;       // of the request, which is held as long as the call
  std::shared_ptr<UnaryCall> self_;  // until gRPC is done
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_RPC_UNARY_CALL_H_
