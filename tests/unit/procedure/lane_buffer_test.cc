// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/procedure/lane_buffer.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "core/exec/thread_scope.h"
#include "tests/support/lane_scopes.h"

namespace warpyard::procedure {
namespace {

using exec::ThreadScope;
using test_support::RunLanes;
using test_support::ScheduledLaneScope;

struct LaneList {
  int* items;
  std::uint64_t capacity;
  std::uint64_t* count;
};

TEST(LaneBuffer, KeepsTheItemsOfLanesThatHaveOne) {
  ThreadScope scope(nullptr);
  using Buffer = LaneBuffer<int, 4>;
  Buffer::Memory memory{};
  Buffer buffer(memory);
  EXPECT_EQ(buffer.Count(), 0u);
  for (int i = 0; i < 6; ++i) buffer.Push(scope, i % 2 == 1, i);
  EXPECT_EQ(buffer.Count(), 3u);
  std::vector<int> items(3);
  std::uint64_t count = 0;
  buffer.FlushTo(scope, LaneList{items.data(), items.size(), &count});
  EXPECT_EQ(items, (std::vector<int>{1, 3, 5}));
}

TEST(LaneBuffer, GivesTheNewestFirst) {
  ThreadScope scope(nullptr);
  using Buffer = LaneBuffer<int, 4>;
  Buffer::Memory memory{};
  Buffer buffer(memory);
  for (const int item : {10, 11, 12}) buffer.Push(scope, true, item);
  int item = -1;
  ASSERT_TRUE(buffer.Take(scope, item));
  EXPECT_EQ(item, 12);
  buffer.Push(scope, true, 13);
  for (const int next : {13, 11, 10}) {
    ASSERT_TRUE(buffer.Take(scope, item));
    EXPECT_EQ(item, next);
  }
  EXPECT_FALSE(buffer.Take(scope, item));
  EXPECT_EQ(item, 10) << "and leaves it as it was";
  EXPECT_EQ(buffer.Count(), 0u);
}

TEST(LaneBuffer, IsNearlyFullWhenNotEveryLaneCanPush) {
  ThreadScope scope(nullptr);
  using Buffer = LaneBuffer<int, 4>;
  Buffer::Memory memory{};
  Buffer buffer(memory);
  for (int i = 0; i < 4; ++i) {
    EXPECT_FALSE(buffer.IsNearlyFull(scope)) << i;
    buffer.Push(scope, true, i);
  }
  EXPECT_TRUE(buffer.IsNearlyFull(scope));
  int item = -1;
  buffer.Take(scope, item);
  EXPECT_FALSE(buffer.IsNearlyFull(scope));
}

// A thread that is alone writes before it counts, so an item that does not count needs memory, too.
TEST(LaneBuffer, WritesNoFurtherThanItsMemoryWhenFull) {
  ThreadScope scope(nullptr);
  using Buffer = LaneBuffer<int, 2>;
  struct {
    Buffer::Memory memory;
    int behind = 77;
  } place{};
  Buffer buffer(place.memory);
  for (int i = 0; i < 2; ++i) buffer.Push(scope, true, i);
  buffer.Push(scope, false, 5);
  EXPECT_EQ(buffer.Count(), 2u);
  EXPECT_EQ(place.behind, 77);
  int item = -1;
  buffer.Take(scope, item);
  EXPECT_EQ(item, 1);
}

TEST(LaneBuffer, AppendsInOrderBehindWhatIsThere) {
  ThreadScope scope(nullptr);
  std::vector<int> items(8, -1);
  std::uint64_t count = 2;
  using Buffer = LaneBuffer<int, 4>;
  Buffer::Memory memory{};
  Buffer buffer(memory);
  for (int i = 0; i < 3; ++i) buffer.Push(scope, true, 10 + i);
  buffer.FlushTo(scope, LaneList{items.data(), items.size(), &count});
  EXPECT_EQ(items, (std::vector<int>{-1, -1, 10, 11, 12, -1, -1, -1}));
  EXPECT_EQ(count, 5u);
  EXPECT_EQ(buffer.Count(), 0u);
}

TEST(LaneBuffer, AppendsNothingWhenEmpty) {
  ThreadScope scope(nullptr);
  std::uint64_t count = 7;
  using Buffer = LaneBuffer<int, 4>;
  Buffer::Memory memory{};
  Buffer buffer(memory);
  buffer.FlushTo(scope, LaneList{nullptr, 0, &count});
  EXPECT_EQ(count, 7u);
}

TEST(LaneBuffer, CountsPastTheEndOfAListAndWritesNothingThere) {
  ThreadScope scope(nullptr);
  std::vector<int> items(16, -1), expected = items;
  expected[3] = 0;
  std::uint64_t count = 3;
  using Buffer = LaneBuffer<int, 8>;
  Buffer::Memory memory{};
  Buffer buffer(memory);
  for (int turn = 0; turn < 2; ++turn) {
    for (int i = 0; i < 5; ++i) buffer.Push(scope, true, i);
    buffer.FlushTo(scope, LaneList{items.data(), 4, &count});
    EXPECT_EQ(items, expected);
    EXPECT_EQ(count, 8u + 5u * static_cast<std::uint64_t>(turn))
        << "so that the caller knows how long a list it needs";
    EXPECT_EQ(buffer.Count(), 0u);
  }
}

/// Pushes and takes as a group; every third lane skips a push.
void PushAndTake(ScheduledLaneScope& lane, LaneBuffer<int, 96>::Memory& memory,
                 std::vector<int>& taken, const LaneList& list) {
  LaneBuffer<int, 96> buffer(memory);
  for (int turn = 0; !buffer.IsNearlyFull(lane); ++turn) {
    const int item = 100 * turn + static_cast<int>(lane.Rank());
    buffer.Push(lane, (lane.Rank() + static_cast<std::uint32_t>(turn)) % 3 != 0, item);
  }
  int item = -1;
  if (buffer.Take(lane, item)) taken[lane.Rank()] = item;
  buffer.FlushTo(lane, list);
}

TEST(LaneBuffer, OfAGroupKeepsTheOrderOfItsLanes) {
  for (const std::uint32_t lanes : {2u, 5u, 32u}) {
    std::vector<int> expected;
    for (int turn = 0; expected.size() + lanes <= 96; ++turn) {
      for (std::uint32_t lane = 0; lane < lanes; ++lane) {
        if ((lane + static_cast<std::uint32_t>(turn)) % 3 == 0) continue;
        expected.push_back(100 * turn + static_cast<int>(lane));
      }
    }
    LaneBuffer<int, 96>::Memory memory{};
    std::vector<int> taken(lanes, -1), listed(96, -1);
    std::uint64_t count = 0;
    const LaneList list{listed.data(), listed.size(), &count};
    ASSERT_EQ(
        RunLanes(lanes, [&](ScheduledLaneScope& lane) { PushAndTake(lane, memory, taken, list); }),
        "");
    listed.resize(count);
    EXPECT_EQ(listed.size() + taken.size(), expected.size()) << lanes << " lanes";
    listed.insert(listed.end(), taken.begin(), taken.end());
    EXPECT_EQ(listed, expected) << lanes << " lanes";
  }
}

TEST(LaneBuffer, OfAGroupGivesWhatIsLeftToTheFirstLanes) {
  LaneBuffer<int, 8>::Memory memory{};
  std::vector<int> taken(4, -1);
  ASSERT_EQ(RunLanes(4,
                     [&](ScheduledLaneScope& lane) {
                       LaneBuffer<int, 8> buffer(memory);
                       const auto rank = static_cast<int>(lane.Rank());
                       buffer.Push(lane, rank % 2 == 1, rank);
                       int item = -1;
                       if (buffer.Take(lane, item)) taken[lane.Rank()] = item;
                       EXPECT_EQ(buffer.Count(), 0u);
                     }),
            "");
  EXPECT_EQ(taken, (std::vector<int>{1, 3, -1, -1}));
}

}  // namespace
}  // namespace warpyard::procedure
