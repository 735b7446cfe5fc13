// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The resident kernel as the rest of the host's side sees it: it takes orders, and is launched when
// there are some; it is parked for quiet work; it is looked after.
#ifndef WARPYARD_CORE_MODEL_MEGAKERNEL_HOST_RESIDENT_KERNEL_CUH_
#define WARPYARD_CORE_MODEL_MEGAKERNEL_HOST_RESIDENT_KERNEL_CUH_

#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "core/base/macros.h"
#include "core/model/megakernel/host/host_side.cuh"
#include "core/model/megakernel/host/order_sender.h"
#include "core/model/megakernel/host/residency.cuh"

namespace warpyard::model {

/// @scope all members but RunQuietly: the caller holds the lock of the host's side
template <class Space>
class ResidentKernel {
 public:
  using JobOrder = HostOrder<typename Space::Program::Job>;

  explicit ResidentKernel(HostSide<Space>& side) : side_(side), residency_(side) {}
  ResidentKernel(const ResidentKernel&) = delete;
  ResidentKernel& operator=(const ResidentKernel&) = delete;

  /// Makes the kernel leave, or abandons a device that is lost.
  ~ResidentKernel() {
    std::lock_guard lock(side_.mutex);
    if (side_.lost.ok() && Stop().ok()) return;
    residency_.Abandon();
    side_.memory.Abandon();
    side_.look.Abandon();
    side_.backend.Abandon();
  }

  /// @errors UNAVAILABLE
  absl::Status Create() { return residency_.Create(); }

  const Launches& Now() const { return residency_.Now(); }

  /// Hands an order to the kernel, and launches it if none is resident.
  /// @shape lock: released while the ring is full
  absl::Status Send(std::unique_lock<std::mutex>& lock, const JobOrder& order) {
    while (!orders_.HasRoom(side_.memory.mailbox(), order)) {
      WY_RETURN_IF_ERROR(KeepRunning());
      side_.changed.wait_for(lock, std::chrono::microseconds(50));
    }
    WY_RETURN_IF_ERROR(side_.lost);
    if (order.order == Order::kStart) ++side_.started;
    orders_.Send(side_.memory.mailbox(), order);
    if (side_.quiet) return absl::OkStatus();
    return Now().resident ? KeepRunning() : residency_.Launch();
  }

  /// Launches the kernel again if it left before it saw an order: it leaves by itself when idle.
  /// @errors UNAVAILABLE: the device is lost
  absl::Status KeepRunning() {
    WY_RETURN_IF_ERROR(side_.lost);
    if (side_.quiet) return absl::OkStatus();
    const std::optional<LeaveReport> left = residency_.TakeLeave();
    if (!left.has_value()) return absl::OkStatus();
    if (left->stuck != 0) return side_.Lose(side_.look.ReadStuck());
    if (left->consumed == orders_.Sent()) return absl::OkStatus();
    return residency_.Launch();
  }

  /// Looks whether the kernel lives, and prepares the next launch; false: it is not resident.
  bool LookAfter() {
    if (!side_.backend.Use().ok()) return false;
    const absl::StatusOr<bool> idle = side_.memory.stream().IsIdle();
    const absl::Status lives = idle.ok() ? KeepRunning() : side_.Lose(idle.status());
    return lives.ok() && residency_.Arm().ok() && Now().resident;
  }

  /// See ExecutionModel. @scope the caller does not hold the lock
  absl::Status RunQuietly(const std::function<absl::Status()>& work) {
    std::lock_guard one_at_a_time(side_.quiet_mutex);
    {
      std::unique_lock lock(side_.mutex);
      WY_RETURN_IF_ERROR(side_.lost);
      side_.quiet = true;  // from here on nothing is launched
      const absl::Status stopped = Stop();
      if (!stopped.ok()) return side_.Lose(stopped);
    }
    const absl::Status done = work();
    std::lock_guard lock(side_.mutex);
    side_.quiet = false;
    WY_RETURN_IF_ERROR(side_.lost);
    const bool has_work = side_.started != 0 || !orders_.AreRead(side_.memory.mailbox());
    if (has_work) WY_RETURN_IF_ERROR(residency_.Launch());
    return done;
  }

 private:
  using Clock = std::chrono::steady_clock;

  /// Makes the kernel leave and waits for that. @errors UNAVAILABLE
  absl::Status Stop() {
    residency_.OpenGate();  // the host cannot wait for a stream that waits
    if (Now().resident) {
      JobOrder order;
      order.order = Order::kPark;
      order.turn = Now().number;
      orders_.Send(side_.memory.mailbox(), order);
    }
    WY_RETURN_IF_ERROR(side_.backend.Use());
    const Clock::time_point limit = Clock::now() + side_.options.stop_limit;
    while (true) {
      WY_ASSIGN_OR_RETURN(const bool idle, side_.memory.stream().IsIdle());
      if (idle) break;
      if (Clock::now() > limit) {
        return absl::UnavailableError(absl::StrCat(
            "the device does not stop: ", side_.look.DescribeWorkers(Now().WorkerBlocks())));
      }
      std::this_thread::yield();
    }
    const std::optional<LeaveReport> left = residency_.TakeLeave(true);
    return left.has_value() && left->stuck != 0 ? side_.look.ReadStuck() : absl::OkStatus();
  }

  HostSide<Space>& side_;
  Residency<Space> residency_;
  OrderSender<typename Space::Program> orders_;
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_MEGAKERNEL_HOST_RESIDENT_KERNEL_CUH_
