// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Calls of Run, one event each: from a free slot to the report of the event's end.
#ifndef WARPYARD_CORE_MODEL_MEGAKERNEL_HOST_EVENT_CALLS_CUH_
#define WARPYARD_CORE_MODEL_MEGAKERNEL_HOST_EVENT_CALLS_CUH_

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <thread>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/base/macros.h"
#include "core/exec/thread_scope.h"
#include "core/model/event/event_end.h"
#include "core/model/megakernel/host/device_slots.h"
#include "core/model/megakernel/host/host_side.cuh"
#include "core/model/megakernel/host/resident_kernel.cuh"

namespace warpyard::model {

/// Thread-safe. A caller of Run waits for its own event: it looks at the mailbox, spinning at
/// first.
template <class Space>
class EventCalls {
 public:
  using Program = typename Space::Program;
  using Job = typename Program::Job;

  EventCalls(HostSide<Space>& side, ResidentKernel<Space>& kernel) : side_(side), kernel_(kernel) {}

  /// See ExecutionModel.
  absl::StatusOr<procedure::StageTimes> Run(const Job& job,
                                            const policy::EventAttributes& attributes,
                                            const procedure::CancelToken& token) {
    HostOrder<Job> order;
    const bool has_deadline = attributes.deadline_ns != policy::kNoDeadline;
    WY_ASSIGN_OR_RETURN(order.slot, ClaimSlot(has_deadline));
    order.order = Order::kStart;
    order.view = ViewOf(attributes, 0);
    if (has_deadline) order.view.deadline_ns = side_.clock.ToDevice(order.view.deadline_ns);
    order.job = job;
    const absl::Status sent = Start(order);
    const absl::StatusOr<procedure::StageTimes> result =
        sent.ok() ? Await(order, token) : absl::StatusOr<procedure::StageTimes>(sent);
    FreeSlot(order.slot, result.status());
    return result;
  }

  /// @scope the caller holds the lock of the host's side
  const DeviceSlots& Slots() const { return slots_; }

 private:
  using Clock = std::chrono::steady_clock;
  using Lock = std::unique_lock<std::mutex>;

  absl::StatusOr<std::uint32_t> ClaimSlot(bool has_deadline) {
    Lock lock(side_.mutex);
    while (true) {
      WY_RETURN_IF_ERROR(side_.lost);
      const std::optional<std::uint32_t> slot = slots_.Take(has_deadline);
      if (slot.has_value()) return *slot;
      side_.changed.wait_for(lock, std::chrono::milliseconds(10));
    }
  }

  absl::Status Start(HostOrder<Job>& order) {
    Lock lock(side_.mutex);
    order.turn = slots_.Begin(order.slot, exec::ThreadScope::NowNs());
    return kernel_.Send(lock, order);
  }

  absl::Status Cancel(HostOrder<Job> order) {
    order.order = Order::kCancel;
    Lock lock(side_.mutex);
    return kernel_.Send(lock, order);
  }

  absl::StatusOr<procedure::StageTimes> Await(const HostOrder<Job>& order,
                                              const procedure::CancelToken& token) {
    typename Mailbox<Program>::Report report;
    auto& message = side_.memory.mailbox().reports[order.slot];
    const Clock::time_point begin = Clock::now();
    bool cancelled = false;
    std::chrono::microseconds patience = kSpin;
    for (std::uint32_t looks = 1; !message.ReadOnHost(report, order.turn); ++looks) {
      if (looks % 64 != 0) continue;
      if (token.Cancelled() && !cancelled) {
        cancelled = true;
        WY_RETURN_IF_ERROR(Cancel(order));
      }
      WY_RETURN_IF_ERROR(LookAfterKernel(patience));
      if (Clock::now() - begin > patience) std::this_thread::sleep_for(kPause);
    }
    {
      std::lock_guard lock(side_.mutex);
      --side_.started;
    }
    return ReadEnd<Program>(order.job, report.begin_ns, report.cancel, report.error);
  }

  /// Sees that the kernel does not leave without the event, unless another thread is at it.
  /// @shape patience: how long a caller is to spin, as it seems now
  absl::Status LookAfterKernel(std::chrono::microseconds& patience) {
    const Lock lock(side_.mutex, std::try_to_lock);
    if (!lock.owns_lock()) return absl::OkStatus();
    WY_RETURN_IF_ERROR(kernel_.KeepRunning());
    patience = side_.started <= kFewEvents ? kLongSpin : kSpin;
    return absl::OkStatus();
  }

  void FreeSlot(std::uint32_t slot, const absl::Status& end) {
    std::lock_guard lock(side_.mutex);
    slots_.End(slot, !absl::IsUnavailable(end));
    side_.changed.notify_all();
  }

  // A sleep takes three times as long as requested. Few callers may spin through a real-time step;
  // many would take the cores of others.
  static constexpr std::chrono::microseconds kSpin{200};
  static constexpr std::chrono::microseconds kLongSpin{3000};
  static constexpr std::uint32_t kFewEvents = 2;
  static constexpr std::chrono::microseconds kPause{20};

  HostSide<Space>& side_;
  ResidentKernel<Space>& kernel_;
  DeviceSlots slots_;
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_MEGAKERNEL_HOST_EVENT_CALLS_CUH_
