// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Which slots of the event table are taken, as the host knows it.
#ifndef WARPYARD_CORE_MODEL_EVENT_EVENT_SLOTS_H_
#define WARPYARD_CORE_MODEL_EVENT_EVENT_SLOTS_H_

#include <cstdint>
#include <optional>

#include "core/procedure/element.h"

namespace warpyard::model {

/// @scope one thread at a time
class EventSlots {
 public:
  static constexpr std::uint32_t kSlots = procedure::kEventBuckets;

  /// Takes a free slot of the first `usable` ones for an event; none: all of these are taken.
  std::optional<std::uint32_t> Take(std::uint32_t usable = kSlots) {
    for (std::uint32_t slot = 0; slot < usable; ++slot) {
      if (taken_[slot]) continue;
      taken_[slot] = true;
      ++running_;
      return slot;
    }
    return std::nullopt;
  }

  /// The event of the slot is over.
  void Free(std::uint32_t slot) {
    taken_[slot] = false;
    --running_;
  }

  /// Nobody waits for the event of the slot any more, though it may not be over. The slot stays
  /// taken, since workers may still write to its memory.
  void Abandon() { --running_; }

  bool IsTaken(std::uint32_t slot) const { return taken_[slot]; }

  /// Events that somebody waits for.
  std::uint32_t Running() const { return running_; }

 private:
  bool taken_[kSlots] = {};
  std::uint32_t running_ = 0;
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_EVENT_EVENT_SLOTS_H_
