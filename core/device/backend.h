// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A device as core sees it: memory, copies and the library sort. Launching workers is model/.
#ifndef WARPYARD_CORE_DEVICE_BACKEND_H_
#define WARPYARD_CORE_DEVICE_BACKEND_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace warpyard::device {

/// Memory and copies of one device. Thread-safe; calls block until done.
class Backend {
 public:
  virtual ~Backend() = default;

  /// Uninitialised memory, aligned to 256 bytes.
  /// @errors RESOURCE_EXHAUSTED: says the bytes asked for, in use, and the limit
  absl::StatusOr<void*> Allocate(std::size_t bytes);

  /// Returns memory of Allocate with the same size; null is ignored.
  void Free(void* memory, std::size_t bytes);

  /// @errors UNAVAILABLE: the device is lost (both copies)
  virtual absl::Status CopyIn(void* device, const void* host, std::size_t bytes) = 0;
  virtual absl::Status CopyOut(void* host, const void* device, std::size_t bytes) = 0;

  /// Sorts keys ascending, in place. @shape `scratch`: as many keys
  virtual absl::Status SortKeys(std::uint64_t* keys, std::uint64_t* scratch, std::size_t count) = 0;

  /// "cpu, 2 threads" or "cuda, NVIDIA H200".
  virtual std::string Description() const = 0;

  std::size_t MemoryUsed() const { return used_.load(std::memory_order_relaxed); }
  std::size_t MemoryLimit() const { return limit_; }

 protected:
  explicit Backend(std::size_t memory_limit) : limit_(memory_limit) {}

 private:
  /// Null when the device has none left.
  virtual void* AllocateRaw(std::size_t bytes) = 0;
  virtual void FreeRaw(void* memory) = 0;

  std::atomic<std::size_t> used_{0};
  const std::size_t limit_;
};

}  // namespace warpyard::device

#endif  // WARPYARD_CORE_DEVICE_BACKEND_H_
