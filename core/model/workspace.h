// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What the workers of one device share: queues, the table of events, statistics.
#ifndef WARPYARD_CORE_MODEL_WORKSPACE_H_
#define WARPYARD_CORE_MODEL_WORKSPACE_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/strategy/per_procedure.h"

namespace warpyard::model {

/// States of an event slot. The host moves kFree -> kRunning; the worker that finishes the last
/// element moves kRunning -> kDone; the host reads the result and moves kDone -> kFree.
enum class EventState : std::uint32_t { kFree, kRunning, kDone };

/// A running job on the device. [Steinberger §3.1]
template <class Program>
struct Event {
  typename Program::Job job;
  std::uint32_t state;        ///< EventState
  std::uint32_t stage;        ///< written by the worker that starts the stage
  std::uint32_t outstanding;  ///< elements of the stage that are queued or running
  std::uint32_t cancel;       ///< set by the host: elements are dropped when drawn, stages skipped
  std::uint64_t begin_ns[Program::kMaxStages + 1];  ///< of each stage; the last entry is the end
};

/// What is queued: an index range of the current stage of an event.
struct Element {
  std::uint32_t event;
  std::uint32_t begin;
  std::uint32_t end;
};

struct ProcedureCounters {
  std::uint64_t executed;
  std::uint64_t busy_ns;
};

/// @shape zero-initialised memory that all workers reach; call Reset before use
template <class Scope, class Program>
struct Workspace {
  static constexpr std::uint32_t kProcedures = Program::Procedures::kCount;
  static constexpr std::uint32_t kQueueCapacity = 4096;
  static constexpr std::uint32_t kMaxEvents = 8;

  using Queues = strategy::PerProcedure<Scope, Element, kProcedures, kQueueCapacity>;

  Queues queues;
  Event<Program> events[kMaxEvents];
  ProcedureCounters procedures[kProcedures];
  /// Not 0: a bounded wait ran out (a worker died inside a queue); all workers stop.
  std::uint32_t stuck;

  WY_HD void Reset() {
    queues.Reset();
    stuck = 0;
  }
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_WORKSPACE_H_
