// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Execution model of a CUDA device: the host's side of the versatile megakernel.
#ifndef WARPYARD_CORE_MODEL_RESIDENT_DEVICE_CUH_
#define WARPYARD_CORE_MODEL_RESIDENT_DEVICE_CUH_

#include <cuda_runtime.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "core/base/macros.h"
#include "core/device/cuda_backend.h"
#include "core/device/cuda_status.h"
#include "core/device/stream_gate.h"
#include "core/message/clock_map.h"
#include "core/model/device_memory.cuh"
#include "core/model/event_end.h"
#include "core/model/execution_model.h"
#include "core/model/resident_options.h"
#include "core/model/versatile_megakernel.cuh"

namespace warpyard::model {

/// Thread-safe. A caller of Run waits for its own event: it looks at the mailbox, spinning at
/// first. A thread watches over the kernel.
template <class Program>
class ResidentDevice final : public ExecutionModel<Program> {
 public:
  using Job = typename Program::Job;
  using Space = DeviceSpace<Program>;

  /// @errors RESOURCE_EXHAUSTED, UNAVAILABLE
  static absl::StatusOr<std::unique_ptr<ResidentDevice>> Create(device::CudaBackend& backend,
                                                                const ResidentOptions& options) {
    std::unique_ptr<ResidentDevice> model(new ResidentDevice(backend, options));
    WY_RETURN_IF_ERROR(model->memory_.Allocate(backend));
    WY_RETURN_IF_ERROR(model->ChooseGrid());
    WY_RETURN_IF_ERROR(model->memory_.Reset());
    model->has_gate_ = model->gate_.Create().ok();
    model->watchdog_ = std::thread([&model = *model] { model.Watch(); });
    return model;
  }

  ~ResidentDevice() override {
    {
      std::lock_guard lock(mutex_);
      stop_ = true;
    }
    changed_.notify_all();
    if (watchdog_.joinable()) watchdog_.join();
    std::lock_guard lock(mutex_);
    if (lost_.ok() && StopLocked().ok()) return;
    gate_.Abandon();
    memory_.Abandon();
    backend_.Abandon();
  }

  std::uint32_t MaxEvents() const override { return procedure::kEventBuckets; }

  absl::StatusOr<procedure::StageTimes> Run(const Job& job,
                                            const policy::EventAttributes& attributes,
                                            const procedure::CancelToken& token) override {
    HostOrder<Job> order;
    WY_RETURN_IF_ERROR(ClaimSlot(attributes, order.slot));
    order.order = Order::kStart;
    order.view = ViewOf(attributes, 0);
    if (order.view.deadline_ns != policy::kNoDeadline) {
      order.view.deadline_ns = clock_.ToDevice(order.view.deadline_ns);
    }
    order.job = job;
    absl::Status sent;
    {
      std::unique_lock lock(mutex_);
      order.turn = ++slots_[order.slot].turn;
      slots_[order.slot].start_ns = HostNs();
      sent.Update(SendLocked(lock, order));
    }
    absl::StatusOr<procedure::StageTimes> result =
        sent.ok() ? Await(order, token) : absl::StatusOr<procedure::StageTimes>(sent);
    FreeSlot(order.slot, result.status());
    return result;
  }

  std::uint32_t Workers() const override { return blocks_ - 1; }

  ModelStatistics Statistics() const override {
    ModelStatistics statistics;
    memory_.ReadStatistics(statistics);
    std::lock_guard lock(mutex_);
    statistics.workers = blocks_ - 1;
    statistics.launches = armed_ ? launch_ - 1 : launch_;
    statistics.resident = resident_;
    statistics.running_events = running_;
    return statistics;
  }

  absl::Status Health() const override {
    std::lock_guard lock(mutex_);
    return lost_;
  }

  absl::Status RunQuietly(const std::function<absl::Status()>& work) override {
    std::lock_guard quiet(quiet_mutex_);
    {
      std::unique_lock lock(mutex_);
      WY_RETURN_IF_ERROR(lost_);
      quiet_ = true;  // from here on nothing is launched
      const absl::Status stopped = StopLocked();
      if (!stopped.ok()) return LoseLocked(stopped);
    }
    const absl::Status done = work();
    std::lock_guard lock(mutex_);
    quiet_ = false;
    WY_RETURN_IF_ERROR(lost_);
    if (memory_.Consumed() != produced_ || started_ != 0) WY_RETURN_IF_ERROR(LaunchLocked());
    return done;
  }

