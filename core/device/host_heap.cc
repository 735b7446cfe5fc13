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
  return blocks_.Take(bytes);
}

void HostHeap::Give(void* block) {
  std::lock_guard lock(mutex_);
  blocks_.Give(block);
}

bool HostHeap::Contains(const void* memory) const {
  // As numbers: pointers into different objects have no order.
  return reinterpret_cast<std::uintptr_t>(memory) - reinterpret_cast<std::uintptr_t>(begin_) <
         bytes_;
}

bool HostHeap::InUse() const {
  std::lock_guard lock(mutex_);
  return blocks_.UsedBlocks() != 0;
}

}  // namespace warpyard::device
