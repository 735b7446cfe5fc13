// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Ends a call whose client does not read.
#ifndef WARPYARD_SERVER_RPC_ABORT_CALL_H_
#define WARPYARD_SERVER_RPC_ABORT_CALL_H_

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "grpcpp/server_context.h"

namespace warpyard::server {

/// Makes the outstanding write of a call fail, and sends `why` to the client. Finish could send it
/// only after the write. The call must not be finished meanwhile.
void AbortCall(grpc::CallbackServerContext& context, const absl::Status& why);

/// Why a call ends whose client has read nothing for `timeout`.
absl::Status ReadsNothing(absl::Duration timeout);

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_RPC_ABORT_CALL_H_
