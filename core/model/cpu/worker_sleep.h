// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The sleep of worker threads while no event runs.
#ifndef WARPYARD_CORE_MODEL_CPU_WORKER_SLEEP_H_
#define WARPYARD_CORE_MODEL_CPU_WORKER_SLEEP_H_

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

namespace warpyard::model {

/// Thread-safe.
class WorkerSleep {
 public:
  /// An event was started: wakes the workers. @scope after it counts as running
  void Wake() {
    {
      const std::lock_guard lock(mutex_);
      arrivals_.store(arrivals_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    }
    changed_.notify_all();
  }

  /// Makes all workers end as soon as they find nothing to do.
  void End() {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    changed_.notify_all();
  }

  /// Looks for another event for a short while, then sleeps until one runs; false: the worker is to
  /// end. @shape any_runs: whether one runs
  template <class AnyRuns>
  bool AwaitWork(AnyRuns&& any_runs) {
    const std::uint64_t seen = arrivals_.load(std::memory_order_acquire);
    const Clock::time_point spin_end = Clock::now() + kSpin;
    while (arrivals_.load(std::memory_order_acquire) == seen && Clock::now() < spin_end) {
      std::this_thread::yield();
    }
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return ended_ || any_runs(); });
    return !ended_;
  }

 private:
  using Clock = std::chrono::steady_clock;
  /// Waking a sleeping thread takes longer.
  static constexpr std::chrono::microseconds kSpin{50};

  std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<std::uint64_t> arrivals_{0};
  bool ended_ = false;
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_CPU_WORKER_SLEEP_H_
