// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/rpc/part_stream.h"

#include <utility>

#include "absl/time/clock.h"
#include "core/base/macros.h"
#include "server/rpc/abort_call.h"
#include "server/rpc/call_end.h"

namespace warpyard::server {

template <class Reactor>
PartStreamOf<Reactor>::PartStreamOf(ServiceContext& service, grpc::CallbackServerContext& context,
                                    Kind kind)
    : service_(service),
      context_(context),
      kind_(kind),
      identity_(Identify(context, kind.method.method())),
      admission_(AdmitCall(service, context, kind.method)),
      facts_(FactsOf(context, admission_.caller)),
      handle_(std::make_shared<JobHandle>(service.jobs.engine())) {}

template <class Reactor>
void PartStreamOf<Reactor>::Begin(grpc::ByteBuffer* request) {
  const absl::Status status = Admit(request);
  if (status.ok()) return;
  kind_.job.Rejected(status);
  OnJobDone(status);
}

template <class Reactor>
absl::Status PartStreamOf<Reactor>::Admit(grpc::ByteBuffer* request) {
  WY_RETURN_IF_ERROR(admission_.status);
  if (request != nullptr) {
    kind_.method.Received(request->Length());
    WY_ASSIGN_OR_RETURN(request_hold_, TakeRequest(service_, facts_.caller, request->Length()));
  }
  service_.calls.AddListener(this->shared_from_this());
  if (request != nullptr) return Run(request);
  OnAdmitted();
  return absl::OkStatus();
}

template <class Reactor>
absl::Status PartStreamOf<Reactor>::Add(std::unique_ptr<Piece> piece) {
  {
    const std::lock_guard lock(mutex_);
    if (state_.failure) return *state_.failure;
    pieces_.push_back(std::move(piece));
  }
  Advance();
  return absl::OkStatus();
}

template <class Reactor>
void PartStreamOf<Reactor>::OnJobDone(const absl::Status& status) {
  {
    const std::lock_guard lock(mutex_);
    state_.job = status;
    request_hold_.reset();
  }
  Advance();
}

template <class Reactor>
void PartStreamOf<Reactor>::OnWriteDone(bool ok) {
  std::unique_ptr<Piece> sent;  // destroyed without the lock
  {
    const std::lock_guard lock(mutex_);
    state_.writing = false;
    if (!pieces_.empty() && pieces_.front()->done()) {
      sent = std::move(pieces_.front());
      pieces_.pop_front();
    }
  }
  sent.reset();
  if (!ok) return Fail(absl::CancelledError("the client is gone"));
  Advance();
}

template <class Reactor>
void PartStreamOf<Reactor>::OnCancel() {
  Fail(absl::CancelledError("the call was cancelled or its deadline has passed"));
}

template <class Reactor>
void PartStreamOf<Reactor>::OnLook() {
  std::unique_lock lock(mutex_);
  if (!state_.writing || service_.results.HasPlenty()) return;
  if (absl::Now() - state_.writing_since < service_.unread_timeout) return;
  AbortLocked(std::move(lock), ReadsNothing(service_.unread_timeout));
}

template <class Reactor>
void PartStreamOf<Reactor>::Abort(const absl::Status& why) {
  AbortLocked(std::unique_lock(mutex_), why);
}

template <class Reactor>
void PartStreamOf<Reactor>::AbortLocked(std::unique_lock<std::mutex> lock,
                                        const absl::Status& why) {
  if (state_.failure) return;
  state_.aborting = state_.writing;
  const bool is_stuck = state_.aborting;
  lock.unlock();
  Fail(why);
  if (!is_stuck) return;
  AbortCall(context_, why);
  lock.lock();
  state_.aborting = false;
  lock.unlock();
  Advance();
}

template <class Reactor>
void PartStreamOf<Reactor>::Fail(const absl::Status& why) {
  std::deque<std::unique_ptr<Piece>> dropped;  // destroyed without the lock
  {
    const std::lock_guard lock(mutex_);
    if (!state_.failure) state_.failure = why;
    dropped.swap(pieces_);
  }
  OnFail(why);
  handle_->Cancel();
  Advance();
}

template <class Reactor>
void PartStreamOf<Reactor>::OnDone() {
  // Moved out of the members first: the last reference to this call destroys the members, too.
  const Admission admission = std::move(admission_);
  const std::shared_ptr<PartStreamOf> self = std::move(self_);
}

template <class Reactor>
void PartStreamOf<Reactor>::Advance() {
  // The call may end while this function runs, and gRPC then releases it.
  const std::shared_ptr<PartStreamOf> self = this->shared_from_this();
  const std::lock_guard lock(mutex_);
  if (state_.writing || state_.aborting || state_.finished) return;
  if (const std::optional<absl::Status> end = FindEnd()) {
    state_.finished = true;
    CountEnd(admission_, kind_.method, end->code());
    return this->Finish(EndOf(context_, service_.log, *identity_, *end));
  }
  if (pieces_.empty()) return;
  outgoing_ = pieces_.front()->Next();
  state_.writing = true;
  state_.writing_since = absl::Now();
  kind_.method.Sent(outgoing_.Length());
  // gRPC calls back from other frames than this one, so the lock may be held.
  this->StartWrite(&outgoing_);
}

template <class Reactor>
std::optional<absl::Status> PartStreamOf<Reactor>::FindEnd() const {
  if (!state_.job) return std::nullopt;
  if (state_.failure) return state_.failure;
  return pieces_.empty() ? state_.job : std::nullopt;
}

template class PartStreamOf<grpc::ServerWriteReactor<grpc::ByteBuffer>>;
template class PartStreamOf<grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>>;

}  // namespace warpyard::server
