// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Sequence ring: a ring of 16-byte slots that carry their turn number and their element in one
// word.
//
// When to use: elements of at most 12 bytes, where the cost of a claim decides.
// When not: larger elements (queue an index). On scopes without 16-byte accesses that are
// single-copy atomic, slots are published word by word: the same protocol without the gain.
// Progress: blocking per slot, bounded, as in DistributedLocksQueue.
// Atomics: a push costs 1 RMW, a pop 2, for any number of elements that one thread claims for its
// warp or block, and each 1 RMW more whose result is not awaited; each slot costs 1 load and 1
// store a side.
// Source: ours, after [Steinberger §4.2.4, §4.4.1-4.4.3]: warp-aggregated enqueue, combined dequeue
// and vector writes become the two halves of each operation: Reserve (one thread for many) and Put
// or Get (each thread for itself).
//
// Admission of pushes costs no atomic: a producer keeps its last view of the queue (ProducerView)
// and looks again only when that view says full. A stale view can let its producer push one claim
// too many, so the ring has kSlack physical slots more than its capacity, for all claims that can
// be under way at once. Pops are admitted by a credit (credit.h): no slack can replace an element
// that does not exist.
//
// On a device a slot publishes its element alone. For an element that stands for other memory, the
// thread that Puts it calls Scope::OrderBeforePut first, and the thread that Gets it calls
// Scope::OrderAfterGet afterwards (scope.h). On scopes that publish slots word by word, the release
// and the acquire of the slot order other memory too, and the two calls do nothing.
#ifndef WARPYARD_CORE_QUEUE_SEQUENCE_RING_H_
#define WARPYARD_CORE_QUEUE_SEQUENCE_RING_H_

#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "core/base/macros.h"
#include "core/exec/packed_slot.h"
#include "core/exec/scope.h"
#include "core/queue/claim.h"
#include "core/queue/credit.h"
#include "core/queue/queue_concept.h"

namespace warpyard::queue {

/// @shape counters on memory of their own, then the slots; Reset before use
/// @shape kCapacity: elements that are sure to fit; kSlack: elements of all claims that can be
/// under way at once (producers times their largest claim)
template <exec::ExecScope Scope, class ItemType, std::uint32_t kCapacity, std::uint32_t kSlack>
class SequenceRing {
 public:
  using Item = ItemType;
  static constexpr std::uint32_t kSlots = std::bit_ceil(kCapacity + kSlack);
  static_assert(std::is_trivially_copyable_v<Item> && sizeof(Item) <= 12);
  static_assert(kCapacity > 0 && kCapacity <= 1u << 29 && kSlack <= 1u << 29);

  /// Empties the queue. @scope one thread, before any other uses the queue
  WY_HD void Reset(std::uint32_t first_ticket = 0) {
    filled_.Reset(0);
    back_.ticket = front_.ticket = drained_.ticket = first_ticket;
    for (std::uint32_t i = 0; i < kSlots; ++i) {
      const std::uint32_t ticket = first_ticket + i;
      slots_[ticket % kSlots] = {Turn(ticket), {0, 0, 0}};
    }
  }

  /// Claims places for `wanted` elements, or none; each must then be Put. @scope one thread for
  /// many
  WY_HD Claim ReservePush(std::uint32_t wanted, ProducerView& view) {
    if (!view.known && !Look(view)) return {0, 0};
    const std::uint32_t first = Scope::Word(back_.ticket).FetchAddRelaxed(wanted);
    filled_.Give(wanted);  // a pop may claim them now: it waits at their slots
    view.known = IsRoomUpTo(view.room_end, first + wanted);
    return {first, wanted};
  }

  /// Writes the element of a claimed place. @errors kStuck. @scope any thread, once a ticket
  WY_HD PushResult Put(std::uint32_t ticket, const Item& item) {
    exec::PackedSlot& slot = slots_[ticket % kSlots];
    const bool drained = Scope::Wait("push: the slot's last element is not read yet",
                                     [&] { return Scope::LoadSlotTurn(slot) == Turn(ticket); });
    if (!drained) return PushResult::kStuck;
    exec::PackedSlot full{Turn(ticket) + 1, {0, 0, 0}};
    memcpy(full.payload, &item, sizeof(Item));
    Scope::StoreSlot(slot, full);
    return PushResult::kOk;
  }

  /// Claims up to `wanted` elements; each must then be Got, and FinishPop called for them. Look at
  /// ApproximateSize first when polling. No thread that Gets of the claim may push before
  /// FinishPop: the push may wait for a slot that the claim has yet to free.
  /// @scope one thread for many
  WY_HD Claim ReservePop(std::uint32_t wanted) {
    const std::uint32_t count = filled_.Take(wanted);
    if (count == 0) return {0, 0};
    return {Scope::Word(front_.ticket).FetchAddRelaxed(count), count};
  }

  /// Reads a claimed element and frees its slot. @errors kStuck. @scope any thread, once a ticket
  WY_HD PopResult Get(std::uint32_t ticket, Item& item) {
    exec::PackedSlot& slot = slots_[ticket % kSlots];
    exec::PackedSlot found{};
    const bool written = Scope::Wait("pop: the slot's element is not written yet", [&] {
      found = Scope::LoadSlot(slot);
      return found.turn == Turn(ticket) + 1;
    });
    if (!written) return PopResult::kStuck;
    memcpy(&item, found.payload, sizeof(Item));
    Scope::StoreSlotTurn(slot, Turn(ticket + kSlots));
    return PopResult::kOk;
  }

  /// Tells producers of `count` more elements that were Got. @scope one thread for many
  WY_HD void FinishPop(std::uint32_t count) { Scope::Word(drained_.ticket).FetchAddRelaxed(count); }
  WY_HD void FinishPop(const Claim& claim) { FinishPop(claim.count); }

  WY_HD PushResult TryPush(const Item& item) { return PushOne(*this, item); }
  WY_HD PopResult TryPop(Item& item) { return PopOne(*this, item); }

  WY_HD std::uint32_t ApproximateSize() { return filled_.Approximate(); }
  WY_HD static constexpr std::uint32_t Capacity() { return kCapacity; }

 private:
  struct alignas(Scope::kContendedBytes) Counter {
    std::uint32_t ticket = 0;
  };

  /// Even number of the lap that a ticket belongs to; exact at the wrap of tickets, since kSlots is
  /// a power of two.
  WY_HD static std::uint32_t Turn(std::uint32_t ticket) { return 2 * (ticket / kSlots); }

  /// Whether `ticket`, the end of a claim, lies before the end of the room. While the view is fresh
  /// the distance is at most the capacity. A view is too old when the distance is larger: other
  /// producers took more tickets than a signed difference can tell apart.
  WY_HD static bool IsRoomUpTo(std::uint32_t room_end, std::uint32_t ticket) {
    return room_end - ticket - 1 < kCapacity;
  }

  /// Renews a view; false when the queue is full.
  WY_HD bool Look(ProducerView& view) {
    // In this order the room can only be underestimated: elements that are drained in between do
    // not count.
    const std::uint32_t drained = Scope::Word(drained_.ticket).LoadAcquire();
    view.room_end = drained + kCapacity;
    view.known = IsRoomUpTo(view.room_end, Scope::Word(back_.ticket).LoadRelaxed());
    return view.known;
  }

  Credit<Scope> filled_;
  Counter back_;
  Counter front_;
  Counter drained_;  // elements Got so far, counted from the first ticket
  alignas(128) exec::PackedSlot slots_[kSlots] = {};
};

}  // namespace warpyard::queue

#endif  // WARPYARD_CORE_QUEUE_SEQUENCE_RING_H_
