// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The sharded queue in seeded interleavings, and sharded queues with one fault each that the
// interleavings find.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "core/queue/sequence_ring.h"
#include "core/queue/sharded_queue.h"
#include "tests/support/queues/queue_claims.h"
#include "tests/support/queues/queue_contract.h"
#include "tests/support/queues/queue_runners.h"
#include "tests/support/queues/queue_shards.h"
#include "tests/support/queues/queue_with_pool.h"
#include "tests/support/scheduled_scope.h"

namespace warpyard::test_support {
namespace {

constexpr std::uint32_t kSeeds = 200;
constexpr std::uint32_t kClaim = 3;

using One = OneByOne<ScheduledScope>;
using Claims = InClaims<ScheduledScope, kClaim>;

template <std::uint32_t kShards, std::uint32_t kCapacity>
using ShardedRing =
    queue::ShardedQueue<ScheduledScope,
                        queue::SequenceRing<ScheduledScope, ContractItem, kCapacity, 4 * kClaim>,
                        kShards>;
using Pool = queue::PagePool<ScheduledScope, 2, 8>;
using ShardedPages =
    QueueWithPool<Pool,
                  queue::ShardedQueue<ScheduledScope,
                                      queue::PagedQueue<ScheduledScope, ContractItem, Pool, 4>, 2>>;

template <class Queue, class Roles>
using Runner = ScheduledRunner<PlainHolder<Queue>, Roles>;

using Runners =
    ::testing::Types<Runner<ShardedRing<2, 1>, One>, Runner<ShardedRing<2, 1>, InShards<One>>,
                     Runner<ShardedRing<3, 2>, InShards<One>>,
                     Runner<ShardedRing<2, 2>, InShards<Claims>>,
                     Runner<ShardedPages, InShards<One>>, Runner<ShardedPages, InShards<Claims>>>;
INSTANTIATE_TYPED_TEST_SUITE_P(ShardedQueueInSchedules, QueueContract, Runners);

/// What is wrong at the first seed that fails.
template <class Queue, class Roles>
std::string Fault(std::uint32_t seeds) {
  const ScheduleSearch<PlainHolder<Queue>, InShards<Roles>> search(seeds);
  return search.fault.empty() ? "" : search.fault + ", seed " + std::to_string(search.seed);
}

TEST(ShardedQueueSchedules, FindNoFaultOneByOne) {
  EXPECT_EQ((Fault<ShardedRing<2, 1>, One>(kSeeds)), "");
  EXPECT_EQ((Fault<ShardedRing<3, 2>, One>(kSeeds)), "");
}

TEST(ShardedQueueSchedules, FindNoFaultInClaims) {
  EXPECT_EQ((Fault<ShardedRing<2, 2>, Claims>(kSeeds)), "");
  EXPECT_EQ((Fault<ShardedPages, Claims>(kSeeds)), "");
}

/// Two rings; a thread uses only the ring of its hint.
class OwnShardOnly : public ShardedRing<1, 2> {
 public:
  static constexpr std::uint32_t kShards = 2;

  void Reset(std::uint32_t first_ticket) {
    ShardedRing<1, 2>::Reset(first_ticket);
    other_.Reset(first_ticket);
  }
  queue::PushResult TryPush(const ContractItem& item, std::uint32_t hint = 0) {
    return hint % 2 == 0 ? ShardedRing<1, 2>::TryPush(item) : other_.TryPush(item);
  }
  queue::PopResult TryPop(ContractItem& item, std::uint32_t hint = 0) {
    return hint % 2 == 0 ? ShardedRing<1, 2>::TryPop(item) : other_.TryPop(item);
  }

 private:
  ShardedRing<1, 2> other_;
};

TEST(ShardedQueueSchedules, CatchAPopThatLooksInOwnShardOnly) {
  EXPECT_NE((Fault<OwnShardOnly, One>(20)), "");
}

/// Tells the wrong shard that a claim was read.
class WrongShardFinished : public ShardedRing<2, 2> {
 public:
  void FinishPop(queue::ShardClaim claim) {
    claim.shard = (claim.shard + 1) % kShards;
    ShardedRing<2, 2>::FinishPop(claim);
  }
};

TEST(ShardedQueueSchedules, CatchAClaimThatIsFinishedInAnotherShard) {
  EXPECT_NE((Fault<WrongShardFinished, Claims>(100)), "");
}

}  // namespace
}  // namespace warpyard::test_support
