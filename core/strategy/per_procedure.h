// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Queuing strategy: one queue for each procedure. [Steinberger §5.1]
//
// A block that draws gets elements of one procedure, so that its threads do the same thing. Later
// procedures of the list are looked at first: work that is nearly done finishes before new work
// starts, which bounds what is queued between.
#ifndef WARPYARD_CORE_STRATEGY_PER_PROCEDURE_H_
#define WARPYARD_CORE_STRATEGY_PER_PROCEDURE_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/queue/distributed_locks_queue.h"
#include "core/queue/queue_concept.h"

namespace warpyard::strategy {

/// A drawn element and the procedure that it is for.
template <class Element>
struct Drawn {
  std::uint32_t procedure;
  Element element;
};

/// @shape kProcedures queues of kCapacity elements
template <class Scope, class Element, std::uint32_t kProcedures, std::uint32_t kCapacity>
class PerProcedure {
 public:
  using Queue = queue::DistributedLocksQueue<Scope, Element, kCapacity>;
  static_assert(queue::DeviceQueue<Queue>);

  /// Empties all queues. @scope one thread, before any other uses them
  WY_HD void Reset() {
    for (Queue& queue : queues_) queue.Reset();
  }

  WY_HD queue::PushResult TryPush(std::uint32_t procedure, const Element& element) {
    return queues_[procedure].TryPush(element);
  }

  /// kEmpty: no queue had an element at the moment it was looked at.
  WY_HD queue::PopResult TryDraw(Drawn<Element>& drawn) {
    for (std::uint32_t p = kProcedures; p-- > 0;) {
      const queue::PopResult result = queues_[p].TryPop(drawn.element);
      if (result == queue::PopResult::kEmpty) continue;
      drawn.procedure = p;
      return result;
    }
    return queue::PopResult::kEmpty;
  }

  WY_HD std::uint32_t ApproximateSize(std::uint32_t procedure) {
    return queues_[procedure].ApproximateSize();
  }

 private:
  Queue queues_[kProcedures];
};

}  // namespace warpyard::strategy

#endif  // WARPYARD_CORE_STRATEGY_PER_PROCEDURE_H_
