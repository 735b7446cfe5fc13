// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Looks after the engine's devices while the server serves.
#ifndef WARPYARD_SERVER_HEALTH_WATCH_H_
#define WARPYARD_SERVER_HEALTH_WATCH_H_

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "absl/time/time.h"
#include "core/engine/engine.h"

namespace warpyard::server {

/// A thread that asks for the health of the devices until it is destroyed. A device that is lost
/// stays lost, so each of the callbacks runs at most once for it, or for all.
class HealthWatch {
 public:
  struct Callbacks {
    std::function<void(const DeviceHealth&)> on_lost;
    std::function<void()> on_all_lost;  ///< after on_lost of the last
  };

  /// Looks at once, and then after each `interval`.
  HealthWatch(const Engine& engine, absl::Duration interval, Callbacks callbacks);
  ~HealthWatch();

 private:
  void Run();
  void Look();

  const Engine& engine_;
  const absl::Duration interval_;
  const Callbacks callbacks_;
  std::vector<bool> lost_;  // the thread's own
  bool all_lost_ = false;   // the thread's own
  std::mutex mutex_;
  std::condition_variable stopped_;
  bool stop_ = false;  // guarded by mutex_
  std::thread thread_;
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_HEALTH_WATCH_H_
