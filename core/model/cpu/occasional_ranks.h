// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The ranks of the events of a CPU: the thread that starts an event computes them, and any worker
// that finds them old.
#ifndef WARPYARD_CORE_MODEL_CPU_OCCASIONAL_RANKS_H_
#define WARPYARD_CORE_MODEL_CPU_OCCASIONAL_RANKS_H_

#include <atomic>
#include <cstdint>
#include <iterator>
#include <mutex>
#include <vector>

#include "core/model/event/rank_keeper.h"
#include "core/policy/policy.h"

namespace warpyard::model {

/// Thread-safe.
template <class Space>
class OccasionalRanks {
 public:
  OccasionalRanks(Space& space, const policy::PolicyOptions& policy)
      : space_(space), policy_(policy) {}

  /// Calls `change`, which may change views and states of events, while no ranks are computed.
  template <class Change>
  void Exclude(Change&& change) {
    const std::lock_guard lock(mutex_);
    change();
  }

  /// The same, and then computes the ranks.
  template <class Change>
  void Apply(Change&& change) {
    const std::lock_guard lock(mutex_);
    change();
    Compute();
  }

  /// Computes the ranks if they are old, unless another thread is at it.
  void Renew() {
    if (Scope::NowNs() - computed_ns_.load(std::memory_order_relaxed) < kPeriodNs) return;
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (lock.owns_lock()) Compute();
  }

  /// Time of workers by tenant, up to now.
  std::vector<std::uint64_t> TenantNs() {
    const std::lock_guard lock(mutex_);
    Compute();
    const auto& executed_ns = memory_.tenants.executed_ns;
    return {std::begin(executed_ns), std::end(executed_ns)};
  }

 private:
  using Scope = typename Space::Scope;
  static constexpr std::uint64_t kPeriodNs = 50'000;

  /// @scope the caller holds the lock
  void Compute() {
    Scope scope(nullptr);
    RankKeeper<Space>::Update(scope, space_, memory_, policy_);
    computed_ns_.store(Scope::NowNs(), std::memory_order_relaxed);
  }

  Space& space_;
  const policy::PolicyOptions policy_;
  std::mutex mutex_;
  RankMemory memory_{};
  std::atomic<std::uint64_t> computed_ns_{0};
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_CPU_OCCASIONAL_RANKS_H_
