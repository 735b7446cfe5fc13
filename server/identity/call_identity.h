// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What names a call in answers, in details of errors and in the log.
#ifndef WARPYARD_SERVER_IDENTITY_CALL_IDENTITY_H_
#define WARPYARD_SERVER_IDENTITY_CALL_IDENTITY_H_

#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "grpcpp/server_context.h"
#include "server/identity/trace_parent.h"

namespace warpyard::server {

/// The metadata in which a client names its call, and in which the answer repeats the name.
inline constexpr char kRequestIdKey[] = "x-request-id";

/// Whether a client may name a call so: 1 to 64 bytes of printable ASCII without blanks, quotes and
/// backslashes, so that the name can be quoted anywhere and searched for.
bool IsRequestId(absl::string_view text);

/// A new name that no other call has, of this server or another one.
std::string NewRequestId();

/// The identity of one call; its jobs share it and may outlive the call. Thread-safe.
class CallIdentity {
 public:
  /// Takes the names from the metadata of the client. A request id that is not valid is replaced.
  /// @shape method: "package.Service/Method", outlives the call
  CallIdentity(const grpc::CallbackServerContext& context, absl::string_view method);

  /// For work without a call.
  CallIdentity(std::string request_id, absl::string_view method);

  const std::string& request_id() const { return request_id_; }
  absl::string_view method() const { return method_; }
  const std::optional<TraceParent>& trace() const { return trace_; }
  absl::Time begin() const { return begin_; }

  /// True for the first caller: the log tells of the failure of a call once.
  bool TellFailure() const { return !failure_told_.exchange(true, std::memory_order_relaxed); }

 private:
  std::string request_id_;
  absl::string_view method_;
  std::optional<TraceParent> trace_;
  absl::Time begin_;
  mutable std::atomic<bool> failure_told_ = false;
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_IDENTITY_CALL_IDENTITY_H_
