// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The one place where absl::Status becomes grpc::Status.
#ifndef WARPYARD_SERVER_RPC_STATUS_MAPPING_H_
#define WARPYARD_SERVER_RPC_STATUS_MAPPING_H_

#include "absl/status/status.h"
#include "grpcpp/support/status.h"

namespace warpyard::server {

/// Keeps the code and cuts the message to the size that a call's trailing metadata can hold.
grpc::Status ToGrpcStatus(const absl::Status& status);

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_RPC_STATUS_MAPPING_H_
