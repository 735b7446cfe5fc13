// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Virtual times of tenants: executed time divided by weight.
#ifndef WARPYARD_CORE_POLICY_TENANT_TIMES_H_
#define WARPYARD_CORE_POLICY_TENANT_TIMES_H_

#include <cstdint>

#include "core/policy/policy.h"

namespace warpyard::policy {

/// The virtual time of one nanosecond with weight 1. It is large enough to distinguish weights up
/// to this number.
inline constexpr std::uint64_t kVirtualUnit = 1024;

/// Virtual times stay below this limit. A thousand workers would overflow 64 bits within hours, so
/// when a time reaches the limit, half of the limit is subtracted from all times. So a tenant can
/// be at least half the limit behind the others: half an hour of one worker, times its weight.
inline constexpr std::uint64_t kMostVirtual = std::uint64_t{1} << 52;

/// The largest part of one charge that counts: 18 minutes of one worker.
inline constexpr std::uint64_t kMostCharge = std::uint64_t{1} << 40;

/// Charges a tenant for time of workers. Rounding loses nothing, however large the weight.
constexpr void Charge(TenantTimes& tenants, const PolicyOptions& options, std::uint32_t tenant,
                      std::uint64_t executed_ns) {
  tenant %= kMaxTenants;
  const std::uint32_t weight = options.weights[tenant] == 0 ? 1 : options.weights[tenant];
  const std::uint64_t charged_ns = executed_ns < kMostCharge ? executed_ns : kMostCharge;
  const std::uint64_t parts = charged_ns * kVirtualUnit + tenants.remainders[tenant];
  tenants.virtual_ns[tenant] += parts / weight;
  tenants.remainders[tenant] = static_cast<std::uint32_t>(parts % weight);
  tenants.executed_ns[tenant] += executed_ns;
  if (tenants.virtual_ns[tenant] < kMostVirtual) return;
  for (std::uint64_t& virtual_ns : tenants.virtual_ns) {
    virtual_ns = virtual_ns > kMostVirtual / 2 ? virtual_ns - kMostVirtual / 2 : 0;
  }
}

/// Makes a tenant active again. Its time goes on from the least virtual time of the active tenants,
/// or from its own if that is later. So the tenant gets no time for its absence, and a short
/// absence brings no advantage. If no tenant is active, its time goes on from the greatest time of
/// all tenants, so that all start equal. Otherwise the first tenant to come back would hold up the
/// tenant that had the device before.
/// @shape active: a bit for each other tenant that has work now
constexpr void Activate(TenantTimes& tenants, std::uint32_t tenant, std::uint32_t active) {
  std::uint64_t least = ~std::uint64_t{0}, greatest = 0;
  for (std::uint32_t other = 0; other < kMaxTenants; ++other) {
    const std::uint64_t virtual_ns = tenants.virtual_ns[other];
    if (virtual_ns > greatest) greatest = virtual_ns;
    const bool counts = other != tenant && (active >> other & 1u) != 0;
    if (counts && virtual_ns < least) least = virtual_ns;
  }
  const std::uint64_t start = least == ~std::uint64_t{0} ? greatest : least;
  if (tenants.virtual_ns[tenant] < start) tenants.virtual_ns[tenant] = start;
}

}  // namespace warpyard::policy

#endif  // WARPYARD_CORE_POLICY_TENANT_TIMES_H_
