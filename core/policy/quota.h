// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Policy: each tenant gets the share of the device that its weight asks for.
// [Steinberger §5.2.3, eq. 5.2]
//
// The tenant with the least virtual time comes first: what it has executed, divided by its weight
// (tenant_times.h). Deviates from the thesis, which gives an event the priority share / executed:
// virtual time needs no division by what may be nothing, and does not oscillate.
#ifndef WARPYARD_CORE_POLICY_QUOTA_H_
#define WARPYARD_CORE_POLICY_QUOTA_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/policy/policy.h"

namespace warpyard::policy {

struct Quota {
  WY_HD static std::uint64_t Key(const PolicyOptions&, const EventView& event,
                                 const TenantTimes& tenants, std::uint64_t) {
    return tenants.virtual_ns[event.tenant % kMaxTenants];
  }
};

}  // namespace warpyard::policy

#endif  // WARPYARD_CORE_POLICY_QUOTA_H_
