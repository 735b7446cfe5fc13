// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/queue/block_local_queue.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "core/exec/thread_scope.h"
#include "tests/support/block_scopes.h"
#include "tests/support/queues/local_queue_rounds.h"
#include "tests/support/queues/queue_contract.h"
#include "tests/support/run_bodies.h"

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(QueueContract);

namespace warpyard::test_support {
namespace {

using exec::ThreadScope;

template <std::uint32_t kCapacity>
using OneThreadQueue = queue::BlockLocalQueue<ThreadScope, std::uint32_t, kCapacity>;
using Ring = queue::SequenceRing<ThreadScope, ContractItem, 8, 8>;
using BlockQueue = queue::BlockLocalQueue<ThreadBlockScope, ContractItem, 16>;

TEST(BlockLocalQueue, GivesTheNewestFirst) {
  ThreadScope scope(nullptr);
  OneThreadQueue<4> queue{};
  queue.Reset(scope);
  for (std::uint32_t i = 0; i < 3; ++i) EXPECT_EQ(queue.TryPush(i), queue::PushResult::kOk);
  std::uint32_t item = 0;
  for (std::uint32_t i = 3; i-- > 0;) {
    EXPECT_EQ(queue.PopTogether(scope, 1, item), 1u);
    EXPECT_EQ(item, i);
  }
  EXPECT_EQ(queue.PopTogether(scope, 1, item), 0u);
}

template <std::uint32_t kCapacity>
void ExpectExactlyFull() {
  ThreadScope scope(nullptr);
  OneThreadQueue<kCapacity> queue{};
  queue.Reset(scope);
  std::uint32_t item = 0;
  for (std::uint32_t lap = 0; lap < 5; ++lap) {
    for (std::uint32_t i = 0; i < kCapacity; ++i) {
      ASSERT_EQ(queue.TryPush(i), queue::PushResult::kOk);
    }
    for (int i = 0; i < 3; ++i) EXPECT_EQ(queue.TryPush(99), queue::PushResult::kFull);
    EXPECT_EQ(queue.Size(), kCapacity);
    for (std::uint32_t i = kCapacity; i-- > 0;) {
      ASSERT_EQ(queue.PopTogether(scope, 1, item), 1u);
      EXPECT_EQ(item, i);
      if (i == 0) continue;
      ASSERT_EQ(queue.TryPush(i), queue::PushResult::kOk) << "a refused push left no trace";
      ASSERT_EQ(queue.PopTogether(scope, 1, item), 1u);
    }
    EXPECT_EQ(queue.Size(), 0u);
  }
}

TEST(BlockLocalQueue, IsFullAtItsCapacityAndNotBefore) {
  ExpectExactlyFull<1>();
  ExpectExactlyFull<2>();
  ExpectExactlyFull<64>();
}

TEST(BlockLocalQueue, SaysWhenToSpill) {
  ThreadScope scope(nullptr);
  OneThreadQueue<8> queue{};
  queue.Reset(scope);
  static_assert(OneThreadQueue<8>::kHighWater == 6);
  for (std::uint32_t i = 0; i < 6; ++i) {
    EXPECT_FALSE(queue.IsNearlyFull());
    queue.TryPush(i);
  }
  EXPECT_TRUE(queue.IsNearlyFull());
}

/// In each round threads push; then the block spills its oldest elements to a ring and pops its
/// newest.
TEST(BlockLocalQueue, SpillsTheOldestInOrderAndKeepsWhatTheOtherQueueRefuses) {
  ThreadScope scope(nullptr);
  queue::BlockLocalQueue<ThreadScope, ContractItem, 8> queue{};
  queue.Reset(scope);
  Ring ring;
  ring.Reset();
  queue::ProducerView view;
  bool stuck = false;
  for (std::uint32_t i = 0; i < 8; ++i) queue.TryPush(MakeItem(0, i));
  EXPECT_EQ(queue.SpillTogether(scope, 6, ring, view, stuck), 6u);
  for (std::uint32_t i = 8; i < 14; ++i) queue.TryPush(MakeItem(0, i));
  EXPECT_EQ(queue.SpillTogether(scope, 8, ring, view, stuck), 8u) << "places come round";
  EXPECT_EQ(queue.Size(), 0u);
  queue.TryPush(MakeItem(0, 14));
  EXPECT_EQ(queue.SpillTogether(scope, 8, ring, view, stuck), 0u) << "the ring is full";
  EXPECT_FALSE(stuck);
  ContractItem item{};
  ASSERT_EQ(queue.PopTogether(scope, 1, item), 1u);
  EXPECT_EQ(item.sequence, 14u);
  for (std::uint32_t i = 0; i < 14; ++i) {
    ASSERT_EQ(ring.TryPop(item), queue::PopResult::kOk);
    EXPECT_TRUE(IsWhole(item));
    EXPECT_EQ(item.sequence, i);
  }
}

template <std::uint32_t kCapacity>
void ExpectNoFaultInRounds(std::uint32_t rounds) {
  using Queue = queue::BlockLocalQueue<ThreadBlockScope, ContractItem, kCapacity>;
  for (const std::uint32_t threads : {1u, 4u}) {
    const auto make = [](ThreadBlock& block, std::uint32_t rank) {
      return ThreadBlockScope(block, rank);
    };
    EXPECT_EQ((RunLocalRounds<ThreadBlockScope, Queue>(threads, rounds, make, RunOnThreads)), "")
        << threads << " threads, capacity " << kCapacity;
  }
}

TEST(BlockLocalQueue, DeliversEachElementOnceToABlockOfThreads) {
  ExpectNoFaultInRounds<1>(500);
  ExpectNoFaultInRounds<2>(500);
  ExpectNoFaultInRounds<16>(500);
}

TEST(BlockLocalQueue, SpillsAsABlockWithoutLosingAnElement) {
  constexpr std::uint32_t kThreads = 4, kRounds = 300;
  using Shared = queue::SequenceRing<ThreadBlockScope, ContractItem, 4096, 64>;
  ThreadBlock block(kThreads);
  BlockQueue queue{};
  const auto shared = std::make_unique<Shared>();
  shared->Reset();
  std::vector<std::uint32_t> spilled(kThreads), refused(kThreads), stuck(kThreads);
  Bodies bodies;
  for (std::uint32_t rank = 0; rank < kThreads; ++rank) {
    bodies.emplace_back([&, rank] {
      ThreadBlockScope scope(block, rank);
      queue.Reset(scope);
      queue::ProducerView view;
      bool failed = false;
      for (std::uint32_t round = 0; round < kRounds; ++round) {
        for (std::uint32_t i = 0; i < 3; ++i) {
          const auto result = queue.TryPush(MakeItem(rank, 3 * round + i));
          refused[rank] += result == queue::PushResult::kOk ? 0 : 1;
        }
        scope.Barrier();
        spilled[rank] += queue.SpillTogether(scope, 13, *shared, view, failed);
      }
      spilled[rank] += queue.SpillTogether(scope, 16, *shared, view, failed);
      stuck[rank] = failed ? 1 : 0;
    });
  }
  RunOnThreads(bodies);
  CrowdResult result;
  result.pushed.assign(kThreads, 3 * kRounds);
  ContractItem item{};
  result.received.emplace_back();
  while (shared->TryPop(item) == queue::PopResult::kOk) result.received[0].push_back(item);
  EXPECT_EQ(FindFault(result), "");
  for (std::uint32_t rank = 0; rank < kThreads; ++rank) {
    EXPECT_EQ(spilled[rank], kThreads * 3 * kRounds) << "what the block spilled, to every thread";
    EXPECT_EQ(refused[rank] + stuck[rank], 0u);
  }
}

}  // namespace
}  // namespace warpyard::test_support
