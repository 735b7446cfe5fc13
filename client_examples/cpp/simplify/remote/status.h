// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The status of a call as other functions return theirs.
#ifndef WARPYARD_CLIENT_EXAMPLES_CPP_SIMPLIFY_REMOTE_STATUS_H_
#define WARPYARD_CLIENT_EXAMPLES_CPP_SIMPLIFY_REMOTE_STATUS_H_

#include "absl/status/status.h"
#include "grpcpp/grpcpp.h"

namespace warpyard::cli {

/// Both have the same numbers for codes.
inline absl::Status ToStatus(const grpc::Status& status) {
  return absl::Status(static_cast<absl::StatusCode>(status.error_code()), status.error_message());
}

}  // namespace warpyard::cli

#endif  // WARPYARD_CLIENT_EXAMPLES_CPP_SIMPLIFY_REMOTE_STATUS_H_
