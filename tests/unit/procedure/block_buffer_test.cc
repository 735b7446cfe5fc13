// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/procedure/block_buffer.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "core/exec/thread_scope.h"

namespace warpyard::procedure {
namespace {

using exec::ThreadScope;

struct TestList {
  int* items;
  std::uint64_t capacity;
  std::uint64_t* count;
};

TEST(BlockBuffer, HasRoomUntilItIsFull) {
  ThreadScope scope(nullptr);
  BlockBuffer<int, 4> buffer{};
  EXPECT_TRUE(buffer.HasRoom(scope, 4));
  for (int i = 0; i < 3; ++i) buffer.Push<ThreadScope>(i);
  EXPECT_TRUE(buffer.HasRoom(scope, 1));
  EXPECT_FALSE(buffer.HasRoom(scope, 2));
}

TEST(BlockBuffer, AppendsInOrderBehindWhatIsThere) {
  ThreadScope scope(nullptr);
  std::vector<int> items(8, -1);
  std::uint64_t count = 2;
  BlockBuffer<int, 4> buffer{};
  for (int i = 0; i < 3; ++i) buffer.Push<ThreadScope>(10 + i);
  buffer.FlushTo(scope, TestList{items.data(), items.size(), &count});
  EXPECT_EQ(items, (std::vector<int>{-1, -1, 10, 11, 12, -1, -1, -1}));
  EXPECT_EQ(count, 5u);
  EXPECT_EQ(buffer.count, 0u);
}

TEST(BlockBuffer, AppendsNothingWhenEmpty) {
  ThreadScope scope(nullptr);
  std::uint64_t count = 7;
  BlockBuffer<int, 4> buffer{};
  buffer.FlushTo(scope, TestList{nullptr, 0, &count});
  EXPECT_EQ(count, 7u);
}

TEST(BlockBuffer, CountsPastTheEndOfAListAndWritesNothingThere) {
  ThreadScope scope(nullptr);
  std::vector<int> items(6, -1);
  std::uint64_t count = 3;
  BlockBuffer<int, 8> buffer{};
  for (int i = 0; i < 5; ++i) buffer.Push<ThreadScope>(i);
  buffer.FlushTo(scope, TestList{items.data(), 4, &count});
  EXPECT_EQ(items, (std::vector<int>{-1, -1, -1, 0, -1, -1}));
  EXPECT_EQ(count, 8u) << "so that the caller knows how long a list it needs";
  EXPECT_EQ(buffer.count, 0u);
}

}  // namespace
}  // namespace warpyard::procedure
