// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Counts live calls, so that the server can stop accepting calls and wait for the rest.
#ifndef WARPYARD_SERVER_RPC_CALL_TRACKER_H_
#define WARPYARD_SERVER_RPC_CALL_TRACKER_H_

#include <condition_variable>
#include <cstddef>
#include <list>
#include <memory>
#include <mutex>

#include "absl/time/time.h"

namespace warpyard::server {

/// A call that waits for its client between jobs, and so must learn that the server drains.
class DrainListener {
 public:
  virtual ~DrainListener() = default;
  virtual void OnDrain() = 0;
};

/// Counts live calls. Once the server drains, it admits no new ones. Thread-safe.
class CallTracker {
 public:
  /// Keeps an admitted call live until it is destroyed. Empty: the call was not admitted.
  using Admission = std::shared_ptr<void>;

  Admission TryAdmit();

  /// Tells `listener` when draining begins, or at once if it has begun. Holds the listener by a
  /// weak pointer.
  void AddListener(const std::shared_ptr<DrainListener>& listener);

  void BeginDrain();

  /// Waits until no call is live; false: some still are after `timeout`.
  bool WaitUntilIdle(absl::Duration timeout);

 private:
  std::mutex mutex_;
  std::condition_variable idle_;
  std::size_t live_ = 0;                               // guarded by mutex_
  bool draining_ = false;                              // guarded by mutex_
  std::list<std::weak_ptr<DrainListener>> listeners_;  // guarded by mutex_
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_RPC_CALL_TRACKER_H_
