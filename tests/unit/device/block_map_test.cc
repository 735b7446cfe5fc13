// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/device/block_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <random>
#include <utility>
#include <vector>

namespace warpyard::device {
namespace {

constexpr std::size_t kUnit = BlockMap::kAlignment;

// The map never touches memory, so any address will do.
void* At(std::uintptr_t address) { return reinterpret_cast<void*>(address); }
std::uintptr_t AddressOf(const void* memory) { return reinterpret_cast<std::uintptr_t>(memory); }

/// The blocks in use, in a simple list.
class Reference {
 public:
  void AddChunk(std::uintptr_t begin, std::size_t bytes) { chunks_[begin] = bytes; }

  /// Whether the block is aligned, inside one chunk, and overlaps no other block.
  bool Accepts(std::uintptr_t begin, std::size_t bytes) {
    const auto chunk = std::prev(chunks_.upper_bound(begin));
    const auto after = used_.lower_bound(begin);
    bool good = begin % kUnit == 0 && begin + bytes <= chunk->first + chunk->second;
    good &= after == used_.end() || begin + bytes <= after->first;
    if (after != used_.begin()) {
      const auto before = std::prev(after);
      good &= before->first + before->second <= begin;
    }
    used_[begin] = bytes;
    return good;
  }

  void Free(std::uintptr_t begin) { used_.erase(begin); }

  /// The length of every gap, in steps of the alignment.
  std::vector<std::size_t> Gaps() const {
    std::vector<std::size_t> gaps;
    for (const auto& [begin, bytes] : chunks_) {
      std::uintptr_t place = begin;
      const auto end = used_.lower_bound(begin + bytes);
      for (auto block = used_.lower_bound(begin); block != end; ++block) {
        if (block->first > place) gaps.push_back(block->first - place);
        place =
            block->first + (std::max<std::size_t>(block->second, 1) + kUnit - 1) / kUnit * kUnit;
      }
      if (begin + bytes > place) gaps.push_back(begin + bytes - place);
    }
    return gaps;
  }

 private:
  std::map<std::uintptr_t, std::size_t> chunks_, used_;
};

/// Random allocations and frees on chunks that touch each other.
class RandomUse {
 public:
  explicit RandomUse(std::uint64_t seed) : random_(seed) {
    std::uintptr_t begin = 1 << 20;
    for (const std::size_t bytes : {400 * kUnit, 100 * kUnit, 1000 * kUnit}) {
      map_.AddChunk(At(begin), bytes);
      reference_.AddChunk(begin, bytes);
      begin += bytes;
    }
  }

  void Step() {
    if (random_() % 5 < 2 && !taken_.empty()) {
      FreeOne();
      return;
    }
    const std::size_t bytes = random_() % (random_() % 8 == 0 ? 200 * kUnit : 6 * kUnit);
    const std::vector<std::size_t> gaps = reference_.Gaps();
    void* block = map_.Take(bytes);
    const std::size_t largest = gaps.empty() ? 0 : *std::max_element(gaps.begin(), gaps.end());
    ASSERT_EQ(block != nullptr, std::max<std::size_t>(bytes, 1) <= largest);
    if (block == nullptr) return;
    ASSERT_TRUE(reference_.Accepts(AddressOf(block), bytes));
    taken_.push_back(block);
  }

  void FreeOne() {
    const std::size_t which = random_() % taken_.size();
    std::swap(taken_[which], taken_.back());
    map_.Give(taken_.back());
    reference_.Free(AddressOf(taken_.back()));
    taken_.pop_back();
  }

  void Check() const {
    const std::vector<std::size_t> gaps = reference_.Gaps();
    ASSERT_EQ(map_.FreeBlocks(), gaps.size());
    ASSERT_EQ(map_.UsedBlocks(), taken_.size());
    ASSERT_EQ(map_.LargestFree(), gaps.empty() ? 0 : *std::max_element(gaps.begin(), gaps.end()));
  }

  void FreeAll() {
    while (!taken_.empty()) FreeOne();
  }

  BlockMap& map() { return map_; }

