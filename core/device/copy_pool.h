// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Copies between pageable memory of the host and a CUDA device, beside a kernel that stays there.
//
// The driver may synchronise with running kernels when it copies from or to pageable memory. So all
// copies go through pinned buffers, allocated beforehand, in pieces, on streams of their own: the
// host fills one half of a buffer while the other half travels.
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

/// Thread-safe: up to kChannels copies at a time are independent; more wait for a channel. The
/// device must be current for the calling thread.
class CopyPool {
 public:
  static constexpr std::size_t kChannels = 8;
  static constexpr std::size_t kMostPieceBytes = std::size_t{1} << 20;
  static constexpr std::size_t kLeastPieceBytes = std::size_t{64} << 10;

  /// Pins 2 * kChannels * kMostPieceBytes, before any kernel runs.
  /// @errors RESOURCE_EXHAUSTED, UNAVAILABLE
  static absl::StatusOr<std::unique_ptr<CopyPool>> Create();
  ~CopyPool();

  /// Both block until all copies are done: with one wait for two pieces in, and one wait for all
  /// small copies out. @errors UNAVAILABLE: the device is lost
  absl::Status CopyIn(std::span<const HostCopy> copies);
  /// @shape pinned: memory to which the device copies straight, or null
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
