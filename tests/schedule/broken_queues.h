// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Queues with one fault each, a fault that DistributedLocksQueue was designed to avoid.
#ifndef WARPYARD_TESTS_SCHEDULE_BROKEN_QUEUES_H_
#define WARPYARD_TESTS_SCHEDULE_BROKEN_QUEUES_H_

#include <cstdint>

#include "core/queue/queue_concept.h"

namespace warpyard::test_support {

enum class QueueFault {
  kNone,                 ///< correct: shows that tests find the fault, not the frame
  kFlagWithoutLap,       ///< a slot says full or free, but not in which lap
  kUndoneAdmission,      ///< counts first and takes it back when there is no room
  kPublishedTooEarly,    ///< announces the element, then writes it
  kReleasedTooEarly,     ///< announces that the slot is free, then reads it
  kTurnLostAtWrap,       ///< computes the next lap from the turn, not from the ticket
  kTicketsNotTakenOnce,  ///< two loads and stores in place of a fetch-and-add
};

template <class Scope, class ItemType, std::uint32_t kCapacity, QueueFault kFault>
class BrokenQueue {
 public:
  using Item = ItemType;

  void Reset(std::uint32_t first_ticket = 0) {
    size_ = 0;
    back_ = front_ = first_ticket;
    for (std::uint32_t i = 0; i < kCapacity; ++i) {
      slots_[(first_ticket + i) % kCapacity].turn = Turn(first_ticket + i);
    }
  }

  queue::PushResult TryPush(const Item& item) {
    if (!Admit(+1)) return queue::PushResult::kFull;
    const std::uint32_t ticket = TakeTicket(back_);
    Slot& slot = slots_[ticket % kCapacity];
    if (!AwaitTurn(slot, Turn(ticket), "push")) return queue::PushResult::kStuck;
    if (kFault != QueueFault::kPublishedTooEarly) slot.item = item;
    Scope::Word(slot.turn).StoreRelease(Turn(ticket) + 1);
    if (kFault == QueueFault::kPublishedTooEarly) slot.item = item;
    return queue::PushResult::kOk;
  }

  queue::PopResult TryPop(Item& item) {
    if (!Admit(-1)) return queue::PopResult::kEmpty;
    const std::uint32_t ticket = TakeTicket(front_);
    Slot& slot = slots_[ticket % kCapacity];
    if (!AwaitTurn(slot, Turn(ticket) + 1, "pop")) return queue::PopResult::kStuck;
    if (kFault != QueueFault::kReleasedTooEarly) item = slot.item;
    const bool lost = kFault == QueueFault::kTurnLostAtWrap;
    Scope::Word(slot.turn).StoreRelease(lost ? Turn(ticket) + 2 : Turn(ticket + kCapacity));
    if (kFault == QueueFault::kReleasedTooEarly) item = slot.item;
    return queue::PopResult::kOk;
  }

  std::uint32_t ApproximateSize() {
    const std::int32_t size = Scope::Word(size_).LoadRelaxed();
    return size > 0 ? static_cast<std::uint32_t>(size) : 0;
  }

  static constexpr std::uint32_t Capacity() { return kCapacity; }

 private:
  struct Slot {
    std::uint32_t turn;
    Item item;
  };

  static std::uint32_t Turn(std::uint32_t ticket) {
    return kFault == QueueFault::kFlagWithoutLap ? 0 : 2 * (ticket / kCapacity);
  }

  static std::uint32_t TakeTicket(std::uint32_t& word) {
    if (kFault != QueueFault::kTicketsNotTakenOnce) return Scope::Word(word).FetchAddRelaxed(1);
    const std::uint32_t ticket = Scope::Word(word).LoadRelaxed();
    Scope::Word(word).StoreRelaxed(ticket + 1);
    return ticket;
  }

  bool Admit(std::int32_t change) {
    if (kFault == QueueFault::kUndoneAdmission) {
      const std::int32_t after = Scope::Word(size_).FetchAddRelaxed(change) + change;
      if (IsSize(after)) return true;
      Scope::Word(size_).FetchSubRelaxed(change);
      return false;
    }
    std::int32_t before = Scope::Word(size_).LoadRelaxed();
    do {
      if (!IsSize(before + change)) return false;
    } while (!Scope::Word(size_).CompareExchangeRelaxed(before, before + change));
    return true;
  }

  static bool IsSize(std::int32_t size) {
    return size >= 0 && size <= static_cast<std::int32_t>(kCapacity);
  }

  static bool AwaitTurn(Slot& slot, std::uint32_t turn, const char* reason) {
    return Scope::Wait(reason, [&] { return Scope::Word(slot.turn).LoadAcquire() == turn; });
  }

  std::int32_t size_ = 0;
  std::uint32_t back_ = 0;
  std::uint32_t front_ = 0;
  Slot slots_[kCapacity] = {};
};

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SCHEDULE_BROKEN_QUEUES_H_
