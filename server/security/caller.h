// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Who a call comes from, and what that tenant uses now.
#ifndef WARPYARD_SERVER_SECURITY_CALLER_H_
#define WARPYARD_SERVER_SECURITY_CALLER_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/base/ids.h"
#include "core/engine/engine_options.h"
#include "server/jobs/resident_table.h"
#include "server/security/tenant.h"

namespace warpyard::server {

/// What a tenant uses. It outlives changes of the tenant's limits. Thread-safe.
struct TenantUsage {
  std::atomic<std::uint64_t> calls{0};
  std::atomic<std::uint64_t> request_bytes{0};
  std::atomic<std::uint64_t> refused{0};  ///< what a limit refused so far

  /// A token bucket that holds the jobs of one second. Returns whether one more may begin.
  bool TakeJob(std::uint64_t jobs_per_second, absl::Time now);

 private:
  std::mutex mutex_;
  double jobs_ = 0;                            // guarded by mutex_: how many may begin now
  absl::Time counted_ = absl::InfinitePast();  // guarded by mutex_: up to when jobs_ counts
};

/// The tenant of a call; nobody where the server knows no tenants. Copies are cheap.
class Caller {
 public:
  /// Gives back what was taken when it is destroyed.
  using Hold = std::shared_ptr<void>;

  Caller() = default;
  Caller(std::shared_ptr<const Tenant> tenant, TenantUsage* usage)
      : tenant_(std::move(tenant)), usage_(usage) {}

  /// Null: the server knows no tenants.
  const Tenant* tenant() const { return tenant_.get(); }
  /// The owner of residents that the caller opens, and the only one who finds them.
  ResidentTable::Owner owner() const {
    return tenant_ == nullptr ? ResidentTable::kNobody : tenant_->number;
  }

  /// The number of the tenant for a request that names `asked`. @shape path: of the field
  /// @errors PERMISSION_DENIED: another tenant's; INVALID_ARGUMENT
  absl::StatusOr<std::uint32_t> NumberFor(std::uint32_t asked, const char* path) const;

  /// Counts a job. @errors PERMISSION_DENIED (priority), INVALID_ARGUMENT (deadline),
  /// RESOURCE_EXHAUSTED (jobs a second)
  absl::Status TakeJob(const JobOptions& job, absl::Time now) const;
  /// @errors RESOURCE_EXHAUSTED
  absl::StatusOr<Hold> TakeCall() const;
  absl::StatusOr<Hold> TakeRequest(std::size_t bytes) const;
  absl::Status CheckResidents(const ResidentTable& residents) const;

 private:
  /// Two parts of an error about a limit.
  struct Wording {
    const char* name;  ///< of the limit, as in the file of tenants
    const char* what;
  };
  /// Counts a refusal. @shape name: of the limit, as in the file of tenants
  absl::Status Exhausted(const Wording& wording, std::uint64_t limit) const;
  /// @shape limit: 0: none
  absl::StatusOr<Hold> Take(std::atomic<std::uint64_t> TenantUsage::*used, std::uint64_t amount,
                            std::uint64_t limit, const Wording& wording) const;

  std::shared_ptr<const Tenant> tenant_;
  TenantUsage* usage_ = nullptr;
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_SECURITY_CALLER_H_
