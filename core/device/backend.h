// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A device as core sees it: memory, copies and the library sort. Launching workers is model/.
#ifndef WARPYARD_CORE_DEVICE_BACKEND_H_
#define WARPYARD_CORE_DEVICE_BACKEND_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/device/device_heap.h"
#include "core/device/host_copy.h"
#include "core/device/host_heap.h"

namespace warpyard::device {

/// Memory and copies of one device. Thread-safe; calls block until done.
class Backend {
 public:
  virtual ~Backend() = default;

  /// Uninitialised memory, aligned to 256 bytes.
  /// @scope not from the work of a quiet runner, as that of a full heap waits for a quiet point
  /// @errors RESOURCE_EXHAUSTED: says the bytes asked for, in use, and the limit; those of the
  /// quiet runner
  absl::StatusOr<void*> Allocate(std::size_t bytes);

  /// Returns memory of Allocate with the same size; null is ignored.
  void Free(void* memory, std::size_t bytes);

  /// @errors UNAVAILABLE: the device is lost (both copies)
  virtual absl::Status CopyIn(void* device, const void* host, std::size_t bytes) = 0;
  virtual absl::Status CopyOut(void* host, const void* device, std::size_t bytes) = 0;

  /// Several copies to or from the device, which a device takes on at once: a wait for each costs
  /// more than a small copy. @errors as above
  virtual absl::Status CopyAllIn(std::span<const HostCopy> copies);
  virtual absl::Status CopyAllOut(std::span<const HostCopy> copies);

  /// Sorts keys ascending, in place. @shape `scratch`: as many keys
  /// @scope as Allocate
  /// @errors as Allocate, UNAVAILABLE: the device is lost
  virtual absl::Status SortKeys(std::uint64_t* keys, std::uint64_t* scratch, std::size_t count) = 0;

  /// "cpu, 2 threads" or "cuda, NVIDIA H200".
  virtual std::string Description() const = 0;

  /// How to run what cannot run beside a kernel that stays on the device: growing the heap, library
  /// kernels. Null, as at first: there is no such kernel, just run it. The one who sets it takes it
  /// back before what it refers to ends.
  void SetQuietRunner(QuietRunner runner);

  /// Memory of the host to which CopyOut needs no copy by the host; null if there is none.
  const std::shared_ptr<HostHeap>& HostMemory() const { return host_heap_; }

  /// Whether procedures can write to this memory of the host. What they wrote is there when the Run
  /// of a model that calls Finish returns.
  virtual bool Reaches(const void* host) const {
    return host_heap_ != nullptr && host_heap_->Contains(host);
  }

  std::size_t MemoryUsed() const { return used_.load(std::memory_order_relaxed); }
  std::size_t MemoryLimit() const { return limit_; }

 protected:
  explicit Backend(std::size_t memory_limit) : limit_(memory_limit) {}

  /// Has the quiet runner call `work`. No lock is held meanwhile.
  absl::Status RunQuietly(const std::function<absl::Status()>& work);

  std::shared_ptr<HostHeap> host_heap_;

 private:
  /// @errors RESOURCE_EXHAUSTED: the device has none left
  virtual absl::StatusOr<void*> AllocateRaw(std::size_t bytes) = 0;
  virtual void FreeRaw(void* memory) = 0;

  std::atomic<std::size_t> used_{0};
  const std::size_t limit_;
  std::mutex quiet_mutex_;
  QuietRunner quiet_;
};

}  // namespace warpyard::device

#endif  // WARPYARD_CORE_DEVICE_BACKEND_H_
