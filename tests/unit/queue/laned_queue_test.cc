// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/queue/laned_queue.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>

#include "core/exec/thread_scope.h"
#include "core/queue/sequence_ring.h"
#include "tests/support/queues/queue_claims.h"
#include "tests/support/queues/queue_contract.h"
#include "tests/support/queues/queue_lanes.h"
#include "tests/support/queues/queue_runners.h"
#include "tests/support/queues/queue_with_pool.h"

namespace warpyard::test_support {
namespace {

using exec::ThreadScope;

constexpr std::uint32_t kThreads = 4;
constexpr std::uint32_t kClaim = 5;

template <std::uint32_t kLanes, std::uint32_t kCapacity>
using LanedRing =
    queue::LanedQueue<ThreadScope,
                      queue::SequenceRing<ThreadScope, ContractItem, kCapacity, kThreads * kClaim>,
                      kLanes>;
static_assert(queue::DeviceQueue<LanedRing<4, 8>>);

/// Paged queues in one pool as lanes.
using Pool = queue::PagePool<ThreadScope, 4, 20>;
using LanedPages = QueueWithPool<
    Pool,
    queue::LanedQueue<ThreadScope, queue::PagedQueue<ThreadScope, ContractItem, Pool, 16>, 3>>;
static_assert(queue::DeviceQueue<LanedPages>);

template <class Queue, class Roles>
using Runner = ThreadRunner<PlainHolder<Queue>, Roles>;
using One = OneByOne<ThreadScope>;
using Claims = InClaims<ThreadScope, kClaim>;

// All threads at one lane (the hint that the contract gives alone), and spread.
using LaneRunners =
    ::testing::Types<Runner<LanedRing<2, 1>, One>, Runner<LanedRing<3, 2>, InLanes<One>>,
                     Runner<LanedRing<4, 25>, InLanes<One>>,
                     Runner<LanedRing<2, 1>, InLanes<Claims>>,
                     Runner<LanedRing<4, 25>, InLanes<Claims>>, Runner<LanedPages, InLanes<One>>,
                     Runner<LanedPages, InLanes<Claims>>>;
INSTANTIATE_TYPED_TEST_SUITE_P(LanedQueueOnThreads, QueueContract, LaneRunners);

template <class Queue>
std::unique_ptr<Queue> MakeQueue() {
  auto queue = std::make_unique<Queue>();
  queue->Reset(0xfffffffeu);
  return queue;
}

TEST(LanedQueue, FindsTheOnlyElementInWhateverLaneItIs) {
  const auto queue = MakeQueue<LanedRing<4, 8>>();
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

TEST(LanedQueue, ClaimsTheOnlyElementInWhateverLaneItIs) {
  const auto queue = MakeQueue<LanedRing<4, 8>>();
  for (std::uint32_t from = 0; from < 9; ++from) {
    ASSERT_EQ(queue->TryPush(MakeItem(1, from), 2), kPushed);
    const queue::LaneClaim claim = queue->ReservePop(3, from);
    ASSERT_EQ(claim.count, 1u) << "hint " << from;
    EXPECT_EQ(claim.lane, 2u);
    ContractItem item{};
    EXPECT_EQ(queue->Get(claim, 0, item), kPopped);
    queue->FinishPop(claim);
    EXPECT_EQ(queue->ReservePop(3, from).count, 0u);
  }
}

TEST(LanedQueue, FindsTheOnlyPlaceInWhateverLaneItIs) {
  const auto queue = MakeQueue<LanedRing<4, 2>>();
  for (std::uint32_t i = 0; i < 8; ++i) ASSERT_EQ(queue->TryPush(MakeItem(0, i), 3 * i), kPushed);
  for (std::uint32_t at = 0; at < 4; ++at) {
    for (std::uint32_t from = 0; from < 4; ++from) {
      EXPECT_EQ(queue->TryPush(MakeItem(0, 9), from), queue::PushResult::kFull);
      queue::LaneView view{from, {}};
      EXPECT_EQ(queue->ReservePush(1, view).count, 0u);
      EXPECT_EQ(view.lane % 4, from) << "a push that found nothing begins again at its lane";
      ContractItem item{};
      ASSERT_EQ(queue->TryPop(item, at), kPopped);
      const queue::LaneClaim claim = queue->ReservePush(1, view);
      ASSERT_EQ(claim.count, 1u) << "room at " << at << ", hint " << from;
      EXPECT_EQ(claim.lane, at);
      ASSERT_EQ(queue->Put(claim, 0, item), kPushed);
    }
  }
}

TEST(LanedQueue, StaysAtTheLaneThatAProducerMovedTo) {
  const auto queue = MakeQueue<LanedRing<3, 2>>();
  queue::LaneView view{1, {}};
  std::uint32_t lanes[6];
  for (std::uint32_t& lane : lanes) lane = queue->ReservePush(1, view).lane;
  const std::uint32_t expected[] = {1, 1, 2, 2, 0, 0};
  for (std::uint32_t i = 0; i < 6; ++i) EXPECT_EQ(lanes[i], expected[i]) << i;
}

TEST(LanedQueue, KeepsTheOrderOfAProducerWhoseLaneIsNeverFull) {
  const auto queue = MakeQueue<LanedRing<4, 64>>();
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
