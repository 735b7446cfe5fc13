// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/rpc/job_stream.h"

#include <utility>

#include "absl/time/clock.h"
#include "server/rpc/abort_call.h"
#include "server/rpc/status_mapping.h"

namespace warpyard::server {

JobStream::JobStream(ServiceContext& service, grpc::CallbackServerContext& context, Kind kind)
    : service_(service),
      context_(context),
      kind_(kind),
      admission_(service.calls.TryAdmit()),
      handle_(std::make_shared<JobHandle>(service.jobs.engine())) {}

void JobStream::StartJob(grpc::ByteBuffer* request) {
  absl::Status status = ShuttingDown();
  ByteBudget::Hold hold;
  if (admission_ != nullptr) {
    absl::StatusOr<ByteBudget::Hold> taken = service_.requests.Take(request->Length());
    status = taken.status();
    if (taken.ok()) hold = *std::move(taken);
  }
  if (status.ok()) {
    service_.calls.AddListener(shared_from_this());
    status = Begin(request);
  }
  if (status.ok()) return;
  kind_.job.Rejected(status);
  OnJobDone(status);
}

void JobStream::OnJobDone(const absl::Status& status) {
  {
    const std::lock_guard lock(mutex_);
    state_.job = status;
  }
  Advance();
}

void JobStream::OnWriteDone(bool ok) {
  {
    const std::lock_guard lock(mutex_);
    state_.writing = false;
    PartIsTaken();
  }
  if (!ok) return Fail(absl::CancelledError("the client is gone"));
  Advance();
}

void JobStream::OnCancel() {
  Fail(absl::CancelledError("the call was cancelled or its deadline has passed"));
}

void JobStream::OnLook() {
  const absl::Status why = ReadsNothing(service_.unread_timeout);
  {
    const std::lock_guard lock(mutex_);
    if (state_.failure || !state_.writing || service_.results.HasPlenty()) return;
    if (absl::Now() - state_.writing_since < service_.unread_timeout) return;
    state_.aborting = true;
  }
  Fail(why);
  AbortCall(context_, why);
  {
    const std::lock_guard lock(mutex_);
    state_.aborting = false;
  }
  Advance();
}

void JobStream::Fail(const absl::Status& why) {
  {
    const std::lock_guard lock(mutex_);
    if (!state_.failure) state_.failure = why;
    DropResults();
  }
  handle_->Cancel();
  Advance();
}

void JobStream::OnDone() {
  // Moved out of the members first: the last reference to this call destroys the members, too.
  const CallTracker::Admission admission = std::move(admission_);
  const std::shared_ptr<JobStream> self = std::move(self_);
}

void JobStream::Advance() {
  // The call may end while this function runs, and gRPC then releases it.
  const std::shared_ptr<JobStream> self = shared_from_this();
  const std::lock_guard lock(mutex_);
  if (state_.writing || state_.aborting || state_.finished) return;
  if (const std::optional<absl::Status> end = FindEnd()) {
    state_.finished = true;
    kind_.method.Completed(end->code());
    return Finish(ToGrpcStatus(*end));
  }
  if (state_.failure || !NextPart(&outgoing_)) return;
  state_.writing = true;
  state_.writing_since = absl::Now();
  // gRPC calls back from other frames than this one, so the lock may be held.
  StartWrite(&outgoing_);
}

std::optional<absl::Status> JobStream::FindEnd() const {
  if (!state_.job) return std::nullopt;
  if (state_.failure) return state_.failure;
  if (HasResults()) return std::nullopt;
  return state_.job;
}

}  // namespace warpyard::server
