// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include <cstdlib>
#include <cub/device/device_radix_sort.cuh>

#include "absl/strings/str_cat.h"
#include "core/base/macros.h"
#include "core/device/cuda_backend.h"
#include "core/device/cuda_status.h"

namespace warpyard::device {

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

CudaBackend::CudaBackend(int index, std::size_t memory_limit, std::string name)
    : Backend(memory_limit), index_(index), name_(std::move(name)), stream_(new Stream) {}

absl::StatusOr<std::unique_ptr<CudaBackend>> CudaBackend::Create(int index,
                                                                 std::size_t memory_limit) {
  // A module that loads lazily does so at its first launch, and waits for a running kernel.
  setenv("CUDA_MODULE_LOADING", "EAGER", 1);
  int count = 0;
  WY_RETURN_IF_ERROR(ToStatus(cudaGetDeviceCount(&count)));
  if (index >= count) {
    return absl::UnavailableError(absl::StrCat("CUDA: no device ", index, " among ", count));
  }
  WY_RETURN_IF_ERROR(ToStatus(cudaSetDevice(index)));
  cudaDeviceProp properties;
  WY_RETURN_IF_ERROR(ToStatus(cudaGetDeviceProperties(&properties, index)));
  std::size_t free_bytes = 0, total_bytes = 0;
  WY_RETURN_IF_ERROR(ToStatus(cudaMemGetInfo(&free_bytes, &total_bytes)));
  if (memory_limit == 0) memory_limit = free_bytes / 5 * 4;
  std::unique_ptr<CudaBackend> backend(new CudaBackend(index, memory_limit, properties.name));
  WY_RETURN_IF_ERROR(
      ToStatus(cudaStreamCreateWithFlags(&backend->stream_->handle, cudaStreamNonBlocking)));
  return backend;
}

CudaBackend::~CudaBackend() {
  if (stream_->handle != nullptr) cudaStreamDestroy(stream_->handle);
}

absl::Status CudaBackend::Use() const { return ToStatus(cudaSetDevice(index_)); }

absl::Status CudaBackend::CopyIn(void* device, const void* host, std::size_t bytes) {
  WY_RETURN_IF_ERROR(Use());
  WY_RETURN_IF_ERROR(
      ToStatus(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, stream_->handle)));
  return ToStatus(cudaStreamSynchronize(stream_->handle));
}

absl::Status CudaBackend::CopyOut(void* host, const void* device, std::size_t bytes) {
  WY_RETURN_IF_ERROR(Use());
  WY_RETURN_IF_ERROR(
      ToStatus(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, stream_->handle)));
  return ToStatus(cudaStreamSynchronize(stream_->handle));
}

absl::Status CudaBackend::SortKeys(std::uint64_t* keys, std::uint64_t* scratch, std::size_t count) {
  WY_RETURN_IF_ERROR(Use());
  cub::DoubleBuffer<std::uint64_t> buffers(keys, scratch);
  const auto sort = [&](void* temporary, std::size_t& bytes) {
    return ToStatus(
        cub::DeviceRadixSort::SortKeys(temporary, bytes, buffers, count, 0, 64, stream_->handle));
  };
  std::size_t bytes = 0;
  WY_RETURN_IF_ERROR(sort(nullptr, bytes));
  WY_ASSIGN_OR_RETURN(void* temporary, Allocate(bytes));
  const absl::Status sorted = sort(temporary, bytes);
  const absl::Status finished = ToStatus(cudaStreamSynchronize(stream_->handle));
  Free(temporary, bytes);
  WY_RETURN_IF_ERROR(sorted);
  WY_RETURN_IF_ERROR(finished);
  if (buffers.Current() == keys) return absl::OkStatus();
  WY_RETURN_IF_ERROR(ToStatus(cudaMemcpyAsync(keys, scratch, count * sizeof *keys,
                                              cudaMemcpyDeviceToDevice, stream_->handle)));
  return ToStatus(cudaStreamSynchronize(stream_->handle));
}

std::string CudaBackend::Description() const { return absl::StrCat("cuda, ", name_); }

void* CudaBackend::AllocateRaw(std::size_t bytes) {
  void* memory = nullptr;
  if (!Use().ok() || cudaMalloc(&memory, bytes) != cudaSuccess) {
    cudaGetLastError();  // out of memory is not sticky: take it back
    return nullptr;
  }
  return memory;
}

void CudaBackend::FreeRaw(void* memory) {
  if (Use().ok()) cudaFree(memory);
}

}  // namespace warpyard::device
