// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/rpc/unary_call.h"

#include <atomic>
#include <utility>

#include "core/base/macros.h"
#include "server/rpc/call_end.h"

namespace warpyard::server {

UnaryCall::UnaryCall(ServiceContext& service, grpc::CallbackServerContext& context, Kind kind,
                     grpc::ByteBuffer* response)
    : service_(service),
      context_(context),
      kind_(kind),
      response_(response),
      identity_(std::make_shared<const CallIdentity>(context, kind.method.method())),
      admission_(AdmitCall(service, context, kind.method)),
      facts_(FactsOf(context, admission_.caller)),
      handle_(std::make_shared<JobHandle>(service.jobs.engine())) {}

void UnaryCall::Begin(grpc::ByteBuffer* request) {
  const absl::Status status = Admit(request);
  if (status.ok()) return;
  if (kind_.job != nullptr) kind_.job->Rejected(status);
  End(status);
}

absl::Status UnaryCall::Admit(grpc::ByteBuffer* request) {
  kind_.method.Received(request->Length());
  WY_RETURN_IF_ERROR(admission_.status);
  WY_ASSIGN_OR_RETURN(request_hold_, TakeRequest(service_, facts_.caller, request->Length()));
  return Run(request);
}

absl::Status UnaryCall::HoldMore(std::size_t bytes) {
  WY_ASSIGN_OR_RETURN(more_hold_, TakeRequest(service_, facts_.caller, bytes));
  return absl::OkStatus();
}

absl::Status UnaryCall::HoldResult(std::size_t bytes) {
  WY_ASSIGN_OR_RETURN(result_hold_, service_.results.Take(bytes));
  return absl::OkStatus();
}

void UnaryCall::End(const absl::Status& status) {
  if (status.ok()) kind_.method.Sent(response_->Length());
  CountEnd(admission_, kind_.method, status.code());
  // A client that has the answer may send the next request at once, and needs these bytes for it.
  DropRequest();
  request_hold_.reset();
  more_hold_.reset();
  Finish(EndOf(context_, service_.log, {*identity_, service_.server_name}, admission_, status));
}

void UnaryCall::OnDone() {
  (void)cancel_seen_.load(std::memory_order_acquire);
  // Moved out of the members first: the last reference to this call destroys the members, too.
  const Admission admission = std::move(admission_);
  const std::shared_ptr<UnaryCall> self = std::move(self_);
}

}  // namespace warpyard::server
