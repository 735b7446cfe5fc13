// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/device/host_heap.h"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "core/base/lock_soon.h"

namespace warpyard::device {

HostHeap::HostHeap(void* memory, std::size_t bytes)
    : begin_(static_cast<const std::byte*>(memory)), bytes_(bytes) {
  blocks_.AddChunk(memory, bytes);
}

HostHeap::Size HostHeap::SizeFor(std::size_t bytes) {
  constexpr std::size_t kUnit = BlockMap::kAlignment;
  const std::size_t last = (std::max<std::size_t>(bytes, 1) - 1) / kUnit;  // unit
  const std::size_t width = std::bit_width(last);
  const std::size_t shift = width > 3 ? width - 3 : 0;
  const std::size_t step = last >> shift;  // less than 8
  return {((step + 1) << shift) * kUnit, 4 * shift + step};
}

void* HostHeap::Take(std::size_t bytes) {
  const auto lock = LockedSoon(mutex_);
  if (closed_) return nullptr;
  if (!IsKept(bytes)) return TakeNew(bytes);
  const Size size = SizeFor(bytes);
  std::vector<void*>& kept = kept_[size.number];
  if (kept.empty()) return TakeNew(size.bytes);
  void* const block = kept.back();
  kept.pop_back();
  return block;
}

void* HostHeap::TakeNew(std::size_t bytes) {
  void* const block = blocks_.Take(bytes);
  return block == nullptr && JoinKept() ? blocks_.Take(bytes) : block;
}

void HostHeap::Give(void* block, std::size_t bytes) {
  const auto lock = LockedSoon(mutex_);
  if (IsKept(bytes)) {
    kept_[SizeFor(bytes).number].push_back(block);
  } else {
    blocks_.Give(block);
  }
}

/// Returns whether blocks were kept.
bool HostHeap::JoinKept() {
  bool any = false;
  for (std::vector<void*>& kept : kept_) {
    any |= !kept.empty();
    for (void* const block : kept) blocks_.Give(block);
    kept.clear();
  }
  return any;
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
  JoinKept();
  if (blocks_.UsedBlocks() != 0) return false;
  bytes_.store(0, std::memory_order_relaxed);
  return true;
}

}  // namespace warpyard::device
