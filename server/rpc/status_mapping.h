// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The one place where absl::Status becomes grpc::Status.
#ifndef WARPYARD_SERVER_RPC_STATUS_MAPPING_H_
#define WARPYARD_SERVER_RPC_STATUS_MAPPING_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "grpcpp/support/status.h"

namespace warpyard::server {

/// Keeps the code, and adds the details of the error (docs/errors.md). The text and the details are
/// cut to what a call's trailing metadata can hold.
/// @shape request_id: names the call in the details; empty: the details name none
grpc::Status ToGrpcStatus(const absl::Status& status, absl::string_view request_id = "");

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_RPC_STATUS_MAPPING_H_
