// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Behaviour of queues on a device beyond their contract (queue_contract_test.cu): paged queues that
// share a pool; the collector queue in two launches; the block-local queue in blocks that spill.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/exec/device_scope.cuh"
#include "core/queue/block_local_queue.h"
#include "core/queue/collector_queue.h"
#include "core/queue/paged_queue.h"
#include "core/queue/sequence_ring.h"
#include "tests/device/device_memory.cuh"
#include "tests/device/device_runner.cuh"
#include "tests/support/queues/queue_contract.h"

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(QueueContract);

namespace warpyard::test_support {
namespace {

using exec::DeviceScope;

/// Skips all tests where no device answers.
class NeedsDevice : public ::testing::Environment {
 public:
  void SetUp() override {
    if (!HasDevice()) GTEST_SKIP() << "no CUDA device answers";
  }
};
const auto* const kNeedsDevice = ::testing::AddGlobalTestEnvironment(new NeedsDevice);

constexpr std::uint32_t kBuckets = 64;
constexpr std::uint32_t kBucketPages = 160;
using BucketPool = queue::PagePool<DeviceScope, 16, kBucketPages>;
using Bucket = queue::PagedQueue<DeviceScope, std::uint32_t, BucketPool, 512>;

__global__ void ResetBucketsKernel(BucketPool* pool, Bucket* buckets) {
  pool->Reset();
  for (std::uint32_t b = 0; b < kBuckets; ++b) buckets[b].Reset(*pool, 0u - 16 * b);
}

/// Every thread pushes its numbers to many buckets, and pops from others. @shape seen: how often
/// each number came out; counts: pushed, popped, stuck
__global__ void FightForPagesKernel(Bucket* buckets, std::uint32_t rounds, std::uint32_t* seen,
                                    std::uint32_t* counts) {
  const std::uint32_t thread = ThreadIndex();
  for (std::uint32_t round = 0; round < rounds; ++round) {
    const std::uint32_t number = thread * rounds + round;
    const auto in = buckets[(thread + 7 * round) % kBuckets].TryPush(number);
    if (in == queue::PushResult::kOk) atomicAdd(&counts[0], 1u);
    std::uint32_t out = 0;
    const auto popped = buckets[(3 * thread + 5 * round) % kBuckets].TryPop(out);
    if (popped == queue::PopResult::kOk) atomicAdd(&counts[1], 1u);
    if (popped == queue::PopResult::kOk) atomicAdd(&seen[out], 1u);
    if (in == queue::PushResult::kStuck || popped == queue::PopResult::kStuck) {
      atomicAdd(&counts[2], 1u);
    }
  }
}

__global__ void DrainBucketsKernel(Bucket* buckets, BucketPool* pool, std::uint32_t* seen,
                                   std::uint32_t* counts) {
  std::uint32_t out = 0;
  for (std::uint32_t b = 0; b < kBuckets; ++b) {
    while (buckets[b].TryPop(out) == queue::PopResult::kOk) {
      ++seen[out];
      ++counts[1];
    }
  }
  counts[3] = pool->ApproximateFree();
}

TEST(PagedQueueOnDevice, LosesNothingWhenManyThreadsFightForPages) {
  constexpr std::uint32_t kBlocks = 64, kRounds = 200;
  const DeviceMemory<BucketPool> pool(1);
  const DeviceMemory<Bucket> buckets(kBuckets);
  const DeviceMemory<std::uint32_t> seen(kBlocks * kBlockSize * kRounds), counts(4);
  ResetBucketsKernel<<<1, 1>>>(pool.get(), buckets.get());
  FightForPagesKernel<<<kBlocks, kBlockSize>>>(buckets.get(), kRounds, seen.get(), counts.get());
  DrainBucketsKernel<<<1, 1>>>(buckets.get(), pool.get(), seen.get(), counts.get());
  ASSERT_TRUE(Synchronize());
  const std::vector<std::uint32_t> count = counts.Read();
  EXPECT_GT(count[0], kRounds) << "hardly anything was pushed";
  EXPECT_EQ(count[0], count[1]);
  EXPECT_EQ(count[2], 0u) << "stuck";
  EXPECT_GE(count[3], kBucketPages - kBuckets) << "a page is lost";
  for (const std::uint32_t times : seen.Read()) ASSERT_LE(times, 1u);
}

using Collector = queue::CollectorQueue<DeviceScope, std::uint32_t>;
constexpr std::uint32_t kGathered = 100;

/// Each block appends its collected numbers, and each thread one more.
__global__ void CollectKernel(Collector collector) {
  __shared__ std::uint32_t gathered[kGathered];
  __shared__ std::uint64_t mailbox[2];
  DeviceScope scope(nullptr, mailbox);
  const std::uint32_t first = blockIdx.x * (kGathered + blockDim.x);
  for (std::uint32_t i = threadIdx.x; i < kGathered; i += blockDim.x) gathered[i] = first + i;
  scope.Barrier();
  collector.AppendTogether(scope, gathered, kGathered);
  collector.TryPush(first + kGathered + threadIdx.x);
}

__global__ void TakeRangesKernel(Collector collector, std::uint32_t* seen) {
  for (std::uint32_t step = ThreadIndex();; ++step) {
    const queue::IndexRange range = collector.TakeRange(1 + step % 9);
    if (range.count == 0) return;
    for (std::uint64_t i = 0; i < range.count; ++i) {
      atomicAdd(&seen[collector.Get(range.first + i)], 1u);
    }
  }
}

TEST(CollectorQueueOnDevice, DeliversEachElementOnceToTheNextLaunch) {
  constexpr std::uint32_t kBlocks = 200, kItems = kBlocks * (kGathered + kBlockSize);
  for (const std::uint32_t capacity : {kItems, kItems / 3}) {
    const DeviceMemory<std::uint32_t> items(capacity), seen(kItems);
    const DeviceMemory<std::uint64_t> ends(2);
    const Collector collector(items.get(), capacity, ends.get(), ends.get() + 1);
    CollectKernel<<<kBlocks, kBlockSize>>>(collector);
    TakeRangesKernel<<<kBlocks, kBlockSize>>>(collector, seen.get());
    ASSERT_TRUE(Synchronize());
    EXPECT_EQ(ends.Read()[0], kItems) << "what would have fitted";
    std::uint32_t delivered = 0;
    for (const std::uint32_t times : seen.Read()) {
      ASSERT_LE(times, 1u);
      delivered += times;
    }
    EXPECT_EQ(delivered, capacity);
  }
}

using Local = queue::BlockLocalQueue<DeviceScope, ContractItem, 256>;
constexpr std::uint32_t kLocalThreads = 128, kLocalRounds = 200;
/// @shape slack: 16 blocks that spill up to half a queue each
using Ring = queue::SequenceRing<DeviceScope, ContractItem, 65536, 16 * 128>;

/// Every thread pushes up to three elements in each round. The block pops as many as it has
/// threads, and spills when it is nearly full. @shape pushed: of each thread; received: a list for
/// each thread
__global__ void WorkLocallyKernel(Ring* ring, ContractItem* received, std::uint32_t* popped,
                                  std::uint32_t* pushed, std::uint32_t* faults) {
  __shared__ Local local;
  __shared__ std::uint64_t mailbox[2];
  DeviceScope scope(nullptr, mailbox);
  local.Reset(scope);
  queue::ProducerView view;
  const std::uint32_t thread = ThreadIndex();
  bool stuck = false;
  for (std::uint32_t round = 0; round < kLocalRounds + 3; ++round) {
    for (std::uint32_t i = 0; round < kLocalRounds && i < (thread + round) % 4; ++i) {
      const ContractItem item = MakeItem(thread, pushed[thread]);
      if (local.TryPush(item) == queue::PushResult::kOk) ++pushed[thread];
    }
    scope.Barrier();
    const bool spill = local.IsNearlyFull();  // the same for all: no push before the next barrier
    if (spill) local.SpillTogether(scope, Local::kHighWater / 2, *ring, view, stuck);
    ContractItem mine{};
    const std::uint32_t taken = local.PopTogether(scope, scope.Size(), mine);
    if (threadIdx.x < taken) {
      received[std::size_t{thread} * (kLocalRounds + 3) + popped[thread]++] = mine;
    }
  }
  if (stuck || local.Size() != 0) atomicAdd(faults, 1u);
}

TEST(BlockLocalQueueOnDevice, LosesNothingBetweenPopsAndSpills) {
  constexpr std::uint32_t kBlocks = 16, kThreads = kBlocks * kLocalThreads;
  constexpr std::uint32_t kList = kLocalRounds + 3;
  const DeviceMemory<Ring> ring(1);
  const DeviceMemory<ContractItem> received(std::size_t{kThreads} * kList), spilled(1u << 20);
  const DeviceMemory<std::uint32_t> popped(kThreads), pushed(kThreads), faults(1), spill_count(1);
  ResetQueueKernel<<<1, 1>>>(ring.get(), 0);
  WorkLocallyKernel<<<kBlocks, kLocalThreads>>>(ring.get(), received.get(), popped.get(),
                                                pushed.get(), faults.get());
  PopRestKernel<<<1, 1>>>(ring.get(), spilled.get(), 1u << 20, spill_count.get());
  ASSERT_TRUE(Synchronize());
  CrowdResult result;
  result.pushed = pushed.Read();
  // The newest elements come first, so each element gets a list of its own, which has no order to
  // check.
  const std::vector<ContractItem> items = received.Read();
  const std::vector<std::uint32_t> counts = popped.Read();
  for (std::uint32_t t = 0; t < kThreads; ++t) {
    for (std::uint32_t i = 0; i < counts[t]; ++i) {
      result.received.push_back({items[std::size_t{t} * kList + i]});
    }
  }
  const std::vector<ContractItem> rest = spilled.Read();
  for (std::uint32_t i = 0; i < spill_count.Read()[0]; ++i) result.received.push_back({rest[i]});
  EXPECT_EQ(FindFault(result), "");
  EXPECT_EQ(faults.Read()[0], 0u);
  EXPECT_GT(spill_count.Read()[0], 0u) << "nothing was ever spilled";
}

}  // namespace
}  // namespace warpyard::test_support
