// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The queues beside the default one on a device: the contract for the sequence ring and the paged
// queue, one by one and in claims; the collector queue in two launches; the block-local queue in
// blocks that spill. Every wait is bounded, by Scope::Wait or by its limit.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/exec/device_scope.cuh"
#include "core/queue/block_local_queue.h"
#include "core/queue/collector_queue.h"
#include "core/queue/paged_queue.h"
#include "core/queue/sequence_ring.h"
#include "tests/device/device_memory.cuh"
#include "tests/support/queue_claims.h"
#include "tests/support/queue_contract.h"

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

constexpr std::uint32_t kBlockSize = 64;
constexpr std::uint32_t kThreadsOfASide = 512;
constexpr std::uint32_t kMaxClaim = 5;

/// Few enough blocks to be on the device at the same time: threads wait for one another.
std::uint32_t Blocks(std::uint32_t threads) { return (threads + kBlockSize - 1) / kBlockSize; }

__device__ std::uint32_t ThreadIndex() { return blockIdx.x * blockDim.x + threadIdx.x; }

/// A paged queue and its pool, to be used as one queue.
template <std::uint32_t kPageSlots, std::uint32_t kCapacity, std::uint32_t kPages>
class PagedQueueWithPool {
 public:
  using Pool = queue::PagePool<DeviceScope, kPageSlots, kPages>;
  using Queue = queue::PagedQueue<DeviceScope, ContractItem, Pool, kCapacity>;
  using Item = ContractItem;

  WY_HD void Reset(std::uint32_t first_ticket) {
    pool_.Reset(0x7ffffffdu);
    queue_.Reset(pool_, first_ticket);
  }
  WY_HD queue::PushResult TryPush(const Item& item) { return queue_.TryPush(item); }
  WY_HD queue::PopResult TryPop(Item& item) { return queue_.TryPop(item); }
  WY_HD queue::Claim ReservePush(std::uint32_t wanted, queue::ProducerView& view) {
    return queue_.ReservePush(wanted, view);
  }
  WY_HD queue::PushResult Put(std::uint32_t ticket, const Item& item) {
    return queue_.Put(ticket, item);
  }
  WY_HD queue::Claim ReservePop(std::uint32_t wanted) { return queue_.ReservePop(wanted); }
  WY_HD queue::PopResult Get(std::uint32_t ticket, Item& item) { return queue_.Get(ticket, item); }
  WY_HD void FinishPop(const queue::Claim& claim) { queue_.FinishPop(claim); }
  WY_HD std::uint32_t ApproximateSize() { return queue_.ApproximateSize(); }
  WY_HD static constexpr std::uint32_t Capacity() { return kCapacity; }

 private:
  Pool pool_;
  Queue queue_;
};

struct OneByOne {
  template <class Queue>
  __device__ static RoleEnd Produce(Queue& queue, const Crowd& crowd, std::uint32_t producer) {
    return test_support::Produce<DeviceScope>(queue, crowd, producer);
  }
  template <class Queue>
  __device__ static RoleEnd Consume(Queue& queue, const Crowd& crowd, ContractItem* received) {
    return test_support::Consume<DeviceScope>(queue, crowd, received);
  }
};
using ByClaims = InClaims<DeviceScope, kMaxClaim>;

template <class Queue>
__global__ void ResetQueueKernel(Queue* queue, std::uint32_t first_ticket) {
  queue->Reset(first_ticket);
}

template <class Queue>
__global__ void CheckAloneKernel(Queue* queue, AloneFault* fault) {
  *fault = CheckAlone(*queue);
}

/// Warps hold producers and consumers, in turns, as far as there are as many of both.
template <class Queue, class Roles>
__global__ void RunCrowdKernel(Queue* queue, Crowd crowd, ContractItem* received, RoleEnd* ends) {
  const std::uint32_t thread = ThreadIndex();
  if (thread >= crowd.producers + crowd.consumers) return;
  const std::uint32_t pairs = crowd.producers < crowd.consumers ? crowd.producers : crowd.consumers;
  const bool paired = thread < 2 * pairs;
  const bool produces = paired ? thread % 2 == 0 : crowd.producers > crowd.consumers;
  const std::uint32_t index = paired ? thread / 2 : thread - pairs;
  ContractItem* const list = received + std::size_t{index} * crowd.Share();
  ends[thread] =
      produces ? Roles::Produce(*queue, crowd, index) : Roles::Consume(*queue, crowd, list);
}

template <class Queue>
__global__ void RunJugglersKernel(Queue* queue, Crowd crowd, ContractItem* received,
                                  JuggleLog* logs) {
  const std::uint32_t thread = ThreadIndex();
  if (thread >= crowd.producers) return;
  logs[thread] = Juggle<DeviceScope>(*queue, crowd, thread,
                                     received + std::size_t{thread} * crowd.items_per_producer);
}

/// Takes what is left. @shape items: room for `room`
template <class Queue>
__global__ void PopRestKernel(Queue* queue, ContractItem* items, std::uint32_t room,
                              std::uint32_t* count) {
  while (*count < room && queue->TryPop(items[*count]) == queue::PopResult::kOk) ++*count;
}

template <class Queue>
__global__ void ReadSizeKernel(Queue* queue, std::uint32_t* size) {
  *size = queue->ApproximateSize();
}

