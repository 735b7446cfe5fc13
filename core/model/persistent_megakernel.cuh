// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Execution model of a CUDA device: one kernel whose blocks all run the worker loop.
//
// In this release the kernel is launched once for each event and ends with it; it stays for all
// stages of the event, which follow one another on the device. [Steinberger §6.3]
#ifndef WARPYARD_CORE_MODEL_PERSISTENT_MEGAKERNEL_CUH_
#define WARPYARD_CORE_MODEL_PERSISTENT_MEGAKERNEL_CUH_

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "core/base/macros.h"
#include "core/device/cuda_backend.h"
#include "core/device/cuda_status.h"
#include "core/exec/device_scope.cuh"
#include "core/memory/device_array.h"
#include "core/model/execution_model.h"
#include "core/model/worker_loop.h"
#include "core/model/workspace.h"

namespace warpyard::model {

inline constexpr unsigned kMegakernelThreads = 128;

/// Why the blocks stopped before the event was done (Workspace::stuck).
enum class StuckReason : std::uint32_t { kNone, kQueueWait, kTimeLimit };

/// Runs event 0 to its end. No block waits for another but in the bounded waits of the queues, and
/// no block draws an element later than `time_limit_ns` after the kernel's start.
template <class Program>
__global__ void __launch_bounds__(kMegakernelThreads)
    RunEventKernel(Workspace<exec::DeviceScope, Program>* space, std::uint64_t time_limit_ns) {
  extern __shared__ __align__(16) std::byte shared[];
  __shared__ std::uint64_t mailbox[2];
  exec::DeviceScope scope(shared, mailbox);
  WorkerLoop<exec::DeviceScope, Program> loop(scope, *space);
  const std::uint64_t limit = exec::DeviceScope::NowNs() + time_limit_ns;
  Round round = blockIdx.x == 0 ? loop.StartEvent(0) : Round::kWorked;
  for (std::uint32_t idle_rounds = 0; round != Round::kEventDone; round = loop.RunOnce()) {
    StuckReason stuck = round == Round::kStuck ? StuckReason::kQueueWait : StuckReason::kNone;
    std::uint32_t end = 0;
    if (scope.Rank() == 0) {
      if (exec::DeviceScope::NowNs() > limit) stuck = StuckReason::kTimeLimit;
      const auto word = exec::DeviceScope::Word(space->stuck);
      if (stuck != StuckReason::kNone) word.StoreRelaxed(static_cast<std::uint32_t>(stuck));
      const auto state = exec::DeviceScope::Word(space->events[0].state);
      end = word.LoadRelaxed() != 0 ||
            (round == Round::kIdle &&
             state.LoadRelaxed() == static_cast<std::uint32_t>(EventState::kDone));
    }
    if (scope.Broadcast(end) != 0) return;
    if (round == Round::kIdle) {
      exec::DeviceScope::Pause(idle_rounds++);
    } else {
      idle_rounds = 0;
    }
  }
}

/// One event at a time; callers wait for their turn. Thread-safe.
template <class Program>
class PersistentMegakernel final : public ExecutionModel<Program> {
 public:
  using Job = typename Program::Job;
  using Space = Workspace<exec::DeviceScope, Program>;

  /// @errors RESOURCE_EXHAUSTED, UNAVAILABLE
  static absl::StatusOr<std::unique_ptr<PersistentMegakernel>> Create(
      device::CudaBackend& backend) {
    std::unique_ptr<PersistentMegakernel> model(new PersistentMegakernel(backend));
    WY_RETURN_IF_ERROR(model->Initialise());
    return model;
  }

  ~PersistentMegakernel() override {
    for (cudaStream_t stream : {stream_, cancel_stream_}) {
      if (stream != nullptr) cudaStreamDestroy(stream);
    }
  }

  std::uint32_t MaxEvents() const override { return 1; }

  absl::StatusOr<procedure::StageTimes> Run(const Job& job,
                                            const procedure::CancelToken& token) override {
    std::lock_guard lock(mutex_);
    WY_RETURN_IF_ERROR(backend_.Use());
    Event<Program> event{};
    event.job = job;
    event.state = static_cast<std::uint32_t>(EventState::kRunning);
    WY_RETURN_IF_ERROR(Launch(event));
    WY_RETURN_IF_ERROR(AwaitKernel(token));
    return ReadEvent(event);
  }

  std::vector<ProcedureCounters> Counters() const override {
    std::lock_guard lock(counters_mutex_);
    return counters_;
  }

  std::vector<QueueFill> QueueFills() const override {
    // Between events, when the host can look, the queues are empty.
    return std::vector<QueueFill>(Space::kProcedures, QueueFill{0, Space::kQueueCapacity});
  }

 private:
  static constexpr std::uint64_t kTimeLimitNs = 60'000'000'000;

  explicit PersistentMegakernel(device::CudaBackend& backend)
      : backend_(backend), counters_(Space::kProcedures) {}

