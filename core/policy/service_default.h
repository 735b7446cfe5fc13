// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The service's policy: events with a deadline, the earliest first; then the others by priority,
// and within a priority by the quotas of their tenants, and by arrival within a tenant. An event
// whose deadline is over counts as one without.
//
// An event that no worker has drawn from for PolicyOptions::starvation_ns comes before all others,
// the longest wait first. So no stream of urgent work can stop the rest for ever. One draw ends
// that state, so it costs urgent work a few elements each time.
#ifndef WARPYARD_CORE_POLICY_SERVICE_DEFAULT_H_
#define WARPYARD_CORE_POLICY_SERVICE_DEFAULT_H_

#include <cstdint>

#include "core/policy/policy.h"
#include "core/policy/priority.h"
#include "core/policy/quota.h"

namespace warpyard::policy {

struct ServiceDefault {
  static constexpr std::uint64_t Key(const PolicyOptions& options, const EventView& event,
                                     const TenantTimes& tenants, std::uint64_t now_ns) {
    if (HasDeadline(event, now_ns)) return kDeadline << 62 | event.deadline_ns >> 2;
    if (Starves(options, event, now_ns)) return kStarving << 62 | event.served_ns >> 2;
    return kOther << 62 | static_cast<std::uint64_t>(Priority::LevelOf(event)) << Quota::kKeyBits |
           Quota::Key(options, event, tenants, now_ns);
  }

  /// Whether the deadline of an event counts. One that is over does not: late work would make more
  /// work late.
  static constexpr bool HasDeadline(const EventView& event, std::uint64_t now_ns) {
    return event.deadline_ns != kNoDeadline && event.deadline_ns > now_ns;
  }

  /// Whether an event without a deadline has waited so long that it comes before all others.
  static constexpr bool Starves(const PolicyOptions& options, const EventView& event,
                                std::uint64_t now_ns) {
    const std::uint64_t waited = now_ns > event.served_ns ? now_ns - event.served_ns : 0;
    return options.starvation_ns != 0 && waited >= options.starvation_ns;
  }

 private:
  static_assert(Quota::kKeyBits <= 60);
  static constexpr std::uint64_t kStarving = 0, kDeadline = 1, kOther = 2;
};

}  // namespace warpyard::policy

#endif  // WARPYARD_CORE_POLICY_SERVICE_DEFAULT_H_
