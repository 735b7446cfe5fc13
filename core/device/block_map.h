// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A best-fit allocator that never touches the memory itself: it manages memory of a device from the
// host. It knows which blocks of which chunks are in use.
//
// It takes the smallest free block that is large enough (the lowest address among equals) and
// splits it. A block that is given back is joined with its free neighbours. O(log n) in the number
// of blocks.
#ifndef WARPYARD_CORE_DEVICE_BLOCK_MAP_H_
#define WARPYARD_CORE_DEVICE_BLOCK_MAP_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace warpyard::device {

/// Selects among the chunks without a block in use.
enum class EmptyChunks {
  kAll,
  kIdle,  ///< chunks without use since the last call
};

/// Not thread-safe.
class BlockMap {
 public:
  static constexpr std::size_t kAlignment = 256;

  /// @shape `chunk`: aligned to kAlignment, as is `bytes`; overlaps no other
  void AddChunk(void* chunk, std::size_t bytes);

  /// A block of at least `bytes`, aligned to kAlignment; null when no free block is large enough.
  void* Take(std::size_t bytes);

  /// @shape `block`: a result of Take that was not given back
  void Give(void* block);

  /// Removes empty chunks and returns them; the chunk that was added first stays.
  std::vector<void*> RemoveChunks(EmptyChunks which);

  /// Removes and returns all chunks, in use or not.
  std::vector<void*> RemoveEverything();

  std::size_t ChunkBytes() const { return chunk_bytes_; }
  /// Bytes of the chunks that RemoveChunks(kAll) would take out.
  std::size_t RemovableBytes() const;
  std::size_t LargestFree() const { return free_.empty() ? 0 : free_.rbegin()->first; }
  std::size_t Chunks() const { return chunks_.size(); }
  std::size_t FreeBlocks() const { return free_.size(); }
  std::size_t UsedBlocks() const { return blocks_.size() - free_.size(); }

 private:
  using Address = std::uintptr_t;

  struct Chunk {
    std::size_t bytes;
    std::size_t used_blocks;
    bool was_used;  ///< since the last RemoveChunks
    bool stays;
  };
  struct Block {
    std::size_t bytes;
    Chunk* chunk;  ///< a node of chunks_, which does not move
    bool free;
  };
  using Blocks = std::map<Address, Block>;

  void RemoveEmpty(std::map<Address, Chunk>::iterator chunk);
  /// Joins a free block with the next block, if that is free and of the same chunk.
  void JoinNext(Blocks::iterator block);

  std::map<Address, Chunk> chunks_;
  Blocks blocks_;                                   // in use and free: they tile the chunks
  std::set<std::pair<std::size_t, Address>> free_;  // by size
  std::size_t chunk_bytes_ = 0;
};

}  // namespace warpyard::device

#endif  // WARPYARD_CORE_DEVICE_BLOCK_MAP_H_
