// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What every call does at its end, whatever its form.
#ifndef WARPYARD_SERVER_RPC_CALL_END_H_
#define WARPYARD_SERVER_RPC_CALL_END_H_

#include "absl/status/status.h"
#include "grpcpp/server_context.h"
#include "grpcpp/support/status.h"
#include "server/identity/call_identity.h"
#include "server/log/logger.h"

namespace warpyard::server {

/// Logs a failure and returns the status for Finish. While the server cannot take calls, also tells
/// gRPC's clients when to repeat the call by themselves.
/// @scope before Finish, once
grpc::Status EndOf(grpc::CallbackServerContext& context, Logger& log, const CallIdentity& identity,
                   const absl::Status& status);

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_RPC_CALL_END_H_
