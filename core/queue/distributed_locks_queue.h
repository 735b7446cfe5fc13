// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Distributed-locks queue: a ring in which every slot carries the number of its turn.
//
// When to use: the default queue of a procedure; any number of producers and consumers.
// When not: order across producers matters beyond FIFO of tickets, or capacity is unknown.
// Progress: blocking per slot only. A thread that stops between its ticket and its publication
// holds up the one thread with the same slot's next turn, for a bounded time (kStuck).
// Atomics: push and pop cost 3 RMW each (a credit, a ticket, and a credit whose result is not
// awaited), 1 acquire load and 1 release store of the slot.
// Source: [Steinberger §4.2.4]. Deviates from it: the slot lock of the thesis is a flag (0 or 1),
// so that a slow consumer and a producer one lap ahead can mistake each other's flag; a turn number
// is unique for 2^31 laps (docs/adr/0003). And admission is by two credits, not by one count of
// elements (docs/adr/0007).
#ifndef WARPYARD_CORE_QUEUE_DISTRIBUTED_LOCKS_QUEUE_H_
#define WARPYARD_CORE_QUEUE_DISTRIBUTED_LOCKS_QUEUE_H_

#include <cstdint>
#include <type_traits>

#include "core/base/macros.h"
#include "core/exec/scope.h"
#include "core/queue/credit.h"
#include "core/queue/queue_concept.h"

namespace warpyard::queue {

/// @shape counters on memory of their own, then kCapacity slots; Reset before use
template <exec::ExecScope Scope, class ItemType, std::uint32_t kCapacity>
class DistributedLocksQueue {
 public:
  using Item = ItemType;
  static_assert(std::is_trivially_copyable_v<Item>);
  static_assert(kCapacity > 0 && (kCapacity & (kCapacity - 1)) == 0, "tickets wrap at 2^32");
  static_assert(kCapacity <= 1u << 30, "credits are counted in a signed word");

  /// Empties the queue; tickets start at `first_ticket` (tests start just below the wrap).
  /// @scope one thread, before any other uses the queue
  WY_HD void Reset(std::uint32_t first_ticket = 0) {
    free_.Reset(kCapacity);
    filled_.Reset(0);
    back_.ticket = first_ticket;
    front_.ticket = first_ticket;
    for (std::uint32_t i = 0; i < kCapacity; ++i) {
      const std::uint32_t ticket = first_ticket + i;
      slots_[ticket % kCapacity].turn = Turn(ticket);
    }
  }

  /// Adds an element. @scope any thread
  WY_HD PushResult TryPush(const Item& item) {
    if (free_.Take(1) == 0) return PushResult::kFull;
    const std::uint32_t ticket = Scope::Word(back_.ticket).FetchAddRelaxed(1);
    filled_.Give(1);  // a pop may take the credit now: it waits at the slot for the element
    Slot& slot = slots_[ticket % kCapacity];
    if (!AwaitTurn(slot, Turn(ticket), "push: the slot's last element is not read yet")) {
      return PushResult::kStuck;
    }
    slot.item = item;
    Scope::Word(slot.turn).StoreRelease(Turn(ticket) + 1);
    return PushResult::kOk;
  }

  /// Takes the oldest element. @scope any thread
  WY_HD PopResult TryPop(Item& item) {
    if (filled_.Approximate() == 0 || filled_.Take(1) == 0) return PopResult::kEmpty;
    const std::uint32_t ticket = Scope::Word(front_.ticket).FetchAddRelaxed(1);
    Slot& slot = slots_[ticket % kCapacity];
    if (!AwaitTurn(slot, Turn(ticket) + 1, "pop: the slot's element is not written yet")) {
      return PopResult::kStuck;
    }
    item = slot.item;
    Scope::Word(slot.turn).StoreRelease(Turn(ticket + kCapacity));
    free_.Give(1);
    return PopResult::kOk;
  }

  /// Number of elements now, except for operations under way. @scope any thread
  WY_HD std::uint32_t ApproximateSize() { return filled_.Approximate(); }

  WY_HD static constexpr std::uint32_t Capacity() { return kCapacity; }

 private:
  struct Slot {
    std::uint32_t turn;  // 2 * lap: free for the lap's push; 2 * lap + 1: full, for its pop
    Item item;
  };

  /// Even number of the lap that a ticket belongs to. The division is exact at the wrap of tickets
  /// because kCapacity divides 2^32, so `Turn(ticket + kCapacity)` is the next lap even there.
  WY_HD static std::uint32_t Turn(std::uint32_t ticket) { return 2 * (ticket / kCapacity); }

  WY_HD static bool AwaitTurn(Slot& slot, std::uint32_t turn, const char* reason) {
    return Scope::Wait(reason, [&] { return Scope::Word(slot.turn).LoadAcquire() == turn; });
  }

  struct alignas(Scope::kContendedBytes) Counter {
    std::uint32_t ticket = 0;
  };

  Credit<Scope> free_;
  Credit<Scope> filled_;
  Counter back_;
  Counter front_;
  alignas(128) Slot slots_[kCapacity] = {};
};

}  // namespace warpyard::queue

#endif  // WARPYARD_CORE_QUEUE_DISTRIBUTED_LOCKS_QUEUE_H_
