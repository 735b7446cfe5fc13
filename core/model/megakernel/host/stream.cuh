// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What CUDA gives to the host's side of a resident kernel: a stream, and memory that the device
// reaches.
#ifndef WARPYARD_CORE_MODEL_MEGAKERNEL_HOST_STREAM_CUH_
#define WARPYARD_CORE_MODEL_MEGAKERNEL_HOST_STREAM_CUH_

#include <cuda_runtime.h>

#include <new>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/base/macros.h"
#include "core/device/cuda_status.h"

namespace warpyard::model {

/// A stream that does not wait for the default stream.
class Stream {
 public:
  Stream() = default;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() {
    if (handle_ != nullptr) cudaStreamDestroy(handle_);
  }

  /// @errors RESOURCE_EXHAUSTED, UNAVAILABLE
  absl::Status Create() {
    return device::ToStatus(cudaStreamCreateWithFlags(&handle_, cudaStreamNonBlocking));
  }

  /// Makes the destructor keep the stream: a lost device would not let go of it.
  void Abandon() { handle_ = nullptr; }

  cudaStream_t handle() const { return handle_; }

  /// Whether everything in the stream has ended. @errors UNAVAILABLE
  absl::StatusOr<bool> IsIdle() const {
    const cudaError_t state = cudaStreamQuery(handle_);
    if (state == cudaErrorNotReady) return false;
    WY_RETURN_IF_ERROR(device::ToStatus(state));
    return true;
  }

 private:
  cudaStream_t handle_ = nullptr;
};

/// An object in page-locked memory of the host, which the device reads and writes in place.
template <class T>
class Pinned {
 public:
  Pinned() = default;
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;
  ~Pinned() {
    if (host_ != nullptr) cudaFreeHost(host_);
  }

  /// @errors RESOURCE_EXHAUSTED, UNAVAILABLE
  absl::Status Create() {
    void* memory = nullptr;
    WY_RETURN_IF_ERROR(device::ToStatus(cudaHostAlloc(&memory, sizeof(T), cudaHostAllocMapped)));
    host_ = new (memory) T();
    return device::ToStatus(cudaHostGetDevicePointer(reinterpret_cast<void**>(&device_), host_, 0));
  }

  /// Makes the destructor keep the memory, as Stream::Abandon.
  void Abandon() { host_ = nullptr; }

  T* host() const { return host_; }
  /// Its address on the device.
  T* device() const { return device_; }

 private:
  T* host_ = nullptr;
  T* device_ = nullptr;
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_MEGAKERNEL_HOST_STREAM_CUH_
