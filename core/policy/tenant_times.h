// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Virtual times of tenants: what they executed, divided by their weights.
#ifndef WARPYARD_CORE_POLICY_TENANT_TIMES_H_
#define WARPYARD_CORE_POLICY_TENANT_TIMES_H_

#include <cstdint>

#include "core/policy/policy.h"

namespace warpyard::policy {

/// The count of a nanosecond of a tenant of weight 1: enough for weights up to this number to
/// differ.
inline constexpr std::uint64_t kVirtualUnit = 1024;

/// Virtual times stay below this. A hundred blocks would wrap 64 bits within days, so when a time
/// gets here, half of this is taken off all times. A tenant can be behind by that half at least:
/// half an hour of a block, times its weight.
inline constexpr std::uint64_t kMostVirtual = std::uint64_t{1} << 52;

/// The most that counts of one charge: 18 minutes of a block.
inline constexpr std::uint64_t kMostCharge = std::uint64_t{1} << 40;

/// Charges a tenant with time of blocks. Nothing is lost by rounding, however large the weight.
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

/// A tenant comes back. It goes on from the least virtual time of the active tenants, or from its
/// own if that is later: it gets no time for its absence, and a short absence does not pay. After
/// an idle time it goes on from the greatest time of all tenants, so that all begin anew; otherwise
/// the first tenant that comes would hold up the one that had the device before.
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
