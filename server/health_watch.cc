// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/health_watch.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace warpyard::server {

HealthWatch::HealthWatch(const Engine& engine, absl::Duration interval, Callbacks callbacks)
    : engine_(engine),
      interval_(interval),
      callbacks_(std::move(callbacks)),
      thread_([this] { Run(); }) {}

HealthWatch::~HealthWatch() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  stopped_.notify_all();
  thread_.join();
}

void HealthWatch::Run() {
  std::unique_lock lock(mutex_);
  do {
    lock.unlock();
    Look();
    lock.lock();
  } while (
      !stopped_.wait_for(lock, absl::ToChronoNanoseconds(interval_), [this] { return stop_; }));
}

void HealthWatch::Look() {
  const std::vector<DeviceHealth> health = engine_.Health();
  lost_.resize(health.size());
  for (std::size_t i = 0; i < health.size(); ++i) {
    if (health[i].status.ok() || lost_[i]) continue;
    lost_[i] = true;
    callbacks_.on_lost(health[i]);
  }
  if (all_lost_ || std::find(lost_.begin(), lost_.end(), false) != lost_.end()) return;
  all_lost_ = true;
  callbacks_.on_all_lost();
}

}  // namespace warpyard::server
