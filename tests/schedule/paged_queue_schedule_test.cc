// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The paged queue in seeded interleavings, and paged queues with one fault each that the
// interleavings find.

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/queue/paged_queue.h"
#include "tests/schedule/broken_paged_queue.h"
#include "tests/support/queues/queue_claims.h"
#include "tests/support/queues/queue_contract.h"
#include "tests/support/queues/queue_runners.h"
#include "tests/support/queues/queue_with_pool.h"
#include "tests/support/scheduled_scope.h"
#include "tests/support/seed_count.h"

namespace warpyard::test_support {
namespace {

const std::uint32_t kSeeds = SeedCount(200);

template <std::uint32_t kPageSlots, std::uint32_t kCapacity, std::uint32_t kPages>
using Holder = PlainHolder<PagedWithPool<ScheduledScope, kPageSlots, kCapacity, kPages>>;

using Runners = ::testing::Types<ScheduledRunner<Holder<1, 1, 2>>, ScheduledRunner<Holder<2, 2, 3>>,
                                 ScheduledRunner<Holder<4, 5, 3>>,
                                 ScheduledRunner<Holder<2, 4, 4>, InClaims<ScheduledScope, 3>>>;
INSTANTIATE_TYPED_TEST_SUITE_P(PagedQueueInSchedules, QueueContract, Runners);

/// What is wrong at the first seed that fails.
template <class Holder, class Roles = OneByOne<ScheduledScope>>
std::string Fault(std::uint32_t seeds) {
  const ScheduleSearch<Holder, Roles> search(seeds);
  return search.fault.empty() ? "" : search.fault + ", seed " + std::to_string(search.seed);
}

TEST(PagedQueueSchedules, FindNoFaultOneByOne) {
  EXPECT_EQ((Fault<Holder<1, 1, 2>>(kSeeds)), "");
  EXPECT_EQ((Fault<Holder<2, 4, 5>>(kSeeds)), "");
}

TEST(PagedQueueSchedules, FindNoFaultWhereThePoolIsTheLimit) {
  EXPECT_EQ((Fault<Holder<1, 8, 2>>(kSeeds)), "");
  EXPECT_EQ((Fault<Holder<2, 8, 2>>(kSeeds)), "");
}

TEST(PagedQueueSchedules, FindNoFaultInClaims) {
  EXPECT_EQ((Fault<Holder<2, 4, 5>, InClaims<ScheduledScope, 4>>(kSeeds)), "");
  EXPECT_EQ((Fault<Holder<1, 8, 4>, InClaims<ScheduledScope, 3>>(kSeeds)), "");
}

/// Threads push to and pop from three buckets of one small pool. Every pushed element must come
/// out, and in the end every bucket may hold one page.
std::string FaultOfBuckets(std::uint64_t seed) {
  constexpr std::uint32_t kPages = 5, kThreads = 3;
  using Pool = queue::PagePool<ScheduledScope, 2, kPages>;
  using Bucket = queue::PagedQueue<ScheduledScope, ContractItem, Pool, 4>;
  const auto pool = std::make_unique<Pool>();
  pool->Reset(0x7fffffffu);
  std::vector<Bucket> buckets(3);
  for (Bucket& bucket : buckets) bucket.Reset(*pool, 0xfffffffeu);
  CrowdResult result;
  result.pushed.assign(kThreads, 0);
  result.received.resize(kThreads + 1);
  Bodies bodies;
  for (std::uint32_t t = 0; t < kThreads; ++t) {
    bodies.emplace_back([&, t] {
      for (std::uint32_t step = 0; step < 10; ++step) {
        Bucket& bucket = buckets[(step * (t + 1) + t) % 3];
        const ContractItem in = MakeItem(t, result.pushed[t]);
        if (bucket.TryPush(in) == kPushed) ++result.pushed[t];
        ContractItem out{};
        if (buckets[(step + t) % 3].TryPop(out) == kPopped) result.received[t].push_back(out);
      }
    });
  }
  result.stopped = RunInSchedule(seed, bodies);
  if (!result.stopped.empty()) return result.stopped;
  for (Bucket& bucket : buckets) {
    for (const ContractItem& item : PopRest(bucket)) result.received[kThreads].push_back(item);
    result.left += bucket.ApproximateSize();
  }
  // Buckets have no common order.
  std::vector<std::vector<ContractItem>> single;
  for (const auto& list : result.received) {
    for (const ContractItem& item : list) single.push_back({item});
  }
  result.received = single;
  if (pool->ApproximateFree() < kPages - 3) return "a page is lost";
  return FindFault(result);
}

TEST(PagedQueueSchedules, FindNoFaultInBucketsThatFightForPages) {
  for (std::uint64_t seed = 0; seed < 2 * kSeeds; ++seed) {
    ASSERT_EQ(FaultOfBuckets(seed), "") << "seed " << seed;
  }
}

/// A broken queue with a pool. @shape pages of one slot
template <PageFault kFault, std::uint32_t kCapacity, std::uint32_t kPages,
          class Pool = queue::PagePool<ScheduledScope, 1, kPages>>
using BrokenHolder = PlainHolder<
    QueueWithPool<Pool, BrokenPagedQueue<ScheduledScope, ContractItem, Pool, kCapacity, kFault>>>;

TEST(PagedQueueSchedules, BlameTheFaultAndNotTheFrameOfABrokenQueue) {
  EXPECT_EQ((Fault<BrokenHolder<PageFault::kNone, 2, 4>>(kSeeds)), "");
  EXPECT_EQ((Fault<BrokenHolder<PageFault::kNone, 8, 2>>(kSeeds)), "");
}

TEST(PagedQueueSchedules, CatchATicketThatIsTakenBeforeItsPage) {
  EXPECT_NE((Fault<BrokenHolder<PageFault::kTicketBeforePage, 8, 2>>(100)), "");
}

TEST(PagedQueueSchedules, CatchTurnsThatDoNotBelongToThePage) {
  EXPECT_NE((Fault<BrokenHolder<PageFault::kTurnsOfTickets, 2, 3>>(100)), "");
}

TEST(PagedQueueSchedules, CatchAnEntryThatIsWrittenWhileASlowPopNeedsIt) {
  EXPECT_NE((Fault<BrokenHolder<PageFault::kEntryNotLookedAt, 2, 8>>(400)), "");
}

}  // namespace
}  // namespace warpyard::test_support
