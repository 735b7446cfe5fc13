// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What every call tells at its first answer and at its end, whatever its form.
#ifndef WARPYARD_SERVER_RPC_CALL_END_H_
#define WARPYARD_SERVER_RPC_CALL_END_H_

#include <string>

#include "absl/status/status.h"
#include "grpcpp/server_context.h"
#include "grpcpp/support/status.h"
#include "server/identity/call_identity.h"
#include "server/log/logger.h"
#include "server/rpc/admission.h"

namespace warpyard::server {

/// The names of the call and of the server, for the first metadata of the answer.
struct CallNames {
  const CallIdentity& identity;
  const std::string& server;
};

/// Puts the names into the first metadata. @scope before each message that is sent
void Introduce(grpc::CallbackServerContext& context, const CallNames& names, Admission& admission);

/// Gives the call's slot back, logs a failure and returns the status for Finish. While the server
/// cannot take calls, also tells gRPC's clients when to repeat the call by themselves. A failure
/// without an answer has the names in its last metadata: clients repeat no call of which they have
/// got first metadata.
/// @scope before Finish, once
grpc::Status EndOf(grpc::CallbackServerContext& context, Logger& log, const CallNames& names,
                   Admission& admission, const absl::Status& status);

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_RPC_CALL_END_H_
