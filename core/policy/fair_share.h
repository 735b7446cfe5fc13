// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Policy: all events get the same share. [Steinberger §5.2.3, eq. 5.1]
//
// The event that has had the least block time comes first. A new event starts at the least time of
// the other events (FairStart). Otherwise the new event would hold up the old ones until its time
// caught up with theirs. The old events keep the times that they had before.
// This order is the same for all blocks; each block also divides its own time (share.h).
#ifndef WARPYARD_CORE_POLICY_FAIR_SHARE_H_
#define WARPYARD_CORE_POLICY_FAIR_SHARE_H_

#include <cstdint>

#include "core/policy/policy.h"

namespace warpyard::policy {

struct FairShare {
  static constexpr std::uint64_t Key(const PolicyOptions&, const EventView& event,
                                     const TenantTimes&, std::uint64_t) {
    const std::uint64_t sum = event.begun_ns + event.executed_ns;
    return sum < event.begun_ns ? ~std::uint64_t{0} : sum;
  }
};

/// The start of a new event: the least key of the running events, or 0 without any.
class FairStart {
 public:
  constexpr void Add(std::uint64_t key) { least_ = key < least_ ? key : least_; }
  constexpr std::uint64_t BegunNs() const { return least_ == ~std::uint64_t{0} ? 0 : least_; }

 private:
  std::uint64_t least_ = ~std::uint64_t{0};
};

}  // namespace warpyard::policy

#endif  // WARPYARD_CORE_POLICY_FAIR_SHARE_H_
