// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Memory that an element refers to, handed from block to block through queues. The next holder must
// see what the previous holder wrote with plain stores (the order of a payload, scope.h). On an
// H200 the test fails if both calls are left out, but not if only one of them is. The reason is
// probably that every thread puts and gets, so that one fence in each round does the work of both.

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "core/exec/device_scope.cuh"
#include "core/queue/sequence_ring.h"
#include "core/queue/sharded_queue.h"
#include "tests/device/device_memory.cuh"
#include "tests/device/device_runner.cuh"
#include "tests/support/queues/queue_contract.h"
#include "tests/support/queues/queue_shards.h"
#include "tests/support/queues/queue_with_pool.h"

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(QueueContract);

namespace warpyard::test_support {
namespace {

using exec::DeviceScope;

constexpr std::uint32_t kMaxTokens = 128 * kBlockSize;
constexpr std::uint32_t kRounds = 1000;
constexpr std::uint32_t kWords = 16;

struct alignas(64) Buffer {
  std::uint32_t words[kWords];
};

/// The contents of a buffer after `times` hand-overs.
__device__ std::uint32_t WordOf(const ContractItem& token, std::uint32_t times, std::uint32_t k) {
  return MakeItem(token.producer, times * kWords + k).seal;
}

struct PassFaults {
  std::uint32_t wrong_words;
  std::uint32_t stopped;
};

/// The interface of the queue for a block.
template <class Queue>
__device__ Queue& OfBlock(Queue& queue) {
  return queue;
}
template <class Shard, std::uint32_t kShards>
__device__ auto OfBlock(queue::ShardedQueue<DeviceScope, Shard, kShards>& queue) {
  return ShardUser<queue::ShardedQueue<DeviceScope, Shard, kShards>>(queue, blockIdx.x);
}

/// Every thread has a token, which refers to a buffer. In each round the block writes its buffers,
/// puts its tokens, gets the same number of other tokens and reads their buffers. No thread writes
/// or reads the buffer of the token that it puts or gets itself. Places are claimed before the
/// buffers are written, so that other blocks wait for the tokens and see them as early as possible.
template <class Queue>
__global__ void PassBuffersKernel(Queue* shared_queue, Buffer* buffers, ContractItem* held,
                                  PassFaults* faults) {
  __shared__ ContractItem tokens[kBlockSize];
  auto&& queue = OfBlock(*shared_queue);
  using Roles = OneByOne<DeviceScope>;
  const std::uint32_t own = threadIdx.x;
  tokens[own] = MakeItem(ThreadIndex(), 0);
  __syncthreads();
  queue::ProducerView view;
  for (std::uint32_t round = 0; round < kRounds; ++round) {
    queue::Claim claim{};
    bool passed = Roles::Retry([&] { return (claim = queue.ReservePush(1, view)).count == 1; });
    const ContractItem written = tokens[(own + 33) % kBlockSize];
    for (std::uint32_t k = 0; k < kWords; ++k) {
      buffers[written.producer].words[k] = WordOf(written, written.sequence + 1, k);
    }
    const ContractItem put = MakeItem(tokens[own].producer, tokens[own].sequence + 1);
    __syncthreads();
    DeviceScope::OrderBeforePut();
    ContractItem got{};
    passed = passed && queue.Put(claim.first, put) == queue::PushResult::kOk &&
             Roles::Retry([&] { return (claim = queue.ReservePop(1)).count == 1; }) &&
             queue.Get(claim.first, got) == queue::PopResult::kOk;
    DeviceScope::OrderAfterGet();
    if (passed) queue.FinishPop(claim);
    tokens[own] = got;
    if (__syncthreads_or(!passed || !IsWhole(got))) {
      atomicAdd(&faults->stopped, 1u);
      return;
    }
    const ContractItem read = tokens[(own + 7) % kBlockSize];
    for (std::uint32_t k = 0; k < kWords; ++k) {
      const bool right = buffers[read.producer].words[k] == WordOf(read, read.sequence, k);
      if (!right) atomicAdd(&faults->wrong_words, 1u);
    }
    __syncthreads();
  }
  held[ThreadIndex()] = tokens[own];
}

/// A few blocks read the same buffers again while these are in their caches; many blocks compete.
template <class Queue>
void ExpectPayloadsInOrder() {
  if (!HasDevice()) GTEST_SKIP() << "no CUDA device answers";
  for (const std::uint32_t blocks : {2u, 12u, kMaxTokens / kBlockSize}) {
    const std::uint32_t tokens = blocks * kBlockSize;
    const DeviceMemory<Queue> queue(1);
    const DeviceMemory<Buffer> buffers(tokens);
    const DeviceMemory<ContractItem> held(tokens);
    const DeviceMemory<PassFaults> faults(1);
    ResetQueueKernel<<<1, 1>>>(queue.get(), 0xffff0000u);
    PassBuffersKernel<<<blocks, kBlockSize>>>(queue.get(), buffers.get(), held.get(), faults.get());
    ASSERT_TRUE(Synchronize());
    EXPECT_EQ(faults.Read()[0].stopped, 0u) << blocks << " blocks";
    EXPECT_EQ(faults.Read()[0].wrong_words, 0u)
        << "of " << std::uint64_t{tokens} * kRounds * kWords << ", " << blocks << " blocks";
    std::vector<bool> seen(tokens);
    std::uint64_t passes = 0;
    for (const ContractItem& token : held.Read()) {
      ASSERT_LT(token.producer, tokens);
      EXPECT_FALSE(seen[token.producer]) << "token " << token.producer << " is there twice";
      seen[token.producer] = true;
      passes += token.sequence;
    }
    EXPECT_EQ(passes, std::uint64_t{tokens} * kRounds);
  }
}

// All tokens fit, because a block puts all of its own before it gets others.
using Ring = queue::SequenceRing<DeviceScope, ContractItem, kMaxTokens, kMaxTokens>;

TEST(PayloadOrder, HoldsThroughASequenceRing) { ExpectPayloadsInOrder<Ring>(); }

TEST(PayloadOrder, HoldsThroughAPagedQueue) {
  ExpectPayloadsInOrder<PagedWithPool<DeviceScope, 64, kMaxTokens, kMaxTokens / 64 + 8>>();
}

TEST(PayloadOrder, HoldsThroughShards) {
  ExpectPayloadsInOrder<queue::ShardedQueue<DeviceScope, Ring, 4>>();
}

}  // namespace
}  // namespace warpyard::test_support
