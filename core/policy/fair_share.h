// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Policy: all events alike. [Steinberger §5.2.3, eq. 5.1]
//
// The event that got the least time of blocks for the time it has been there comes first. Counting
// from its own arrival keeps a newcomer from holding up all others until it has caught up.
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
    // In millionths of a block: thousands of blocks for centuries stay below 2^63.
    const std::uint64_t millions = event.executed_ns / (age_ns / kPart + 1);
    return millions;
  }

 private:
  static constexpr std::uint64_t kPart = 1'000'000;
};

}  // namespace warpyard::policy

#endif  // WARPYARD_CORE_POLICY_FAIR_SHARE_H_
