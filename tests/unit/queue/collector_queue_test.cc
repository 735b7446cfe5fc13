// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/queue/collector_queue.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "core/exec/thread_scope.h"
#include "core/procedure/block_buffer.h"
#include "core/workload/ccd/job/device_list.h"
#include "tests/support/block_scopes.h"
#include "tests/support/queues/queue_contract.h"
#include "tests/support/run_bodies.h"
#include "tests/support/workers/collector_stages.h"

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(QueueContract);

namespace warpyard::test_support {
namespace {

using exec::ThreadScope;

TEST(CollectorQueue, GivesOutWhatWasCollectedInTheOrderOfReservation) {
  CollectorMemory<ThreadScope> memory(4);
  auto queue = memory.Get();
  for (std::uint32_t i = 0; i < 3; ++i) {
    EXPECT_EQ(queue.TryPush(MakeItem(0, i)), queue::PushResult::kOk);
  }
  ContractItem item{};
  for (std::uint32_t i = 0; i < 3; ++i) {
    ASSERT_EQ(queue.TryPop(item), queue::PopResult::kOk);
    EXPECT_EQ(item.sequence, i);
  }
  EXPECT_EQ(queue.TryPop(item), queue::PopResult::kEmpty);
  EXPECT_EQ(queue.Collected(), 3u);
}

TEST(CollectorQueue, TellsHowMuchWouldHaveFitted) {
  CollectorMemory<ThreadScope> memory(4);
  auto queue = memory.Get();
  for (std::uint32_t i = 0; i < 3; ++i) queue.TryPush(MakeItem(0, i));
  const std::uint64_t first = queue.Reserve(5);
  EXPECT_EQ(first, 3u);
  EXPECT_EQ(queue.Put(first, MakeItem(0, 3)), queue::PushResult::kOk);
  EXPECT_EQ(queue.Put(first + 1, MakeItem(0, 4)), queue::PushResult::kFull);
  EXPECT_EQ(queue.TryPush(MakeItem(0, 9)), queue::PushResult::kFull);
  EXPECT_EQ(queue.Wanted(), 9u);
  EXPECT_EQ(queue.Collected(), 4u);
  const queue::IndexRange range = queue.TakeRange(100);
  EXPECT_EQ(range.first, 0u);
  EXPECT_EQ(range.count, 4u);
  EXPECT_EQ(queue.TakeRange(1).count, 0u);
}

TEST(CollectorQueue, IsEmptyAgainAfterReset) {
  CollectorMemory<ThreadScope> memory(2);
  auto queue = memory.Get();
  for (std::uint32_t lap = 0; lap < 3; ++lap) {
    for (std::uint32_t i = 0; i < 5; ++i) queue.TryPush(MakeItem(lap, i));
    EXPECT_EQ(queue.TakeRange(1).count, 1u);
    queue.Reset();
    EXPECT_EQ(queue.Wanted(), 0u);
    EXPECT_EQ(queue.TakeRange(1).count, 0u);
  }
}

TEST(CollectorQueue, DeliversEachElementOnceToTheNextStage) {
  for (const Crowd& crowd : {Crowd{1, 1, 5'000, 0}, Crowd{4, 1, 5'000, 0}, Crowd{4, 4, 5'000, 0}}) {
    EXPECT_EQ(RunTwoStages<ThreadScope>(crowd, RunOnThreads), "")
        << crowd.producers << " producers, " << crowd.consumers << " consumers";
  }
}

TEST(CollectorQueue, AppendsWhatABlockGatheredInOnePiece) {
  constexpr std::uint32_t kThreads = 4, kRounds = 50, kEach = 7;
  CollectorMemory<ThreadBlockScope> memory(kRounds * kEach - 3);
  auto queue = memory.Get();
  ThreadBlock block(kThreads);
  std::vector<ContractItem> gathered(kEach);
  std::vector<std::uint64_t> stored(kThreads);
  Bodies bodies;
  for (std::uint32_t rank = 0; rank < kThreads; ++rank) {
    bodies.emplace_back([&, rank] {
      ThreadBlockScope scope(block, rank);
      for (std::uint32_t round = 0; round < kRounds; ++round) {
        for (std::uint32_t i = rank; i < kEach; i += kThreads) gathered[i] = MakeItem(round, i);
        scope.Barrier();
        stored[rank] += queue.AppendTogether(scope, gathered.data(), kEach);
        scope.Barrier();
      }
    });
  }
  RunOnThreads(bodies);
  EXPECT_EQ(queue.Wanted(), kRounds * kEach);
  for (const std::uint64_t count : stored) EXPECT_EQ(count, queue.Capacity());
  ContractItem item{};
  for (std::uint32_t i = 0; i < queue.Capacity(); ++i) {
    ASSERT_EQ(queue.TryPop(item), queue::PopResult::kOk);
    EXPECT_TRUE(IsWhole(item));
    EXPECT_EQ(item.producer * kEach + item.sequence, i);
  }
}

TEST(CollectorQueue, ReadsTheListThatProceduresAppendTo) {
  std::vector<std::uint32_t> items(4);
  std::uint64_t count = 0, taken = 0;
  const ccd::DeviceList<std::uint32_t> list{items.data(), items.size(), &count};
  queue::CollectorQueue<ThreadScope, std::uint32_t> queue(list.items, list.capacity, list.count,
                                                          &taken);
  ThreadScope scope(nullptr);
  procedure::BlockBuffer<std::uint32_t, 8> buffer{};
  for (std::uint32_t i = 0; i < 3; ++i) buffer.Push<ThreadScope>(10 + i);
  buffer.FlushTo(scope, list);
  EXPECT_EQ(queue.AppendTogether(scope, buffer.items, 3), 1u) << "after what the buffer flushed";
  EXPECT_EQ(queue.Wanted(), 6u);
  std::uint32_t item = 0;
  for (const std::uint32_t expected : {10u, 11u, 12u, 10u}) {
    ASSERT_EQ(queue.TryPop(item), queue::PopResult::kOk);
    EXPECT_EQ(item, expected);
  }
}

}  // namespace
}  // namespace warpyard::test_support
