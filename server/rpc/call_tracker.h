// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Counts live calls, so that the server can stop accepting calls and wait for the rest.
#ifndef WARPYARD_SERVER_RPC_CALL_TRACKER_H_
#define WARPYARD_SERVER_RPC_CALL_TRACKER_H_

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>

#include "absl/time/time.h"

namespace warpyard::server {

/// A call that waits for its client between jobs. So it must learn that the server drains, and
/// must check now and then whether its client still reads.
class CallListener {
 public:
  virtual ~CallListener() = default;
  virtual void OnDrain() = 0;
  virtual void OnLook() = 0;
};

/// Counts live calls. Once the server drains, it admits no new ones. Thread-safe.
class CallTracker {
 public:
  /// Keeps an admitted call live until it is destroyed. Empty: the call was not admitted.
  using Admission = std::shared_ptr<void>;

  Admission TryAdmit();

  /// A number for a call that no other call has; not 0.
  std::uint64_t NewNumber() { return last_number_.fetch_add(1, std::memory_order_relaxed) + 1; }

  /// Tells `listener` when draining begins, or at once if it has begun. Holds the listener by a
  /// weak pointer.
  void AddListener(const std::shared_ptr<CallListener>& listener);

  void BeginDrain();

  /// Calls OnLook of all listeners, also while the server drains. The server calls it at intervals.
  void Look();

  /// Waits until no call is live; false: some still are after `timeout`.
  bool WaitUntilIdle(absl::Duration timeout);

 private:
  /// Calls `tell` for each listener. Does so without the lock, because a listener may end its call,
  /// which calls the tracker again.
  void TellAll(void (CallListener::*tell)());

  std::atomic<std::uint64_t> last_number_ = 0;
  std::mutex mutex_;
  std::condition_variable idle_;
  std::size_t live_ = 0;                              // guarded by mutex_
  bool draining_ = false;                             // guarded by mutex_
  std::list<std::weak_ptr<CallListener>> listeners_;  // guarded by mutex_
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_RPC_CALL_TRACKER_H_
