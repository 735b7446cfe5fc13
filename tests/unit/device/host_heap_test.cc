// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/device/host_heap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

namespace warpyard::device {
namespace {

constexpr std::size_t kHeapUnit = BlockMap::kAlignment;
constexpr std::size_t kHeapBytes = std::size_t{8} << 20;

struct alignas(kHeapUnit) HeapMemory {
  std::byte bytes[kHeapBytes];
};

class HostHeapTest : public testing::Test {
 protected:
  std::unique_ptr<HeapMemory> memory_ = std::make_unique<HeapMemory>();
  HostHeap heap_{memory_.get(), kHeapBytes};
};

TEST_F(HostHeapTest, BlocksOfAllSizesAreLargeEnoughAndApart) {
  std::vector<std::pair<std::byte*, std::size_t>> blocks;
  for (std::size_t bytes = 0; bytes < 300'000; bytes += 1 + bytes / 3) {
    for (const std::size_t size : {bytes, bytes + 1}) {
      auto* const block = static_cast<std::byte*>(heap_.Take(size));
      ASSERT_NE(block, nullptr) << size;
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % kHeapUnit, 0u);
      std::memset(block, static_cast<int>(blocks.size() % 256), size);
      blocks.emplace_back(block, size);
    }
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const auto [block, size] = blocks[i];
    EXPECT_EQ(std::count(block, block + size, std::byte(i % 256)), size);
    heap_.Give(block, size);
  }
  EXPECT_NE(heap_.Take(kHeapBytes), nullptr) << "all of it";
}

TEST_F(HostHeapTest, WastesLittle) {
  // A fifth of each block, and a unit.
  constexpr std::size_t kSize = 20'000, kLeast = kHeapBytes / (kSize * 5 / 4 + kHeapUnit);
  std::size_t blocks = 0;
  while (heap_.Take(kSize) != nullptr) ++blocks;
  EXPECT_GE(blocks, kLeast);
}

TEST_F(HostHeapTest, HandsOutAgainWhatItKept) {
  void* const small = heap_.Take(12'000);
  heap_.Give(small, 12'000);
  EXPECT_EQ(heap_.Take(11'900), small);
}

TEST_F(HostHeapTest, JoinsKeptBlocksWhereThereIsNoOtherMemory) {
  constexpr std::size_t kSmall = 64 * kHeapUnit, kLarge = kHeapBytes / 2;
  std::vector<void*> small;
  while (void* const block = heap_.Take(kSmall)) small.push_back(block);
  EXPECT_EQ(small.size(), kHeapBytes / kSmall);
  EXPECT_EQ(heap_.Take(kLarge), nullptr);
  for (void* const block : small) heap_.Give(block, kSmall);
  void* const large = heap_.Take(kLarge);
  EXPECT_NE(large, nullptr);
  EXPECT_NE(heap_.Take(80 * kHeapUnit), nullptr) << "another size";
  heap_.Give(large, kLarge);
}

TEST_F(HostHeapTest, ClosesWithKeptBlocks) {
  void* const used = heap_.Take(500);
  heap_.Give(heap_.Take(5'000), 5'000);
  EXPECT_FALSE(heap_.Close());
  EXPECT_EQ(heap_.Take(5'000), nullptr);
  heap_.Give(used, 500);
  EXPECT_TRUE(heap_.Close());
}

TEST_F(HostHeapTest, StopsWithKeptBlocks) {
  heap_.Give(heap_.Take(5'000), 5'000);
  heap_.Stop();
  EXPECT_EQ(heap_.Take(5'000), nullptr);
}

TEST_F(HostHeapTest, ThreadsShareIt) {
  std::vector<std::thread> threads;
  for (std::size_t id = 0; id < 4; ++id) {
    threads.emplace_back([this, id] {
      for (std::size_t i = 0; i < 2000; ++i) {
        const std::size_t size = 100 + 977 * (i % 50) + id;
        auto* const block = static_cast<std::byte*>(heap_.Take(size));
        ASSERT_NE(block, nullptr);
        std::memset(block, static_cast<int>(id), size);
        EXPECT_EQ(std::count(block, block + size, std::byte(id)), size);
        heap_.Give(block, size);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_NE(heap_.Take(kHeapBytes), nullptr) << "all of it";
}

}  // namespace
}  // namespace warpyard::device
