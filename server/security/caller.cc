// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/security/caller.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "core/base/status_facts.h"
#include "server/errors/error_details.h"

namespace warpyard::server {
namespace {

/// After it a limit may have room again.
constexpr absl::Duration kRetryDelay = absl::Milliseconds(100);

}  // namespace

absl::Status Caller::Exhausted(const Wording& wording, std::uint64_t limit) const {
  usage_->refused.fetch_add(1, std::memory_order_relaxed);
  return TenantQuota(
      tenant_->name, wording.name,
      absl::StrCat("tenant ", tenant_->name, ": ", wording.what, "; its limit is ", limit),
      kRetryDelay);
}

bool TenantUsage::TakeJob(std::uint64_t jobs_per_second, absl::Time now) {
  const std::lock_guard lock(mutex_);
  const auto most = static_cast<double>(jobs_per_second);
  const absl::Duration passed = std::min(now - counted_, absl::Seconds(1));
  if (passed > absl::ZeroDuration()) {
    jobs_ = std::min(most, jobs_ + absl::ToDoubleSeconds(passed) * most);
    counted_ = now;
  }
  if (jobs_ < 1) return false;
  jobs_ -= 1;
  return true;
}

absl::StatusOr<std::uint32_t> Caller::NumberFor(std::uint32_t asked, const char* path) const {
  if (tenant_ != nullptr) {
    if (asked == 0 || asked == tenant_->number) return tenant_->number;
    return absl::PermissionDeniedError(absl::StrCat(
        path, ": ", asked, ", but the caller is tenant ", tenant_->number, ", ", tenant_->name));
  }
  if (asked < kMaxTenants) return asked;
  return InvalidField(path, absl::StrCat(asked, ", expected less than ", kMaxTenants));
}

absl::Status Caller::TakeJob(const JobOptions& job, absl::Time now) const {
  if (tenant_ == nullptr) return absl::OkStatus();
  if (job.priority == Priority::kUrgent && !tenant_->rights.urgent) {
    return absl::PermissionDeniedError(
        absl::StrCat("job.priority: tenant ", tenant_->name, " has no right to PRIORITY_URGENT"));
  }
  const TenantLimits& limits = tenant_->limits;
  if (job.deadline != absl::InfiniteFuture() && job.deadline - now > limits.deadline_horizon) {
    return InvalidField(
        "job.deadline",
        absl::StrCat(absl::FormatDuration(absl::Trunc(job.deadline - now, absl::Milliseconds(1))),
                     " away; deadlines of tenant ", tenant_->name, " may be at most ",
                     absl::FormatDuration(limits.deadline_horizon), " away"));
  }
  if (limits.jobs_per_second != 0 && !usage_->TakeJob(limits.jobs_per_second, now)) {
    return Exhausted({"jobs_per_second", "too many jobs a second"}, limits.jobs_per_second);
  }
  return absl::OkStatus();
}

absl::StatusOr<Caller::Hold> Caller::Take(std::atomic<std::uint64_t> TenantUsage::*used,
                                          std::uint64_t amount, std::uint64_t limit,
                                          const Wording& wording) const {
  if (tenant_ == nullptr) return Hold();
  std::atomic<std::uint64_t>& word = usage_->*used;
  const std::uint64_t before = word.fetch_add(amount, std::memory_order_relaxed);
  // Checked without a sum, which a large request could make run over.
  if (limit != 0 && (before > limit || amount > limit - before)) {
    word.fetch_sub(amount, std::memory_order_relaxed);
    return Exhausted(wording, limit);
  }
  return Hold(&word, [amount](void* taken) {
    static_cast<std::atomic<std::uint64_t>*>(taken)->fetch_sub(amount, std::memory_order_relaxed);
  });
}

absl::StatusOr<Caller::Hold> Caller::TakeCall() const {
  return Take(&TenantUsage::calls, 1, tenant_ == nullptr ? 0 : tenant_->limits.calls_in_flight,
              {"calls_in_flight", "too many calls in flight"});
}

absl::StatusOr<Caller::Hold> Caller::TakeRequest(std::size_t bytes) const {
  return Take(&TenantUsage::request_bytes, bytes,
              tenant_ == nullptr ? 0 : tenant_->limits.request_bytes,
              {"request_mib", "too many bytes of requests whose jobs have not ended"});
}

absl::Status Caller::CheckResidents(const ResidentTable& residents) const {
  if (tenant_ == nullptr || tenant_->limits.residents == 0) return absl::OkStatus();
  if (residents.CountOf(owner()) < tenant_->limits.residents) return absl::OkStatus();
  return Exhausted({"residents", "too many residents are open"}, tenant_->limits.residents);
}

}  // namespace warpyard::server
