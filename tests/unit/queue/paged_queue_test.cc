// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/queue/paged_queue.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "core/exec/thread_scope.h"
#include "tests/support/queues/queue_claims.h"
#include "tests/support/queues/queue_contract.h"
#include "tests/support/queues/queue_runners.h"
#include "tests/support/queues/queue_with_pool.h"

namespace warpyard::test_support {
namespace {

using exec::ThreadScope;

template <std::uint32_t kPageSlots, std::uint32_t kCapacity, std::uint32_t kPages>
using Holder = PlainHolder<PagedWithPool<ThreadScope, kPageSlots, kCapacity, kPages>>;
static_assert(queue::DeviceQueue<Holder<1, 1, 2>::Queue>);

// Pages of one slot and of more than the capacity; pools of the smallest number of pages, and of
// many.
using OneByOneRunners =
    ::testing::Types<ThreadRunner<Holder<1, 1, 2>>, ThreadRunner<Holder<4, 1, 2>>,
                     ThreadRunner<Holder<2, 2, 3>>, ThreadRunner<Holder<8, 64, 12>>>;
INSTANTIATE_TYPED_TEST_SUITE_P(PagedQueueOnThreads, QueueContract, OneByOneRunners);
using ClaimRunners = ::testing::Types<ThreadRunner<Holder<4, 7, 4>, InClaims<ThreadScope, 6>>,
                                      ThreadRunner<Holder<8, 64, 12>, InClaims<ThreadScope, 20>>>;
INSTANTIATE_TYPED_TEST_SUITE_P(PagedQueueInClaimsOnThreads, QueueContract, ClaimRunners);

TEST(PagedQueue, HoldsNoPageBeforeItsFirstElement) {
  Holder<4, 16, 8> holder(0);
  EXPECT_EQ(holder.Get().pool().ApproximateFree(), 8u);
}

TEST(PagedQueue, HoldsAsManyPagesAsItsElementsTouchAndOneWhenEmpty) {
  Holder<4, 16, 8> holder(0);
  auto& queue = holder.Get();
  ContractItem item{};
  for (std::uint32_t lap = 0; lap < 20; ++lap) {
    for (std::uint32_t i = 0; i < 13; ++i) ASSERT_EQ(queue.TryPush(MakeItem(0, i)), kPushed);
    EXPECT_GE(holder.Get().pool().ApproximateFree(), 8u - 4);
    EXPECT_LE(holder.Get().pool().ApproximateFree(), 8u - 3);
    for (std::uint32_t i = 0; i < 13; ++i) {
      ASSERT_EQ(queue.TryPop(item), kPopped);
      EXPECT_EQ(item.sequence, i);
    }
    EXPECT_GE(holder.Get().pool().ApproximateFree(), 8u - 1) << "lap " << lap;
  }
}

TEST(PagedQueue, IsFullWhenThePoolIsEmptyAndLosesNothing) {
  Holder<4, 64, 3> holder(0);
  auto& queue = holder.Get();
  for (std::uint32_t lap = 0; lap < 10; ++lap) {
    std::uint32_t pushed = 0;
    while (queue.TryPush(MakeItem(lap, pushed)) == kPushed) ++pushed;
    EXPECT_GE(pushed, 9u) << "the page that was begun has at least a place";
    EXPECT_LE(pushed, 12u);
    EXPECT_EQ(queue.ApproximateSize(), pushed);
    EXPECT_EQ(queue.TryPush(MakeItem(lap, pushed)), queue::PushResult::kFull);
    ContractItem item{};
    for (std::uint32_t i = 0; i < pushed - lap % 4; ++i) {
      ASSERT_EQ(queue.TryPop(item), kPopped);
      EXPECT_TRUE(IsWhole(item));
      EXPECT_EQ(item.sequence, i);
    }
    while (queue.TryPop(item) == kPopped) EXPECT_EQ(item.producer, lap);
    EXPECT_EQ(queue.ApproximateSize(), 0u);
  }
}

TEST(PagedQueue, TakesNothingForAClaimThatOnlyPartlyFits) {
  Holder<4, 64, 3> holder(0);
  auto& queue = holder.Get();
  queue::ProducerView view;
  EXPECT_EQ(queue.ReservePush(13, view).count, 0u) << "three pages hold twelve";
  EXPECT_EQ(queue.ApproximateSize(), 0u);
  EXPECT_EQ(holder.Get().pool().ApproximateFree(), 3u) << "other queues may have them";
  const queue::Claim claim = queue.ReservePush(12, view);
  ASSERT_EQ(claim.count, 12u);
  EXPECT_EQ(queue.ReservePush(1, view).count, 0u);
}

TEST(PagedQueue, SharesItsPagesWithOtherBucketsAcrossTheWrapOfTurns) {
  // 64 buckets of up to 64 elements, but only 80 pages instead of 1,024: one for each bucket, and
  // 16 more.
  using Pool = queue::PagePool<ThreadScope, 4, 80>;
  using Bucket = queue::PagedQueue<ThreadScope, ContractItem, Pool, 64>;
  const auto pool = std::make_unique<Pool>();
  pool->Reset(0x7ffffffeu);
  std::vector<Bucket> buckets(64);
  for (std::uint32_t b = 0; b < 64; ++b) buckets[b].Reset(*pool, 0u - b);
  ContractItem item{};
  for (std::uint32_t round = 0; round < 300; ++round) {
    Bucket& bucket = buckets[round * 37 % 64];
    const std::uint32_t count = 1 + round * 11 % 60;
    for (std::uint32_t i = 0; i < count; ++i) {
      ASSERT_EQ(bucket.TryPush(MakeItem(round, i)), kPushed) << "round " << round;
    }
    for (std::uint32_t i = 0; i < count; ++i) {
      ASSERT_EQ(bucket.TryPop(item), kPopped);
      EXPECT_TRUE(IsWhole(item));
      EXPECT_EQ(item.producer, round);
      EXPECT_EQ(item.sequence, i);
    }
  }
  EXPECT_GE(pool->ApproximateFree(), 80u - 64);
}

/// Each thread moves its own tokens through shared buckets, and takes any tokens that it finds
/// there.
void MoveTokens(std::uint32_t threads, std::uint32_t rounds) {
  using Pool = queue::PagePool<ThreadScope, 4, 12>;
  using Bucket = queue::PagedQueue<ThreadScope, ContractItem, Pool, 32>;
  const auto pool = std::make_unique<Pool>();
  pool->Reset();
  std::vector<Bucket> buckets(8);
  for (Bucket& bucket : buckets) bucket.Reset(*pool);
  std::vector<std::uint32_t> pushed(threads), popped(threads), torn(threads), stuck(threads);
  Bodies bodies;
  for (std::uint32_t t = 0; t < threads; ++t) {
    bodies.emplace_back([&, t] {
      for (std::uint32_t round = 0; round < rounds; ++round) {
        const queue::PushResult in = buckets[(t + round) % 8].TryPush(MakeItem(t, pushed[t]));
        pushed[t] += in == kPushed ? 1 : 0;
        ContractItem item{};
        const queue::PopResult out = buckets[(3 * t + 5 * round) % 8].TryPop(item);
        popped[t] += out == kPopped ? 1 : 0;
        torn[t] += out == kPopped && !IsWhole(item) ? 1 : 0;
        stuck[t] += in == queue::PushResult::kStuck || out == queue::PopResult::kStuck ? 1 : 0;
      }
    });
  }
  RunOnThreads(bodies);
  std::uint32_t in = 0, out = 0;
  for (std::uint32_t t = 0; t < threads; ++t) {
    EXPECT_EQ(torn[t], 0u);
    EXPECT_EQ(stuck[t], 0u);
    in += pushed[t];
    out += popped[t];
  }
  for (Bucket& bucket : buckets) out += static_cast<std::uint32_t>(PopRest(bucket).size());
  EXPECT_EQ(in, out);
  EXPECT_GT(in, rounds / 2);
  EXPECT_GE(pool->ApproximateFree(), 12u - 8) << "a page is lost";
}

TEST(PagedQueue, LosesNothingWhenManyThreadsFightForPages) { MoveTokens(4, 10'000); }

}  // namespace
}  // namespace warpyard::test_support
