// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Policy: the event with the least expected time left comes first. [Steinberger §5.2.3, eq. 5.3]
//
// The thesis names starvation as the risk of this policy. Here waiting makes an event shorter, by
// kAgeing nanoseconds for each nanosecond since a worker last drew from it. So after a wait of its
// expected time divided by kAgeing, an event comes before all events that arrive later, however
// short they are. Only events that wait already can come before it. A draw restarts the wait. The
// remaining time may become negative, so that long waits stay in order.
#ifndef WARPYARD_CORE_POLICY_SHORTEST_JOB_FIRST_H_
#define WARPYARD_CORE_POLICY_SHORTEST_JOB_FIRST_H_

#include <cstdint>

#include "core/policy/policy.h"

namespace warpyard::policy {

struct ShortestJobFirst {
  static constexpr std::uint64_t kAgeing = 256;
  /// The assumed time of an event that gives none: a long time.
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
  /// An event that took longer than expected is assumed to need as long again as it is late, at
  /// least this fraction of its expected time. So an event whose expected time was too short does
  /// not stay first.
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
