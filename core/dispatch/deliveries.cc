// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/dispatch/deliveries.h"

#include <utility>

#include "core/base/lock_soon.h"

namespace warpyard::dispatch {
namespace {

/// One is enough, except for the refusals of several hundred thousand jobs a second.
constexpr int kThreads = 2;

}  // namespace

thread_local const Deliveries* Deliveries::own_ = nullptr;

Deliveries::Deliveries() {
  for (int i = 0; i < kThreads; ++i) threads_.emplace_back([this] { Main(); });
}

Deliveries::~Deliveries() { Stop(); }

void Deliveries::Put(std::vector<Rejection> rejections) {
  if (rejections.empty()) return;
  auto lock = LockedSoon(mutex_);
  for (Rejection& rejection : rejections) Add(std::move(rejection));
  HavePut(std::move(lock));
}

void Deliveries::Put(Task task, Refusal why) {
  auto lock = LockedSoon(mutex_);
  Add({std::move(task), std::move(why)});
  HavePut(std::move(lock));
}

void Deliveries::Add(Rejection rejection) {
  if (batches_.empty() || batches_.back().size() == kBatch) {
    batches_.emplace_back();
    batches_.back().reserve(kBatch);
  }
  batches_.back().push_back(std::move(rejection));
  size_.fetch_add(1, std::memory_order_relaxed);
}

/// Wakes a thread only if none is about to look: to wake one takes longer than all else here.
void Deliveries::HavePut(std::unique_lock<std::mutex> lock) {
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

void Deliveries::DeliverSome() {
  auto lock = LockedSoon(mutex_);
  std::vector<Rejection> some = Take();
  lock.unlock();
  Deliver(std::move(some));
}

/// A batch, or nothing.
std::vector<Deliveries::Rejection> Deliveries::Take() {
  if (batches_.empty()) return {};
  std::vector<Rejection> taken = std::move(batches_.front());
  batches_.pop_front();
  size_.fetch_sub(taken.size(), std::memory_order_relaxed);
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
    if (!batches_.empty()) {
      std::vector<Rejection> some = Take();
      if (!batches_.empty() && CallOne()) wake_.notify_one();
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