  absl::Status Initialise() {
    using device::ToStatus;
    WY_RETURN_IF_ERROR(backend_.Use());
    for (cudaStream_t* stream : {&stream_, &cancel_stream_}) {
      WY_RETURN_IF_ERROR(ToStatus(cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking)));
    }
    WY_ASSIGN_OR_RETURN(space_, memory::DeviceArray<Space>::Create(backend_, 1));
    const auto empty = std::make_unique<Space>();
    empty->Reset();
    WY_RETURN_IF_ERROR(backend_.CopyIn(space_.data(), empty.get(), sizeof(Space)));
    int blocks = 0, processors = 0;
    WY_RETURN_IF_ERROR(ToStatus(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks, RunEventKernel<Program>, kMegakernelThreads, kSharedBytes)));
    WY_RETURN_IF_ERROR(ToStatus(
        cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, backend_.Index())));
    if (blocks == 0) return absl::UnavailableError("CUDA: the megakernel does not fit the device");
    blocks_ = static_cast<unsigned>(blocks * processors);
    return absl::OkStatus();
  }

  absl::Status Launch(const Event<Program>& event) {
    WY_RETURN_IF_ERROR(device::ToStatus(cudaMemcpyAsync(
        &space_.data()->events[0], &event, sizeof event, cudaMemcpyHostToDevice, stream_)));
    Space* space = space_.data();
    std::uint64_t time_limit_ns = kTimeLimitNs;
    void* arguments[] = {&space, &time_limit_ns};
    return device::ToStatus(cudaLaunchCooperativeKernel(
        reinterpret_cast<const void*>(&RunEventKernel<Program>), dim3(blocks_),
        dim3(kMegakernelThreads), arguments, kSharedBytes, stream_));
  }

  /// Waits for the kernel, which ends by itself within its time limit, and passes a cancel on to
  /// it: by a copy on another stream, as a kernel beside it could not start.
  absl::Status AwaitKernel(const procedure::CancelToken& token) {
    bool cancelled = false;
    while (true) {
      const cudaError_t state = cudaStreamQuery(stream_);
      if (state != cudaErrorNotReady) return device::ToStatus(state);
      if (token.Cancelled() && !cancelled) {
        cancelled = true;
        constexpr std::uint32_t kOne = 1;
        WY_RETURN_IF_ERROR(
            device::ToStatus(cudaMemcpyAsync(&space_.data()->events[0].cancel, &kOne, sizeof kOne,
                                             cudaMemcpyHostToDevice, cancel_stream_)));
        WY_RETURN_IF_ERROR(device::ToStatus(cudaStreamSynchronize(cancel_stream_)));
      }
      std::this_thread::yield();
    }
  }

  absl::StatusOr<procedure::StageTimes> ReadEvent(Event<Program>& event) {
    Space* space = space_.data();
    std::uint32_t stuck = 0;
    std::vector<ProcedureCounters> counters(Space::kProcedures);
    WY_RETURN_IF_ERROR(backend_.CopyOut(&event, &space->events[0], sizeof event));
    WY_RETURN_IF_ERROR(backend_.CopyOut(&stuck, &space->stuck, sizeof stuck));
    WY_RETURN_IF_ERROR(
        backend_.CopyOut(counters.data(), space->procedures, sizeof space->procedures));
    {
      std::lock_guard lock(counters_mutex_);
      counters_ = std::move(counters);
    }
    if (stuck != 0 || event.state != static_cast<std::uint32_t>(EventState::kDone)) {
      return Recover(stuck);
    }
    if (event.cancel != 0) return absl::CancelledError("cancelled while running");
    procedure::StageTimes times;
    for (std::uint32_t s = 0; s <= Program::StageCount(event.job); ++s) {
      times.begin_ns[s] = event.begin_ns[s];
    }
    return times;
  }

  /// The kernel gave up: its queues hold elements that nobody will draw. Starts from empty ones.
  absl::Status Recover(std::uint32_t stuck) {
    const auto empty = std::make_unique<Space>();
    empty->Reset();
    WY_RETURN_IF_ERROR(backend_.CopyIn(space_.data(), empty.get(), sizeof(Space)));
    return absl::InternalError(
        stuck == static_cast<std::uint32_t>(StuckReason::kTimeLimit)
            ? absl::StrCat("the job ran longer than ", kTimeLimitNs / 1'000'000'000, " s")
            : "a worker waited too long inside a queue");
  }

  static constexpr std::size_t kSharedBytes = Program::Procedures::SharedBytes();
  static_assert(kSharedBytes <= 47 * 1024, "more needs cudaFuncSetAttribute");

  device::CudaBackend& backend_;
  std::mutex mutex_;
  cudaStream_t stream_ = nullptr;
  cudaStream_t cancel_stream_ = nullptr;
  unsigned blocks_ = 0;
  memory::DeviceArray<Space> space_;
  mutable std::mutex counters_mutex_;
  std::vector<ProcedureCounters> counters_;
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_PERSISTENT_MEGAKERNEL_CUH_