 private:
  using Clock = std::chrono::steady_clock;

  struct Slot {
    bool claimed = false;
    std::uint32_t turn = 0;
    std::uint64_t start_ns = 0;
  };

  ResidentDevice(device::CudaBackend& backend, const ResidentOptions& options)
      : backend_(backend), options_(options) {}

  static std::uint64_t HostNs() {
    return static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch())
            .count());
  }

  absl::Status ChooseGrid() {
    using device::ToStatus;
    const auto kernel = reinterpret_cast<const void*>(&ResidentMegakernel<Space>);
    constexpr std::size_t kShared = MegakernelSharedBytes<Space>();
    WY_RETURN_IF_ERROR(ToStatus(cudaFuncSetAttribute(
        kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(kShared))));
    int blocks = 0, processors = 0;
    WY_RETURN_IF_ERROR(ToStatus(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks, kernel, kMegakernelThreads<Space>, kShared)));
    WY_RETURN_IF_ERROR(ToStatus(
        cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, backend_.Index())));
    blocks_ =
        static_cast<unsigned>(std::min(blocks * processors, static_cast<int>(Space::kMostBlocks)));
    if (options_.most_blocks != 0) blocks_ = std::min(blocks_, options_.most_blocks);
    if (blocks_ < 2) return absl::UnavailableError("CUDA: the megakernel does not fit the device");
    return absl::OkStatus();
  }

  absl::Status ClaimSlot(const policy::EventAttributes& attributes, std::uint32_t& slot) {
    // Some slots are reserved for events with a deadline, which are short: they need not wait
    // behind long events.
    const std::uint32_t usable = attributes.deadline_ns == policy::kNoDeadline
                                     ? procedure::kEventBuckets - kDeadlineSlots
                                     : procedure::kEventBuckets;
    std::unique_lock lock(mutex_);
    while (true) {
      WY_RETURN_IF_ERROR(lost_);
      for (slot = 0; slot < usable; ++slot) {
        if (slots_[slot].claimed) continue;
        slots_[slot].claimed = true;
        // The watchdog would take the event before, which began long ago, for this one.
        slots_[slot].start_ns = 0;
        ++running_;
        return absl::OkStatus();
      }
      changed_.wait_for(lock, std::chrono::milliseconds(10));
    }
  }

  void FreeSlot(std::uint32_t slot, const absl::Status& end) {
    std::lock_guard lock(mutex_);
    --running_;
    // The slot of an event that never ended stays taken: the device may still write to its memory.
    slots_[slot].claimed = absl::IsUnavailable(end);
    changed_.notify_all();
  }

  /// Hands an order to the kernel, and launches it if none is resident.
  absl::Status SendLocked(std::unique_lock<std::mutex>& lock, const HostOrder<Job>& order) {
    while (produced_ - memory_.Consumed() >= Mailbox<Program>::kOrders / 2) {
      WY_RETURN_IF_ERROR(lost_);
      if (!quiet_) WY_RETURN_IF_ERROR(RelaunchIfLeftLocked());
      changed_.wait_for(lock, std::chrono::microseconds(50));
    }
    WY_RETURN_IF_ERROR(lost_);
    if (order.order == Order::kStart) ++started_;
    auto& orders = memory_.mailbox().orders;
    orders.At(produced_).WriteFromHost(order, orders.TurnOf(produced_));
    ++produced_;
    if (quiet_) return absl::OkStatus();
    return resident_ ? RelaunchIfLeftLocked() : LaunchLocked();
  }

  /// Starts the kernel: the one that waits behind the gate, or a new one.
  absl::Status LaunchLocked() {
    if (armed_) {
      gate_.Open(launch_);
      armed_ = false;
      resident_ = true;
      return absl::OkStatus();
    }
    WY_RETURN_IF_ERROR(EnqueueLocked());
    resident_ = true;
    return absl::OkStatus();
  }

  /// Launches a kernel behind the gate for the next job, while there is time for that.
  absl::Status ArmLocked() {
    if (armed_ || resident_ || quiet_ || !has_gate_ || options_.linger_ns == 0) {
      return absl::OkStatus();
    }
    // The first launch of a kernel allocates the local memory of its threads, which waits until the
    // device is idle: behind a gate it would wait for ever.
    if (launch_ == 0) return absl::OkStatus();
    WY_RETURN_IF_ERROR(backend_.Use());
    const absl::Status closed = gate_.Close(memory_.stream(), launch_ + 1);
    if (!closed.ok()) return LoseLocked(closed);
    WY_RETURN_IF_ERROR(EnqueueLocked());
    armed_ = true;
    return absl::OkStatus();
  }

  absl::Status EnqueueLocked() {
    WY_RETURN_IF_ERROR(backend_.Use());
    ++launch_;
    const MegakernelArguments<Space> arguments{memory_.space(),          memory_.state(),
                                               memory_.device_mailbox(), options_.policy,
                                               options_.linger_ns,       launch_};
    // Not a cooperative launch, which costs some microseconds more: no block waits for a block that
    // may not have started (docs/adr/0014).
    ResidentMegakernel<Space>
        <<<blocks_, kMegakernelThreads<Space>, MegakernelSharedBytes<Space>(), memory_.stream()>>>(
            arguments);
    const absl::Status launched = device::ToStatus(cudaGetLastError());
    return launched.ok() ? launched : LoseLocked(launched);
  }

  /// Relaunches a kernel that left before it saw an order: it leaves by itself when idle.
  absl::Status RelaunchIfLeftLocked() {
    LeaveReport left{};
    if (!resident_ || !memory_.mailbox().leave.ReadOnHost(left, launch_)) return lost_;
    resident_ = false;
    if (left.stuck != 0) return LoseLocked(memory_.ReadStuck());
    if (left.consumed == produced_) return absl::OkStatus();
    return LaunchLocked();
  }

  /// Makes the kernel leave and waits for that.
  absl::Status StopLocked() {
    if (armed_) WY_RETURN_IF_ERROR(LaunchLocked());  // the host cannot wait for a stream that waits
    if (resident_) {
      HostOrder<Job> order;
      order.order = Order::kPark;
      order.turn = launch_;
      auto& orders = memory_.mailbox().orders;
      orders.At(produced_).WriteFromHost(order, orders.TurnOf(produced_));
      ++produced_;
    }
    WY_RETURN_IF_ERROR(backend_.Use());
    const Clock::time_point limit = Clock::now() + options_.stop_limit;
    while (true) {
      const cudaError_t state = cudaStreamQuery(memory_.stream());
      if (state == cudaSuccess) break;
      if (state != cudaErrorNotReady) return device::ToStatus(state);
      if (Clock::now() > limit) {
        return absl::UnavailableError(
            absl::StrCat("the device does not stop: ", memory_.DescribeBlocks(blocks_)));
      }
      std::this_thread::yield();
    }
    LeaveReport left{};
    const bool told = memory_.mailbox().leave.ReadOnHost(left, launch_);
    resident_ = false;
    if (told && left.stuck != 0) return memory_.ReadStuck();
    return absl::OkStatus();
  }

  /// Marks the device lost: every Run fails from now on.
  absl::Status LoseLocked(const absl::Status& why) {
    lost_.Update(absl::UnavailableError(absl::StrCat("device lost: ", why.message())));
    if (backend_.HostMemory() != nullptr) backend_.HostMemory()->Stop();
    changed_.notify_all();
    return lost_;
  }

  absl::StatusOr<procedure::StageTimes> Await(const HostOrder<Job>& order,
                                              const procedure::CancelToken& token) {
    typename Mailbox<Program>::Report report;
    auto& message = memory_.mailbox().reports[order.slot];
    const Clock::time_point begin = Clock::now();
    bool cancelled = false;
    auto patience = kSpin;
    for (std::uint32_t looks = 1; !message.ReadOnHost(report, order.turn); ++looks) {
      if (looks % 64 != 0) continue;
      if (token.Cancelled() && !cancelled) {
        cancelled = true;
        HostOrder<Job> cancel = order;
        cancel.order = Order::kCancel;
        std::unique_lock lock(mutex_);
        WY_RETURN_IF_ERROR(SendLocked(lock, cancel));
      }
      {
        std::unique_lock lock(mutex_, std::try_to_lock);
        if (lock.owns_lock()) {
          WY_RETURN_IF_ERROR(lost_);
          if (!quiet_) WY_RETURN_IF_ERROR(RelaunchIfLeftLocked());
          patience = started_ <= kFewEvents ? kLongSpin : kSpin;
        }
      }
      if (Clock::now() - begin > patience) std::this_thread::sleep_for(kPause);
    }
    {
      std::lock_guard lock(mutex_);
      --started_;
    }
    Event<Program> end{};
    end.job = order.job;
    std::copy(std::begin(report.begin_ns), std::end(report.begin_ns), std::begin(end.begin_ns));
    return ReadEnd<Program>(end, report.cancel, report.error);
  }

  /// Watches the kernel: that it lives, that it moves, that no event runs for ever.
  void Watch() {
    std::unique_lock lock(mutex_);
    while (!stop_) {
      changed_.wait_for(lock, std::chrono::milliseconds(20));
      if (stop_ || !lost_.ok() || quiet_) continue;
      if (!backend_.Use().ok()) continue;
      const cudaError_t state = cudaStreamQuery(memory_.stream());
      if (state != cudaSuccess && state != cudaErrorNotReady) {
        static_cast<void>(LoseLocked(device::ToStatus(state)));
        continue;
      }
      static_cast<void>(RelaunchIfLeftLocked());
      static_cast<void>(ArmLocked());
      if (!resident_) continue;
      WatchEventsLocked();
      ExchangeTimeLocked(lock);
    }
  }

  /// An event beyond its time limit was cancelled long before. If it still runs, its procedure does
  /// not return, and the device is lost.
  void WatchEventsLocked() {
    const std::uint64_t now_ns = HostNs();
    for (const Slot& slot : slots_) {
      if (!slot.claimed || slot.start_ns == 0) continue;
      if (now_ns - slot.start_ns < options_.event_limit_ns) continue;
      static_cast<void>(LoseLocked(absl::UnavailableError(
          absl::StrCat("a job runs longer than ", options_.event_limit_ns / 1'000'000'000,
                       " s: ", memory_.DescribeBlocks(blocks_)))));
      return;
    }
  }

  /// Asks the device for its time every now and then.
  void ExchangeTimeLocked(std::unique_lock<std::mutex>& lock) {
    if (Clock::now() - exchanged_ < kExchangePeriod) return;
    exchanged_ = Clock::now();
    HostOrder<Job> order{};
    order.order = Order::kTime;
    order.turn = ++exchanges_;
    const std::uint64_t before = HostNs();
    if (!SendLocked(lock, order).ok()) return;
    lock.unlock();
    TimeReport report;
    while (HostNs() - before < kExchangeLimitNs) {
      if (!memory_.mailbox().time.ReadOnHost(report, order.turn)) continue;
      clock_.Add(before, report.device_ns, HostNs());
      break;
    }
    lock.lock();
  }

  static constexpr std::chrono::milliseconds kExchangePeriod{200};
  static constexpr std::uint64_t kExchangeLimitNs = 100'000;
  static constexpr std::uint32_t kDeadlineSlots = 16;
  // A sleep takes three times as long as requested. Few callers may spin through a real-time step;
  // many would take the cores of others.
  static constexpr std::chrono::microseconds kSpin{200};
  static constexpr std::chrono::microseconds kLongSpin{3000};
  static constexpr std::uint32_t kFewEvents = 2;
  static constexpr std::chrono::microseconds kPause{20};

  device::CudaBackend& backend_;
  const ResidentOptions options_;
  DeviceMemory<Space> memory_;
  device::StreamGate gate_;
  bool has_gate_ = false;
  message::ClockMap clock_;
  unsigned blocks_ = 0;
  std::mutex quiet_mutex_;  // one quiet point at a time
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  Slot slots_[procedure::kEventBuckets];
  std::uint32_t produced_ = 0;  // orders
  std::uint32_t started_ = 0;   // events sent whose end was not seen yet
  std::uint32_t running_ = 0;
  std::uint32_t launch_ = 0;
  std::uint32_t exchanges_ = 0;
  Clock::time_point exchanged_;
  bool resident_ = false;
  bool armed_ = false;  // a kernel waits behind the gate
  bool quiet_ = false;
  bool stop_ = false;
  absl::Status lost_;
  std::thread watchdog_;
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_RESIDENT_DEVICE_CUH_
