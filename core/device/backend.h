// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A device as core uses it: memory, copies and the library sort. Model code launches the workers.
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
  /// @scope not from the work of a quiet runner: a full heap waits for a quiet point
  /// @errors RESOURCE_EXHAUSTED (with the bytes asked for, in use, and the limit), and those of the
  /// quiet runner
  absl::StatusOr<void*> Allocate(std::size_t bytes);

  /// Returns memory of Allocate with the same size; null is ignored.
  void Free(void* memory, std::size_t bytes);

  /// @errors UNAVAILABLE: the device is lost (both copies)
  virtual absl::Status CopyIn(void* device, const void* host, std::size_t bytes) = 0;
  virtual absl::Status CopyOut(void* host, const void* device, std::size_t bytes) = 0;

  /// Several copies to or from the device, started together: waiting once per copy would cost more
  /// than a small copy itself.
  /// @errors as above
  virtual absl::Status CopyAllIn(std::span<const HostCopy> copies);
  virtual absl::Status CopyAllOut(std::span<const HostCopy> copies);

  /// Sorts keys ascending, in place. @shape `scratch`: as many keys
  /// @scope as Allocate
  /// @errors as Allocate, UNAVAILABLE: the device is lost
  virtual absl::Status SortKeys(std::uint64_t* keys, std::uint64_t* scratch, std::size_t count) = 0;

  /// "cpu, 2 threads" or "cuda, NVIDIA H200".
  virtual std::string Description() const = 0;

  /// Sets the way to run work that cannot run beside a resident kernel: growing the heap, library
  /// kernels. Null, as at first: no kernel is resident, so the work just runs. The caller sets null
  /// again before the runner's objects end.
  void SetQuietRunner(QuietRunner runner);

  /// Memory of the host into which the device copies directly; null if there is none.
  const std::shared_ptr<HostHeap>& HostMemory() const { return host_heap_; }

  /// Whether procedures can write to this memory of the host. Their stores are visible when the Run
  /// of a model that calls Finish returns.
  virtual bool Reaches(const void* host) const {
    return host_heap_ != nullptr && host_heap_->Contains(host);
  }

  std::size_t MemoryUsed() const { return used_.load(std::memory_order_relaxed); }
  std::size_t MemoryLimit() const { return limit_; }

 protected:
  explicit Backend(std::size_t memory_limit) : limit_(memory_limit) {}

  /// Makes the quiet runner call `work`. No lock is held during the call.
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
