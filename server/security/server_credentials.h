// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// TLS of the gRPC port, by files that may change while the server runs.
#ifndef WARPYARD_SERVER_SECURITY_SERVER_CREDENTIALS_H_
#define WARPYARD_SERVER_SECURITY_SERVER_CREDENTIALS_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "grpcpp/security/server_credentials.h"

namespace warpyard::server {

/// Names of PEM files. @shape all empty: no TLS; else certificate and key
struct TlsFiles {
  std::string certificate;  ///< of the server, and those of the authorities between it and the root
  std::string key;
  std::string client_ca;  ///< not empty: each client must have a certificate of it

  bool any() const { return !certificate.empty() || !key.empty() || !client_ca.empty(); }
};

/// Checks that the files can be used together.
/// @errors INVALID_ARGUMENT with the flag and the file: missing, not PEM, expired, or the key is
/// another certificate's
absl::Status CheckTlsFiles(const TlsFiles& files);

/// What the port of the server demands. New files are taken within seconds; those that do not fit
/// together are not.
/// @errors as CheckTlsFiles
absl::StatusOr<std::shared_ptr<grpc::ServerCredentials>> ServerCredentials(const TlsFiles& files);

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_SECURITY_SERVER_CREDENTIALS_H_
