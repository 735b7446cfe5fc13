// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Takes locks that many threads want often, and that nobody holds for long.
#ifndef WARPYARD_CORE_BASE_LOCK_SOON_H_
#define WARPYARD_CORE_BASE_LOCK_SOON_H_

#include <chrono>
#include <mutex>
#include <thread>

namespace warpyard {

/// Locks, unless `is_done` says meanwhile that there is no need to; returns whether it has locked.
/// A thread that sleeps for a lock, and all that come after it, wait ten times as long as the lock
/// is held, and on a virtual machine up to a millisecond. This function first tries for longer
/// than a few threads hold the lock one after another, and lets the holder run.
/// @shape lock: not locked
template <class IsDone>
bool LockSoonUnless(std::unique_lock<std::mutex>& lock, const IsDone& is_done) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::microseconds kLongest{200};
  const Clock::time_point end = Clock::now() + kLongest;
  do {
    if (is_done()) return false;
    if (lock.try_lock()) return true;
    std::this_thread::yield();
  } while (Clock::now() < end);
  lock.lock();
  return true;
}

/// Locks. @shape lock: not locked
inline void LockSoon(std::unique_lock<std::mutex>& lock) {
  LockSoonUnless(lock, [] { return false; });
}

/// The same for a new lock.
inline std::unique_lock<std::mutex> LockedSoon(std::mutex& mutex) {
  std::unique_lock lock(mutex, std::defer_lock);
  LockSoon(lock);
  return lock;
}

}  // namespace warpyard

#endif  // WARPYARD_CORE_BASE_LOCK_SOON_H_
