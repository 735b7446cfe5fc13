// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Policy: all events alike. [Steinberger §5.2.3, eq. 5.1]
//
// The event that got the least time of blocks comes first. A newcomer is taken to have got what the
// least of the others got (FairStart), so that it neither waits for the old ones nor holds them up
// until it has caught up; the time when they had the device to themselves is theirs.
// So much for the order, which is the same for all blocks; each block shares its own time
// (share.h).
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

/// Where a newcomer starts: at the least of those that were there, at 0 without any.
class FairStart {
 public:
  constexpr void Add(std::uint64_t key) { least_ = key < least_ ? key : least_; }
  constexpr std::uint64_t BegunNs() const { return least_ == ~std::uint64_t{0} ? 0 : least_; }

 private:
  std::uint64_t least_ = ~std::uint64_t{0};
};

}  // namespace warpyard::policy

#endif  // WARPYARD_CORE_POLICY_FAIR_SHARE_H_
