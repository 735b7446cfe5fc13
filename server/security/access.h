// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Who may call: finds the tenant of a call by its bearer token or its client certificate.
#ifndef WARPYARD_SERVER_SECURITY_ACCESS_H_
#define WARPYARD_SERVER_SECURITY_ACCESS_H_

#include <array>
#include <memory>
#include <mutex>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "core/engine/engine_options.h"
#include "grpcpp/security/auth_context.h"
#include "grpcpp/server_context.h"
#include "server/security/caller.h"
#include "server/security/tenant_file.h"

namespace warpyard::server {

/// Thread-safe. It outlives all callers.
class Access {
 public:
  /// @shape path: of the file of tenants; empty: the server knows no tenants, and serves everybody
  explicit Access(std::string path) : path_(std::move(path)) {}

  bool KnowsTenants() const { return !path_.empty(); }

  /// Reads the file if it has changed since the last call. The tenants stay as they were if it
  /// cannot be read. @errors as ReadTenants, once for each change
  absl::Status Load();

  /// The tenant that a call shows to be: by its token or, if it sends none, by its certificate.
  /// @shape authorization: the values of this metadata; peer: null: has no certificate
  /// @errors UNAUTHENTICATED
  absl::StatusOr<Caller> FindCaller(absl::Span<const absl::string_view> authorization,
                                    const grpc::AuthContext* peer);

  /// @shape workload: "collision" of warpyard.v1.CollisionService
  /// @errors UNAUTHENTICATED, PERMISSION_DENIED
  absl::StatusOr<Caller> Identify(const grpc::CallbackServerContext& call,
                                  absl::string_view workload);

  /// Those of the file; empty: the server knows no tenants.
  Tenants AllTenants() const;
  const TenantUsage& UsageOf(const Tenant& tenant) const { return usage_[tenant.number]; }

  /// The tenant with this token. @errors UNAUTHENTICATED
  absl::StatusOr<Caller> FindToken(absl::string_view token, absl::Time now = absl::Now());

 private:
  /// Names a version of the file.
  struct Version {
    std::int64_t device = 0, inode = 0, size = -1, changed_ns = 0;
    friend bool operator==(const Version&, const Version&) = default;
  };

  std::shared_ptr<const Tenants> Known() const;
  Caller CallerOf(const std::shared_ptr<const Tenant>& tenant) {
    return {tenant, &usage_[tenant->number]};
  }
  absl::StatusOr<Caller> FindPeer(const grpc::AuthContext* peer);

  const std::string path_;
  std::array<TenantUsage, kMaxTenants> usage_;
  mutable std::mutex mutex_;
  Version version_;                         // guarded by mutex_
  std::shared_ptr<const Tenants> tenants_;  // guarded by mutex_
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_SECURITY_ACCESS_H_
