// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What every execution model offers to the engine.
#ifndef WARPYARD_CORE_MODEL_EXECUTION_MODEL_H_
#define WARPYARD_CORE_MODEL_EXECUTION_MODEL_H_

#include <cstdint>
#include <vector>

#include "core/model/workspace.h"
#include "core/procedure/event_runner.h"

namespace warpyard::model {

/// Fill level of one queue of the workers.
struct QueueFill {
  std::uint32_t size;
  std::uint32_t capacity;
};

/// Runs the events of a program on one device.
template <class Program>
class ExecutionModel : public procedure::EventRunner<typename Program::Job> {
 public:
  /// Events that may run at the same time; more callers wait.
  virtual std::uint32_t MaxEvents() const = 0;

  /// @shape one entry a procedure of the program, in its order
  virtual std::vector<ProcedureCounters> Counters() const = 0;
  virtual std::vector<QueueFill> QueueFills() const = 0;
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_EXECUTION_MODEL_H_
