// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Paged queues with one fault each, a fault that PagedQueue was designed to avoid.
#ifndef WARPYARD_TESTS_SCHEDULE_BROKEN_PAGED_QUEUE_H_
#define WARPYARD_TESTS_SCHEDULE_BROKEN_PAGED_QUEUE_H_

#include <bit>
#include <cstdint>

#include "core/queue/credit.h"
#include "core/queue/page_pool.h"

namespace warpyard::test_support {

enum class PageFault {
  kNone,              ///< correct: shows that tests find the fault, not the frame
  kTicketBeforePage,  ///< takes a ticket, then looks for a page
  kTurnsOfTickets,    ///< a slot's turn comes from its ticket, not from its page
  kEntryNotLookedAt,  ///< enters a page although a slow pop may need the last one
};

/// Takes elements one by one, and pages without a gate; the rest is a short version of PagedQueue.
template <class Scope, class ItemType, class Pool, std::uint32_t kCapacity, PageFault kFault>
class BrokenPagedQueue {
 public:
  using Item = ItemType;
  static constexpr std::uint32_t kPageSlots = Pool::kPageSlots;
  static constexpr std::uint32_t kTablePages =
      std::bit_ceil((kCapacity + kPageSlots - 2) / kPageSlots + 1);

  void Reset(Pool& pool, std::uint32_t first_ticket) {
    first_ticket -= first_ticket % kPageSlots;
    pool_ = &pool;
    free_.Reset(kCapacity);
    back_ = front_ = first_ticket;
    for (std::uint32_t i = 0; i < kTablePages; ++i) {
      const std::uint32_t ticket = first_ticket + i * kPageSlots;
      Entry(ticket) = {Turn(ticket), {0, 0, 0}};
    }
  }

  queue::PushResult TryPush(const Item& item) {
    if (free_.Approximate() == 0 || free_.Take(1) == 0) return queue::PushResult::kFull;
    if (kFault != PageFault::kTicketBeforePage && !TakeRoom()) {
      free_.Give(1);
      return queue::PushResult::kFull;
    }
    const std::uint32_t ticket = Scope::Word(back_).FetchAddRelaxed(1);
    const bool first = ticket % kPageSlots == 0;
    if (kFault == PageFault::kTicketBeforePage && first && pool_->Reserve(1) == 0) {
      return queue::PushResult::kFull;
    }
    filled_.Give(1);
    queue::PageRef page{};
    if (first && !EnterPage(ticket)) return queue::PushResult::kStuck;
    if (!AwaitPage(ticket, page)) return queue::PushResult::kStuck;
    return pool_->Write(page, ticket % kPageSlots, item);
  }

  queue::PopResult TryPop(Item& item) {
    if (filled_.Approximate() == 0 || filled_.Take(1) == 0) return queue::PopResult::kEmpty;
    const std::uint32_t ticket = Scope::Word(front_).FetchAddRelaxed(1);
    queue::PageRef page{};
    if (!AwaitPage(ticket, page)) return queue::PopResult::kStuck;
    const queue::PopResult result = pool_->Read(page, ticket % kPageSlots, item);
    if (pool_->CountPopped(page, 1)) {
      Scope::StoreSlotTurn(Entry(ticket), Turn(ticket + kTablePages * kPageSlots));
      pool_->Return(page);
    }
    free_.Give(1);
    return result;
  }

  std::uint32_t ApproximateSize() { return filled_.Approximate(); }
  static constexpr std::uint32_t Capacity() { return kCapacity; }

 private:
  exec::PackedSlot& Entry(std::uint32_t ticket) {
    return table_[ticket / kPageSlots % kTablePages];
  }
  static std::uint32_t Turn(std::uint32_t ticket) {
    return 2 * (ticket / (kTablePages * kPageSlots));
  }

  bool TakeRoom() {
    if (room_.Approximate() > 0 && room_.Take(1) == 1) return true;
    if (pool_->Reserve(1) == 0) return false;
    if (kPageSlots > 1) room_.Give(kPageSlots - 1);
    return true;
  }

  bool EnterPage(std::uint32_t ticket) {
    const bool left = kFault == PageFault::kEntryNotLookedAt || Scope::Wait("entry", [&] {
                        return Scope::LoadSlotTurn(Entry(ticket)) == Turn(ticket);
                      });
    queue::PageRef page{};
    if (!left || pool_->Draw(page) != queue::PopResult::kOk) return false;
    Scope::StoreSlot(Entry(ticket), {Turn(ticket) + 1, {page.page, page.generation, 0}});
    return true;
  }

  bool AwaitPage(std::uint32_t ticket, queue::PageRef& page) {
    exec::PackedSlot found{};
    const bool entered = Scope::Wait("page", [&] {
      found = Scope::LoadSlot(Entry(ticket));
      return found.turn == Turn(ticket) + 1;
    });
    page = {found.payload[0], found.payload[1]};
    if (kFault == PageFault::kTurnsOfTickets) page.generation = Turn(ticket) / 2;
    return entered;
  }

  Pool* pool_ = nullptr;
  queue::Credit<Scope> free_, room_, filled_;
  std::uint32_t back_ = 0, front_ = 0;
  exec::PackedSlot table_[kTablePages] = {};
};

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SCHEDULE_BROKEN_PAGED_QUEUE_H_
