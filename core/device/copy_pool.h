// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Copies between pageable memory of the host and a CUDA device, while a kernel is resident there.
//
// The driver may synchronise with running kernels when it copies from or to pageable memory. So all
// copies go in pieces through pinned buffers that were allocated before, on streams of their own.
// The host fills one half of a buffer while the other half is transferred.
#ifndef WARPYARD_CORE_DEVICE_COPY_POOL_H_
#define WARPYARD_CORE_DEVICE_COPY_POOL_H_

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/device/host_copy.h"
#include "core/device/host_heap.h"

namespace warpyard::device {

/// Thread-safe: up to kChannels copies at a time are independent; further copies wait for a
/// channel. The device must be current for the calling thread.
class CopyPool {
 public:
  static constexpr std::size_t kChannels = 8;
  static constexpr std::size_t kMostPieceBytes = std::size_t{1} << 20;
  static constexpr std::size_t kLeastPieceBytes = std::size_t{64} << 10;

  /// Pins 2 * kChannels * kMostPieceBytes, before any kernel runs.
  /// @errors RESOURCE_EXHAUSTED, UNAVAILABLE
  static absl::StatusOr<std::unique_ptr<CopyPool>> Create();
  ~CopyPool();

  /// Both block until all copies are done. CopyIn waits once for two pieces; CopyOut waits once for
  /// all small copies. @errors UNAVAILABLE: the device is lost
  absl::Status CopyIn(std::span<const HostCopy> copies);
  /// @shape pinned: memory to which the device copies directly, or null
  absl::Status CopyOut(std::span<const HostCopy> copies, const HostHeap* pinned);

 private:
  struct Channel;  // hides CUDA types
  class Lease;

  CopyPool();
  absl::Status Initialise();

  std::vector<std::unique_ptr<Channel>> channels_;
  std::byte* pinned_ = nullptr;
  std::mutex mutex_;
  std::condition_variable returned_;
  std::vector<Channel*> free_;
};

}  // namespace warpyard::device

#endif  // WARPYARD_CORE_DEVICE_COPY_POOL_H_