/// One list for each of `count` threads.
std::vector<std::vector<ContractItem>> Split(const std::vector<ContractItem>& items,
                                             std::size_t count) {
  const std::size_t each = items.size() / count;
  std::vector<std::vector<ContractItem>> lists(count);
  for (std::size_t i = 0; i < each * count; ++i) lists[i / each].push_back(items[i]);
  return lists;
}

template <class QueueType, std::uint32_t kItemsOfAll, class Roles = OneByOne>
struct DeviceRunner {
  using Queue = QueueType;
  static constexpr std::uint32_t kThreads = kThreadsOfASide;
  static constexpr std::uint32_t kItems = kItemsOfAll;

  static AloneFault RunAlone(std::uint32_t first_ticket) {
    const DeviceMemory<Queue> queue(1);
    const DeviceMemory<AloneFault> fault(1);
    ResetQueueKernel<<<1, 1>>>(queue.get(), first_ticket);
    CheckAloneKernel<<<1, 1>>>(queue.get(), fault.get());
    return Synchronize() ? fault.Read()[0] : AloneFault::kNotRun;
  }

  static CrowdResult RunCrowd(const Crowd& crowd) {
    const std::uint32_t threads = crowd.producers + crowd.consumers;
    const DeviceMemory<Queue> queue(1);
    const DeviceMemory<ContractItem> received(crowd.Items());
    const DeviceMemory<RoleEnd> ends(threads);
    const DeviceMemory<std::uint32_t> left(1);
    ResetQueueKernel<<<1, 1>>>(queue.get(), crowd.first_ticket);
    RunCrowdKernel<Queue, Roles>
        <<<Blocks(threads), kBlockSize>>>(queue.get(), crowd, received.get(), ends.get());
    ReadSizeKernel<<<1, 1>>>(queue.get(), left.get());
    CrowdResult result;
    result.stopped = Synchronize() ? DescribeEnds(ends.Read()) : "the kernel failed";
    result.pushed.assign(crowd.producers, crowd.items_per_producer);
    result.received = Split(received.Read(), crowd.consumers);
    result.left = left.Read()[0];
    return result;
  }

  static CrowdResult RunJugglers(const Crowd& crowd) {
    const DeviceMemory<Queue> queue(1);
    const DeviceMemory<ContractItem> received(crowd.Items());
    const DeviceMemory<JuggleLog> logs(crowd.producers);
    const DeviceMemory<ContractItem> rest(crowd.Items());
    const DeviceMemory<std::uint32_t> rest_count(1);
    ResetQueueKernel<<<1, 1>>>(queue.get(), crowd.first_ticket);
    RunJugglersKernel<<<Blocks(crowd.producers), kBlockSize>>>(queue.get(), crowd, received.get(),
                                                               logs.get());
    PopRestKernel<<<1, 1>>>(queue.get(), rest.get(), crowd.Items(), rest_count.get());
    if (!Synchronize()) return {"the kernel failed", {}, {}, 0};
    std::vector<ContractItem> items = rest.Read();
    items.resize(rest_count.Read()[0]);
    return CollectJugglers(logs.Read(), Split(received.Read(), crowd.producers), std::move(items));
  }
};

template <std::uint32_t kCapacity>
using Ring = queue::SequenceRing<DeviceScope, ContractItem, kCapacity, kThreadsOfASide * kMaxClaim>;

using RingRunners =
    ::testing::Types<DeviceRunner<Ring<1>, 2048>, DeviceRunner<Ring<2>, 4096>,
                     DeviceRunner<Ring<1000>, 65536>, DeviceRunner<Ring<1000>, 65536, ByClaims>>;
INSTANTIATE_TYPED_TEST_SUITE_P(SequenceRingOnDevice, QueueContract, RingRunners);

using PagedRunners = ::testing::Types<DeviceRunner<PagedQueueWithPool<1, 1, 2>, 2048>,
                                      DeviceRunner<PagedQueueWithPool<8, 64, 12>, 8192>,
                                      DeviceRunner<PagedQueueWithPool<32, 1024, 36>, 65536>,
                                      DeviceRunner<PagedQueueWithPool<8, 64, 12>, 8192, ByClaims>>;
INSTANTIATE_TYPED_TEST_SUITE_P(PagedQueueOnDevice, QueueContract, PagedRunners);

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

/// Each block appends its gathered numbers, and each thread one more.
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

/// Every thread pushes up to three elements a round; the block pops as many as it has threads, and
/// spills when it is nearly full. @shape pushed: of each thread; received: a list for each thread
__global__ void WorkLocallyKernel(Ring<65536>* ring, ContractItem* received, std::uint32_t* popped,
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
  const DeviceMemory<Ring<65536>> ring(1);
  const DeviceMemory<ContractItem> received(std::size_t{kThreads} * kList), spilled(1u << 20);
  const DeviceMemory<std::uint32_t> popped(kThreads), pushed(kThreads), faults(1), spill_count(1);
  ResetQueueKernel<<<1, 1>>>(ring.get(), 0);
  WorkLocallyKernel<<<kBlocks, kLocalThreads>>>(ring.get(), received.get(), popped.get(),
                                                pushed.get(), faults.get());
  PopRestKernel<<<1, 1>>>(ring.get(), spilled.get(), 1u << 20, spill_count.get());
  ASSERT_TRUE(Synchronize());
  CrowdResult result;
  result.pushed = pushed.Read();
  // The newest come first: a list for each element has no order to break.
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
