// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/rpc/buffer_pool.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace warpyard::server {
namespace {

constexpr std::size_t kPlenty = std::size_t{1} << 30;

TEST(BufferPool, DealsOutSlicesOfAnySize) {
  BufferPool pool(kPlenty);
  for (const std::size_t bytes : {0, 1, 2047, 2048, 2049, 4096, 100'000, 3'000'000}) {
    const BufferPool::Buffer buffer = pool.Take(bytes);
    ASSERT_EQ(buffer.slice.size(), bytes);
    std::memset(buffer.data, 7, bytes);
    const std::string seen(buffer.slice.begin(), buffer.slice.end());
    EXPECT_EQ(seen, std::string(bytes, 7));
  }
}

TEST(BufferPool, UsesTheMemoryOfASimilarSizeAgain) {
  BufferPool pool(kPlenty);
  const char* const first = pool.Take(2'600'000).data;
  EXPECT_EQ(pool.kept_bytes(), std::size_t{4} << 20);
  const BufferPool::Buffer second = pool.Take(2'700'000);
  EXPECT_EQ(second.data, first);
  EXPECT_EQ(pool.kept_bytes(), 0u);
}

TEST(BufferPool, UsesTheMemoryThatWasUsedLast) {
  BufferPool pool(kPlenty);
  auto a = std::make_unique<BufferPool::Buffer>(pool.Take(10'000));
  auto b = std::make_unique<BufferPool::Buffer>(pool.Take(10'000));
  const char* const last = a->data;
  EXPECT_NE(last, b->data);
  b.reset();
  a.reset();
  EXPECT_EQ(pool.Take(10'000).data, last);
}

TEST(BufferPool, KeepsNoMoreThanItMay) {
  BufferPool pool(100'000);
  { const BufferPool::Buffer a = pool.Take(60'000), b = pool.Take(30'000), c = pool.Take(30'000); }
  EXPECT_LE(pool.kept_bytes(), 100'000u);
  EXPECT_GE(pool.kept_bytes(), 65'536u);
  const std::size_t kept = pool.kept_bytes();
  pool.Take(200'000);
  EXPECT_EQ(pool.kept_bytes(), kept) << "what is larger than the limit is not kept";
}

TEST(BufferPool, DropsWhatWasNotUsedForLongest) {
  BufferPool pool(3 * 65'536);
  auto large = std::make_unique<BufferPool::Buffer>(pool.Take(100'000));
  auto small = std::make_unique<BufferPool::Buffer>(pool.Take(60'000));
  auto other = std::make_unique<BufferPool::Buffer>(pool.Take(60'000));
  const char* const kept = other->data;
  large.reset();
  small.reset();
  EXPECT_EQ(pool.kept_bytes(), 3u * 65'536);
  other.reset();
  EXPECT_EQ(pool.kept_bytes(), 2u * 65'536);
  EXPECT_EQ(pool.Take(60'000).data, kept);
}

TEST(BufferPool, LetsSlicesOutliveItAndOneAnother) {
  auto pool = std::make_optional<BufferPool>(kPlenty);
  grpc::Slice copy;
  {
    const BufferPool::Buffer buffer = pool->Take(10'000);
    std::memset(buffer.data, 7, 10'000);
    copy = buffer.slice;
  }
  EXPECT_EQ(pool->kept_bytes(), 0u);
  pool.reset();
  EXPECT_EQ(std::string(copy.begin(), copy.end()), std::string(10'000, 7));
}

TEST(BufferPool, GivesNoBufferToTwoThreads) {
  BufferPool pool(1 << 20);
  const auto work = [&pool](char mark) {
    for (std::size_t i = 0; i < 500; ++i) {
      const auto bytes = static_cast<std::ptrdiff_t>(1 + (i * 7919) % 70'000);
      const BufferPool::Buffer buffer = pool.Take(static_cast<std::size_t>(bytes));
      std::fill_n(buffer.data, bytes, mark);
      ASSERT_EQ(std::count(buffer.data, buffer.data + bytes, mark), bytes);
    }
  };
  std::vector<std::thread> threads;
  for (char mark = 1; mark <= 4; ++mark) threads.emplace_back(work, mark);
  for (std::thread& thread : threads) thread.join();
  EXPECT_LE(pool.kept_bytes(), std::size_t{1} << 20);
}

}  // namespace
}  // namespace warpyard::server
