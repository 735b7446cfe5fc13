// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A tenant of the server: how it shows who it is, what it may do, and how much.
#ifndef WARPYARD_SERVER_SECURITY_TENANT_H_
#define WARPYARD_SERVER_SECURITY_TENANT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/time/time.h"

namespace warpyard::server {

/// A bearer token, as the SHA-256 of its text. A token has 256 random bits, so a fast hash without
/// salt is enough: nobody can try them all.
struct TokenHash {
  std::string digest;                             ///< 32 bytes
  absl::Time not_after = absl::InfiniteFuture();  ///< the token is refused from then on
};

struct TenantRights {
  bool urgent = false;   ///< PRIORITY_URGENT
  bool metrics = false;  ///< /metrics, which show all tenants
  /// Names of workloads as in the file: "collision" is warpyard.v1.CollisionService. Empty: all.
  std::vector<std::string> workloads;
};

/// 0: no limit.
struct TenantLimits {
  std::uint64_t calls_in_flight = 0;
  std::uint64_t jobs_per_second = 0;
  std::uint64_t request_bytes = 0;  ///< of requests whose jobs have not ended
  std::uint64_t residents = 0;      ///< handles that are open
  absl::Duration deadline_horizon = absl::InfiniteDuration();  ///< how far away a deadline may be
};

struct Tenant {
  std::string name;
  std::uint32_t number = 0;  ///< that of the scheduler and of --tenant-weights
  std::vector<TokenHash> tokens;
  /// Names in client certificates: a DNS name or URI among the subject's alternative names, or the
  /// common name.
  std::vector<std::string> certificates;
  TenantRights rights;
  TenantLimits limits;
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_SECURITY_TENANT_H_
