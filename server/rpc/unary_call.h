// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// One unary call: parses the request, runs engine jobs, answers once.
#ifndef WARPYARD_SERVER_RPC_UNARY_CALL_H_
#define WARPYARD_SERVER_RPC_UNARY_CALL_H_

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "grpcpp/server_context.h"
#include "grpcpp/support/byte_buffer.h"
#include "grpcpp/support/server_callback.h"
#include "server/identity/call_identity.h"
#include "server/rpc/admission.h"
#include "server/rpc/service_context.h"
#include "server/rpc/wire.h"

namespace warpyard::server {

/// Base class of the unary calls.
///
/// A call object lives until gRPC is done with it and no completion of the engine refers to it any
/// more. The call ends when its last job ends, never before: if the client cancels the call, the
/// job ends, and then the call.
class UnaryCall : public grpc::ServerUnaryReactor, public std::enable_shared_from_this<UnaryCall> {
 public:
  /// Answers one call with `Call`, a class derived from this one.
  /// @shape Own: what the workload's calls work with; Call(Own&, context, response)
  template <class Call, class Own>
  static grpc::ServerUnaryReactor* Start(Own& own, grpc::CallbackServerContext* context,
                                         const grpc::ByteBuffer* request,
                                         grpc::ByteBuffer* response) {
    const auto call = std::make_shared<Call>(own, *context, response);
    call->self_ = call;
    // The request belongs to gRPC for the whole call. Parsing frees its bytes, so that it is in
    // memory only once.
    call->Begin(const_cast<grpc::ByteBuffer*>(request));
    return call.get();
  }

 protected:
  /// How metrics count a call: its method and, if it runs a job, the job's kind.
  struct Kind {
    MethodSeries& method;
    JobSeries* job;  ///< or null
  };

  UnaryCall(ServiceContext& service, grpc::CallbackServerContext& context, Kind kind,
            grpc::ByteBuffer* response);
  ~UnaryCall() override = default;

  /// Checks the request and starts the first job, or calls End.
  /// @errors what is wrong with the request: ends the call and counts as a rejected job
  virtual absl::Status Run(grpc::ByteBuffer* request) = 0;
  /// Frees what the call has kept of the request. The call ends, and its bytes no longer count.
  virtual void DropRequest() {}

  /// The client has cancelled the call, or is gone: cancels the jobs that have handles of their
  /// own. May run at any time, on any thread.
  virtual void OnCancelled() {}

  /// Ends the call. Must be called exactly once, on any thread.
  void End(const absl::Status& status);

  /// Ends the call with a response.
  template <class Message>
  void EndWith(const Message& message) {
    End(Serialize(message, response_));
  }

  /// Ends the call with a serialised response, or with an error.
  void EndWith(absl::StatusOr<grpc::ByteBuffer> response) {
    if (response.ok()) response_->Swap(&*response);
    End(response.status());
  }

  ServiceContext& service() { return service_; }
  const CallFacts& facts() const { return facts_; }
  ResidentTable::Owner owner() const { return facts_.caller.owner(); }
  /// The ticket for the call's job. @shape the call has a kind of job
  JobTicket Ticket(const JobOptions& options) const {
    return {*kind_.job, options, handle_, identity_};
  }
  /// The ticket for one of several jobs of the call. @shape handle: OnCancelled cancels it
  JobTicket TicketOf(JobSeries& series, const JobOptions& options,
                     std::shared_ptr<JobHandle> handle) const {
    return {series, options, std::move(handle), identity_};
  }
  /// Counts bytes that the call reads beside its request, as a part of it.
  /// @errors RESOURCE_EXHAUSTED
  absl::Status HoldMore(std::size_t bytes);
  /// Counts the bytes of the response as an unread result until the client has received them.
  /// @errors RESOURCE_EXHAUSTED
  absl::Status HoldResult(std::size_t bytes);

  /// Enters a resident that the call has opened into the table under a new name. If the client is
  /// gone, closes the resident: no client would learn the name, so no client could close it.
  /// @errors CANCELLED, RESOURCE_EXHAUSTED (the tenant's residents)
  template <class Facts, class... Arguments>
  absl::StatusOr<std::string> NameResident(ResidentId id, Arguments&&... facts) {
    if (!context_.IsCancelled()) {
      const absl::Status status = facts_.caller.CheckResidents(service_.residents);
      if (status.ok()) {
        return service_.residents.Add<Facts>(facts_.caller.owner(), id,
                                             std::forward<Arguments>(facts)...);
      }
      service_.jobs.engine().Close(id).IgnoreError();
      return status;
    }
    service_.jobs.engine().Close(id).IgnoreError();
    return absl::CancelledError("the client cancelled the call");
  }

 private:
  void Begin(grpc::ByteBuffer* request);
  absl::Status Admit(grpc::ByteBuffer* request);
  void OnCancel() final {
    handle_->Cancel();
    OnCancelled();
    cancel_seen_.store(true, std::memory_order_release);
  }
  void OnDone() final;

  ServiceContext& service_;
  grpc::CallbackServerContext& context_;
  const Kind kind_;
  grpc::ByteBuffer* const response_;
  const std::shared_ptr<const CallIdentity> identity_;
  Admission admission_;
  const CallFacts facts_;
  const std::shared_ptr<JobHandle> handle_;
  ByteBudget::Hold request_hold_;    // held until the call ends
  ByteBudget::Hold more_hold_;       // held until the call ends
  ByteBudget::Hold result_hold_;     // held as long as the call lives
  std::shared_ptr<UnaryCall> self_;  // keeps the call until gRPC is done
  // OnDone follows OnCancel. ThreadSanitizer does not see that order inside gRPC's library, but it
  // sees this word.
  std::atomic<bool> cancel_seen_ = false;
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_RPC_UNARY_CALL_H_
