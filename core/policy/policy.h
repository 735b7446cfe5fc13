// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Orders events: a policy gives every event a key, and workers first draw elements of the event
// with the smallest key. [Steinberger §5.2.3]
//
// Deviates from the thesis, which maps deadlines and shares to buckets or to priorities of
// elements. Here the policy orders the events themselves. It is evaluated every few microseconds,
// and the workers get the ranks (docs/adr/0012). So the order is exact, a far deadline costs
// nothing, and a policy is a function of a few lines.
#ifndef WARPYARD_CORE_POLICY_POLICY_H_
#define WARPYARD_CORE_POLICY_POLICY_H_

#include <cstdint>

#include "core/base/macros.h"

namespace warpyard::policy {

/// How workers choose among events. See the header of each.
enum class PolicyKind : std::uint32_t {
  kService,           ///< deadlines first, then priorities, tenants by quota within
  kPriority,          ///< priorities, then arrival
  kEarliestDeadline,  ///< deadlines, then arrival
  kQuota,             ///< tenants by their weights
  kFairShare,         ///< the same share for all events
  kShortestJob,       ///< least expected time left, with ageing
  kFifo,              ///< arrival
};

inline constexpr std::uint32_t kMaxTenants = 16;
inline constexpr std::uint64_t kNoDeadline = ~std::uint64_t{0};

/// Attributes of an event, set by the host.
struct EventAttributes {
  /// @units nanoseconds of std::chrono::steady_clock, or kNoDeadline
  std::uint64_t deadline_ns = kNoDeadline;
  std::uint32_t priority = 1;     ///< 0 to 3; higher is sooner
  std::uint32_t tenant = 0;       ///< less than kMaxTenants
  std::uint64_t expected_ns = 0;  ///< time of blocks that it will take; 0: not known
};

/// Parameters of a policy.
struct PolicyOptions {
  PolicyKind kind = PolicyKind::kService;
  /// Shares of tenants, in any unit; 0 counts as 1.
  std::uint32_t weights[kMaxTenants] = {};
  /// For kService: an event without a deadline starves if no worker has drawn from it for this
  /// long. Then it comes before all others, even those with a deadline. 0: never. Where deadlines
  /// count it is not held, either: see Hold.
  std::uint64_t starvation_ns = 100'000'000;
  /// For policies that heed deadlines: an event that has used one in so many parts of the time to
  /// its deadline has those wait that have none, or far more time. 0 and 1: never. See Hold.
  std::uint32_t hold_part = 8;
};

/// An event as policies use it, in times of the device.
struct EventView {
  std::uint64_t deadline_ns = kNoDeadline;
  std::uint64_t arrival_ns = 0;
  std::uint64_t served_ns = 0;    ///< when a worker last drew from it; arrival_ns at first
  std::uint64_t executed_ns = 0;  ///< time of blocks that it has taken
  std::uint64_t expected_ns = 0;
  std::uint64_t begun_ns = 0;  ///< counts as executed time, too; see FairStart
  std::uint32_t priority = 1;
  std::uint32_t tenant = 0;
};

/// The memory of policies about tenants. [virtual time: executed time by weight]
struct TenantTimes {
  std::uint64_t virtual_ns[kMaxTenants] = {};  ///< in fractions of a nanosecond, see tenant_times.h
  std::uint64_t executed_ns[kMaxTenants] = {};
  std::uint32_t remainders[kMaxTenants] = {};  ///< fractions too small to count yet
};

}  // namespace warpyard::policy

#endif  // WARPYARD_CORE_POLICY_POLICY_H_
