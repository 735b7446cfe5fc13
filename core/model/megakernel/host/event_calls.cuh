// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Events as the host sees them, from a free slot to the report of the event's end.
#ifndef WARPYARD_CORE_MODEL_MEGAKERNEL_HOST_EVENT_CALLS_CUH_
#define WARPYARD_CORE_MODEL_MEGAKERNEL_HOST_EVENT_CALLS_CUH_

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/base/lock_soon.h"
#include "core/base/macros.h"
#include "core/exec/thread_scope.h"
#include "core/model/event/event_end.h"
#include "core/model/execution_model.h"
#include "core/model/megakernel/host/device_slots.h"
#include "core/model/megakernel/host/host_side.cuh"
#include "core/model/megakernel/host/resident_kernel.cuh"

namespace warpyard::model {

/// Thread-safe. The host learns of the end of an event by looking at the mailbox.
template <class Space>
class EventCalls {
 public:
  using Program = typename Space::Program;
  using Job = typename Program::Job;

  EventCalls(HostSide<Space>& side, ResidentKernel<Space>& kernel) : side_(side), kernel_(kernel) {}

  /// See ExecutionModel. The caller spins at first.
  absl::StatusOr<procedure::StageTimes> Run(const Job& job,
                                            const policy::EventAttributes& attributes,
                                            const procedure::CancelToken& token) {
    Call call(*this);
    WY_RETURN_IF_ERROR(call.Start(job, attributes, WhenFull::kWait).status());
    const Clock::time_point begin = Clock::now();
    for (std::uint32_t looks = 1;; ++looks) {
      if (auto end = call.TakeEnd()) return *std::move(end);
      if (looks % kLooks != 0) continue;
      if (token.Cancelled()) call.Cancel();
      const auto waited = Clock::now() - begin;
      if (waited > Patience()) std::this_thread::sleep_for(PauseAfter(waited));
    }
  }

  /// See ExecutionModel.
  absl::StatusOr<std::unique_ptr<StartedEvent>> Start(const Job& job,
                                                      const policy::EventAttributes& attributes) {
    auto call = std::make_unique<Call>(*this);
    WY_ASSIGN_OR_RETURN(const bool starts, call->Start(job, attributes, WhenFull::kReturn));
    if (!starts) return nullptr;
    return call;
  }

  /// @scope the caller holds the lock of the host's side
  const DeviceSlots& Slots() const { return slots_; }

 private:
  using Clock = std::chrono::steady_clock;
  using Lock = std::unique_lock<std::mutex>;
  /// What to do if no slot is free.
  enum class WhenFull { kWait, kReturn };

  class Call final : public StartedEvent {
   public:
    explicit Call(EventCalls& calls) : calls_(calls) {}

    /// Returns whether the event starts.
    absl::StatusOr<bool> Start(const Job& job, const policy::EventAttributes& attributes,
                               WhenFull when_full) {
      const bool has_deadline = attributes.deadline_ns != policy::kNoDeadline;
      order_.order = Order::kStart;
      order_.view = ViewOf(attributes, 0);
      if (has_deadline) {
        order_.view.deadline_ns = calls_.side_.clock.ToDevice(order_.view.deadline_ns);
      }
      order_.job = job;
      return calls_.SendStart(order_, has_deadline, when_full);
    }

    std::optional<absl::StatusOr<procedure::StageTimes>> TakeEnd() override {
      typename Mailbox<Program>::Report report;
      if (calls_.side_.memory.mailbox().reports[order_.slot].ReadOnHost(report, order_.turn)) {
        return End(ReadEnd<Program>(order_.job, report.begin_ns, report.cancel, report.error));
      }
      if (++looks_ % kLooks == 0) state_.Update(calls_.LookAfterKernel());
      if (!state_.ok()) return End(state_);
      return std::nullopt;
    }

    void Cancel() override {
      if (order_.order != Order::kCancel) state_.Update(calls_.SendCancel(order_));
    }

   private:
    absl::StatusOr<procedure::StageTimes> End(absl::StatusOr<procedure::StageTimes> end) {
      calls_.FreeSlot(order_.slot, end.status());
      return end;
    }

    EventCalls& calls_;
    HostOrder<Job> order_;
    std::uint32_t looks_ = 0;
    absl::Status state_;  ///< not OK: the event's end cannot be learnt
  };

  /// Takes a slot for an event and sends its order. Returns whether it did.
  absl::StatusOr<bool> SendStart(HostOrder<Job>& order, bool has_deadline, WhenFull when_full) {
    Lock lock = LockedSoon(side_.mutex);
    while (true) {
      WY_RETURN_IF_ERROR(side_.lost);
      const std::optional<std::uint32_t> slot = slots_.Take(has_deadline);
      if (!slot.has_value()) {
        if (when_full == WhenFull::kReturn) return false;
        side_.changed.wait_for(lock, std::chrono::milliseconds(10));
        continue;
      }
      order.slot = *slot;
      order.turn = slots_.Begin(order.slot, exec::ThreadScope::NowNs());
      const absl::Status sent = kernel_.Send(lock, order);
      if (sent.ok()) return true;
      slots_.End(order.slot, !absl::IsUnavailable(sent));
      return sent;
    }
  }

  absl::Status SendCancel(HostOrder<Job>& order) {
    order.order = Order::kCancel;
    Lock lock(side_.mutex);
    return kernel_.Send(lock, order);
  }

  /// Sees that the kernel does not leave without an event, unless another thread is at it.
  absl::Status LookAfterKernel() {
    const Lock lock(side_.mutex, std::try_to_lock);
    return lock.owns_lock() ? kernel_.KeepRunning() : absl::OkStatus();
  }

  /// How long a caller of Run is to spin.
  std::chrono::microseconds Patience() const {
    return side_.started.load(std::memory_order_relaxed) <= kFewEvents ? kLongSpin : kSpin;
  }

  /// How long a caller that has waited so long sleeps. Where many callers wait, each that wakes up
  /// takes a core from others for some microseconds.
  Clock::duration PauseAfter(Clock::duration waited) const {
    if (side_.started.load(std::memory_order_relaxed) <= kSomeEvents) return kPause;
    return std::clamp<Clock::duration>(waited / kPauses, kPause, kLongestPause);
  }

  void FreeSlot(std::uint32_t slot, const absl::Status& end) {
    const Lock lock = LockedSoon(side_.mutex);
    slots_.End(slot, !absl::IsUnavailable(end));
    if (!absl::IsUnavailable(end)) side_.started.fetch_sub(1, std::memory_order_relaxed);
    side_.changed.notify_all();
  }

  // A sleep takes three times as long as requested. Few callers may spin through a real-time step;
  // many would take the cores of others.
  static constexpr std::chrono::microseconds kSpin{200};
  static constexpr std::chrono::microseconds kLongSpin{3000};
  static constexpr std::uint32_t kFewEvents = 2, kSomeEvents = 8;
  static constexpr std::chrono::microseconds kPause{20};
  static constexpr std::chrono::microseconds kLongestPause{200};  // a cancel waits as long
  /// A pause is this part of what the caller has waited.
  static constexpr int kPauses = 32;
  /// At the mailbox, until the caller looks at anything else.
  static constexpr std::uint32_t kLooks = 64;

  HostSide<Space>& side_;
  ResidentKernel<Space>& kernel_;
  DeviceSlots slots_;
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_MEGAKERNEL_HOST_EVENT_CALLS_CUH_
