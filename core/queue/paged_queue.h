// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Paged queue: counters and a small table of pages; the elements lie in pages of a shared pool.
//
// When to use: many queues (buckets of a priority, one queue a procedure) of which few are long.
// When not: one queue whose length is known (SequenceRing: no table, no page to draw).
// Memory: an unused queue holds no page. A used one holds the pages of its elements, and normally
// one that it has begun. So a pool needs one page more than there are queues; otherwise all pages
// may be begun by other queues and the last one stays "full".
// Full: the queue has kCapacity elements, or no page is left. A refused push has changed nothing:
// it claims room before a ticket, and room exists only in pages that the pool has promised
// (docs/adr/0011).
// Progress: blocking, bounded. Per slot as in DistributedLocksQueue. A push that finds no room
// waits for the one thread that asks the pool for more; if that wait times out, the push reports
// full. A push to a new page waits for the thread that got the page's first slot.
// Atomics: a push costs 4 RMW, a pop 2 and its end 2, for any number of elements that one thread
// claims for its warp or block, and 1 more for each further page that the claim touches; each slot
// costs 2 loads and 1 store a side. A page costs about 8 more, once for its kPageSlots elements.
// Source: [Steinberger §4.4.4]. Deviates from it: one thread gets the promise of pages for all
// waiting pushes before they take tickets; the table's entries and the pages' slots carry turns;
// and admission is by credits (docs/adr/0011).
// An element that stands for other memory needs Scope::OrderBeforePut before Put and OrderAfterGet
// after Get, as in SequenceRing.
#ifndef WARPYARD_CORE_QUEUE_PAGED_QUEUE_H_
#define WARPYARD_CORE_QUEUE_PAGED_QUEUE_H_

#include <bit>
#include <cstdint>
#include <type_traits>

#include "core/base/macros.h"
#include "core/exec/packed_slot.h"
#include "core/exec/scope.h"
#include "core/queue/claim.h"
#include "core/queue/credit.h"
#include "core/queue/page_pool.h"
#include "core/queue/queue_concept.h"

namespace warpyard::queue {

/// @shape counters on memory of their own, then the table; Reset before use
/// @shape kCapacity: elements that fit at most, where the pool has pages for them
template <exec::ExecScope Scope, class ItemType, class Pool, std::uint32_t kCapacity>
class PagedQueue {
 public:
  using Item = ItemType;
  static constexpr std::uint32_t kPageSlots = Pool::kPageSlots;
  /// Pages that kCapacity elements in a row touch at most; a power of two.
  static constexpr std::uint32_t kTablePages = std::bit_ceil(kCapacity / kPageSlots + 2);
  static_assert(std::is_trivially_copyable_v<Item> && sizeof(Item) <= 12);
  static_assert(kCapacity > 0 && kCapacity <= 1u << 29);

  /// Empties the queue; it forgets pages that it held, so the pool is to be reset too. Tickets
  /// start at the page of `first_ticket`. @scope one thread, before any other uses the queue
  WY_HD void Reset(Pool& pool, std::uint32_t first_ticket = 0) {
    first_ticket -= first_ticket % kPageSlots;
    pool_ = &pool;
    free_.Reset(kCapacity);
    room_.Reset(0);
    filled_.Reset(0);
    gate_.held = demand_.elements = 0;
    back_.ticket = front_.ticket = first_ticket;
    for (std::uint32_t i = 0; i < kTablePages; ++i) {
      const std::uint32_t ticket = first_ticket + i * kPageSlots;
      EntryOf(ticket) = {Turn(ticket), {0, 0, 0}};
    }
  }

  /// Claims places for `wanted` elements, or none; each must then be Put. The view is not used: the
  /// parameter is that of SequenceRing. @scope one thread for many
  WY_HD Claim ReservePush(std::uint32_t wanted, ProducerView&) {
    if (!TakeAll(free_, wanted)) return {0, 0};
    if (!TakeRoom(wanted)) {
      free_.Give(wanted);
      return {0, 0};
    }
    const std::uint32_t first = Scope::Word(back_.ticket).FetchAddRelaxed(wanted);
    filled_.Give(wanted);  // a pop may claim them now: it waits at their slots
    return {first, wanted};
  }

