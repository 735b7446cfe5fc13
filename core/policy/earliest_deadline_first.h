// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Policy: events with a deadline first, the earliest deadline first; then events without one, by
// arrival. [Steinberger §5.2.3, eq. 5.5]
//
// The key is the deadline itself, so a far deadline costs nothing. Late events stay in order: the
// event with the oldest deadline comes first.
#ifndef WARPYARD_CORE_POLICY_EARLIEST_DEADLINE_FIRST_H_
#define WARPYARD_CORE_POLICY_EARLIEST_DEADLINE_FIRST_H_

#include <cstdint>

#include "core/policy/policy.h"

namespace warpyard::policy {

struct EarliestDeadlineFirst {
  static constexpr std::uint64_t Key(const PolicyOptions&, const EventView& event,
                                     const TenantTimes&, std::uint64_t) {
    constexpr std::uint64_t kAfter = std::uint64_t{1} << 63;
    return event.deadline_ns == kNoDeadline ? kAfter | event.arrival_ns >> 1
                                            : event.deadline_ns >> 1;
  }
};

}  // namespace warpyard::policy

#endif  // WARPYARD_CORE_POLICY_EARLIEST_DEADLINE_FIRST_H_
