// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Policy: the event with the least expected time left comes first. [Steinberger §5.2.3, eq. 5.3]
//
// The thesis names starvation as its risk; here waiting makes an event shorter: kAgeing nanoseconds
// for each one since a worker last drew of it. So an event waits at most its expected time divided
// by kAgeing behind shorter ones, once more for each time it has been served.
#ifndef WARPYARD_CORE_POLICY_SHORTEST_JOB_FIRST_H_
#define WARPYARD_CORE_POLICY_SHORTEST_JOB_FIRST_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/policy/policy.h"

namespace warpyard::policy {

struct ShortestJobFirst {
  static constexpr std::uint64_t kAgeing = 256;
  /// What an event is taken for whose time nobody knows: a long one.
  static constexpr std::uint64_t kUnknownNs = 10'000'000'000;

  WY_HD static std::uint64_t Key(const PolicyOptions&, const EventView& event, const TenantTimes&,
                                 std::uint64_t now_ns) {
    const std::uint64_t expected = event.expected_ns == 0 ? kUnknownNs : event.expected_ns;
    const std::uint64_t left =
        expected > event.executed_ns ? expected - event.executed_ns : expected / kOverdue;
    const std::uint64_t waited = now_ns > event.served_ns ? now_ns - event.served_ns : 0;
    return waited > left / kAgeing ? 0 : left - waited * kAgeing;
  }

 private:
  /// An event that took longer than expected is taken to need a part of that again.
  static constexpr std::uint64_t kOverdue = 8;
};

}  // namespace warpyard::policy

#endif  // WARPYARD_CORE_POLICY_SHORTEST_JOB_FIRST_H_
