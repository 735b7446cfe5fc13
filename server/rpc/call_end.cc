// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/rpc/call_end.h"

#include "absl/strings/str_cat.h"
#include "server/errors/error_details.h"
#include "server/log/call_log.h"
#include "server/rpc/status_mapping.h"

namespace warpyard::server {

grpc::Status EndOf(grpc::CallbackServerContext& context, Logger& log, const CallIdentity& identity,
                   const absl::Status& status) {
  if (status.ok()) return grpc::Status::OK;
  LogCallEnd(log, identity, status);
  // Clients repeat calls by themselves only after UNAVAILABLE, and would otherwise soon be back.
  if (const absl::Duration delay = RetryDelayOf(status);
      absl::IsUnavailable(status) && delay > absl::ZeroDuration()) {
    context.AddTrailingMetadata("grpc-retry-pushback-ms",
                                absl::StrCat(absl::ToInt64Milliseconds(delay)));
  }
  return ToGrpcStatus(status, identity.request_id());
}

}  // namespace warpyard::server
