// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Distributed-locks queue: a ring in which every slot carries the number of its turn.
//
// When to use: the default queue of a procedure; any number of producers and consumers.
// When not: order across producers matters beyond FIFO of tickets, or capacity is unknown.
// Progress: blocking per slot only. A thread that stops between its ticket and its publication
// holds up the one thread that drew the same slot's next turn, for a bounded time (kStuck).
// Atomics: push and pop 2 RMW each (admission by compare-and-swap, ticket), 1 acquire load and 1
// release store of the slot. Source: [Steinberger §4.2.4]. Deviates from it: the thesis' slot lock
// is a flag (0 or 1), so a slow consumer and a producer one lap ahead can mistake each other's
// flag; a turn number cannot be mistaken before 2^31 laps (docs/adr/0003). And admission is a
// compare-and-swap, not an add that is undone: in the moment before a refused push takes its unit
// back, one pop too many could be admitted and would wait for an element that nobody is writing.
#ifndef WARPYARD_CORE_QUEUE_DISTRIBUTED_LOCKS_QUEUE_H_
#define WARPYARD_CORE_QUEUE_DISTRIBUTED_LOCKS_QUEUE_H_

#include <cstdint>
#include <type_traits>

#include "core/base/macros.h"
#include "core/exec/scope.h"
#include "core/queue/queue_concept.h"

namespace warpyard::queue {

/// @shape a multiple of 128 bytes, then kCapacity slots; all zero (or Reset) before use
template <exec::ExecScope Scope, class ItemType, std::uint32_t kCapacity>
class DistributedLocksQueue {
 public:
  using Item = ItemType;
  static_assert(std::is_trivially_copyable_v<Item>);
  static_assert(kCapacity > 0 && (kCapacity & (kCapacity - 1)) == 0, "tickets wrap at 2^32");
  static_assert(kCapacity <= 1u << 30, "admission counts in a signed word");

  /// Empties the queue; tickets start at `first_ticket` (tests start just below the wrap).
  /// @scope one thread, before any other uses the queue
  WY_HD void Reset(std::uint32_t first_ticket = 0) {
    size_ = 0;
    back_ = first_ticket;
    front_ = first_ticket;
    for (std::uint32_t i = 0; i < kCapacity; ++i) {
      const std::uint32_t ticket = first_ticket + i;
      slots_[ticket % kCapacity].turn = Turn(ticket);
    }
  }

  /// Adds an element. @scope any thread
  WY_HD PushResult TryPush(const Item& item) {
    if (!Admit(+1)) return PushResult::kFull;
    const std::uint32_t ticket = Scope::Word(back_).FetchAddRelaxed(1);
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
    if (!Admit(-1)) return PopResult::kEmpty;
    const std::uint32_t ticket = Scope::Word(front_).FetchAddRelaxed(1);
    Slot& slot = slots_[ticket % kCapacity];
    if (!AwaitTurn(slot, Turn(ticket) + 1, "pop: the slot's element is not written yet")) {
      return PopResult::kStuck;
    }
    item = slot.item;
    Scope::Word(slot.turn).StoreRelease(Turn(ticket + kCapacity));
    return PopResult::kOk;
  }

  /// Elements now, give or take the operations under way. @scope any thread
  WY_HD std::uint32_t ApproximateSize() {
    const std::int32_t size = Scope::Word(size_).LoadRelaxed();
    return size > 0 ? static_cast<std::uint32_t>(size) : 0;
  }

  WY_HD static constexpr std::uint32_t Capacity() { return kCapacity; }

 private:
  struct Slot {
    std::uint32_t turn;  // 2 * lap: free for the lap's push; 2 * lap + 1: full, for its pop
    Item item;
  };

  /// Even number of the lap that a ticket belongs to. The division is exact at the wrap of tickets
  /// because kCapacity divides 2^32, so `Turn(ticket + kCapacity)` is the next lap even there.
  WY_HD static std::uint32_t Turn(std::uint32_t ticket) { return 2 * (ticket / kCapacity); }

  /// Step 1: count the element in or out, or refuse. What was admitted is sure to find a slot, or
  /// an element, that another thread has at least begun to provide.
  WY_HD bool Admit(std::int32_t change) {
    std::int32_t before = Scope::Word(size_).LoadRelaxed();
    while (true) {
      const std::int32_t after = before + change;
      if (after < 0 || after > static_cast<std::int32_t>(kCapacity)) return false;
      if (Scope::Word(size_).CompareExchangeRelaxed(before, after)) return true;
    }
  }

  WY_HD static bool AwaitTurn(Slot& slot, std::uint32_t turn, const char* reason) {
    return Scope::Wait(reason, [&] { return Scope::Word(slot.turn).LoadAcquire() == turn; });
  }

  alignas(128) std::int32_t size_ = 0;  // hot words on lines of their own
  alignas(128) std::uint32_t back_ = 0;
  alignas(128) std::uint32_t front_ = 0;
  alignas(128) Slot slots_[kCapacity] = {};
};

}  // namespace warpyard::queue

#endif  // WARPYARD_CORE_QUEUE_DISTRIBUTED_LOCKS_QUEUE_H_
