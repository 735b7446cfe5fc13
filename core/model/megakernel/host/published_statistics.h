// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The host's reader of the statistics that a resident kernel publishes.
#ifndef WARPYARD_CORE_MODEL_MEGAKERNEL_HOST_PUBLISHED_STATISTICS_H_
#define WARPYARD_CORE_MODEL_MEGAKERNEL_HOST_PUBLISHED_STATISTICS_H_

#include <atomic>
#include <cstdint>

#include "core/model/event/event_end.h"
#include "core/model/execution_model.h"
#include "core/model/megakernel/mailbox.h"

namespace warpyard::model {

inline std::uint64_t LoadPublished(std::uint64_t& word) {
  return std::atomic_ref(word).load(std::memory_order_relaxed);
}

/// What the device published last. @shape capacity: of all queues of levels together
template <std::uint32_t kProcedures>
ModelStatistics ReadPublished(PublishedStatistics<kProcedures>& published, std::uint64_t capacity) {
  ModelStatistics statistics;
  for (std::uint32_t p = 0; p < kProcedures; ++p) {
    ProcedureSums& sums = published.procedures[p];
    statistics.procedures.push_back(ReadSums(
        {LoadPublished(sums.executed), LoadPublished(sums.spawned), LoadPublished(sums.busy_ns),
         LoadPublished(sums.min_ns), LoadPublished(sums.max_ns)}));
    statistics.queues.push_back({LoadPublished(published.queue_sizes[p]), capacity});
  }
  for (std::uint64_t& ns : published.tenant_ns) statistics.tenant_ns.push_back(LoadPublished(ns));
  statistics.spills = LoadPublished(published.spills);
  statistics.back_offs = LoadPublished(published.back_offs);
  statistics.draws.looks = LoadPublished(published.looks);
  statistics.draws.claims = LoadPublished(published.claims);
  statistics.draws.misses = LoadPublished(published.misses);
  statistics.held_ns = LoadPublished(published.held_ns);
  statistics.busy_ns = LoadPublished(published.busy_ns);
  return statistics;
}

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_MEGAKERNEL_HOST_PUBLISHED_STATISTICS_H_
