// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/upload/upload_stream.h"

#include <utility>

#include "core/base/macros.h"
#include "core/base/status_facts.h"
#include "server/errors/error_details.h"
#include "server/rpc/call_end.h"
#include "server/rpc/wire.h"
#include "server/upload/upload_key.h"

namespace warpyard::server {

grpc::ServerReadReactor<grpc::ByteBuffer>* UploadStreamReactor::Start(
    UploadContext& own, grpc::CallbackServerContext* context, grpc::ByteBuffer* response) {
  const auto reactor = std::make_shared<UploadStreamReactor>(own, *context, response);
  reactor->self_ = reactor;
  if (!reactor->admission_.status.ok()) {
    reactor->End(reactor->admission_.status);
  } else {
    own.service.calls.AddListener(reactor);
    reactor->Read();
  }
  return reactor.get();
}

UploadStreamReactor::UploadStreamReactor(UploadContext& own, grpc::CallbackServerContext& context,
                                         grpc::ByteBuffer* response)
    : own_(own),
      context_(context),
      response_(response),
      identity_(Identify(context, own.upload.method())),
      admission_(AdmitCall(own.service, context, own.upload)) {}

void UploadStreamReactor::OnReadDone(bool ok) {
  // The call may end while this function runs, and gRPC then releases it.
  const std::shared_ptr<UploadStreamReactor> self = shared_from_this();
  if (!ok && context_.IsCancelled()) return OnCancel();
  if (!ok && upload_ == nullptr) {
    return End(InvalidField("start", "missing, expected in the first message"));
  }
  if (!ok) return EndWell(*upload_);
  const absl::Status status = Receive();
  incoming_.Clear();
  if (!status.ok()) return End(status);
  if (upload_->state().complete) return EndWell(*upload_);
  Read();
}

void UploadStreamReactor::Read() {
  // No read may begin after the end. gRPC does not call back from within StartRead.
  const std::lock_guard lock(mutex_);
  if (!ended_) StartRead(&incoming_);
}

absl::Status UploadStreamReactor::Receive() {
  own_.upload.Received(incoming_.Length());
  WY_ASSIGN_OR_RETURN(const ByteBudget::Hold hold,
                      TakeRequest(service_, admission_.caller, incoming_.Length()));
  v1::UploadPart part;
  WY_RETURN_IF_ERROR(Parse(&incoming_, &part));
  if (upload_ == nullptr) {
    if (part.has_start()) return Begin(part.start());
    return InvalidField("start", "missing, expected in the first message");
  }
  if (!part.has_data()) {
    return InvalidField("data", "missing, expected in each message after the first");
  }
  WY_RETURN_IF_ERROR(service_.uploads.Append(key_, *upload_, offset_, part.data()));
  offset_ += part.data().size();
  return absl::OkStatus();
}

absl::Status UploadStreamReactor::Begin(const v1::UploadStart& start) {
  WY_ASSIGN_OR_RETURN(key_, ToUploadKey(start, admission_.caller, "start."));
  WY_ASSIGN_OR_RETURN(upload_, service_.uploads.Begin(key_, start.size(), start.offset()));
  offset_ = start.offset();
  const std::lock_guard lock(mutex_);
  watched_ = upload_;
  return absl::OkStatus();
}

void UploadStreamReactor::OnLook() {
  std::shared_ptr<Upload> upload;
  {
    const std::lock_guard lock(mutex_);
    if (!ended_) upload = watched_;
  }
  // A client that sends nothing must not hold the memory of an upload that is gone, nor wait for
  // one that another stream has completed.
  if (upload != nullptr && (upload->dropped() || upload->state().complete)) EndWell(*upload);
}

void UploadStreamReactor::EndWell(const Upload& upload) {
  if (upload.dropped()) {
    return End(MakeError(
        ErrorReason::kUploadDropped,
        "upload: it was dropped, or expired, while this stream was sending; start again"));
  }
  const UploadState state = upload.state();
  v1::UploadResponse response;
  response.set_received(state.received);
  response.set_complete(state.complete);
  if (!TakeEnd()) return;
  const absl::Status status = Serialize(response, response_);
  if (status.ok()) own_.upload.Sent(response_->Length());
  CountEnd(admission_, own_.upload, status.code());
  Finish(EndOf(context_, service_.log, *identity_, status));
}

void UploadStreamReactor::OnCancel() {
  End(absl::CancelledError("the call was cancelled or its deadline has passed"));
}

void UploadStreamReactor::OnDrain() { End(ShuttingDown()); }

void UploadStreamReactor::End(const absl::Status& status) {
  if (!TakeEnd()) return;
  CountEnd(admission_, own_.upload, status.code());
  Finish(EndOf(context_, service_.log, *identity_, status));
}

bool UploadStreamReactor::TakeEnd() {
  const std::lock_guard lock(mutex_);
  return !std::exchange(ended_, true);
}

void UploadStreamReactor::OnDone() {
  // Moved out of the members first: the last reference to this call destroys the members, too.
  const Admission admission = std::move(admission_);
  const std::shared_ptr<UploadStreamReactor> self = std::move(self_);
}

}  // namespace warpyard::server
