// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Policy: all events alike. [Steinberger §5.2.3, eq. 5.1]
//
// The event that got the least time of blocks for the time it has been there comes first. Counting
// from its own arrival lets a newcomer take what the others had in the mean since theirs, not the
// whole time that they executed: beside one of age A that had the device to itself, it gets all of
// it for about sqrt(A * kPartNs), and half of it in the long run.
#ifndef WARPYARD_CORE_POLICY_FAIR_SHARE_H_
#define WARPYARD_CORE_POLICY_FAIR_SHARE_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/policy/policy.h"

namespace warpyard::policy {

struct FairShare {
  WY_HD static std::uint64_t Key(const PolicyOptions&, const EventView& event, const TenantTimes&,
                                 std::uint64_t now_ns) {
    const std::uint64_t age_ns = now_ns > event.arrival_ns ? now_ns - event.arrival_ns : 0;
    // In parts of a block: no product that could overflow.
    return event.executed_ns / (age_ns / kPartNs + 1);
  }

  /// Ages count in these. A newcomer is taken to have been there for one: the shorter, the sooner
  /// it has caught up.
  static constexpr std::uint64_t kPartNs = 16'384;
};

}  // namespace warpyard::policy

#endif  // WARPYARD_CORE_POLICY_FAIR_SHARE_H_
