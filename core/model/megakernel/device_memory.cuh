// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The memory of a resident kernel, all taken before the first launch, and the host's reads of it.
#ifndef WARPYARD_CORE_MODEL_MEGAKERNEL_DEVICE_MEMORY_CUH_
#define WARPYARD_CORE_MODEL_MEGAKERNEL_DEVICE_MEMORY_CUH_

#include <cuda_runtime.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <new>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/base/macros.h"
#include "core/device/cuda_backend.h"
#include "core/device/cuda_status.h"
#include "core/memory/device_array.h"
#include "core/model/event/event_end.h"
#include "core/model/execution_model.h"
#include "core/model/megakernel/versatile_megakernel.cuh"

namespace warpyard::model {

template <class Space>
class DeviceMemory {
 public:
  using Box = Mailbox<typename Space::Program>;

  DeviceMemory() = default;
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;
  ~DeviceMemory() {
    if (stream_ != nullptr) cudaStreamDestroy(stream_);
    if (look_stream_ != nullptr) cudaStreamDestroy(look_stream_);
    if (mailbox_ != nullptr) cudaFreeHost(mailbox_);
    if (look_ != nullptr) cudaFreeHost(look_);
  }

  /// Makes the destructor free nothing: a lost device would not let go of the memory.
  void Abandon() {
    stream_ = look_stream_ = nullptr;
    mailbox_ = nullptr;
    look_ = nullptr;
  }

  /// @errors RESOURCE_EXHAUSTED, UNAVAILABLE
  absl::Status Allocate(device::CudaBackend& backend) {
    using device::ToStatus;
    WY_RETURN_IF_ERROR(backend.Use());
    for (cudaStream_t* stream : {&stream_, &look_stream_}) {
      WY_RETURN_IF_ERROR(ToStatus(cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking)));
    }
    WY_ASSIGN_OR_RETURN(space_, memory::DeviceArray<Space>::Create(backend, 1));
    WY_ASSIGN_OR_RETURN(state_, memory::DeviceArray<ControllerState>::Create(backend, 1));
    void* mapped = nullptr;
    WY_RETURN_IF_ERROR(ToStatus(cudaHostAlloc(&mapped, sizeof(Box), cudaHostAllocMapped)));
    mailbox_ = new (mapped) Box();
    WY_RETURN_IF_ERROR(ToStatus(
        cudaHostGetDevicePointer(reinterpret_cast<void**>(&device_mailbox_), mailbox_, 0)));
    WY_RETURN_IF_ERROR(ToStatus(
        cudaHostAlloc(reinterpret_cast<void**>(&look_), sizeof(Look), cudaHostAllocDefault)));
    return absl::OkStatus();
  }

  /// Resets everything to the first state. @scope while no kernel is resident
  absl::Status Reset() {
    using device::ToStatus;
    WY_RETURN_IF_ERROR(ToStatus(cudaMemsetAsync(space(), 0, sizeof(Space), stream_)));
    WY_RETURN_IF_ERROR(ToStatus(cudaMemsetAsync(state(), 0, sizeof(ControllerState), stream_)));
    ResetWorkspaceKernel<Space><<<64, 128, 0, stream_>>>(space());
    WY_RETURN_IF_ERROR(ToStatus(cudaGetLastError()));
    return ToStatus(cudaStreamSynchronize(stream_));
  }

  Space* space() { return space_.data(); }
  ControllerState* state() { return state_.data(); }
  Box& mailbox() const { return *mailbox_; }
  Box* device_mailbox() { return device_mailbox_; }
  cudaStream_t stream() { return stream_; }

  /// Orders that the device has read.
  std::uint32_t Consumed() const {
    return std::atomic_ref(mailbox_->consumed.turn).load(std::memory_order_acquire);
  }

  /// The last published statistics.
  void ReadStatistics(ModelStatistics& statistics) const {
    auto& published = mailbox_->published;
    for (std::uint32_t p = 0; p < Space::Procedures::kCount; ++p) {
      ProcedureSums& sums = published.procedures[p];
      statistics.procedures.push_back(
          ReadSums({Load(sums.executed), Load(sums.spawned), Load(sums.busy_ns), Load(sums.min_ns),
                    Load(sums.max_ns)}));
      statistics.queues.push_back(
          {Load(published.queue_sizes[p]), std::uint64_t{Space::Levels::Capacity()}});
    }
    for (std::uint64_t& ns : published.tenant_ns) statistics.tenant_ns.push_back(Load(ns));
    statistics.spills = Load(published.spills);
    statistics.back_offs = Load(published.back_offs);
    statistics.looks = Load(published.looks);
    statistics.claims = Load(published.claims);
    statistics.misses = Load(published.misses);
    statistics.busy_ns = Load(published.busy_ns);
  }

  /// The reason of the wait that ran out. @scope any time; the copy does not wait for the kernel
  absl::Status ReadStuck() {
    if (!Copy(look_->stuck_wait, space()->stuck_wait, sizeof look_->stuck_wait)) {
      return absl::UnavailableError("a worker waited too long");
    }
    return absl::UnavailableError(
        absl::StrCat("a worker waited too long (", look_->stuck_wait, ")"));
  }

  /// What the workers do, in words. @scope any time
  std::string DescribeWorkers(std::uint32_t workers) {
    if (!Copy(look_->activities, space()->activities, sizeof look_->activities)) {
      return "its memory cannot be read";
    }
    std::map<std::string, int> counts;
    for (std::uint32_t w = 0; w < workers; ++w) ++counts[Describe(look_->activities[w])];
    return absl::StrJoin(counts, ", ", [](std::string* out, const auto& entry) {
      absl::StrAppend(out, entry.second, " warps ", entry.first);
    });
  }

 private:
  /// Pinned target of copies that must not wait for anything.
  struct Look {
    exec::PackedSlot activities[Space::Shape::kWorkers];
    char stuck_wait[sizeof(Space::stuck_wait)];
  };

  static std::uint64_t Load(std::uint64_t& word) {
    return std::atomic_ref(word).load(std::memory_order_relaxed);
  }

  static std::string Describe(const exec::PackedSlot& activity) {
    switch (static_cast<WorkerActivity>(activity.payload[0])) {
      case WorkerActivity::kAbsent:
        return "gone";
      case WorkerActivity::kIdle:
        return "idle";
      case WorkerActivity::kExecuting:
        break;
    }
    const std::uint32_t procedure = procedure::ProcedureOf(activity.payload[1]);
    if (procedure >= Space::Procedures::kCount) return "executing something unknown";
    return absl::StrCat("executing ", Space::Procedures::kNames[procedure]);
  }

  bool Copy(void* to, const void* from, std::size_t bytes) {
    return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, look_stream_) == cudaSuccess &&
           cudaStreamSynchronize(look_stream_) == cudaSuccess;
  }

  cudaStream_t stream_ = nullptr;
  cudaStream_t look_stream_ = nullptr;
  memory::DeviceArray<Space> space_;
  memory::DeviceArray<ControllerState> state_;
  Box* mailbox_ = nullptr;
  Box* device_mailbox_ = nullptr;
  Look* look_ = nullptr;
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_MEGAKERNEL_DEVICE_MEMORY_CUH_
