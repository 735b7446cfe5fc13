// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/upload/calls.h"

#include "core/base/macros.h"
#include "server/upload/upload_key.h"

namespace warpyard::server {

absl::Status FindUploadCall::Run(grpc::ByteBuffer* request) {
  v1::FindUploadRequest message;
  WY_RETURN_IF_ERROR(Parse(request, &message));
  WY_ASSIGN_OR_RETURN(const UploadKey key, ToUploadKey(message, facts().caller));
  v1::FindUploadResponse response;
  // An upload that is not known has no bytes.
  if (const auto found = service().uploads.Find(key); found.ok()) {
    const UploadState state = (*found)->state();
    response.set_received(state.received);
    response.set_complete(state.complete);
  }
  EndWith(response);
  return absl::OkStatus();
}

absl::Status DropUploadCall::Run(grpc::ByteBuffer* request) {
  v1::DropUploadRequest message;
  WY_RETURN_IF_ERROR(Parse(request, &message));
  WY_ASSIGN_OR_RETURN(const UploadKey key, ToUploadKey(message, facts().caller));
  WY_RETURN_IF_ERROR(service().uploads.Drop(key));
  EndWith(v1::DropUploadResponse());
  return absl::OkStatus();
}

}  // namespace warpyard::server
