// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The counters of a workspace as statistics, where the host can read them in place.
#ifndef WARPYARD_CORE_MODEL_CPU_SPACE_COUNTERS_H_
#define WARPYARD_CORE_MODEL_CPU_SPACE_COUNTERS_H_

#include <cstdint>

#include "core/model/event/event_end.h"
#include "core/model/execution_model.h"
#include "core/model/worker/workspace.h"

namespace warpyard::model {

template <class Scope>
ProcedureSums LoadSums(ProcedureSums& sums) {
  return {Scope::Word(sums.executed).LoadRelaxed(), Scope::Word(sums.spawned).LoadRelaxed(),
          Scope::Word(sums.busy_ns).LoadRelaxed(), Scope::Word(sums.min_ns).LoadRelaxed(),
          Scope::Word(sums.max_ns).LoadRelaxed()};
}

/// @scope any thread, while the workers run
template <class Space>
ModelStatistics ReadCounters(Space& space) {
  using Scope = typename Space::Scope;
  ModelStatistics statistics;
  for (std::uint32_t p = 0; p < Space::Procedures::kCount; ++p) {
    statistics.procedures.push_back(ReadSums(LoadSums<Scope>(space.procedures[p])));
    statistics.queues.push_back(
        {Scope::Word(space.waiting[p]).LoadRelaxed(), Space::Queues::Capacity()});
  }
  WorkerCounters& counters = space.counters;
  statistics.spills = Scope::Word(counters.given).LoadRelaxed();
  statistics.back_offs = Scope::Word(counters.back_offs).LoadRelaxed();
  statistics.draws.looks = Scope::Word(counters.looks).LoadRelaxed();
  statistics.draws.claims = Scope::Word(counters.claims).LoadRelaxed();
  statistics.draws.misses = Scope::Word(counters.misses).LoadRelaxed();
  statistics.held_ns = Scope::Word(counters.held_ns).LoadRelaxed();
  return statistics;
}

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_CPU_SPACE_COUNTERS_H_
