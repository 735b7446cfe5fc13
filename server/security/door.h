// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Refuses callers that are not known before anything of their request is read.
#ifndef WARPYARD_SERVER_SECURITY_DOOR_H_
#define WARPYARD_SERVER_SECURITY_DOOR_H_

#include "grpcpp/security/auth_metadata_processor.h"
#include "prometheus/counter.h"
#include "server/log/logger.h"
#include "server/security/access.h"

namespace warpyard::server {

/// A unary call comes to its service when all of its request is there: without a door, whoever
/// reaches the port could have the server keep requests. gRPC 1.51 has doors with TLS only. Calls
/// that pass are looked at again, since the door cannot say which tenant they are.
///
/// The services of gRPC itself, health and reflection, have no door.
class Door final : public grpc::AuthMetadataProcessor {
 public:
  /// All outlive the server of gRPC. @shape access: knows tenants
  Door(Access& access, prometheus::Counter& refused, Logger& log)
      : access_(access), refused_(refused), log_(log) {}

  bool IsBlocking() const override { return false; }
  /// @errors UNAUTHENTICATED
  grpc::Status Process(const InputMetadata& metadata, grpc::AuthContext* peer, OutputMetadata*,
                       OutputMetadata*) override;

 private:
  Access& access_;
  prometheus::Counter& refused_;
  Logger& log_;
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_SECURITY_DOOR_H_
