// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Manages memory of a device without calls to the device.
//
// While a kernel is resident, a call for memory waits for that kernel, perhaps for ever. So the
// heap holds large chunks and hands out blocks of them. It takes and returns chunks only at quiet
// points, when no kernel is on the device.
#ifndef WARPYARD_CORE_DEVICE_DEVICE_HEAP_H_
#define WARPYARD_CORE_DEVICE_DEVICE_HEAP_H_

#include <cstddef>
#include <functional>
#include <mutex>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/device/block_map.h"

namespace warpyard::device {

/// Calls `work` once, on some thread, while no kernel is on the device, and returns its result. If
/// it cannot call `work`, it returns the reason. May take long, because it waits for the kernel.
using QuietRunner = std::function<absl::Status(const std::function<absl::Status()>& work)>;

/// The source of a heap's chunks. Called only at quiet points, by one thread at a time.
class ChunkSource {
 public:
  virtual ~ChunkSource() = default;

  /// @shape aligned to BlockMap::kAlignment @errors RESOURCE_EXHAUSTED, UNAVAILABLE
  virtual absl::StatusOr<void*> TakeChunk(std::size_t bytes) = 0;
  virtual void ReturnChunk(void* chunk) = 0;
};

/// Thread-safe.
class DeviceHeap {
 public:
  static constexpr std::size_t kChunkUnit = std::size_t{2} << 20;
  static constexpr std::size_t kChunkBytes = std::size_t{256} << 20;

  /// @shape `limit`: bytes of all chunks together, rounded up to whole kChunkUnits. `source` must
  /// outlive the heap.
  DeviceHeap(ChunkSource& source, std::size_t limit, QuietRunner quiet);
  /// A quiet point: returns all chunks.
  ~DeviceHeap();
  DeviceHeap(const DeviceHeap&) = delete;
  DeviceHeap& operator=(const DeviceHeap&) = delete;

  /// Takes a chunk that stays, before any kernel runs. @errors as ChunkSource::TakeChunk
  absl::Status TakeFirstChunk(std::size_t bytes);

  /// A block of uninitialised memory. The heap grows at a quiet point when no free block is large
  /// enough. A request beyond the limit fails without waiting.
  /// @scope not from the work of a quiet runner: the runner would wait for itself
  /// @errors RESOURCE_EXHAUSTED, and those of the quiet runner; nothing is taken then
  absl::StatusOr<void*> Allocate(std::size_t bytes);

  /// Never waits for the device.
  void Free(void* block);

  /// Returns the chunks that had no use since the last quiet point. A chunk stays if one job
  /// empties it and the next job fills it. @scope at a quiet point only
  void ReturnIdleChunks();

  std::size_t ChunkBytes() const;

 private:
  void* TryTake(std::size_t bytes);
  /// Whether the heap could serve `bytes` if it grew or returned idle chunks first.
  bool MayGrow(std::size_t bytes) const;
  absl::StatusOr<void*> GrowAndTake(std::size_t bytes);
  absl::StatusOr<void*> TakeChunk(std::size_t least, std::size_t& bytes);
  void ReturnChunks(EmptyChunks which);
  std::size_t Room() const;

  ChunkSource& source_;
  const std::size_t limit_;
  const QuietRunner quiet_;
  // Locked only at quiet points, so no thread holds it while it waits for one. Lock it before
  // mutex_.
  std::mutex grow_mutex_;
  mutable std::mutex mutex_;  // never held across a call of the source or of the quiet runner
  BlockMap blocks_;
};

}  // namespace warpyard::device

#endif  // WARPYARD_CORE_DEVICE_DEVICE_HEAP_H_
