// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Completes rejected jobs on threads of its own. The thread that submits a job does not call the
// job's completion: it may hold a lock that the completion takes.
#ifndef WARPYARD_CORE_DISPATCH_DELIVERIES_H_
#define WARPYARD_CORE_DISPATCH_DELIVERIES_H_

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "core/dispatch/job_errors.h"
#include "core/dispatch/task.h"

namespace warpyard::dispatch {

/// Thread-safe.
class Deliveries {
 public:
  Deliveries();
  /// Calls Stop.
  ~Deliveries();

  struct Rejection {
    Task task;
    Refusal why;
  };

  /// Soon calls the tasks' `reject` with the errors.
  void Put(std::vector<Rejection> rejections);
  void Put(Task task, Refusal why);

  /// How many are to be delivered.
  std::size_t Size() const { return size_.load(std::memory_order_relaxed); }

  /// Delivers some on the calling thread, kBatch at most.
  void DeliverSome();

  /// Delivers all, also those that completions put meanwhile, and ends the threads.
  void Stop();

  /// Whether the calling thread is one of its own.
  bool IsOwnThread() const { return own_ == this; }

 private:
  /// A thread takes so many together, because in overload many threads want the lock.
  static constexpr std::size_t kBatch = 32;

  void Main();
  std::vector<Rejection> Take();
  void Add(Rejection rejection);
  void HavePut(std::unique_lock<std::mutex> lock);
  bool CallOne();
  static void Deliver(std::vector<Rejection> rejections);

  static thread_local const Deliveries* own_;  // of this thread; null: of none
  std::mutex mutex_;                           // of all below
  std::condition_variable wake_;
  std::deque<std::vector<Rejection>> batches_;
  std::atomic<std::size_t> size_ = 0;  // rejections in these; changes with the lock
  int sleeping_ = 0, called_ = 0;      // threads; called: they were woken and do not run yet
  int delivering_ = 0;                 // threads
  bool stops_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace warpyard::dispatch

#endif  // WARPYARD_CORE_DISPATCH_DELIVERIES_H_
