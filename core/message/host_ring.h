// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Messages between the host and a resident kernel, in host memory that both sides map. [Steinberger
// §3.4.1]
//
// A message is cut into slots of 16 bytes. Each slot has the message's number and 12 bytes of the
// message (exec/packed_slot.h). Both sides read and write whole slots. A reader that finds the
// number in every slot has the whole message. So a message of any length needs no flag, no fence,
// and one round trip over the bus. No word has two writers: the reader reports its progress in a
// word of its own. (Read-modify-writes across the bus are not atomic on all hosts; plain 16-byte
// accesses are.)
#ifndef WARPYARD_CORE_MESSAGE_HOST_RING_H_
#define WARPYARD_CORE_MESSAGE_HOST_RING_H_

#include <atomic>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "core/base/macros.h"
#include "core/exec/packed_slot.h"

namespace warpyard::message {

/// A message as slots. @shape Body: trivially copyable
template <class Body>
struct SlottedMessage {
  static_assert(std::is_trivially_copyable_v<Body>);
  static constexpr std::uint32_t kSlots = (sizeof(Body) + 11) / 12;
  exec::PackedSlot slots[kSlots];

  /// Slot number `i` of a message. @shape turn: not 0
  WY_HD static exec::PackedSlot Cut(const Body& body, std::uint32_t turn, std::uint32_t i) {
    exec::PackedSlot slot{turn, {0, 0, 0}};
    const std::uint32_t left = static_cast<std::uint32_t>(sizeof(Body)) - 12 * i;
    memcpy(slot.payload, reinterpret_cast<const char*>(&body) + 12 * i, left < 12 ? left : 12);
    return slot;
  }

  /// Copies a slot to its place in the body.
  WY_HD static void Paste(Body& body, std::uint32_t i, const exec::PackedSlot& slot) {
    const std::uint32_t left = static_cast<std::uint32_t>(sizeof(Body)) - 12 * i;
    memcpy(reinterpret_cast<char*>(&body) + 12 * i, slot.payload, left < 12 ? left : 12);
  }

  /// Writes a message for the device. @scope one thread of the host
  void WriteFromHost(const Body& body, std::uint32_t turn) {
    for (std::uint32_t i = 0; i < kSlots; ++i) {
      const exec::PackedSlot slot = Cut(body, turn, i);
      for (int k = 0; k < 3; ++k) {
        std::atomic_ref(slots[i].payload[k]).store(slot.payload[k], std::memory_order_relaxed);
      }
      std::atomic_ref(slots[i].turn).store(turn, std::memory_order_release);
    }
  }

  /// Whether message `turn` has arrived from the device; if so, copies it to `body`.
  /// @scope any thread of the host
  bool ReadOnHost(Body& body, std::uint32_t turn) {
    for (std::uint32_t i = kSlots; i-- > 0;) {
      if (std::atomic_ref(slots[i].turn).load(std::memory_order_acquire) != turn) return false;
    }
    for (std::uint32_t i = 0; i < kSlots; ++i) {
      exec::PackedSlot slot{turn, {0, 0, 0}};
      for (int k = 0; k < 3; ++k) {
        slot.payload[k] = std::atomic_ref(slots[i].payload[k]).load(std::memory_order_relaxed);
      }
      Paste(body, i, slot);
    }
    return true;
  }
};

/// Messages to the device, at most kMessages under way. Message n, counted from 0, has turn n + 1.
template <class Body, std::uint32_t kMessages>
struct HostRing {
  using Message = SlottedMessage<Body>;
  static_assert((kMessages & (kMessages - 1)) == 0);

  WY_HD Message& At(std::uint32_t number) { return messages[number % kMessages]; }
  WY_HD static std::uint32_t TurnOf(std::uint32_t number) { return number + 1; }

  Message messages[kMessages];

  /// Reads message `number` if it has come. @scope a warp, of a device scope with LoadHostSlot
  /// @shape body: in memory that the group shares
  template <class Group>
  WY_HD bool ReadOnDevice(Group& group, std::uint32_t number, Body& body) {
    constexpr std::uint32_t kOfLane = (Message::kSlots + 31) / 32;
    Message& message = At(number);
    exec::PackedSlot slots[kOfLane];
    bool missing = false;
    // Issue all loads before using the first result, so that their latencies overlap.
    for (std::uint32_t k = 0; k < kOfLane; ++k) {
      const std::uint32_t i = group.Rank() + k * 32;
      slots[k].turn = TurnOf(number);
      if (i >= Message::kSlots) continue;
      // One acquire is enough to see what the host has written before the message, and nothing
      // waits for the last load. So only that one acquires.
      slots[k] = k + 1 < kOfLane ? Group::LoadHostSlot(message.slots[i])
                                 : Group::AcquireHostSlot(message.slots[i]);
    }
    for (const exec::PackedSlot& slot : slots) missing |= slot.turn != TurnOf(number);
    if (group.Any(missing)) return false;
    for (std::uint32_t k = 0; k < kOfLane; ++k) {
      const std::uint32_t i = group.Rank() + k * 32;
      if (i < Message::kSlots) Message::Paste(body, i, slots[k]);
    }
    return true;
  }
};

}  // namespace warpyard::message

#endif  // WARPYARD_CORE_MESSAGE_HOST_RING_H_
