// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The laned queue in seeded interleavings, and laned queues with one fault each that these find.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "core/queue/laned_queue.h"
#include "core/queue/sequence_ring.h"
#include "tests/support/queues/queue_claims.h"
#include "tests/support/queues/queue_contract.h"
#include "tests/support/queues/queue_lanes.h"
#include "tests/support/queues/queue_runners.h"
#include "tests/support/queues/queue_with_pool.h"
#include "tests/support/scheduled_scope.h"

namespace warpyard::test_support {
namespace {

constexpr std::uint32_t kSeeds = 200;
constexpr std::uint32_t kClaim = 3;

using One = OneByOne<ScheduledScope>;
using Claims = InClaims<ScheduledScope, kClaim>;

template <std::uint32_t kLanes, std::uint32_t kCapacity>
using LanedRing =
    queue::LanedQueue<ScheduledScope,
                      queue::SequenceRing<ScheduledScope, ContractItem, kCapacity, 4 * kClaim>,
                      kLanes>;
using Pool = queue::PagePool<ScheduledScope, 2, 8>;
using LanedPages = QueueWithPool<
    Pool,
    queue::LanedQueue<ScheduledScope, queue::PagedQueue<ScheduledScope, ContractItem, Pool, 4>, 2>>;

template <class Queue, class Roles>
using Runner = ScheduledRunner<PlainHolder<Queue>, Roles>;

using Runners =
    ::testing::Types<Runner<LanedRing<2, 1>, One>, Runner<LanedRing<2, 1>, InLanes<One>>,
                     Runner<LanedRing<3, 2>, InLanes<One>>,
                     Runner<LanedRing<2, 2>, InLanes<Claims>>, Runner<LanedPages, InLanes<One>>,
                     Runner<LanedPages, InLanes<Claims>>>;
INSTANTIATE_TYPED_TEST_SUITE_P(LanedQueueInSchedules, QueueContract, Runners);

/// What is wrong at the first seed at which anything is.
template <class Queue, class Roles>
std::string Fault(std::uint32_t seeds) {
  const ScheduleSearch<PlainHolder<Queue>, InLanes<Roles>> search(seeds);
  return search.fault.empty() ? "" : search.fault + ", seed " + std::to_string(search.seed);
}

TEST(LanedQueueSchedules, FindNoFaultOneByOne) {
  EXPECT_EQ((Fault<LanedRing<2, 1>, One>(kSeeds)), "");
  EXPECT_EQ((Fault<LanedRing<3, 2>, One>(kSeeds)), "");
}

TEST(LanedQueueSchedules, FindNoFaultInClaims) {
  EXPECT_EQ((Fault<LanedRing<2, 2>, Claims>(kSeeds)), "");
  EXPECT_EQ((Fault<LanedPages, Claims>(kSeeds)), "");
}

/// Two rings, of which a thread uses only that of its hint.
class OwnLaneOnly : public LanedRing<1, 2> {
 public:
  static constexpr std::uint32_t kLanes = 2;

  void Reset(std::uint32_t first_ticket) {
    LanedRing<1, 2>::Reset(first_ticket);
    other_.Reset(first_ticket);
  }
  queue::PushResult TryPush(const ContractItem& item, std::uint32_t hint = 0) {
    return hint % 2 == 0 ? LanedRing<1, 2>::TryPush(item) : other_.TryPush(item);
  }
  queue::PopResult TryPop(ContractItem& item, std::uint32_t hint = 0) {
    return hint % 2 == 0 ? LanedRing<1, 2>::TryPop(item) : other_.TryPop(item);
  }

 private:
  LanedRing<1, 2> other_;
};

TEST(LanedQueueSchedules, CatchAPopThatLooksInOwnLaneOnly) {
  EXPECT_NE((Fault<OwnLaneOnly, One>(20)), "");
}

/// Tells the wrong lane that a claim was read.
class WrongLaneFinished : public LanedRing<2, 2> {
 public:
  void FinishPop(queue::LaneClaim claim) {
    claim.lane = (claim.lane + 1) % kLanes;
    LanedRing<2, 2>::FinishPop(claim);
  }
};

TEST(LanedQueueSchedules, CatchAClaimThatIsFinishedInAnotherLane) {
  EXPECT_NE((Fault<WrongLaneFinished, Claims>(100)), "");
}

}  // namespace
}  // namespace warpyard::test_support
