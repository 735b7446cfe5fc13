// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdlib>
#include <cub/device/device_radix_sort.cuh>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/base/macros.h"
#include "core/device/cuda_backend.h"
#include "core/device/cuda_status.h"

namespace warpyard::device {
namespace {

constexpr std::size_t kFirstChunkBytes = std::size_t{1} << 30;
constexpr std::size_t kHostHeapBytes = std::size_t{64} << 20;

/// Environment variables that CUDA reads at its first call.
void SetEnvironment() {
  // By default CUDA loads a kernel at its first launch. That launch would wait for a running
  // kernel.
  setenv("CUDA_MODULE_LOADING", "EAGER", 1);
  // Streams beyond this number (8 by default) share a hardware queue, where a copy could wait
  // behind a resident kernel. 32 is the maximum of CUDA.
  setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 1);
}

/// Gets the driver's function by its entry point, so that no build must link the driver's library.
absl::Status CheckEagerLoading() {
  void* entry = nullptr;
  cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
  WY_RETURN_IF_ERROR(ToStatus(cudaGetDriverEntryPointByVersion("cuModuleGetLoadingMode", &entry,
                                                               11070, cudaEnableDefault, &found)));
  if (found != cudaDriverEntryPointSuccess) {
    return absl::UnavailableError("CUDA: the driver cannot tell how it loads kernels");
  }
  const auto get_mode = reinterpret_cast<CUresult (*)(CUmoduleLoadingMode*)>(entry);
  CUmoduleLoadingMode mode = CU_MODULE_LAZY_LOADING;
  if (const CUresult result = get_mode(&mode); result != CUDA_SUCCESS) {
    return absl::UnavailableError(absl::StrCat("CUDA: cuModuleGetLoadingMode: error ", result));
  }
  if (mode == CU_MODULE_EAGER_LOADING) return absl::OkStatus();
  return absl::UnavailableError(
      "CUDA loads kernels lazily, which can block for ever beside a kernel that stays on the "
      "device: something initialised CUDA in this process before Warpyard did; set "
      "CUDA_MODULE_LOADING=EAGER in the environment");
}

/// Sorts `buffers`. With a null `temporary` it only sets `bytes` to the size that `temporary`
/// needs.
absl::Status Sort(void* temporary, std::size_t& bytes, cub::DoubleBuffer<std::uint64_t>& buffers,
                  std::size_t count, cudaStream_t stream) {
  return ToStatus(cub::DeviceRadixSort::SortKeys(temporary, bytes, buffers, count, 0, 64, stream));
}

}  // namespace

absl::Status ToStatus(int error, std::source_location where) {
  const cudaError_t code = static_cast<cudaError_t>(error);
  if (code == cudaSuccess) return absl::OkStatus();
  const std::string text = absl::StrCat("CUDA: ", cudaGetErrorString(code), " (",
                                        where.function_name(), ":", where.line(), ")");
  return code == cudaErrorMemoryAllocation ? absl::ResourceExhaustedError(text)
                                           : absl::UnavailableError(text);
}

struct CudaBackend::Stream {
  cudaStream_t handle = nullptr;
};

/// Chunks of the heap, from the device.
class CudaBackend::Chunks final : public ChunkSource {
 public:
  explicit Chunks(const CudaBackend& backend) : backend_(backend) {}

  absl::StatusOr<void*> TakeChunk(std::size_t bytes) override {
    WY_RETURN_IF_ERROR(backend_.Use());
    void* chunk = nullptr;
    const cudaError_t error = cudaMalloc(&chunk, bytes);
    if (error == cudaSuccess) return chunk;
    cudaGetLastError();  // out of memory is not sticky: clear it
    return ToStatus(error);
  }

  void ReturnChunk(void* chunk) override {
    if (backend_.Use().ok()) cudaFree(chunk);
  }

 private:
  const CudaBackend& backend_;
};

CudaBackend::CudaBackend(int index, std::size_t memory_limit, std::string name)
    : Backend(memory_limit), index_(index), name_(std::move(name)), sort_stream_(new Stream) {}

int CudaBackend::Count() {
  SetEnvironment();
  int count = 0;
  if (cudaGetDeviceCount(&count) == cudaSuccess) return count;
  cudaGetLastError();
  return 0;
}

absl::StatusOr<std::unique_ptr<CudaBackend>> CudaBackend::Create(int index,
                                                                 std::size_t memory_limit) {
  SetEnvironment();
  int count = 0;
  WY_RETURN_IF_ERROR(ToStatus(cudaGetDeviceCount(&count)));
  if (index < 0 || index >= count) {
    return absl::UnavailableError(absl::StrCat("CUDA: no device ", index, " among ", count));
  }
  WY_RETURN_IF_ERROR(ToStatus(cudaSetDevice(index)));
  WY_RETURN_IF_ERROR(CheckEagerLoading());
  cudaDeviceProp properties;
  WY_RETURN_IF_ERROR(ToStatus(cudaGetDeviceProperties(&properties, index)));
  std::size_t free_bytes = 0, total_bytes = 0;
  WY_RETURN_IF_ERROR(ToStatus(cudaMemGetInfo(&free_bytes, &total_bytes)));
  if (memory_limit == 0) memory_limit = free_bytes / 5 * 4;
  std::unique_ptr<CudaBackend> backend(new CudaBackend(index, memory_limit, properties.name));
  WY_RETURN_IF_ERROR(backend->Initialise());
  return backend;
}

