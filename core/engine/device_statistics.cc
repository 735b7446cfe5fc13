// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/engine/device_statistics.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace warpyard {
namespace {

absl::Duration FromNs(std::uint64_t ns) { return absl::Nanoseconds(static_cast<std::int64_t>(ns)); }

}  // namespace

EngineStatistics::Device StatisticsOf(const EngineDevice& device) {
  const model::ModelStatistics model = device.workers->Statistics();
  const std::span<const char* const> names = device.workers->ProcedureNames();
  EngineStatistics::Device statistics;
  statistics.name = device.name;
  statistics.lost = !device.workers->Health().ok();
  statistics.resident = model.resident;
  statistics.launches = model.launches;
  statistics.workers = model.workers;
  statistics.spills = model.spills;
  statistics.draws = {model.draws.looks, model.draws.claims, model.draws.misses, model.back_offs,
                      FromNs(model.held_ns)};
  statistics.running_events = model.running_events;
  statistics.memory_used_bytes = device.backend->MemoryUsed();
  statistics.memory_limit_bytes = device.backend->MemoryLimit();
  for (std::size_t p = 0; p < model.procedures.size(); ++p) {
    const model::ProcedureCounters& counters = model.procedures[p];
    statistics.procedures.push_back({names[p], counters.executed, counters.spawned,
                                     FromNs(counters.busy_ns), FromNs(counters.min_ns),
                                     FromNs(counters.max_ns)});
    if (!device.workers->HasQueue(static_cast<std::uint32_t>(p))) continue;
    statistics.queues.push_back({names[p], model.queues[p].size, model.queues[p].capacity});
  }
  for (const std::uint64_t ns : model.tenant_ns) statistics.tenants.push_back(FromNs(ns));
  return statistics;
}

}  // namespace warpyard
