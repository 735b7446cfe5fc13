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

void CallTracker::AddListener(const std::shared_ptr<CallListener>& listener) {
  {
    const std::lock_guard lock(mutex_);
    listeners_.remove_if([](const auto& known) { return known.expired(); });
    listeners_.push_back(listener);
    if (!draining_) return;
  }
  listener->OnDrain();
}

void CallTracker::BeginDrain() {
  {
    const std::lock_guard lock(mutex_);
    if (draining_) return;
    draining_ = true;
  }
  TellAll(&CallListener::OnDrain);
}

void CallTracker::Look() { TellAll(&CallListener::OnLook); }

void CallTracker::TellAll(void (CallListener::*tell)()) {
  std::list<std::weak_ptr<CallListener>> listeners;
  {
    const std::lock_guard lock(mutex_);
    listeners = listeners_;
  }
  for (const auto& weak : listeners) {
    if (const auto listener = weak.lock()) (*listener.*tell)();
  }
}

bool CallTracker::WaitUntilIdle(absl::Duration timeout) {
  std::unique_lock lock(mutex_);
  return idle_.wait_for(lock, absl::ToChronoNanoseconds(timeout), [this] { return live_ == 0; });
}

}  // namespace warpyard::server
