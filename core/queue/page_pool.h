// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Page pool: pages of slots that many queues draw from and return to.
//
// When to use: beneath PagedQueue.
// Pages hold slots of one kind (packed_slot.h: a turn and 12 bytes), so queues of different
// elements can share a pool. The turn of a slot follows from its page's *generation*, the number of
// times that the page was returned: 2 * generation means free, 2 * generation + 1 full. It depends
// neither on the queue that holds the page nor on its tickets, so a slot that another queue used
// earlier cannot be mistaken: it has the turn of an earlier generation. A slot is written only
// after the last generation's element was read (its turn says so), and read only after this
// generation's was written. So slots order themselves, and a page changes hands without being
// cleared. The free list stores the generation with the page's number.
// Atomics: Reserve costs 1 RMW for any number of pages, Draw 2, Return 1, CountPopped 1; plus 1 of
// Draw and 2 of Return whose result is not awaited.
// Source: [Steinberger §4.4.4]; generations and promises ours (docs/adr/0011).
#ifndef WARPYARD_CORE_QUEUE_PAGE_POOL_H_
#define WARPYARD_CORE_QUEUE_PAGE_POOL_H_

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "core/base/macros.h"
#include "core/exec/packed_slot.h"
#include "core/exec/scope.h"
#include "core/queue/credit.h"
#include "core/queue/queue_concept.h"
#include "core/queue/sequence_ring.h"

namespace warpyard::queue {

/// A page and its generation, from Draw to Return.
struct PageRef {
  std::uint32_t page;
  std::uint32_t generation;
};

/// @shape the free list, then kPageCount pages of kSlotsOfPage slots; Reset before use
template <exec::ExecScope Scope, std::uint32_t kSlotsOfPage, std::uint32_t kPageCount>
class PagePool {
 public:
  static constexpr std::uint32_t kPageSlots = kSlotsOfPage;
  static constexpr std::uint32_t kPages = kPageCount;
  static_assert(kPageSlots > 0 && (kPageSlots & (kPageSlots - 1)) == 0, "tickets wrap at 2^32");

  /// Makes all pages free; generations start at `first_generation` (tests start just below the
  /// wrap of turns). @scope one thread, before any other uses the pool
  WY_HD void Reset(std::uint32_t first_generation = 0) {
    free_.Reset();
    available_.Reset(kPages);
    for (std::uint32_t page = 0; page < kPages; ++page) {
      pages_[page].popped = 0;
      for (std::uint32_t i = 0; i < kPageSlots; ++i) {
        pages_[page].slots[i] = {FreeTurn(first_generation), {0, 0, 0}};
      }
      free_.TryPush({page, first_generation});
    }
  }

  /// Promises up to `wanted` pages; returns how many. A promised page may be drawn at any time.
  /// @scope any thread
  WY_HD std::uint32_t Reserve(std::uint32_t wanted) {
    if (available_.Approximate() == 0) return 0;
    return available_.Take(wanted);
  }

  /// Gives back promises of pages that were not drawn. @scope any thread
  WY_HD void Unreserve(std::uint32_t count) { available_.Give(count); }

  /// Takes a page that was promised. @errors kStuck. @scope any thread, once a promised page
  WY_HD PopResult Draw(PageRef& page) {
    Claim claim{};
    const bool listed = Scope::Wait("the free page is not seen in its list yet",
                                    [&] { return (claim = free_.ReservePop(1)).count == 1; });
    if (!listed) return PopResult::kStuck;
    const PopResult result = free_.Get(claim.first, page);
    free_.FinishPop(claim);
    return result;
  }

  /// Gives a page back when each of its slots was written and read. @scope the thread to which
  /// CountPopped returned true
  WY_HD PushResult Return(PageRef page) {
    ProducerView sure{0, true};  // the list has room for all pages, so it is never full
    const Claim claim = free_.ReservePush(1, sure);
    const PushResult result = free_.Put(claim.first, {page.page, page.generation + 1});
    available_.Give(1);
    return result;
  }

  /// Writes an element to a slot of a page that the caller's queue holds. @errors kStuck
  /// @scope any thread, once a slot and generation
  template <class Item>
  WY_HD PushResult Write(PageRef page, std::uint32_t index, const Item& item) {
    static_assert(std::is_trivially_copyable_v<Item> && sizeof(Item) <= 12);
    exec::PackedSlot& slot = pages_[page.page].slots[index];
    const std::uint32_t free = FreeTurn(page.generation);
    const bool drained = Scope::Wait("push: the page's last element here is not read yet",
                                     [&] { return Scope::LoadSlotTurn(slot) == free; });
    if (!drained) return PushResult::kStuck;
    exec::PackedSlot full{free + 1, {0, 0, 0}};
    memcpy(full.payload, &item, sizeof(Item));
    Scope::StoreSlot(slot, full);
    return PushResult::kOk;
  }

  /// Reads an element and frees its slot for the next generation. @errors kStuck
  /// @scope any thread, once a slot and generation
  template <class Item>
  WY_HD PopResult Read(PageRef page, std::uint32_t index, Item& item) {
    exec::PackedSlot& slot = pages_[page.page].slots[index];
    exec::PackedSlot found{};
    const bool written = Scope::Wait("pop: the page's element is not written yet", [&] {
      found = Scope::LoadSlot(slot);
      return found.turn == FreeTurn(page.generation) + 1;
    });
    if (!written) return PopResult::kStuck;
    memcpy(&item, found.payload, sizeof(Item));
    Scope::StoreSlotTurn(slot, FreeTurn(page.generation + 1));
    return PopResult::kOk;
  }

  /// Counts `count` elements of a page as read; true for the one caller whose elements were the
  /// last of this generation. The count is never reset: each generation adds kPageSlots to it.
  /// @scope one thread for many
  WY_HD bool CountPopped(PageRef page, std::uint32_t count) {
    const std::uint32_t before = Scope::Word(pages_[page.page].popped).FetchAddAcqRel(count);
    return (before + count) % kPageSlots == 0;
  }

  /// Pages that are neither held nor promised, except for operations under way. @scope any thread
  WY_HD std::uint32_t ApproximateFree() { return available_.Approximate(); }

 private:
  WY_HD static std::uint32_t FreeTurn(std::uint32_t generation) { return 2 * generation; }

  struct alignas(128) Page {
    exec::PackedSlot slots[kPageSlots];
    std::uint32_t popped;
  };

  Credit<Scope> available_;
  SequenceRing<Scope, PageRef, kPages, 0> free_;
  Page pages_[kPages] = {};
};

}  // namespace warpyard::queue

#endif  // WARPYARD_CORE_QUEUE_PAGE_POOL_H_
