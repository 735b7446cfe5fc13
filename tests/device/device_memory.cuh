// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Device memory for tests, and whether there is a device.
#ifndef WARPYARD_TESTS_DEVICE_DEVICE_MEMORY_CUH_
#define WARPYARD_TESTS_DEVICE_DEVICE_MEMORY_CUH_

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

namespace warpyard::test_support {

inline bool HasDevice() {
  int count = 0;
  const bool answers = cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
  cudaGetLastError();
  return answers;
}

/// Waits for launched work. If it failed, reports a failure of the test and returns false.
inline bool Synchronize() {
  const cudaError_t launched = cudaGetLastError();
  const cudaError_t error = launched != cudaSuccess ? launched : cudaDeviceSynchronize();
  EXPECT_EQ(error, cudaSuccess) << cudaGetErrorString(error);
  return error == cudaSuccess;
}

/// @shape `size` elements, all bytes zero at first
template <class T>
class DeviceMemory {
 public:
  explicit DeviceMemory(std::size_t size) : size_(size) {
    EXPECT_EQ(cudaMalloc(&data_, size * sizeof(T)), cudaSuccess);
    EXPECT_EQ(cudaMemset(data_, 0, size * sizeof(T)), cudaSuccess);
  }
  ~DeviceMemory() { cudaFree(data_); }
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  T* get() const { return data_; }

  std::vector<T> Read() const {
    std::vector<T> host(size_);
    EXPECT_EQ(cudaMemcpy(host.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost),
              cudaSuccess);
    return host;
  }

 private:
  T* data_ = nullptr;
  std::size_t size_;
};

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_DEVICE_DEVICE_MEMORY_CUH_