absl::Status CudaBackend::Initialise() {
  WY_RETURN_IF_ERROR(
      ToStatus(cudaStreamCreateWithFlags(&sort_stream_->handle, cudaStreamNonBlocking)));
  WY_ASSIGN_OR_RETURN(copies_, CopyPool::Create());
  TakeHostMemory();
  chunks_ = std::make_unique<Chunks>(*this);
  heap_ = std::make_unique<DeviceHeap>(
      *chunks_, MemoryLimit(),
      [this](const std::function<absl::Status()>& work) { return RunQuietly(work); });
  WY_RETURN_IF_ERROR(heap_->TakeFirstChunk(std::min(kFirstChunkBytes, MemoryLimit())));
  // The first call of the library queries the device. Do that before a kernel is resident.
  cub::DoubleBuffer<std::uint64_t> no_keys(nullptr, nullptr);
  std::size_t bytes = 0;
  return Sort(nullptr, bytes, no_keys, 1, sort_stream_->handle);
}

/// Without pinned memory, results take one more copy. A container may not let a process pin this
/// much.
void CudaBackend::TakeHostMemory() {
  if (cudaHostAlloc(&pinned_, kHostHeapBytes, cudaHostAllocDefault) == cudaSuccess) {
    host_heap_ = std::make_shared<HostHeap>(pinned_, kHostHeapBytes);
  } else {
    cudaGetLastError();
    pinned_ = nullptr;
  }
}

CudaBackend::~CudaBackend() {
  if (abandoned_) {
    static_cast<void>(heap_.release());
    static_cast<void>(copies_.release());
    static_cast<void>(chunks_.release());
    return;
  }
  if (!Use().ok()) cudaGetLastError();
  heap_.reset();
  copies_.reset();
  // Results that outlive the device keep the pinned memory. The last such result does not free it,
  // because that could wait for a resident kernel of another engine.
  if (pinned_ != nullptr && host_heap_->Close()) cudaFreeHost(pinned_);
  if (sort_stream_->handle != nullptr) cudaStreamDestroy(sort_stream_->handle);
}

absl::Status CudaBackend::Use() const { return ToStatus(cudaSetDevice(index_)); }

absl::Status CudaBackend::CopyIn(void* device, const void* host, std::size_t bytes) {
  return CopyAllIn({{{device, host, bytes}}});
}

absl::Status CudaBackend::CopyOut(void* host, const void* device, std::size_t bytes) {
  return CopyAllOut({{{host, device, bytes}}});
}

absl::Status CudaBackend::CopyAllIn(std::span<const HostCopy> copies) {
  WY_RETURN_IF_ERROR(Use());
  return copies_->CopyIn(copies);
}

absl::Status CudaBackend::CopyAllOut(std::span<const HostCopy> copies) {
  WY_RETURN_IF_ERROR(Use());
  return copies_->CopyOut(copies, host_heap_.get());
}

absl::Status CudaBackend::SortKeys(std::uint64_t* keys, std::uint64_t* scratch, std::size_t count) {
  WY_RETURN_IF_ERROR(Use());
  const cudaStream_t stream = sort_stream_->handle;
  cub::DoubleBuffer<std::uint64_t> buffers(keys, scratch);
  std::size_t bytes = 0;
  WY_RETURN_IF_ERROR(Sort(nullptr, bytes, buffers, count, stream));
  // Before the quiet point, because Allocate may need a quiet point of its own.
  WY_ASSIGN_OR_RETURN(void* temporary, Allocate(bytes));
  const auto start = [&]() -> absl::Status {
    WY_RETURN_IF_ERROR(Use());  // this may be another thread
    WY_RETURN_IF_ERROR(Sort(temporary, bytes, buffers, count, stream));
    if (buffers.Current() == keys) return absl::OkStatus();
    return ToStatus(
        cudaMemcpyAsync(keys, scratch, count * sizeof *keys, cudaMemcpyDeviceToDevice, stream));
  };
  const absl::Status sorted = RunQuietly([&] {
    const absl::Status started = start();
    // Wait after a failure too: nothing may use the keys after the return.
    const absl::Status finished = ToStatus(cudaStreamSynchronize(stream));
    heap_->ReturnIdleChunks();
    return started.ok() ? finished : started;
  });
  Free(temporary, bytes);
  return sorted;
}

std::string CudaBackend::Description() const { return absl::StrCat("cuda, ", name_); }

absl::StatusOr<void*> CudaBackend::AllocateRaw(std::size_t bytes) { return heap_->Allocate(bytes); }

void CudaBackend::FreeRaw(void* memory) { heap_->Free(memory); }

}  // namespace warpyard::device