 private:
  std::mt19937_64 random_;
  BlockMap map_;
  Reference reference_;
  std::vector<void*> taken_;
};

TEST(BlockMap, DealsOutBlocksThatNeverOverlapAndJoinsWhatIsFree) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    RandomUse use(seed);
    for (int step = 0; step < 2000; ++step) {
      ASSERT_NO_FATAL_FAILURE(use.Step());
      if (step % 16 != 0) continue;
      ASSERT_NO_FATAL_FAILURE(use.Check());
    }
    use.FreeAll();
    ASSERT_NO_FATAL_FAILURE(use.Check());
    EXPECT_EQ(use.map().FreeBlocks(), 3u);  // one for each chunk
    EXPECT_EQ(use.map().LargestFree(), 1000 * kUnit);
  }
}

TEST(BlockMap, TakesTheSmallestBlockThatFits) {
  BlockMap map;
  map.AddChunk(At(1 << 20), 20 * kUnit);
  std::vector<void*> blocks;
  for (const std::size_t units : {5, 1, 2, 1, 3, 1, 7}) blocks.push_back(map.Take(units * kUnit));
  for (const std::size_t hole : {0, 2, 4}) map.Give(blocks[hole]);
  EXPECT_EQ(map.Take(2 * kUnit - 1), blocks[2]);
  EXPECT_EQ(map.Take(2 * kUnit + 1), blocks[4]);
  EXPECT_EQ(map.Take(4 * kUnit), blocks[0]);
}

TEST(BlockMap, FillsAChunkToTheLastByte) {
  BlockMap map;
  EXPECT_EQ(map.Take(1), nullptr);
  map.AddChunk(At(1 << 20), 4 * kUnit);
  for (int block = 0; block < 4; ++block) EXPECT_NE(map.Take(block == 0 ? 0 : kUnit), nullptr);
  EXPECT_EQ(map.Take(0), nullptr);
  EXPECT_EQ(map.LargestFree(), 0u);
}

TEST(BlockMap, RefusesSizesThatWouldOverflow) {
  BlockMap map;
  map.AddChunk(At(1 << 20), 4 * kUnit);
  EXPECT_EQ(map.Take(~std::size_t{0}), nullptr);
  EXPECT_EQ(map.Take(~std::size_t{0} - kUnit), nullptr);
}

TEST(BlockMap, RemovesEmptyChunksButTheFirst) {
  BlockMap map;
  void* const first = At(9 << 20);
  void* const second = At(1 << 20);
  void* const third = At(5 << 20);
  map.AddChunk(first, 2 * kUnit);
  map.AddChunk(second, 4 * kUnit);
  map.AddChunk(third, 8 * kUnit);
  void* const block = map.Take(8 * kUnit);
  ASSERT_EQ(block, third);
  EXPECT_EQ(map.RemovableBytes(), 4 * kUnit);
  EXPECT_EQ(map.RemoveChunks(EmptyChunks::kAll), std::vector<void*>{second});
  map.Give(block);
  EXPECT_EQ(map.RemoveChunks(EmptyChunks::kAll), std::vector<void*>{third});
  EXPECT_EQ(map.RemoveChunks(EmptyChunks::kAll), std::vector<void*>{});
  EXPECT_EQ(map.Chunks(), 1u);
  EXPECT_EQ(map.ChunkBytes(), 2 * kUnit);
  EXPECT_EQ(map.Take(2 * kUnit), first);
}

TEST(BlockMap, CountsAChunkAsIdleAfterALookWithoutUse) {
  BlockMap map;
  map.AddChunk(At(1 << 20), kUnit);
  map.AddChunk(At(2 << 20), 4 * kUnit);
  EXPECT_TRUE(map.RemoveChunks(EmptyChunks::kIdle).empty());  // new
  void* const block = map.Take(4 * kUnit);
  map.Give(block);
  EXPECT_TRUE(map.RemoveChunks(EmptyChunks::kIdle).empty());  // used in between
  EXPECT_EQ(map.RemoveChunks(EmptyChunks::kIdle), std::vector<void*>{At(2 << 20)});
}

TEST(BlockMapDeathTest, EndsTheProcessWhenABlockIsGivenBackTwice) {
  BlockMap map;
  map.AddChunk(At(1 << 20), 4 * kUnit);
  void* const block = map.Take(kUnit);
  map.Give(block);
  EXPECT_DEATH(map.Give(block), "invariant");
  EXPECT_DEATH(map.Give(At(1 << 21)), "invariant");
}

}  // namespace
}  // namespace warpyard::device
