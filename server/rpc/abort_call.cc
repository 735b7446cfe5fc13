// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/rpc/abort_call.h"

#include "absl/strings/str_cat.h"
#include "grpc/grpc.h"
#include "server/errors/error_details.h"
#include "server/rpc/status_mapping.h"

namespace warpyard::server {

void AbortCall(grpc::CallbackServerContext& context, const absl::Status& why) {
  const grpc::Status status = ToGrpcStatus(why);
  grpc_call_cancel_with_status(context.c_call(), static_cast<grpc_status_code>(status.error_code()),
                               status.error_message().c_str(), nullptr);
}

absl::Status ReadsNothing(absl::Duration timeout) {
  return MakeError(
      ErrorReason::kSlowReader,
      absl::StrCat("results: the client has read none for ", absl::FormatDuration(timeout),
                   ", while half of what may be unread is taken (--max-unread-mib)"));
}

}  // namespace warpyard::server
