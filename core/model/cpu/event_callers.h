// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Where the callers of Run wait on a CPU: for a free slot, and for the end of their event.
#ifndef WARPYARD_CORE_MODEL_CPU_EVENT_CALLERS_H_
#define WARPYARD_CORE_MODEL_CPU_EVENT_CALLERS_H_

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/base/bell.h"
#include "core/base/macros.h"
#include "core/model/event/event_slots.h"

namespace warpyard::model {

/// How long callers sleep at most before they look again.
struct CallerPeriods {
  std::chrono::milliseconds for_end{1};
  std::chrono::milliseconds for_slot{100};
};

/// Thread-safe.
class EventCallers {
 public:
  explicit EventCallers(const CallerPeriods& periods = {}) : periods_(periods) {}

  /// Takes a free slot. @shape count: called with the events that run then; bell: rings when the
  ///     event ends; null: nobody waits for it that way. So the caller waits for a slot; with a
  ///     bell it gets none if none is free
  /// @errors those of Fail
  template <class Count>
  absl::StatusOr<std::optional<std::uint32_t>> TakeSlot(Bell* bell, Count&& count) {
    std::unique_lock lock(mutex_);
    while (true) {
      WY_RETURN_IF_ERROR(failure_);
      const std::optional<std::uint32_t> slot = slots_.Take();
      if (slot.has_value()) {
        bells_[*slot] = bell;
        count(slots_.Running());
      }
      if (slot.has_value() || bell != nullptr) return slot;
      freed_.wait_for(lock, periods_.for_slot);
    }
  }

  /// Frees the slot of an event that is over. @shape count: see TakeSlot
  template <class Count>
  void FreeSlot(std::uint32_t slot, Count&& count) {
    {
      const std::lock_guard lock(mutex_);
      slots_.Free(slot);
      bells_[slot] = nullptr;
      count(slots_.Running());
    }
    freed_.notify_one();
  }

  /// Waits until the event of a slot `is_over`, and calls `look` now and then.
  /// @shape has_deadline: whether the event has one
  /// @errors those of Fail; the slot stays taken then, since a worker may still write to it
  template <class IsOver, class Look>
  absl::Status AwaitEnd(std::uint32_t slot, bool has_deadline, IsOver&& is_over, Look&& look) {
    // While other events keep the workers busy, a thread that yields its core gets the core back
    // after some milliseconds. A thread that sleeps is woken within 0.1 ms. Callers without a
    // deadline yield all the same: if each of them slept, half as many short events would end.
    if (!has_deadline || Running() == 1) YieldUntil(is_over);
    if (is_over()) return absl::OkStatus();
    std::unique_lock lock(mutex_);
    while (!is_over()) {
      WY_RETURN_IF_ERROR(failure_);
      look();
      ended_[slot].wait_for(lock, periods_.for_end);
    }
    return absl::OkStatus();
  }

  /// The event of a slot is over: wakes its caller, and no other one.
  void TellEnd(std::uint32_t slot) {
    {
      // With the lock, so that no caller misses it between its look and its wait.
      const std::lock_guard lock(mutex_);
      if (bells_[slot] != nullptr) bells_[slot]->Ring();
    }
    ended_[slot].notify_all();  // without the lock, or the caller would wait for it
  }

  /// Events will not end any more: all callers get this error from now on.
  void Fail(const absl::Status& why) {
    const std::lock_guard lock(mutex_);
    failure_ = why;
    // A carrier may now destroy its bell while a worker still ends an event. So no worker may ring
    // a bell after this.
    for (Bell*& bell : bells_) {
      if (bell != nullptr) std::exchange(bell, nullptr)->Ring();
    }
    freed_.notify_all();
    for (std::condition_variable& ended : ended_) ended.notify_all();
  }

  absl::Status Failure() const {
    const std::lock_guard lock(mutex_);
    return failure_;
  }
  std::uint32_t Running() const {
    const std::lock_guard lock(mutex_);
    return slots_.Running();
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::microseconds kSpin{50};

  /// Waits for a short while, and leaves its core to others.
  template <class IsOver>
  static void YieldUntil(IsOver& is_over) {
    const Clock::time_point end = Clock::now() + kSpin;
    while (!is_over() && Clock::now() < end) std::this_thread::yield();
  }

  const CallerPeriods periods_;
  mutable std::mutex mutex_;
  std::condition_variable freed_;                      ///< a slot
  std::condition_variable ended_[EventSlots::kSlots];  ///< the event of a slot
  EventSlots slots_;
  Bell* bells_[EventSlots::kSlots] = {};
  absl::Status failure_;
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_CPU_EVENT_CALLERS_H_
