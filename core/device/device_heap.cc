// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/device/device_heap.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/base/macros.h"

namespace warpyard::device {
namespace {

constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max() - DeviceHeap::kChunkUnit;

std::size_t WholeUnits(std::size_t bytes) {
  const std::size_t units =
      (std::min(bytes, kMost) + DeviceHeap::kChunkUnit - 1) / DeviceHeap::kChunkUnit;
  return std::max<std::size_t>(units, 1) * DeviceHeap::kChunkUnit;
}

}  // namespace

DeviceHeap::DeviceHeap(ChunkSource& source, std::size_t limit, QuietRunner quiet)
    : source_(source), limit_(WholeUnits(limit)), quiet_(std::move(quiet)) {}

DeviceHeap::~DeviceHeap() {
  for (void* chunk : blocks_.RemoveEverything()) source_.ReturnChunk(chunk);
}

absl::Status DeviceHeap::TakeFirstChunk(std::size_t bytes) {
  std::lock_guard growing(grow_mutex_);
  const std::size_t size = std::min(WholeUnits(bytes), limit_);
  WY_ASSIGN_OR_RETURN(void* chunk, source_.TakeChunk(size));
  std::lock_guard lock(mutex_);
  WY_ASSERT(blocks_.Chunks() == 0);
  blocks_.AddChunk(chunk, size);
  return absl::OkStatus();
}

absl::StatusOr<void*> DeviceHeap::Allocate(std::size_t bytes) {
  if (void* block = TryTake(bytes); block != nullptr) return block;
  if (!MayGrow(bytes)) {
    std::lock_guard lock(mutex_);
    return absl::ResourceExhaustedError(
        absl::StrCat("the largest free block has ", blocks_.LargestFree(), " bytes, ",
                     blocks_.ChunkBytes(), " of ", limit_, " are taken from the device"));
  }
  absl::StatusOr<void*> block = absl::InternalError("no quiet point was made");
  const absl::Status quiet = quiet_([&] {
    block = GrowAndTake(bytes);
    return block.status();
  });
  if (quiet.ok()) return block;
  // The work succeeded, but the runner failed afterwards (for example, its kernel did not restart).
  if (block.ok()) Free(*block);
  return quiet;
}

void DeviceHeap::Free(void* block) {
  std::lock_guard lock(mutex_);
  blocks_.Give(block);
}

void DeviceHeap::ReturnIdleChunks() {
  std::lock_guard growing(grow_mutex_);
  ReturnChunks(EmptyChunks::kIdle);
}

std::size_t DeviceHeap::ChunkBytes() const {
  std::lock_guard lock(mutex_);
  return blocks_.ChunkBytes();
}

void* DeviceHeap::TryTake(std::size_t bytes) {
  std::lock_guard lock(mutex_);
  return blocks_.Take(bytes);
}

bool DeviceHeap::MayGrow(std::size_t bytes) const {
  std::lock_guard lock(mutex_);
  const std::size_t stays = blocks_.ChunkBytes() - blocks_.RemovableBytes();
  return WholeUnits(bytes) <= limit_ - stays;
}

absl::StatusOr<void*> DeviceHeap::GrowAndTake(std::size_t bytes) {
  std::lock_guard growing(grow_mutex_);
  // Another caller may have grown the heap, or freed memory, while this one waited.
  if (void* block = TryTake(bytes); block != nullptr) return block;
  ReturnChunks(EmptyChunks::kIdle);
  std::size_t taken = 0;
  absl::StatusOr<void*> chunk = TakeChunk(WholeUnits(bytes), taken);
  if (absl::IsResourceExhausted(chunk.status())) {
    ReturnChunks(EmptyChunks::kAll);
    chunk = TakeChunk(WholeUnits(bytes), taken);
  }
  WY_RETURN_IF_ERROR(chunk.status());
  std::lock_guard lock(mutex_);
  blocks_.AddChunk(*chunk, taken);
  return blocks_.Take(bytes);
}

absl::StatusOr<void*> DeviceHeap::TakeChunk(std::size_t least, std::size_t& bytes) {
  const std::size_t room = Room();
  if (least > room) {
    return absl::ResourceExhaustedError(
        absl::StrCat(room, " bytes are left of the ", limit_, " to take from the device"));
  }
  bytes = std::max(least, std::min(kChunkBytes, room));
  absl::StatusOr<void*> chunk = source_.TakeChunk(bytes);
  if (!absl::IsResourceExhausted(chunk.status()) || bytes == least) return chunk;
  bytes = least;
  return source_.TakeChunk(bytes);
}

void DeviceHeap::ReturnChunks(EmptyChunks which) {
  std::vector<void*> chunks;
  {
    std::lock_guard lock(mutex_);
    chunks = blocks_.RemoveChunks(which);
  }
  for (void* chunk : chunks) source_.ReturnChunk(chunk);
}

std::size_t DeviceHeap::Room() const {
  std::lock_guard lock(mutex_);
  return limit_ - blocks_.ChunkBytes();
}

}  // namespace warpyard::device
