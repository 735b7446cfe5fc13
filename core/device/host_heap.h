// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Manages memory of the host to which a device writes directly.
//
// Results go there without a copy by the host. The memory is pinned once, since pinning can wait
// for resident kernels. When it is used up, callers take ordinary memory.
//
// Many threads take small blocks and give them back all the time. So the heap keeps a list of free
// small blocks for each size, and takes from that list in constant time. When no other memory is
// left, the heap empties these lists and joins neighbouring blocks.
#ifndef WARPYARD_CORE_DEVICE_HOST_HEAP_H_
#define WARPYARD_CORE_DEVICE_HOST_HEAP_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <vector>

#include "core/device/block_map.h"

namespace warpyard::device {

/// Thread-safe.
class HostHeap {
 public:
  /// @shape `memory`: pinned, aligned to BlockMap::kAlignment. The caller owns it, and must not
  /// free it while blocks are in use
  HostHeap(void* memory, std::size_t bytes);
  HostHeap(const HostHeap&) = delete;
  HostHeap& operator=(const HostHeap&) = delete;

  /// Uninitialised memory, aligned to BlockMap::kAlignment; null if no free block is large enough.
  void* Take(std::size_t bytes);

  /// @shape `block`: a result of Take that was not given back; `bytes`: as for Take
  void Give(void* block, std::size_t bytes);

  bool Contains(const void* memory) const;

  /// Hands out nothing more, because a lost device may still write to blocks that were given back.
  void Stop();

  /// Hands out nothing more. Returns true if no block is in use: then the caller may free the
  /// memory, and the heap forgets it. Containers may hold the heap for longer.
  bool Close();

 private:
  /// Blocks of up to this many units are kept.
  static constexpr std::size_t kMostUnits = 1024;
  static constexpr std::size_t kSizes = 36;

  /// A size of which blocks are kept, and the number of that size. Sizes are a quarter of a power
  /// of two apart, so at most a fifth of a block is unused, beside the rest of its last unit.
  struct Size {
    std::size_t bytes, number;
  };
  /// @shape bytes: at most that of kMostUnits
  static Size SizeFor(std::size_t bytes);
  static bool IsKept(std::size_t bytes) { return bytes <= kMostUnits * BlockMap::kAlignment; }

  void* TakeNew(std::size_t bytes);
  bool JoinKept();

  const std::byte* const begin_;
  std::atomic<std::size_t> bytes_;  // 0: freed
  std::mutex mutex_;
  bool closed_ = false;
  BlockMap blocks_;
  std::array<std::vector<void*>, kSizes> kept_;  // for blocks_, they are in use
};

}  // namespace warpyard::device

#endif  // WARPYARD_CORE_DEVICE_HOST_HEAP_H_
