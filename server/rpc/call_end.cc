// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/rpc/call_end.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "server/errors/error_details.h"
#include "server/log/call_log.h"
#include "server/rpc/status_mapping.h"

namespace warpyard::server {

void Introduce(grpc::CallbackServerContext& context, const CallNames& names, Admission& admission) {
  if (std::exchange(admission.introduced, true)) return;
  context.AddInitialMetadata(kRequestIdKey, names.identity.request_id());
  context.AddInitialMetadata(kServerKey, names.server);
}

grpc::Status EndOf(grpc::CallbackServerContext& context, Logger& log, const CallNames& names,
                   Admission& admission, const absl::Status& status) {
  // A client that makes one call after another holds one slot at a time, so the slot must be free
  // before the client has the status.
  admission.slot.reset();
  if (status.ok()) {
    Introduce(context, names, admission);
    return grpc::Status::OK;
  }
  if (!std::exchange(admission.introduced, true)) {
    context.AddTrailingMetadata(kRequestIdKey, names.identity.request_id());
    context.AddTrailingMetadata(kServerKey, names.server);
  }
  LogCallEnd(log, names.identity, status);
  // Clients repeat calls by themselves only after UNAVAILABLE, and would otherwise soon be back.
  if (const absl::Duration delay = RetryDelayOf(status);
      absl::IsUnavailable(status) && delay > absl::ZeroDuration()) {
    context.AddTrailingMetadata("grpc-retry-pushback-ms",
                                absl::StrCat(absl::ToInt64Milliseconds(delay)));
  }
  return ToGrpcStatus(status, names.identity.request_id());
}

}  // namespace warpyard::server
