// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Policy: each tenant gets a share of the device in proportion to its weight. [Steinberger §5.2.3,
// eq. 5.2]
//
// The tenant with the least virtual time comes first. Virtual time is executed time divided by
// weight (tenant_times.h). Deviates from the thesis, which gives an event the priority share /
// executed: virtual time needs no division by a time that may be 0, and does not oscillate. Events
// of one tenant come in order of arrival; events older than 17 s count as equally old.
// This order is the same for all blocks; each block also divides its own time among tenants that
// have work (share.h).
#ifndef WARPYARD_CORE_POLICY_QUOTA_H_
#define WARPYARD_CORE_POLICY_QUOTA_H_

#include <cstdint>

#include "core/policy/policy.h"
#include "core/policy/tenant_times.h"

namespace warpyard::policy {

struct Quota {
  static constexpr std::uint32_t kKeyBits = 60;

  static constexpr std::uint64_t Key(const PolicyOptions&, const EventView& event,
                                     const TenantTimes& tenants, std::uint64_t now_ns) {
    const std::uint64_t virtual_ns = tenants.virtual_ns[event.tenant % kMaxTenants];
    const std::uint64_t age_ns = now_ns > event.arrival_ns ? now_ns - event.arrival_ns : 0;
    const std::uint64_t age = age_ns >> kAgeShift;
    const std::uint64_t youth = kMostAge - (age < kMostAge ? age : kMostAge);
    return virtual_ns >> kVirtualShift << kAgeBits | youth;
  }

 private:
  static constexpr std::uint32_t kVirtualShift = 12;  // 4 ns of a worker, times the weight
  static constexpr std::uint32_t kAgeShift = 14;      // 16 us
  static constexpr std::uint32_t kAgeBits = 20;
  static constexpr std::uint64_t kMostAge = (std::uint64_t{1} << kAgeBits) - 1;
  static_assert((kMostVirtual - 1) >> kVirtualShift << kAgeBits < std::uint64_t{1} << kKeyBits);
};

}  // namespace warpyard::policy

#endif  // WARPYARD_CORE_POLICY_QUOTA_H_
