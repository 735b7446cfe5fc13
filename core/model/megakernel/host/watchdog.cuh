// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A thread that watches over a resident kernel: that it lives, that no event runs for ever, and
// that the host knows the device's clock.
#ifndef WARPYARD_CORE_MODEL_MEGAKERNEL_HOST_WATCHDOG_CUH_
#define WARPYARD_CORE_MODEL_MEGAKERNEL_HOST_WATCHDOG_CUH_

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "core/exec/thread_scope.h"
#include "core/model/megakernel/host/event_calls.cuh"
#include "core/model/megakernel/host/host_side.cuh"
#include "core/model/megakernel/host/resident_kernel.cuh"

namespace warpyard::model {

/// The thread lives as long as the object.
template <class Space>
class Watchdog {
 public:
  Watchdog(HostSide<Space>& side, ResidentKernel<Space>& kernel, const EventCalls<Space>& calls)
      : side_(side), kernel_(kernel), calls_(calls), thread_([this] { Watch(); }) {}
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;
  ~Watchdog() {
    {
      std::lock_guard lock(side_.mutex);
      stop_ = true;
    }
    stopped_.notify_all();
    thread_.join();
  }

 private:
  void Watch() {
    std::unique_lock lock(side_.mutex);
    // Not side_.changed: a look takes longer than an event, and would follow each end of one.
    while (!stopped_.wait_for(lock, kPause, [this] { return stop_; })) {
      if (!side_.lost.ok() || side_.quiet) continue;
      if (!kernel_.LookAfter()) continue;
      WatchEvents();
      ExchangeTime(lock);
    }
  }

  /// An event beyond its time limit was cancelled long before. If it still runs, its procedure does
  /// not return, and the device is lost.
  void WatchEvents() {
    const std::uint64_t limit_ns = side_.options.event_limit_ns;
    if (!calls_.Slots().AnyRunsFor(limit_ns, exec::ThreadScope::NowNs())) return;
    static_cast<void>(side_.Lose(absl::UnavailableError(
        absl::StrCat("a job runs longer than ", limit_ns / 1'000'000'000,
                     " s: ", side_.look.DescribeWorkers(kernel_.Now().WorkerBlocks())))));
  }

  /// Asks the device for its time every now and then. @shape lock: released for the answer
  void ExchangeTime(std::unique_lock<std::mutex>& lock) {
    if (!side_.clock.IsDue()) return;
    typename ResidentKernel<Space>::JobOrder order{};
    order.order = Order::kTime;
    order.turn = side_.clock.Begin();
    if (!kernel_.Send(lock, order).ok()) return;
    lock.unlock();
    side_.clock.End(side_.memory.mailbox().time);
    lock.lock();
  }

  static constexpr std::chrono::milliseconds kPause{20};

  HostSide<Space>& side_;
  ResidentKernel<Space>& kernel_;
  const EventCalls<Space>& calls_;
  std::condition_variable stopped_;
  bool stop_ = false;
  std::thread thread_;  ///< last: it uses the others
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_MEGAKERNEL_HOST_WATCHDOG_CUH_