  /// Writes the element of a claimed place. @errors kStuck. @scope any thread, once a ticket; one
  /// thread Puts its tickets in their order
  WY_HD PushResult Put(std::uint32_t ticket, const Item& item) {
    PageRef page{};
    const bool first = ticket % kPageSlots == 0;
    if (!(first ? EnterPage(ticket, page) : AwaitPage(ticket, page))) return PushResult::kStuck;
    return pool_->Write(page, ticket % kPageSlots, item);
  }

  /// Claims up to `wanted` elements; each must then be Got, and FinishPop called for them. Look at
  /// ApproximateSize first when polling. No thread that Gets of the claim may push before
  /// FinishPop: the push may wait for a page that the claim has yet to free.
  /// @scope one thread for many
  WY_HD Claim ReservePop(std::uint32_t wanted) {
    const std::uint32_t count = filled_.Take(wanted);
    if (count == 0) return {0, 0};
    return {Scope::Word(front_.ticket).FetchAddRelaxed(count), count};
  }

  /// Reads a claimed element. @errors kStuck. @scope any thread, once a ticket
  WY_HD PopResult Get(std::uint32_t ticket, Item& item) {
    PageRef page{};
    if (!AwaitPage(ticket, page)) return PopResult::kStuck;
    return pool_->Read(page, ticket % kPageSlots, item);
  }

  /// Returns the pages whose last elements were of the claim, and gives room to producers. @scope
  /// one thread for many, after all elements of the claim were Got and before any of these threads
  /// pushes again
  WY_HD void FinishPop(const Claim& claim) {
    for (std::uint32_t done = 0; done < claim.count;) {
      const std::uint32_t ticket = claim.first + done;
      const std::uint32_t on_page = kPageSlots - ticket % kPageSlots;
      const std::uint32_t left = claim.count - done;
      const std::uint32_t count = on_page < left ? on_page : left;
      FinishOnPage(ticket, count);
      done += count;
    }
    free_.Give(claim.count);  // last, so that a push with this credit finds the returned pages
  }

  WY_HD PushResult TryPush(const Item& item) { return PushOne(*this, item); }
  WY_HD PopResult TryPop(Item& item) { return PopOne(*this, item); }

  WY_HD std::uint32_t ApproximateSize() { return filled_.Approximate(); }
  WY_HD static constexpr std::uint32_t Capacity() { return kCapacity; }

 private:
  static constexpr std::uint32_t kLapTickets = kTablePages * kPageSlots;
  /// How often a push looks for room if others take the room first; then it reports full.
  static constexpr std::uint32_t kRoomAttempts = 16;

  struct alignas(Scope::kContendedBytes) Counter {
    std::uint32_t ticket = 0;
  };

  /// The gate: only one thread at a time asks the pool for pages.
  struct alignas(Scope::kContendedBytes) Gate {
    std::uint32_t held = 0;
  };

  /// Elements of all pushes that wait at the gate.
  struct alignas(Scope::kContendedBytes) Demand {
    std::uint32_t elements = 0;
  };

  WY_HD exec::PackedSlot& EntryOf(std::uint32_t ticket) {
    return table_[ticket / kPageSlots % kTablePages];
  }

  /// The even number of a ticket's lap around the table; the next odd number means that the
  /// ticket's page is entered. Exact at the wrap of tickets, since kLapTickets is a power of two.
  WY_HD static std::uint32_t Turn(std::uint32_t ticket) { return 2 * (ticket / kLapTickets); }

  /// Takes all or none. Looks first: a failed take lowers the credit for all other threads for a
  /// moment.
  WY_HD static bool TakeAll(Credit<Scope>& credit, std::uint32_t wanted) {
    if (credit.Approximate() < wanted) return false;
    const std::uint32_t taken = credit.Take(wanted);
    if (taken == wanted) return true;
    if (taken > 0) credit.Give(taken);
    return false;
  }

