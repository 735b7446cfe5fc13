// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/queue/sharded_queue.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>

#include "core/exec/thread_scope.h"
#include "core/queue/sequence_ring.h"
#include "tests/support/queues/queue_claims.h"
#include "tests/support/queues/queue_contract.h"
#include "tests/support/queues/queue_runners.h"
#include "tests/support/queues/queue_shards.h"
#include "tests/support/queues/queue_with_pool.h"

namespace warpyard::test_support {
namespace {

using exec::ThreadScope;

constexpr std::uint32_t kThreads = 4;
constexpr std::uint32_t kClaim = 5;

template <std::uint32_t kShards, std::uint32_t kCapacity>
using ShardedRing = queue::ShardedQueue<
    ThreadScope, queue::SequenceRing<ThreadScope, ContractItem, kCapacity, kThreads * kClaim>,
    kShards>;
static_assert(queue::DeviceQueue<ShardedRing<4, 8>>);

/// Paged queues in one pool as shards.
using Pool = queue::PagePool<ThreadScope, 4, 20>;
using ShardedPages = QueueWithPool<
    Pool,
    queue::ShardedQueue<ThreadScope, queue::PagedQueue<ThreadScope, ContractItem, Pool, 16>, 3>>;
static_assert(queue::DeviceQueue<ShardedPages>);

template <class Queue, class Roles>
using Runner = ThreadRunner<PlainHolder<Queue>, Roles>;
using One = OneByOne<ThreadScope>;
using Claims = InClaims<ThreadScope, kClaim>;

// All threads at one shard (the contract's hint for a single thread), and spread over the shards.
using ShardRunners =
    ::testing::Types<Runner<ShardedRing<2, 1>, One>, Runner<ShardedRing<3, 2>, InShards<One>>,
                     Runner<ShardedRing<4, 25>, InShards<One>>,
                     Runner<ShardedRing<2, 1>, InShards<Claims>>,
                     Runner<ShardedRing<4, 25>, InShards<Claims>>,
                     Runner<ShardedPages, InShards<One>>, Runner<ShardedPages, InShards<Claims>>>;
INSTANTIATE_TYPED_TEST_SUITE_P(ShardedQueueOnThreads, QueueContract, ShardRunners);

template <class Queue>
std::unique_ptr<Queue> MakeQueue() {
  auto queue = std::make_unique<Queue>();
  queue->Reset(0xfffffffeu);
  return queue;
}

TEST(ShardedQueue, FindsTheOnlyElementInWhateverShardItIs) {
  const auto queue = MakeQueue<ShardedRing<4, 8>>();
  for (std::uint32_t at = 0; at < 4; ++at) {
    for (std::uint32_t from = 0; from < 9; ++from) {
      ASSERT_EQ(queue->TryPush(MakeItem(at, from), at), kPushed);
      ContractItem item{};
      ASSERT_EQ(queue->TryPop(item, from), kPopped) << "pushed at " << at << ", hint " << from;
      EXPECT_EQ(item.producer, at);
      EXPECT_EQ(queue->TryPop(item, from), queue::PopResult::kEmpty);
    }
  }
}

TEST(ShardedQueue, ClaimsTheOnlyElementInWhateverShardItIs) {
  const auto queue = MakeQueue<ShardedRing<4, 8>>();
  for (std::uint32_t from = 0; from < 9; ++from) {
    ASSERT_EQ(queue->TryPush(MakeItem(1, from), 2), kPushed);
    const queue::ShardClaim claim = queue->ReservePop(3, from);
    ASSERT_EQ(claim.count, 1u) << "hint " << from;
    EXPECT_EQ(claim.shard, 2u);
    ContractItem item{};
    EXPECT_EQ(queue->Get(claim, 0, item), kPopped);
    queue->FinishPop(claim);
    EXPECT_EQ(queue->ReservePop(3, from).count, 0u);
  }
}

TEST(ShardedQueue, FindsTheOnlyPlaceInWhateverShardItIs) {
  const auto queue = MakeQueue<ShardedRing<4, 2>>();
  for (std::uint32_t i = 0; i < 8; ++i) ASSERT_EQ(queue->TryPush(MakeItem(0, i), 3 * i), kPushed);
  for (std::uint32_t at = 0; at < 4; ++at) {
    for (std::uint32_t from = 0; from < 4; ++from) {
      EXPECT_EQ(queue->TryPush(MakeItem(0, 9), from), queue::PushResult::kFull);
      queue::ShardView view{from, {}};
      EXPECT_EQ(queue->ReservePush(1, view).count, 0u);
      EXPECT_EQ(view.shard % 4, from) << "a push that found nothing begins again at its shard";
      ContractItem item{};
      ASSERT_EQ(queue->TryPop(item, at), kPopped);
      const queue::ShardClaim claim = queue->ReservePush(1, view);
      ASSERT_EQ(claim.count, 1u) << "room at " << at << ", hint " << from;
      EXPECT_EQ(claim.shard, at);
      ASSERT_EQ(queue->Put(claim, 0, item), kPushed);
    }
  }
}

TEST(ShardedQueue, StaysAtTheShardThatAProducerMovedTo) {
  const auto queue = MakeQueue<ShardedRing<3, 2>>();
  queue::ShardView view{1, {}};
  std::uint32_t shards[6];
  for (std::uint32_t& shard : shards) shard = queue->ReservePush(1, view).shard;
  const std::uint32_t expected[] = {1, 1, 2, 2, 0, 0};
  for (std::uint32_t i = 0; i < 6; ++i) EXPECT_EQ(shards[i], expected[i]) << i;
}

TEST(ShardedQueue, KeepsTheOrderOfAProducerWhoseShardIsNeverFull) {
  const auto queue = MakeQueue<ShardedRing<4, 64>>();
  for (std::uint32_t i = 0; i < 64; ++i) {
    for (std::uint32_t p = 0; p < 4; ++p) ASSERT_EQ(queue->TryPush(MakeItem(p, i), p), kPushed);
  }
  std::uint32_t next[4] = {0, 0, 0, 0};
  for (std::uint32_t i = 0; i < 256; ++i) {
    ContractItem item{};
    ASSERT_EQ(queue->TryPop(item, i * 7), kPopped);
    EXPECT_EQ(item.sequence, next[item.producer]++);
  }
}

}  // namespace
}  // namespace warpyard::test_support
