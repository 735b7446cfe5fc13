// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The slots of a device's events, as the host knows them: which are taken, which event of a slot is
// the latest one, and when it began.
#ifndef WARPYARD_CORE_MODEL_MEGAKERNEL_HOST_DEVICE_SLOTS_H_
#define WARPYARD_CORE_MODEL_MEGAKERNEL_HOST_DEVICE_SLOTS_H_

#include <cstdint>
#include <optional>

#include "core/model/event/event_slots.h"

namespace warpyard::model {

/// @scope one thread at a time
class DeviceSlots {
 public:
  /// Takes a slot, if one is free. Some are reserved for events with a deadline, which are short:
  /// they need not wait behind long events.
  std::optional<std::uint32_t> Take(bool has_deadline) {
    const std::uint32_t usable = EventSlots::kSlots - (has_deadline ? 0 : kDeadlineSlots);
    const std::optional<std::uint32_t> slot = slots_.Take(usable);
    if (slot.has_value()) begun_ns_[*slot] = 0;
    return slot;
  }

  /// Begins the next event of a slot; returns its turn.
  std::uint32_t Begin(std::uint32_t slot, std::uint64_t now_ns) {
    begun_ns_[slot] = now_ns;
    return ++turns_[slot];
  }

  /// @shape is_over: false: the device may still write to the event's memory
  void End(std::uint32_t slot, bool is_over) { is_over ? slots_.Free(slot) : slots_.Abandon(); }

  /// Whether an event began so long ago.
  bool AnyRunsFor(std::uint64_t ns, std::uint64_t now_ns) const {
    for (std::uint32_t slot = 0; slot < EventSlots::kSlots; ++slot) {
      const bool begun = slots_.IsTaken(slot) && begun_ns_[slot] != 0;
      if (begun && now_ns - begun_ns_[slot] >= ns) return true;
    }
    return false;
  }

  std::uint32_t Running() const { return slots_.Running(); }

 private:
  static constexpr std::uint32_t kDeadlineSlots = 16;

  EventSlots slots_;
  std::uint32_t turns_[EventSlots::kSlots] = {};
  std::uint64_t begun_ns_[EventSlots::kSlots] = {};  ///< 0: it did not yet
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_MEGAKERNEL_HOST_DEVICE_SLOTS_H_
