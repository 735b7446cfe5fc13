// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A CUDA device as a machine: the megakernel of the load program, and kernels that do the work of
// its packages without a scheduler.
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <limits>
#include <thread>
#include <vector>

#include "benchmarks/kernels_with_queues/kernels_with_queues.cuh"
#include "benchmarks/scheduler/machine.h"
#include "benchmarks/support/samples.h"
#include "core/device/cuda_backend.h"
#include "core/device/cuda_status.h"
#include "core/exec/device_group.cuh"
#include "core/model/megakernel/resident_device.cuh"
#include "core/workload/synthetic/synthetic_procedures.h"

namespace warpyard::bench {
namespace {

using device::ToStatus;
constexpr unsigned kThreads = 32 * model::BlockWarps<synthetic::SyntheticProgram>();

/// Runs packages of a flat job; each block runs its packages one after the other.
__global__ void __launch_bounds__(kThreads)
    RunPackagesKernel(const __grid_constant__ synthetic::SyntheticJob given) {
  using Group = exec::DeviceGroup<kThreads>;
  __shared__ std::uint64_t mailbox[2];
  synthetic::SyntheticJob job = given;
  Group group(nullptr, mailbox, threadIdx.x, 1);
  procedure::Context<Group, synthetic::SyntheticJob> context{group, job};
  for (std::uint32_t id = blockIdx.x; id < job.elements; id += gridDim.x) {
    synthetic::RunPackages::Execute(context, {id, id + 1});
  }
}

/// Runs elements of warps of a flat job; each warp runs its elements one after the other.
__global__ void __launch_bounds__(kThreads)
    RunWarpsKernel(const __grid_constant__ synthetic::SyntheticJob given) {
  using Group = exec::DeviceGroup<32>;
  constexpr std::uint32_t kWarps = kThreads / 32;
  synthetic::SyntheticJob job = given;
  Group group(nullptr, nullptr, threadIdx.x % 32, threadIdx.x / 32);
  procedure::Context<Group, synthetic::SyntheticJob> context{group, job};
  const std::uint32_t first = blockIdx.x * kWarps + threadIdx.x / 32;
  for (std::uint32_t id = first; id < job.elements; id += gridDim.x * kWarps) {
    synthetic::RunWarps::Execute(context, {id, id + 1});
  }
}

/// Runs chains of packages of a recursive job; each block runs its chains one after the other.
__global__ void __launch_bounds__(kThreads)
    RunChainsKernel(const __grid_constant__ synthetic::SyntheticJob given) {
  using Group = exec::DeviceGroup<kThreads>;
  __shared__ std::uint64_t mailbox[2];
  __shared__ procedure::Element spawned[synthetic::RecursivePackage::kMaxSpawns];
  __shared__ procedure::SpawnBuffer spawns;
  synthetic::SyntheticJob job = given;
  Group group(nullptr, mailbox, threadIdx.x, 1);
  if (threadIdx.x == 0) spawns = {0, spawned};
  group.Barrier();
  procedure::Context<Group, synthetic::SyntheticJob> context{group, job, nullptr, &spawns};
  for (std::uint32_t id = blockIdx.x; id < job.elements; id += gridDim.x) {
    synthetic::Node node{id, 0};
    bool more = true;
    while (more) {
      synthetic::RecursivePackage::Execute(context, node);
      group.Barrier();
      more = spawns.count != 0;
      if (more) memcpy(&node, spawned[0].payload, sizeof node);
      group.Barrier();
      if (threadIdx.x == 0) spawns.count = 0;
    }
  }
}

auto PlainKernelOf(synthetic::SyntheticKind kind) {
  if (kind == synthetic::SyntheticKind::kFlat) return RunPackagesKernel;
  return kind == synthetic::SyntheticKind::kFlatWarps ? RunWarpsKernel : RunChainsKernel;
}

int Processors(int device) {
  int processors = 1;
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  return processors;
}

class CudaStreams final : public PlainStreams {
 public:
  explicit CudaStreams(device::CudaBackend& backend) : backend_(backend) {}
  ~CudaStreams() override {
    for (auto& streams : streams_) {
      for (cudaStream_t stream : streams) cudaStreamDestroy(stream);
    }
  }

  absl::Status Initialise(std::uint64_t blocks) {
    int least = 0, greatest = 0;
    WY_RETURN_IF_ERROR(ToStatus(cudaDeviceGetStreamPriorityRange(&least, &greatest)));
    for (unsigned urgent = 0; urgent < 2; ++urgent) {
      for (unsigned i = 0; i < kStreams; ++i) {
        cudaStream_t stream = nullptr;
        WY_RETURN_IF_ERROR(ToStatus(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking,
                                                                 urgent != 0 ? greatest : least)));
        streams_[urgent].push_back(stream);
      }
    }
    return LimitBlocks(blocks);
  }

