// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A CUDA device.
#ifndef WARPYARD_CORE_DEVICE_CUDA_BACKEND_H_
#define WARPYARD_CORE_DEVICE_CUDA_BACKEND_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/device/backend.h"
#include "core/device/copy_pool.h"
#include "core/device/device_heap.h"

namespace warpyard::device {

/// While a kernel is resident, the heap grows and sorts run only in its quiet runner
/// (Backend::SetQuietRunner). Copies, and blocks from the existing heap, need no quiet point.
class CudaBackend final : public Backend {
 public:
  /// The number of devices that answer; 0 without a driver.
  static int Count();

  /// Takes device `index`. Call it before any kernel is resident on any device, as it allocates
  /// pinned memory. @shape `memory_limit` in bytes, 0 for 80 % of what is free
  /// @errors UNAVAILABLE: no such device, or this build has no code for it, or CUDA was initialised
  /// before with lazy loading of kernels; RESOURCE_EXHAUSTED
  static absl::StatusOr<std::unique_ptr<CudaBackend>> Create(int index, std::size_t memory_limit);
  ~CudaBackend() override;

  absl::Status CopyIn(void* device, const void* host, std::size_t bytes) override;
  absl::Status CopyOut(void* host, const void* device, std::size_t bytes) override;
  absl::Status CopyAllIn(std::span<const HostCopy> copies) override;
  absl::Status CopyAllOut(std::span<const HostCopy> copies) override;
  absl::Status SortKeys(std::uint64_t* keys, std::uint64_t* scratch, std::size_t count) override;
  std::string Description() const override;

  /// Makes the device current for the calling thread. @errors UNAVAILABLE
  absl::Status Use() const;
  int Index() const { return index_; }

  /// Call this when the device does not answer any more. The destructor then frees nothing, because
  /// that would wait for the device's kernels for ever. The end of the process frees the memory.
  void Abandon() { abandoned_ = true; }

 private:
  struct Stream;  // hides cudaStream_t
  class Chunks;
  CudaBackend(int index, std::size_t memory_limit, std::string name);

  absl::Status Initialise();
  void TakeHostMemory();
  absl::StatusOr<void*> AllocateRaw(std::size_t bytes) override;
  void FreeRaw(void* memory) override;

  const int index_;
  std::atomic<bool> abandoned_{false};
  const std::string name_;
  std::unique_ptr<Stream> sort_stream_;
  std::unique_ptr<CopyPool> copies_;
  std::unique_ptr<Chunks> chunks_;
  std::unique_ptr<DeviceHeap> heap_;
  void* pinned_ = nullptr;  // of host_heap_
};

}  // namespace warpyard::device

#endif  // WARPYARD_CORE_DEVICE_CUDA_BACKEND_H_
