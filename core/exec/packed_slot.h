// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A 16-byte slot: a turn number that tells the state of the other 12 bytes.
#ifndef WARPYARD_CORE_EXEC_PACKED_SLOT_H_
#define WARPYARD_CORE_EXEC_PACKED_SLOT_H_

#include <cstddef>
#include <cstdint>

namespace warpyard::exec {

/// Scopes load and store it (LoadSlot, StoreSlot, LoadSlotTurn, StoreSlotTurn). A thread that sees
/// the turn it waits for also sees the payload that was stored with that turn.
struct alignas(16) PackedSlot {
  std::uint32_t turn;
  std::uint32_t payload[3];
};

/// Access to slots and to several words for scopes without 16-byte accesses. A slot is written word
/// by word, and the turn is written last with a release, which publishes the payload. The release
/// orders all other memory as well, so memory that the payload refers to needs no order of its own
/// (scope.h). @shape Derived: the scope
template <class Derived>
struct SlotsByWord {
  /// A load of a slot during a store may return the old turn with the new payload.
  static constexpr bool kSlotsMayTear = true;

  static void OrderBeforePut() {}
  static void OrderAfterGet() {}

  static std::uint32_t LoadSlotTurn(PackedSlot& slot) {
    return Derived::Word(slot.turn).LoadAcquire();
  }
  static void StoreSlotTurn(PackedSlot& slot, std::uint32_t turn) {
    Derived::Word(slot.turn).StoreRelease(turn);
  }
  static PackedSlot LoadSlot(PackedSlot& slot) {
    PackedSlot found{LoadSlotTurn(slot), {}};
    for (int k = 0; k < 3; ++k) found.payload[k] = Derived::Word(slot.payload[k]).LoadRelaxed();
    return found;
  }
  template <std::size_t kCount>
  static void LoadWords(std::uint32_t* words, std::uint32_t (&found)[kCount]) {
    for (std::size_t k = 0; k < kCount; ++k) found[k] = Derived::Word(words[k]).LoadRelaxed();
  }
  static void StoreSlot(PackedSlot& slot, const PackedSlot& value) {
    for (int k = 0; k < 3; ++k) Derived::Word(slot.payload[k]).StoreRelaxed(value.payload[k]);
    StoreSlotTurn(slot, value.turn);
  }
};

}  // namespace warpyard::exec

#endif  // WARPYARD_CORE_EXEC_PACKED_SLOT_H_
