// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// How the clients connect to a server.
#ifndef WARPYARD_CLIENT_EXAMPLES_SUPPORT_CONNECTION_H_
#define WARPYARD_CLIENT_EXAMPLES_SUPPORT_CONNECTION_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "client_examples/support/command_line.h"
#include "grpcpp/grpcpp.h"

namespace warpyard::client_support {

/// Where a server is, and how a client shows who it is. Empty names of files: not used.
struct Endpoint {
  std::string address = "127.0.0.1:7843";  ///< HOST:PORT or unix:PATH
  std::string tls_ca = {};                 ///< PEM; with it the connection is encrypted
  std::string tls_certificate = {};        ///< PEM, of the client
  std::string tls_key = {};                ///< PEM, its private key
  std::string tls_name = {};               ///< in the server's certificate, not that of the address
  std::string token_file = {};             ///< a bearer token
};

/// The flags of an endpoint, the same for all clients, and then others.
std::vector<Flag> WithEndpointFlags(Endpoint& endpoint, std::vector<Flag> others = {});

/// Which server calls reach where a proxy has several.
enum class Route {
  kOneServer,  ///< that of the first answer: for programs whose calls depend on one another
  kAnyServer,  ///< the proxy's choice; Resident names servers itself
};

/// Waits for at most three seconds, so that a client may be started together with its server. The
/// channel takes responses of any size; by default gRPC refuses more than 4 MiB.
/// @errors UNAVAILABLE when no server answers; INVALID_ARGUMENT with the flag whose file is wrong
absl::StatusOr<std::shared_ptr<grpc::Channel>> Connect(const Endpoint& server,
                                                       Route route = Route::kOneServer);

}  // namespace warpyard::client_support

#endif  // WARPYARD_CLIENT_EXAMPLES_SUPPORT_CONNECTION_H_
