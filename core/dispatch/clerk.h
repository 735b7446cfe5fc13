// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A thread that empties an inbox while much comes.
//
// While few items come, a thread that puts an item empties the inbox itself: that takes less time
// than waking another thread. While many items come, the items of other threads would keep that
// thread from its own work. So the clerk empties the inbox then.
#ifndef WARPYARD_CORE_DISPATCH_CLERK_H_
#define WARPYARD_CORE_DISPATCH_CLERK_H_

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>
#include <utility>

#include "core/base/bell.h"
#include "core/dispatch/inbox.h"

namespace warpyard::dispatch {

/// It sleeps until it is called. Then it keeps the inbox until nothing has come for some time, and
/// threads that put items rely on it.
template <class T>
class Clerk {
 public:
  /// @shape inbox: outlives the object; work: calls inbox.TakeAll
  Clerk(Inbox<T>& inbox, std::function<void()> work)
      : inbox_(inbox), work_(std::move(work)), thread_([this] { Main(); }) {}
  /// Calls Stop.
  ~Clerk() { Stop(); }

  /// Wakes the clerk, since many items have come. A call is lost while the clerk is about to sleep
  /// again; the caller calls again with the next items. Thread-safe.
  void Call() {
    if (!is_awake_.load(std::memory_order_relaxed)) bell_.Ring();
  }

  /// Ends the thread. What is in the inbox stays there. @scope one thread
  void Stop() {
    stops_ = true;
    bell_.Ring();
    if (thread_.joinable()) thread_.join();
  }

 private:
  using Clock = std::chrono::steady_clock;
  /// Longer than a thread takes to wake up: while jobs come oftener it stays awake.
  static constexpr std::chrono::microseconds kPatience{100};
  static constexpr std::chrono::hours kLongest{1};

  void Main() {
    while (!stops_) {
      bell_.WaitFor(kLongest);
      is_awake_ = true;
      inbox_.Keep();
      do {
        EmptyWhileMuchComes();
      } while (!inbox_.Leave(stops_));
      is_awake_ = false;
    }
  }

  void EmptyWhileMuchComes() {
    Clock::time_point now = Clock::now();
    for (Clock::time_point end = now + kPatience; now < end && !stops_; now = Clock::now()) {
      if (inbox_.HasItems()) {
        work_();
        end = Clock::now() + kPatience;
      } else {
        std::this_thread::yield();
      }
    }
  }

  Inbox<T>& inbox_;
  const std::function<void()> work_;
  Bell bell_;
  std::atomic<bool> is_awake_ = false, stops_ = false;
  std::thread thread_;
};

}  // namespace warpyard::dispatch

#endif  // WARPYARD_CORE_DISPATCH_CLERK_H_
