// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Virtual times of tenants: what they executed, divided by their weights.
#ifndef WARPYARD_CORE_POLICY_TENANT_TIMES_H_
#define WARPYARD_CORE_POLICY_TENANT_TIMES_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/policy/policy.h"

namespace warpyard::policy {

/// What a nanosecond of a tenant of weight 1 counts: enough for weights up to this to differ.
inline constexpr std::uint64_t kVirtualUnit = 1024;

/// Charges a tenant with time of blocks.
WY_HD inline void Charge(TenantTimes& tenants, const PolicyOptions& options, std::uint32_t tenant,
                         std::uint64_t executed_ns) {
  const std::uint32_t weight = options.weights[tenant] == 0 ? 1 : options.weights[tenant];
  tenants.virtual_ns[tenant] += executed_ns * kVirtualUnit / weight;
  tenants.executed_ns[tenant] += executed_ns;
}

/// A tenant comes back: it goes on from the least virtual time of the active ones at least, so that
/// the time that it was away is not paid out to it, and going away for a moment does not pay.
/// @shape active: a bit for each other tenant that has work now
WY_HD inline void Activate(TenantTimes& tenants, std::uint32_t tenant, std::uint32_t active) {
  std::uint64_t least = ~std::uint64_t{0};
  for (std::uint32_t other = 0; other < kMaxTenants; ++other) {
    if ((active >> other & 1u) == 0 || other == tenant) continue;
    if (tenants.virtual_ns[other] < least) least = tenants.virtual_ns[other];
  }
  if (least != ~std::uint64_t{0} && least > tenants.virtual_ns[tenant]) {
    tenants.virtual_ns[tenant] = least;
  }
}

}  // namespace warpyard::policy

#endif  // WARPYARD_CORE_POLICY_TENANT_TIMES_H_