  absl::Status Run(const synthetic::SyntheticJob& job, Urgency urgency, unsigned stream) override {
    WY_RETURN_IF_ERROR(backend_.Use());
    cudaStream_t own = streams_[urgency == Urgency::kUrgent ? 1 : 0][stream];
    RunPackagesKernel<<<job.elements, kThreads, shared_bytes_, own>>>(job);
    WY_RETURN_IF_ERROR(ToStatus(cudaGetLastError()));
    const std::uint64_t begin_ns = NowNs();
    while (true) {
      const cudaError_t state = cudaStreamQuery(own);
      if (state != cudaErrorNotReady) return ToStatus(state);
      const std::uint64_t waited_ns = NowNs() - begin_ns;
      if (waited_ns > kLimitNs) return absl::DeadlineExceededError("a plain kernel does not end");
      if (waited_ns > kSpinNs) std::this_thread::sleep_for(std::chrono::microseconds(20));
    }
  }

 private:
  static constexpr std::uint64_t kLimitNs = 20'000'000'000;
  static constexpr std::uint64_t kSpinNs = 1'000'000;

  /// Gives each block so much shared memory that the same number of blocks fits as in the
  /// scheduler.
  absl::Status LimitBlocks(std::uint64_t blocks) {
    const auto processors = static_cast<std::uint64_t>(Processors(backend_.Index()));
    const auto wanted = static_cast<int>((blocks + processors - 1) / processors);
    int most = 0;
    WY_RETURN_IF_ERROR(ToStatus(
        cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, backend_.Index())));
    const auto kernel = reinterpret_cast<const void*>(&RunPackagesKernel);
    WY_RETURN_IF_ERROR(ToStatus(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most - 1024)));
    for (int bytes = 0; bytes < most - 1024; bytes += 256) {
      int fit = 0;
      shared_bytes_ = static_cast<std::size_t>(bytes);
      WY_RETURN_IF_ERROR(ToStatus(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
          &fit, kernel, static_cast<int>(kThreads), shared_bytes_)));
      if (fit <= wanted) break;
    }
    return absl::OkStatus();
  }

  device::CudaBackend& backend_;
  std::vector<cudaStream_t> streams_[2];
  std::size_t shared_bytes_ = 0;
};

class CudaMachine final : public Machine {
 public:
  explicit CudaMachine(std::unique_ptr<device::CudaBackend> backend)
      : backend_(std::move(backend)) {}
  ~CudaMachine() override {
    for (cudaEvent_t event : events_) {
      if (event != nullptr) cudaEventDestroy(event);
    }
  }

  absl::Status Initialise() {
    WY_RETURN_IF_ERROR(backend_->Use());
    for (cudaEvent_t& event : events_) WY_RETURN_IF_ERROR(ToStatus(cudaEventCreate(&event)));
    return absl::OkStatus();
  }

  device::Backend& backend() override { return *backend_; }
  bool IsCpu() const override { return false; }

  absl::StatusOr<std::unique_ptr<LoadModel>> CreateModel(
      const model::ResidentOptions& options) override {
    return Upcast(model::ResidentDevice<synthetic::SyntheticProgram>::Create(*backend_, options));
  }

  absl::StatusOr<std::unique_ptr<LoadModel>> CreateKernelsWithQueues() override {
    return Upcast(KernelsWithQueues<synthetic::SyntheticProgram>::Create(*backend_));
  }

  absl::StatusOr<double> RunPlain(const synthetic::SyntheticJob& job) override {
    WY_RETURN_IF_ERROR(backend_->Use());
    double best_ns = std::numeric_limits<double>::max();
    for (const int per_processor : {4, 8, 12, 16}) {
      const unsigned blocks = std::min(
          static_cast<unsigned>(per_processor * Processors(backend_->Index())), job.elements);
      WY_RETURN_IF_ERROR(ToStatus(cudaEventRecord(events_[0])));
      PlainKernelOf(job.kind)<<<blocks, kThreads>>>(job);
      WY_RETURN_IF_ERROR(ToStatus(cudaGetLastError()));
      WY_RETURN_IF_ERROR(ToStatus(cudaEventRecord(events_[1])));
      WY_RETURN_IF_ERROR(ToStatus(cudaEventSynchronize(events_[1])));
      float milliseconds = 0;
      WY_RETURN_IF_ERROR(ToStatus(cudaEventElapsedTime(&milliseconds, events_[0], events_[1])));
      best_ns = std::min(best_ns, static_cast<double>(milliseconds) * 1e6);
    }
    return best_ns;
  }

  absl::StatusOr<std::unique_ptr<PlainStreams>> CreateStreams(std::uint64_t blocks) override {
    WY_RETURN_IF_ERROR(backend_->Use());
    auto streams = std::make_unique<CudaStreams>(*backend_);
    WY_RETURN_IF_ERROR(streams->Initialise(blocks));
    return streams;
  }

 private:
  template <class Created>
  static absl::StatusOr<std::unique_ptr<LoadModel>> Upcast(Created created) {
    if (!created.ok()) return created.status();
    return std::unique_ptr<LoadModel>(*std::move(created));
  }

  const std::unique_ptr<device::CudaBackend> backend_;
  cudaEvent_t events_[2] = {};
};

}  // namespace

absl::StatusOr<std::unique_ptr<Machine>> CreateCudaMachine() {
  auto backend = device::CudaBackend::Create(0, 0);
  if (!backend.ok()) return backend.status();
  auto machine = std::make_unique<CudaMachine>(*std::move(backend));
  WY_RETURN_IF_ERROR(machine->Initialise());
  return machine;
}

}  // namespace warpyard::bench
