// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The device's writer of the statistics that a resident kernel publishes.
#ifndef WARPYARD_CORE_MODEL_MEGAKERNEL_PUBLISH_STATISTICS_CUH_
#define WARPYARD_CORE_MODEL_MEGAKERNEL_PUBLISH_STATISTICS_CUH_

#include <cstdint>
#include <cuda/atomic>

#include "core/exec/device_scope.cuh"
#include "core/model/megakernel/mailbox.h"
#include "core/model/worker/workspace.h"
#include "core/policy/policy.h"

namespace warpyard::model {

/// @scope one thread at a time for a word
__device__ inline void StoreForHost(std::uint64_t& word, std::uint64_t value) {
  cuda::atomic_ref<std::uint64_t, cuda::thread_scope_system>(word).store(
      value, cuda::std::memory_order_relaxed);
}

/// Publishes the sums of one procedure. @scope one thread
__device__ inline void PublishSums(ProcedureSums& published, ProcedureSums& sums) {
  using Scope = exec::DeviceScope;
  StoreForHost(published.executed, Scope::Word(sums.executed).LoadRelaxed());
  StoreForHost(published.spawned, Scope::Word(sums.spawned).LoadRelaxed());
  StoreForHost(published.busy_ns, Scope::Word(sums.busy_ns).LoadRelaxed());
  StoreForHost(published.min_ns, Scope::Word(sums.min_ns).LoadRelaxed());
  StoreForHost(published.max_ns, Scope::Word(sums.max_ns).LoadRelaxed());
}

/// @scope the group
template <class Group, class Space, class Published>
__device__ void PublishStatistics(Group& group, Space& space, const policy::TenantTimes& tenants,
                                  Published& published, std::uint64_t now_ns) {
  using Scope = exec::DeviceScope;
  for (std::uint32_t p = group.Rank(); p < Space::Procedures::kCount; p += group.Size()) {
    PublishSums(published.procedures[p], space.procedures[p]);
    StoreForHost(published.queue_sizes[p], Scope::Word(space.waiting[p]).LoadRelaxed());
  }
  for (std::uint32_t t = group.Rank(); t < policy::kMaxTenants; t += group.Size()) {
    StoreForHost(published.tenant_ns[t], tenants.executed_ns[t]);
  }
  if (group.Rank() != 0) return;
  WorkerCounters& counters = space.counters;
  StoreForHost(published.spills, Scope::Word(counters.given).LoadRelaxed());
  StoreForHost(published.looks, Scope::Word(counters.looks).LoadRelaxed());
  StoreForHost(published.claims, Scope::Word(counters.claims).LoadRelaxed());
  StoreForHost(published.misses, Scope::Word(counters.misses).LoadRelaxed());
  StoreForHost(published.back_offs, Scope::Word(counters.back_offs).LoadRelaxed());
  StoreForHost(published.busy_ns, Scope::Word(counters.busy_ns).LoadRelaxed());
  StoreForHost(published.held_ns, Scope::Word(counters.held_ns).LoadRelaxed());
  StoreForHost(published.now_ns, now_ns);
}

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_MEGAKERNEL_PUBLISH_STATISTICS_CUH_