  /// Takes room in promised pages, and asks for more pages where there is too little; all or none.
  WY_HD bool TakeRoom(std::uint32_t wanted) {
    const auto held = Scope::Word(gate_.held);
    const auto demand = Scope::Word(demand_.elements);
    for (std::uint32_t attempt = 0; attempt < kRoomAttempts; ++attempt) {
      if (TakeAll(room_, wanted)) return true;
      if (held.LoadRelaxed() == 0 && held.ExchangeAcqRel(1) == 0) {
        const bool enough = TakeAndAsk(wanted);
        held.StoreRelease(0);
        return enough;
      }
      demand.FetchAddRelaxed(wanted);
      const bool changed = Scope::Wait("push: another thread asks for pages", [&] {
        return held.LoadRelaxed() == 0 || room_.Approximate() >= wanted;
      });
      demand.FetchSubRelaxed(wanted);
      if (!changed) return false;
    }
    return false;
  }

  /// Takes room for this push, and makes some for the waiting ones. @scope the holder of the gate
  WY_HD bool TakeAndAsk(std::uint32_t wanted) {
    const std::uint32_t have = room_.Take(wanted);
    if (have == wanted) return true;
    // In this order the demand is not overestimated: a push that leaves in between took room seen
    // here.
    const std::uint32_t room = room_.Approximate();
    const std::uint32_t demand = Scope::Word(demand_.elements).LoadAcquire();
    const std::uint32_t missing = wanted - have + (demand > room ? demand - room : 0);
    const std::uint32_t pages = pool_->Reserve((missing + kPageSlots - 1) / kPageSlots);
    const bool enough = have + pages * kPageSlots >= wanted;
    if (!enough && pages > 0) pool_->Unreserve(pages);  // other queues may need these pages
    const std::uint32_t over = enough ? have + pages * kPageSlots - wanted : have;
    if (over > 0) room_.Give(over);
    return enough;
  }

  /// Draws the page that was promised for a ticket and the ones after it, and enters it in the
  /// table. The table may still hold the page of one lap ago, but only for a pop under way:
  /// kCapacity keeps the tickets that no pop has claimed from reaching round the table.
  WY_HD bool EnterPage(std::uint32_t ticket, PageRef& page) {
    exec::PackedSlot& entry = EntryOf(ticket);
    const bool left = Scope::Wait("push: the table's last page here is not read yet",
                                  [&] { return Scope::LoadSlotTurn(entry) == Turn(ticket); });
    if (!left || pool_->Draw(page) != PopResult::kOk) return false;
    Scope::StoreSlot(entry, {Turn(ticket) + 1, {page.page, page.generation, 0}});
    return true;
  }

  /// The page of a claimed ticket. The thread with the page's first slot enters it in the table,
  /// where it stays until the ticket's element is popped.
  WY_HD bool AwaitPage(std::uint32_t ticket, PageRef& page) {
    exec::PackedSlot found{};
    const bool entered = Scope::Wait("the page is not in the table yet", [&] {
      found = Scope::LoadSlot(EntryOf(ticket));
      return found.turn == Turn(ticket) + 1;
    });
    page = {found.payload[0], found.payload[1]};
    return entered;
  }

  /// @shape `count` tickets from `ticket` on, of one page
  WY_HD void FinishOnPage(std::uint32_t ticket, std::uint32_t count) {
    PageRef page{};
    if (!AwaitPage(ticket, page) || !pool_->CountPopped(page, count)) return;
    Scope::StoreSlotTurn(EntryOf(ticket), Turn(ticket + kLapTickets));
    pool_->Return(page);
  }

  Pool* pool_ = nullptr;
  Credit<Scope> free_;    // elements that may be added
  Credit<Scope> room_;    // places in promised pages, not taken by a ticket
  Credit<Scope> filled_;  // elements that may be taken
  Counter back_;
  Counter front_;
  Gate gate_;
  Demand demand_;
  alignas(128) exec::PackedSlot table_[kTablePages] = {};
};

}  // namespace warpyard::queue

#endif  // WARPYARD_CORE_QUEUE_PAGED_QUEUE_H_
