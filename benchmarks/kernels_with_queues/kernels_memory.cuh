// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What kernels with queues need on the host before the first event: the kernels of the procedures,
// and memory and streams for them.
#ifndef WARPYARD_BENCHMARKS_KERNELS_WITH_QUEUES_KERNELS_MEMORY_CUH_
#define WARPYARD_BENCHMARKS_KERNELS_WITH_QUEUES_KERNELS_MEMORY_CUH_

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "benchmarks/kernels_with_queues/kernel_round.cuh"
#include "core/base/macros.h"
#include "core/device/cuda_backend.h"
#include "core/device/cuda_status.h"
#include "core/memory/device_array.h"
#include "core/procedure/procedure_list.h"

namespace warpyard::bench {

/// The kernels of a program's procedures, by id. @shape List: Program::Procedures
template <class Program, class List>
struct ProcedureKernels;
template <class Program, class... Ps>
struct ProcedureKernels<Program, procedure::ProcedureList<Ps...>> {
  using Arguments = KernelArguments<Program>;

  /// Allows the kernels the shared memory that they need.
  static absl::Status Prepare() {
    absl::Status status;
    (status.Update(PrepareOne<Ps>()), ...);
    return status;
  }

  static absl::Status Launch(std::uint32_t id, const Arguments& arguments, cudaStream_t stream) {
    using Launcher = absl::Status (*)(const Arguments&, cudaStream_t);
    static constexpr Launcher kLaunchers[] = {&LaunchOne<Ps>...};
    return kLaunchers[id](arguments, stream);
  }

 private:
  template <class P>
  static absl::Status PrepareOne() {
    constexpr int kBytes = static_cast<int>(sizeof(KernelMemory<Program, P>));
    return device::ToStatus(
        cudaFuncSetAttribute(reinterpret_cast<const void*>(&ExecuteProcedureKernel<Program, P>),
                             cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes));
  }

  template <class P>
  static absl::Status LaunchOne(const Arguments& arguments, cudaStream_t stream) {
    using Shape = KernelShape<P>;
    const std::uint32_t blocks = (arguments.elements - 1) / Shape::kGroups + 1;
    ExecuteProcedureKernel<Program, P>
        <<<blocks, Shape::kThreads, sizeof(KernelMemory<Program, P>), stream>>>(arguments);
    return device::ToStatus(cudaGetLastError());
  }
};

/// Memory and streams of the kernels, all taken before the first event.
template <class Program>
class KernelsMemory {
 public:
  using Procedures = typename Program::Procedures;
  using Queues = KernelQueues<Program>;
  using Message = message::SlottedMessage<RoundReport<Program>>;
  static constexpr std::uint32_t kCount = Procedures::kCount;
  /// Kernels that may overlap. More streams than the device has queues would wait for each other,
  /// and the backend needs some queues too.
  static constexpr std::uint32_t kStreams = std::min(kCount, 16u);

  KernelsMemory() = default;
  KernelsMemory(const KernelsMemory&) = delete;
  KernelsMemory& operator=(const KernelsMemory&) = delete;
  ~KernelsMemory() {
    for (cudaEvent_t event : ended_) {
      if (event != nullptr) cudaEventDestroy(event);
    }
    for (cudaStream_t stream : streams_) {
      if (stream != nullptr) cudaStreamDestroy(stream);
    }
    if (cancel_stream_ != nullptr) cudaStreamDestroy(cancel_stream_);
    if (mapped_ != nullptr) cudaFreeHost(mapped_);
  }

  using OneEvent = DeviceEvent<Program>;

  /// @errors RESOURCE_EXHAUSTED, UNAVAILABLE
  absl::Status Allocate(device::CudaBackend& backend, std::uint32_t queue_elements) {
    using device::ToStatus;
    WY_RETURN_IF_ERROR(backend.Use());
    for (std::uint32_t i = 0; i < kStreams; ++i) {
      WY_RETURN_IF_ERROR(ToStatus(cudaStreamCreateWithFlags(&streams_[i], cudaStreamNonBlocking)));
      WY_RETURN_IF_ERROR(ToStatus(cudaEventCreateWithFlags(&ended_[i], cudaEventDisableTiming)));
    }
    WY_RETURN_IF_ERROR(ToStatus(cudaStreamCreateWithFlags(&cancel_stream_, cudaStreamNonBlocking)));
    void* mapped = nullptr;
    WY_RETURN_IF_ERROR(ToStatus(cudaHostAlloc(&mapped, sizeof(Mapped), cudaHostAllocMapped)));
    mapped_ = new (mapped) Mapped{};
    void* on_device = nullptr;
    WY_RETURN_IF_ERROR(ToStatus(cudaHostGetDevicePointer(&on_device, mapped_, 0)));
    device_message_ = &static_cast<Mapped*>(on_device)->message;
    WY_ASSIGN_OR_RETURN(event_, memory::DeviceArray<OneEvent>::Create(backend, 1));
    return AllocateQueues(backend, queue_elements);
  }

  OneEvent* event() { return event_.data(); }
  Queues* queues() { return queues_.data(); }
  Message& message() { return mapped_->message; }
  Message* device_message() { return device_message_; }
  cudaStream_t stream(std::uint32_t i) { return streams_[i]; }

  /// Makes the first stream wait for the work of another stream.
  absl::Status Join(std::uint32_t i) {
    WY_RETURN_IF_ERROR(device::ToStatus(cudaEventRecord(ended_[i], streams_[i])));
    return device::ToStatus(cudaStreamWaitEvent(streams_[0], ended_[i], 0));
  }

  /// Tells the kernels that run that their event is to end.
  absl::Status SetCancel() {
    return device::ToStatus(cudaMemcpyAsync(&event()->cancel, &mapped_->one, sizeof mapped_->one,
                                            cudaMemcpyHostToDevice, cancel_stream_));
  }
  absl::Status AwaitCancel() { return device::ToStatus(cudaStreamSynchronize(cancel_stream_)); }

 private:
  struct Mapped {
    Message message;
    std::uint32_t one = 1;
  };

  absl::Status AllocateQueues(device::CudaBackend& backend, std::uint32_t queue_elements) {
    WY_ASSIGN_OR_RETURN(queues_, memory::DeviceArray<Queues>::Create(backend, 1));
    const auto table = std::make_unique<Queues>();
    for (std::uint32_t buffer = 0; buffer < 2; ++buffer) {
      for (std::uint32_t p = 0; p < kCount; ++p) {
        QueuedItem* items = nullptr;
        if (Procedures::IsSpawnedId(p)) {
          WY_ASSIGN_OR_RETURN(auto memory,
                              memory::DeviceArray<QueuedItem>::Create(backend, queue_elements));
          items = memory.data();
          items_.push_back(std::move(memory));
        }
        auto& ends = queues()->ends[buffer][p];  // its address on the device
        table->queues[buffer][p] = {items, items == nullptr ? 0 : queue_elements, &ends.pushed,
                                    &ends.taken};
      }
    }
    return backend.CopyIn(queues(), table.get(), sizeof *table);
  }

  cudaStream_t streams_[kStreams] = {};
  cudaEvent_t ended_[kStreams] = {};
  cudaStream_t cancel_stream_ = nullptr;
  Mapped* mapped_ = nullptr;
  Message* device_message_ = nullptr;
  memory::DeviceArray<OneEvent> event_;
  memory::DeviceArray<Queues> queues_;
  std::vector<memory::DeviceArray<QueuedItem>> items_;
};

}  // namespace warpyard::bench

#endif  // WARPYARD_BENCHMARKS_KERNELS_WITH_QUEUES_KERNELS_MEMORY_CUH_
