// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Checks the health of the engine's devices while the server runs.
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

/// A thread that checks the health of the devices until this object is destroyed. A lost device
/// stays lost, so on_lost runs at most once for each device, and on_all_lost at most once.
class HealthWatch {
 public:
  struct Callbacks {
    std::function<void(const DeviceHealth&)> on_lost;
    std::function<void()> on_all_lost;  ///< called after on_lost of the last device
  };

  /// Checks at once, and then after each `interval`.
  HealthWatch(const Engine& engine, absl::Duration interval, Callbacks callbacks);
  ~HealthWatch();

 private:
  void Run();
  void Look();

  const Engine& engine_;
  const absl::Duration interval_;
  const Callbacks callbacks_;
  std::vector<bool> lost_;  // used by the thread only
  bool all_lost_ = false;   // used by the thread only
  std::mutex mutex_;
  std::condition_variable stopped_;
  bool stop_ = false;  // guarded by mutex_
  std::thread thread_;
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_HEALTH_WATCH_H_
