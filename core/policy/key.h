// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The one place that selects a policy.
#ifndef WARPYARD_CORE_POLICY_KEY_H_
#define WARPYARD_CORE_POLICY_KEY_H_

#include <concepts>
#include <cstdint>

#include "core/policy/earliest_deadline_first.h"
#include "core/policy/fair_share.h"
#include "core/policy/fifo.h"
#include "core/policy/policy.h"
#include "core/policy/priority.h"
#include "core/policy/quota.h"
#include "core/policy/service_default.h"
#include "core/policy/shortest_job_first.h"

namespace warpyard::policy {

/// A policy is stateless: it computes the key of an event now, and the smallest key is drawn first.
template <class P>
concept Policy = requires(const PolicyOptions& options, const EventView& event,
                          const TenantTimes& tenants, std::uint64_t now_ns) {
  { P::Key(options, event, tenants, now_ns) } -> std::same_as<std::uint64_t>;
};
static_assert(Policy<ServiceDefault> && Policy<Priority> && Policy<EarliestDeadlineFirst> &&
              Policy<Quota> && Policy<FairShare> && Policy<ShortestJobFirst> && Policy<Fifo>);

constexpr std::uint64_t KeyOf(const PolicyOptions& options, const EventView& event,
                              const TenantTimes& tenants, std::uint64_t now_ns) {
  switch (options.kind) {
    case PolicyKind::kPriority:
      return Priority::Key(options, event, tenants, now_ns);
    case PolicyKind::kEarliestDeadline:
      return EarliestDeadlineFirst::Key(options, event, tenants, now_ns);
    case PolicyKind::kQuota:
      return Quota::Key(options, event, tenants, now_ns);
    case PolicyKind::kFairShare:
      return FairShare::Key(options, event, tenants, now_ns);
    case PolicyKind::kShortestJob:
      return ShortestJobFirst::Key(options, event, tenants, now_ns);
    case PolicyKind::kFifo:
      return Fifo::Key(options, event, tenants, now_ns);
    case PolicyKind::kService:
      break;
  }
  return ServiceDefault::Key(options, event, tenants, now_ns);
}

}  // namespace warpyard::policy

#endif  // WARPYARD_CORE_POLICY_KEY_H_
