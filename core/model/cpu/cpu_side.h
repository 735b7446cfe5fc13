// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What the worker threads of a CPU and the callers of Run share.
#ifndef WARPYARD_CORE_MODEL_CPU_CPU_SIDE_H_
#define WARPYARD_CORE_MODEL_CPU_CPU_SIDE_H_

#include <cstdint>
#include <memory>

#include "core/model/cpu/event_callers.h"
#include "core/model/cpu/occasional_ranks.h"
#include "core/model/cpu/worker_sleep.h"
#include "core/model/event/event_table.h"
#include "core/policy/policy.h"

namespace warpyard::model {

template <class Space>
struct CpuSide {
  using Scope = typename Space::Scope;

  const std::unique_ptr<Space> space = std::make_unique<Space>();
  mutable OccasionalRanks<Space> ranks;  // has a lock of its own
  EventCallers callers{};
  WorkerSleep sleep{};

  explicit CpuSide(const policy::PolicyOptions& policy) : ranks(*space, policy) {
    space->Reset(0, 1);
  }

  void SetState(std::uint32_t slot, EventState state) {
    Scope::Word(space->events[slot].state).StoreRelease(static_cast<std::uint32_t>(state));
  }
  bool IsDone(std::uint32_t slot) const {
    return Scope::Word(space->events[slot].state).LoadAcquire() ==
           static_cast<std::uint32_t>(EventState::kDone);
  }

  /// Tells the workers how many events run. @scope one thread at a time
  void SetRunning(std::uint32_t events) {
    Scope::Word(space->event_counts.running).StoreRelaxed(events);
  }
  bool AnyRuns() const { return Scope::Word(space->event_counts.running).LoadRelaxed() != 0; }
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_CPU_CPU_SIDE_H_
