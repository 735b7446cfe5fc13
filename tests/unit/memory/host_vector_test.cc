// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/memory/host_vector.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "core/device/host_heap.h"

namespace warpyard::memory {
namespace {

using device::HostHeap;

constexpr std::size_t kBytes = 4096;

struct alignas(256) Page {
  std::byte bytes[kBytes];
};

class HostVectorTest : public testing::Test {
 protected:
  using Vector = HostVector<std::uint64_t>;

  Vector Make(std::size_t size) { return Vector(size, HostAllocator<std::uint64_t>(heap_)); }

  std::unique_ptr<Page> page_ = std::make_unique<Page>();
  std::shared_ptr<HostHeap> heap_ = std::make_shared<HostHeap>(page_.get(), kBytes);
};

TEST_F(HostVectorTest, IsInTheHeapWithoutValues) {
  for (std::byte& byte : page_->bytes) byte = std::byte{0xab};
  const Vector vector = Make(100);
  EXPECT_TRUE(heap_->Contains(vector.data()));
  for (const std::uint64_t value : vector) EXPECT_EQ(value, 0xababababababababu);
}

TEST_F(HostVectorTest, GivesItsMemoryBack) {
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(heap_->Contains(Make(500).data()));
  EXPECT_TRUE(heap_->Contains(Make(kBytes / sizeof(std::uint64_t)).data())) << "all of it";
}

TEST_F(HostVectorTest, IsInOrdinaryMemoryWhenTheHeapIsUsedUp) {
  const Vector first = Make(400);
  Vector second = Make(400);
  EXPECT_TRUE(heap_->Contains(first.data()));
  EXPECT_FALSE(heap_->Contains(second.data()));
  second.push_back(7);
  EXPECT_EQ(second.back(), 7u);
}

TEST_F(HostVectorTest, IsInOrdinaryMemoryWithoutAHeap) {
  HostVector<std::uint64_t> vector(3);
  vector.push_back(1);
  EXPECT_EQ(vector.back(), 1u);
  EXPECT_FALSE(heap_->Contains(vector.data()));
}

TEST_F(HostVectorTest, MovesAndSwapsWithItsMemory) {
  Vector vector = Make(8);
  vector[3] = 5;
  const std::uint64_t* const data = vector.data();
  Vector moved;
  moved = std::move(vector);
  EXPECT_EQ(moved.data(), data);
  Vector swapped(2);
  swapped.swap(moved);
  EXPECT_EQ(swapped.data(), data);
  EXPECT_EQ(swapped[3], 5u);
  EXPECT_EQ(moved.size(), 2u);
}

TEST_F(HostVectorTest, CopiesAreInOrdinaryMemory) {
  Vector vector = Make(8);
  vector.assign(8, 2);
  const Vector copy = vector;
  EXPECT_FALSE(heap_->Contains(copy.data()));
  EXPECT_EQ(copy, vector);
}

TEST_F(HostVectorTest, KeepsTheHeapItself) {
  const Vector vector = Make(8);
  const std::weak_ptr<HostHeap> heap = heap_;
  heap_.reset();
  EXPECT_FALSE(heap.expired());
}

TEST_F(HostVectorTest, OutlivesTheMemoryOfItsHeap) {
  Vector empty = Make(0);
  Vector used = Make(8);
  EXPECT_FALSE(heap_->Close());
  used = Make(8);
  EXPECT_FALSE(heap_->Contains(used.data()));
  EXPECT_TRUE(heap_->Close());
  empty.push_back(3);
  EXPECT_EQ(empty.back(), 3u);
  EXPECT_FALSE(heap_->Contains(page_.get()));
}

TEST_F(HostVectorTest, ThreadsShareTheHeap) {
  std::vector<std::thread> threads;
  for (std::uint64_t id = 0; id < 4; ++id) {
    threads.emplace_back([this, id] {
      for (int i = 0; i < 1000; ++i) {
        Vector vector = Make(40 + id);
        vector.assign(vector.size(), id);
        for (const std::uint64_t value : vector) ASSERT_EQ(value, id);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(heap_->Contains(Make(kBytes / sizeof(std::uint64_t)).data())) << "all of it";
}

}  // namespace
}  // namespace warpyard::memory
