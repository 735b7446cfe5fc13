// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A thread that calls a function at regular intervals.
#ifndef WARPYARD_SERVER_JOBS_PERIODIC_H_
#define WARPYARD_SERVER_JOBS_PERIODIC_H_

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace warpyard::server {

/// Calls `work` after each `interval`, until this object is destroyed.
class Periodic {
 public:
  Periodic(std::chrono::milliseconds interval, std::function<void()> work);
  ~Periodic();

 private:
  void Run();

  const std::chrono::milliseconds interval_;
  const std::function<void()> work_;
  std::mutex mutex_;
  std::condition_variable stopped_;
  bool stop_ = false;  // guarded by mutex_
  std::thread thread_;
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_JOBS_PERIODIC_H_
