// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/device/host_heap.h"

#include <cstdint>

namespace warpyard::device {

HostHeap::HostHeap(void* memory, std::size_t bytes)
    : begin_(static_cast<const std::byte*>(memory)), bytes_(bytes) {
  blocks_.AddChunk(memory, bytes);
}

void* HostHeap::Take(std::size_t bytes) {
  std::lock_guard lock(mutex_);
  return closed_ ? nullptr : blocks_.Take(bytes);
}

void HostHeap::Give(void* block) {
  std::lock_guard lock(mutex_);
  blocks_.Give(block);
}

void HostHeap::Stop() {
  std::lock_guard lock(mutex_);
  closed_ = true;
}

bool HostHeap::Contains(const void* memory) const {
  // As numbers: pointers into different objects have no order.
  return reinterpret_cast<std::uintptr_t>(memory) - reinterpret_cast<std::uintptr_t>(begin_) <
         bytes_.load(std::memory_order_relaxed);
}

bool HostHeap::Close() {
  std::lock_guard lock(mutex_);
  closed_ = true;
  if (blocks_.UsedBlocks() != 0) return false;
  bytes_.store(0, std::memory_order_relaxed);
  return true;
}

}  // namespace warpyard::device
