// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/rpc/call_tracker.h"

#include <utility>

namespace warpyard::server {

CallTracker::Admission CallTracker::TryAdmit() {
  const std::lock_guard lock(mutex_);
  if (draining_) return nullptr;
  ++live_;
  return Admission(this, [](CallTracker* tracker) {
    // Notifies under the lock: the tracker may be destroyed as soon as the waiter sees 0.
    const std::lock_guard tracker_lock(tracker->mutex_);
    if (--tracker->live_ == 0) tracker->idle_.notify_all();
  });
}

void CallTracker::AddListener(const std::shared_ptr<DrainListener>& listener) {
  {
    const std::lock_guard lock(mutex_);
    if (!draining_) {
      listeners_.remove_if([](const auto& known) { return known.expired(); });
      listeners_.push_back(listener);
      return;
    }
  }
  listener->OnDrain();
}

void CallTracker::BeginDrain() {
  std::list<std::weak_ptr<DrainListener>> listeners;
  {
    const std::lock_guard lock(mutex_);
    draining_ = true;
    listeners.swap(listeners_);
  }
  // Without the lock, because a listener may end its call, which calls the tracker again.
  for (const auto& weak : listeners) {
    if (const auto listener = weak.lock()) listener->OnDrain();
  }
}

bool CallTracker::WaitUntilIdle(absl::Duration timeout) {
  std::unique_lock lock(mutex_);
  return idle_.wait_for(lock, absl::ToChronoNanoseconds(timeout), [this] { return live_ == 0; });
}

}  // namespace warpyard::server
