// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Policy: the highest priority first, by arrival within one. [Steinberger §5.2.2]
#ifndef WARPYARD_CORE_POLICY_PRIORITY_H_
#define WARPYARD_CORE_POLICY_PRIORITY_H_

#include <cstdint>

#include "core/policy/policy.h"

namespace warpyard::policy {

struct Priority {
  static constexpr std::uint64_t Key(const PolicyOptions&, const EventView& event,
                                     const TenantTimes&, std::uint64_t) {
    return static_cast<std::uint64_t>(LevelOf(event)) << 62 | event.arrival_ns >> 2;
  }

  /// 0 for the highest priority, 3 for the lowest.
  static constexpr std::uint32_t LevelOf(const EventView& event) {
    return event.priority < 3 ? 3 - event.priority : 0;
  }
};

}  // namespace warpyard::policy

#endif  // WARPYARD_CORE_POLICY_PRIORITY_H_
