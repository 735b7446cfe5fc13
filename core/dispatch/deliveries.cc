// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/dispatch/deliveries.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/base/lock_soon.h"

namespace warpyard::dispatch {
namespace {

/// One is enough, except for the refusals of several hundred thousand jobs a second.
constexpr int kThreads = 2;

/// A thread takes the lock once for so many, because in overload many threads want it.
constexpr std::size_t kTogether = 256;

}  // namespace

thread_local const Deliveries* Deliveries::own_ = nullptr;

Deliveries::Deliveries() {
  for (int i = 0; i < kThreads; ++i) threads_.emplace_back([this] { Main(); });
}

Deliveries::~Deliveries() { Stop(); }

void Deliveries::Put(std::vector<Rejection> rejections) {
  if (rejections.empty()) return;
  auto lock = LockedSoon(mutex_);
  rejections_.insert(rejections_.end(), std::make_move_iterator(rejections.begin()),
                     std::make_move_iterator(rejections.end()));
  HavePut(std::move(lock));
}

void Deliveries::Put(Task task, Refusal why) {
  auto lock = LockedSoon(mutex_);
  rejections_.push_back({std::move(task), std::move(why)});
  HavePut(std::move(lock));
}

/// Wakes a thread only if none is about to look: to wake one takes longer than all else here.
void Deliveries::HavePut(std::unique_lock<std::mutex> lock) {
  size_.store(rejections_.size(), std::memory_order_relaxed);
  const bool calls = sleeping_ - called_ + delivering_ == kThreads && CallOne();
  lock.unlock();
  if (calls) wake_.notify_one();
}

/// Whether there is a thread to wake that sleeps and was not called; it counts as called then.
bool Deliveries::CallOne() {
  if (sleeping_ == called_) return false;
  ++called_;
  return true;
}

void Deliveries::Stop() {
  {
    const std::lock_guard lock(mutex_);
    stops_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

std::vector<Deliveries::Rejection> Deliveries::Take(std::size_t most) {
  const auto lock = LockedSoon(mutex_);
  return TakeLocked(most);
}

std::vector<Deliveries::Rejection> Deliveries::TakeLocked(std::size_t most) {
  const auto end =
      rejections_.begin() + static_cast<std::ptrdiff_t>(std::min(rejections_.size(), most));
  std::vector<Rejection> taken(std::make_move_iterator(rejections_.begin()),
                               std::make_move_iterator(end));
  rejections_.erase(rejections_.begin(), end);
  size_.store(rejections_.size(), std::memory_order_relaxed);
  return taken;
}

/// Without the lock.
void Deliveries::Deliver(std::vector<Rejection> rejections) {
  for (Rejection& rejection : rejections) {
    rejection.task.reject(ErrorOf(std::move(rejection.why)));
    rejection = {};
  }
}

void Deliveries::Main() {
  own_ = this;
  std::unique_lock lock(mutex_);
  while (true) {
    if (!rejections_.empty()) {
      std::vector<Rejection> some = TakeLocked(kTogether);
      if (!rejections_.empty() && CallOne()) wake_.notify_one();
      ++delivering_;
      lock.unlock();
      Deliver(std::move(some));
      LockSoon(lock);
      --delivering_;
    } else if (stops_) {
      return;
    } else {
      ++sleeping_;
      wake_.wait(lock);
      --sleeping_;
      if (called_ != 0) --called_;
    }
  }
}

}  // namespace warpyard::dispatch
