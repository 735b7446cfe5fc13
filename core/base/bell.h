// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A bell: one thread waits for it, others ring it.
#ifndef WARPYARD_CORE_BASE_BELL_H_
#define WARPYARD_CORE_BASE_BELL_H_

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace warpyard {

/// A ring is kept until the next wait, which returns at once then. Thread-safe.
class Bell {
 public:
  void Ring() {
    {
      const std::lock_guard lock(mutex_);
      rung_ = true;
    }
    changed_.notify_one();
  }

  /// Waits for a ring, no longer than this.
  template <class Duration>
  void WaitFor(const Duration& longest) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, longest, [this] { return rung_; });
    rung_ = false;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool rung_ = false;
};

}  // namespace warpyard

#endif  // WARPYARD_CORE_BASE_BELL_H_
