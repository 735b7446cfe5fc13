// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Which calls are live, and the way from serving to drained.
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

/// A call that waits for its client between jobs, and so must be told when the server drains, and
/// look now and then whether the client still does its part.
class CallListener {
 public:
  virtual ~CallListener() = default;
  virtual void OnDrain() = 0;
  virtual void OnLook() = 0;
};

/// Counts live calls; once draining, admits no new ones. Thread-safe.
class CallTracker {
 public:
  /// A call that was admitted; it is live until this is destroyed. Empty: not admitted.
  using Admission = std::shared_ptr<void>;

  Admission TryAdmit();

  /// A number for a call that no other call has; not 0.
  std::uint64_t NewNumber() { return last_number_.fetch_add(1, std::memory_order_relaxed) + 1; }

  /// Tells `listener` when draining begins: at once, if it has begun. Forgets it once it is
  /// destroyed.
  void AddListener(const std::shared_ptr<CallListener>& listener);

  void BeginDrain();

  /// Has all listeners look, also while draining. Called at regular times.
  void Look();

  /// Waits until no call is live; false: some still are after `timeout`.
  bool WaitUntilIdle(absl::Duration timeout);

 private:
  /// Calls `tell` for each without the lock: a listener may end its call, which comes back here.
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
