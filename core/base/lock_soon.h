// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Takes locks that many threads want often, and that nobody holds for long.
#ifndef WARPYARD_CORE_BASE_LOCK_SOON_H_
#define WARPYARD_CORE_BASE_LOCK_SOON_H_

#include <mutex>
#include <thread>

namespace warpyard {

/// Locks. A thread that sleeps for a lock, and all that come after it, wait ten times as long as
/// the lock is held; so this one first tries for about that time, and lets the holder run.
/// @shape lock: not locked
inline void LockSoon(std::unique_lock<std::mutex>& lock) {
  constexpr int kTries = 32;
  for (int i = 0; i < kTries; ++i) {
    if (lock.try_lock()) return;
    std::this_thread::yield();
  }
  lock.lock();
}

/// The same for a new lock.
inline std::unique_lock<std::mutex> LockedSoon(std::mutex& mutex) {
  std::unique_lock lock(mutex, std::defer_lock);
  LockSoon(lock);
  return lock;
}

}  // namespace warpyard

#endif  // WARPYARD_CORE_BASE_LOCK_SOON_H_
