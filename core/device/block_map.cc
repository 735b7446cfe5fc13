// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/device/block_map.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include "core/base/macros.h"

namespace warpyard::device {
namespace {

std::uintptr_t AddressOf(const void* memory) { return reinterpret_cast<std::uintptr_t>(memory); }

void* PointerTo(std::uintptr_t address) {
  return reinterpret_cast<void*>(address);  // NOLINT(performance-no-int-to-ptr)
}

}  // namespace

void BlockMap::AddChunk(void* chunk, std::size_t bytes) {
  const Address begin = AddressOf(chunk);
  WY_ASSERT(begin != 0 && begin % kAlignment == 0 && bytes != 0 && bytes % kAlignment == 0);
  const bool first = chunks_.empty();
  const auto [place, added] = chunks_.insert({begin, Chunk{bytes, 0, true, first}});
  WY_ASSERT(added);
  blocks_.insert({begin, Block{bytes, &place->second, true}});
  free_.insert({bytes, begin});
  chunk_bytes_ += bytes;
}

void* BlockMap::Take(std::size_t bytes) {
  if (bytes > std::numeric_limits<std::size_t>::max() - kAlignment) return nullptr;
  const std::size_t size = (std::max<std::size_t>(bytes, 1) + kAlignment - 1) & ~(kAlignment - 1);
  const auto best = free_.lower_bound({size, 0});
  if (best == free_.end()) return nullptr;
  const Address begin = best->second;
  free_.erase(best);
  Block& block = blocks_.find(begin)->second;
  block.free = false;
  ++block.chunk->used_blocks;
  block.chunk->was_used = true;
  if (block.bytes > size) {
    blocks_.insert({begin + size, Block{block.bytes - size, block.chunk, true}});
    free_.insert({block.bytes - size, begin + size});
    block.bytes = size;
  }
  return PointerTo(begin);
}

void BlockMap::Give(void* memory) {
  auto block = blocks_.find(AddressOf(memory));
  WY_ASSERT(block != blocks_.end() && !block->second.free);
  --block->second.chunk->used_blocks;
  block->second.free = true;
  free_.insert({block->second.bytes, block->first});
  JoinNext(block);
  if (block == blocks_.begin()) return;
  const auto before = std::prev(block);
  if (before->second.free) JoinNext(before);
}

void BlockMap::JoinNext(Blocks::iterator block) {
  const auto next = std::next(block);
  // Chunks may touch, but no block crosses their border, since chunks leave one by one.
  if (next == blocks_.end() || !next->second.free || next->second.chunk != block->second.chunk) {
    return;
  }
  free_.erase({block->second.bytes, block->first});
  free_.erase({next->second.bytes, next->first});
  block->second.bytes += next->second.bytes;
  free_.insert({block->second.bytes, block->first});
  blocks_.erase(next);
}

std::vector<void*> BlockMap::RemoveChunks(EmptyChunks which) {
  std::vector<void*> removed;
  for (auto chunk = chunks_.begin(); chunk != chunks_.end();) {
    const auto next = std::next(chunk);
    const bool keep = chunk->second.used_blocks != 0 || chunk->second.stays ||
                      (which == EmptyChunks::kIdle && chunk->second.was_used);
    if (keep) {
      chunk->second.was_used = chunk->second.used_blocks != 0;
    } else {
      removed.push_back(PointerTo(chunk->first));
      RemoveEmpty(chunk);
    }
    chunk = next;
  }
  return removed;
}

void BlockMap::RemoveEmpty(std::map<Address, Chunk>::iterator chunk) {
  // An empty chunk is one free block.
  free_.erase({chunk->second.bytes, chunk->first});
  blocks_.erase(chunk->first);
  chunk_bytes_ -= chunk->second.bytes;
  chunks_.erase(chunk);
}

std::vector<void*> BlockMap::RemoveEverything() {
  std::vector<void*> removed;
  for (const auto& [begin, chunk] : chunks_) removed.push_back(PointerTo(begin));
  *this = BlockMap();
  return removed;
}

std::size_t BlockMap::RemovableBytes() const {
  std::size_t bytes = 0;
  for (const auto& [begin, chunk] : chunks_) {
    if (chunk.used_blocks == 0 && !chunk.stays) bytes += chunk.bytes;
  }
  return bytes;
}

}  // namespace warpyard::device
