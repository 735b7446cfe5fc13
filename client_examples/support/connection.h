// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// How the clients connect to a server.
#ifndef WARPYARD_CLIENT_EXAMPLES_SUPPORT_CONNECTION_H_
#define WARPYARD_CLIENT_EXAMPLES_SUPPORT_CONNECTION_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "grpcpp/grpcpp.h"

namespace warpyard::client_support {

/// Waits for at most three seconds, so that a client may be started together with its server. The
/// channel takes responses of any size; by default gRPC refuses more than 4 MiB.
/// @errors UNAVAILABLE when no server answers
absl::StatusOr<std::shared_ptr<grpc::Channel>> Connect(const std::string& server);

}  // namespace warpyard::client_support

#endif  // WARPYARD_CLIENT_EXAMPLES_SUPPORT_CONNECTION_H_
