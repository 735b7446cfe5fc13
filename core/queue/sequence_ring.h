// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Sequence ring: a ring of 16-byte slots that carry their turn number and their element in one
// word.
//
// When to use: elements of at most 12 bytes, where the cost of a claim decides.
// When not: larger elements (queue an index), or a host without 16-byte loads that are single-copy
// atomic (the CPU scopes publish word by word instead; same protocol, no gain).
// Progress: blocking per slot, bounded, as in DistributedLocksQueue.
// Atomics: push and pop 3 RMW each (credit, ticket, and a credit that nobody waits for), for any
// number of elements that one thread claims for its warp or block; 1 load and 1 store a slot.
// Source: ours, after [Steinberger §4.2.4, §4.4.1-4.4.3]: warp-aggregated enqueue, combined dequeue
// and vector writes are the two halves of each operation, Reserve (one thread for many) and Put or
// Get (each thread for itself).
#ifndef WARPYARD_CORE_QUEUE_SEQUENCE_RING_H_
#define WARPYARD_CORE_QUEUE_SEQUENCE_RING_H_

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "core/base/macros.h"
#include "core/exec/packed_slot.h"
#include "core/exec/scope.h"
#include "core/queue/credit.h"
#include "core/queue/queue_concept.h"

namespace warpyard::queue {

/// Consecutive tickets [first, first + count), modulo 2^32.
struct Claim {
  std::uint32_t first;
  std::uint32_t count;
};

/// @shape 128-byte lines of counters, then kCapacity slots; Reset before use
template <exec::ExecScope Scope, class ItemType, std::uint32_t kCapacity>
class SequenceRing {
 public:
  using Item = ItemType;
  static_assert(std::is_trivially_copyable_v<Item> && sizeof(Item) <= 12);
  static_assert(kCapacity > 0 && (kCapacity & (kCapacity - 1)) == 0, "tickets wrap at 2^32");
  static_assert(kCapacity <= 1u << 30, "credits are counted in a signed word");

  /// Empties the queue. @scope one thread, before any other uses the queue
  WY_HD void Reset(std::uint32_t first_ticket = 0) {
    free_.Reset(kCapacity);
    filled_.Reset(0);
    back_.ticket = front_.ticket = first_ticket;
    for (std::uint32_t i = 0; i < kCapacity; ++i) {
      const std::uint32_t ticket = first_ticket + i;
      slots_[ticket % kCapacity] = {Turn(ticket), {0, 0, 0}};
    }
  }

  /// Claims places for up to `wanted` elements; each must then be Put. @scope one thread for many
  WY_HD Claim ReservePush(std::uint32_t wanted) {
    const std::uint32_t count = free_.Take(wanted);
    if (count == 0) return {0, 0};
    const std::uint32_t first = Scope::Word(back_.ticket).FetchAddRelaxed(count);
    filled_.Give(count);  // a pop may draw them now: it waits at the slot until they are there
    return {first, count};
  }

  /// Writes the element of a claimed place. @errors kStuck. @scope any thread, once a ticket
  WY_HD PushResult Put(std::uint32_t ticket, const Item& item) {
    exec::PackedSlot& slot = slots_[ticket % kCapacity];
    const bool drained = Scope::Wait("push: the slot's last element is not read yet",
                                     [&] { return Scope::LoadSlotTurn(slot) == Turn(ticket); });
    if (!drained) return PushResult::kStuck;
    exec::PackedSlot full{Turn(ticket) + 1, {0, 0, 0}};
    memcpy(full.payload, &item, sizeof(Item));
    Scope::StoreSlot(slot, full);
    return PushResult::kOk;
  }

  /// Claims up to `wanted` elements; each must then be Got, and FinishPop called for them.
  WY_HD Claim ReservePop(std::uint32_t wanted) {
    const std::uint32_t count = filled_.Take(wanted);
    if (count == 0) return {0, 0};
    return {Scope::Word(front_.ticket).FetchAddRelaxed(count), count};
  }

  /// Reads a claimed element and frees its slot. @errors kStuck. @scope any thread, once a ticket
  WY_HD PopResult Get(std::uint32_t ticket, Item& item) {
    exec::PackedSlot& slot = slots_[ticket % kCapacity];
    exec::PackedSlot found;
    const bool written = Scope::Wait("pop: the slot's element is not written yet", [&] {
      found = Scope::LoadSlot(slot);
      return found.turn == Turn(ticket) + 1;
    });
    if (!written) return PopResult::kStuck;
    memcpy(&item, found.payload, sizeof(Item));
    Scope::StoreSlotTurn(slot, Turn(ticket + kCapacity));
    return PopResult::kOk;
  }

  /// Gives `count` places back to pushes, after Get or while others still Get.
  WY_HD void FinishPop(std::uint32_t count) { free_.Give(count); }

  /// Adds an element. @scope any thread
  WY_HD PushResult TryPush(const Item& item) {
    const Claim claim = ReservePush(1);
    return claim.count == 0 ? PushResult::kFull : Put(claim.first, item);
  }

  /// Takes the oldest element. @scope any thread
  WY_HD PopResult TryPop(Item& item) {
    const Claim claim = ReservePop(1);
    if (claim.count == 0) return PopResult::kEmpty;
    const PopResult result = Get(claim.first, item);
    FinishPop(1);
    return result;
  }

  WY_HD std::uint32_t ApproximateSize() { return filled_.Approximate(); }
  WY_HD static constexpr std::uint32_t Capacity() { return kCapacity; }

 private:
  /// Even number of the lap that a ticket belongs to; exact at the wrap of tickets.
  WY_HD static std::uint32_t Turn(std::uint32_t ticket) { return 2 * (ticket / kCapacity); }

  struct alignas(128) Counter {
    std::uint32_t ticket = 0;
  };

  Credit<Scope> free_;
  Credit<Scope> filled_;
  Counter back_;
  Counter front_;
  alignas(128) exec::PackedSlot slots_[kCapacity] = {};
};

}  // namespace warpyard::queue

#endif  // WARPYARD_CORE_QUEUE_SEQUENCE_RING_H_
