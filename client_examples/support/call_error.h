// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The error of a call for people: its text, and what its details add.
#ifndef WARPYARD_CLIENT_EXAMPLES_SUPPORT_CALL_ERROR_H_
#define WARPYARD_CLIENT_EXAMPLES_SUPPORT_CALL_ERROR_H_

#include <string>

#include "absl/status/status.h"
#include "grpcpp/support/status.h"

namespace warpyard::client_support {

/// "job.tenant: 9, expected ... (INVALID_FIELD, field job.tenant, request 5f3a-1)". An error
/// without details has its text alone.
std::string Explain(const grpc::Status& status);

/// The status with the explanation as its text.
absl::Status ToStatus(const grpc::Status& status);

}  // namespace warpyard::client_support

#endif  // WARPYARD_CLIENT_EXAMPLES_SUPPORT_CALL_ERROR_H_
