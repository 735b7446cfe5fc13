// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Policy: the event with the least expected time left comes first. [Steinberger §5.2.3, eq. 5.3]
//
// The thesis names starvation as the risk of this policy. Here waiting makes an event shorter: by
// kAgeing nanoseconds for each one since a worker last drew of it. So an event that has waited for
// its expected time divided by kAgeing comes before all later ones, however short; only events that
// wait already can be before it. A draw restarts the wait. The remaining time may go below nothing,
// so that long waits stay in order.
#ifndef WARPYARD_CORE_POLICY_SHORTEST_JOB_FIRST_H_
#define WARPYARD_CORE_POLICY_SHORTEST_JOB_FIRST_H_

#include <cstdint>

#include "core/policy/policy.h"

namespace warpyard::policy {

struct ShortestJobFirst {
  static constexpr std::uint64_t kAgeing = 256;
  /// The expected time of an event that gives none: a long one.
  static constexpr std::uint64_t kUnknownNs = 10'000'000'000;

  static constexpr std::uint64_t Key(const PolicyOptions&, const EventView& event,
                                     const TenantTimes&, std::uint64_t now_ns) {
    const std::uint64_t expected = event.expected_ns == 0 ? kUnknownNs : event.expected_ns;
    const std::uint64_t left = Least(LeftOf(expected, event.executed_ns), kMost);
    const std::uint64_t waited = now_ns > event.served_ns ? now_ns - event.served_ns : 0;
    return kMost + left - Least(waited, kMost / kAgeing) * kAgeing;
  }

 private:
  static constexpr std::uint64_t kMost = std::uint64_t{1} << 62;
  /// An event that took longer than expected is taken to need a part of that time again, and more
  /// the later it is. So a promise that was too short does not keep it first.
  static constexpr std::uint64_t kOverdue = 8;

  static constexpr std::uint64_t Least(std::uint64_t a, std::uint64_t b) { return a < b ? a : b; }

  static constexpr std::uint64_t LeftOf(std::uint64_t expected, std::uint64_t executed) {
    if (expected > executed) return expected - executed;
    const std::uint64_t late = executed - expected;
    return late > expected / kOverdue ? late : expected / kOverdue;
  }
};

}  // namespace warpyard::policy

#endif  // WARPYARD_CORE_POLICY_SHORTEST_JOB_FIRST_H_
