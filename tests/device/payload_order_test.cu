// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Memory that an element stands for, handed from block to block through queues: what its holders
// wrote with plain stores must be there for the next holder (the order of a payload, scope.h).

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "core/exec/device_scope.cuh"
#include "core/queue/laned_queue.h"
#include "core/queue/sequence_ring.h"
#include "tests/device/device_memory.cuh"
#include "tests/device/device_runner.cuh"
#include "tests/support/queue_contract.h"
#include "tests/support/queue_with_pool.h"

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(QueueContract);

namespace warpyard::test_support {
namespace {

using exec::DeviceScope;

constexpr std::uint32_t kBlocks = 128;
constexpr std::uint32_t kTokens = kBlocks * kBlockSize;
constexpr std::uint32_t kRounds = 1000;
constexpr std::uint32_t kWords = 8;

/// A sector of a cache line, so that a stale one shows as a whole.
struct alignas(32) Buffer {
  std::uint32_t words[kWords];
};

/// What a buffer holds after it was handed over `times` times.
__device__ std::uint32_t WordOf(const ContractItem& token, std::uint32_t times, std::uint32_t k) {
  return MakeItem(token.producer, times * kWords + k).seal;
}

struct PassFaults {
  std::uint32_t wrong_words;
  std::uint32_t stopped;
};

/// Every thread has a token, which stands for a buffer. In each round the block writes its buffers,
/// puts its tokens, gets as many others and reads theirs. No thread writes or reads the buffer of
/// the token that it puts or gets itself.
template <class Queue>
__global__ void PassBuffersKernel(Queue* queue, Buffer* buffers, ContractItem* held,
                                  PassFaults* faults) {
  __shared__ ContractItem tokens[kBlockSize];
  using Roles = OneByOne<DeviceScope>;
  const std::uint32_t own = threadIdx.x;
  tokens[own] = MakeItem(ThreadIndex(), 0);
  __syncthreads();
  for (std::uint32_t round = 0; round < kRounds; ++round) {
    const ContractItem written = tokens[(own + 33) % kBlockSize];
    for (std::uint32_t k = 0; k < kWords; ++k) {
      buffers[written.producer].words[k] = WordOf(written, written.sequence + 1, k);
    }
    const ContractItem put = MakeItem(tokens[own].producer, tokens[own].sequence + 1);
    __syncthreads();
    DeviceScope::OrderBeforePut();
    ContractItem got{};
    const bool passed =
        Roles::Retry([&] { return queue->TryPush(put) == queue::PushResult::kOk; }) &&
        Roles::Retry([&] { return queue->TryPop(got) == queue::PopResult::kOk; });
    DeviceScope::OrderAfterGet();
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

template <class Queue>
void ExpectPayloadsInOrder() {
  if (!HasDevice()) GTEST_SKIP() << "no CUDA device answers";
  const DeviceMemory<Queue> queue(1);
  const DeviceMemory<Buffer> buffers(kTokens);
  const DeviceMemory<ContractItem> held(kTokens);
  const DeviceMemory<PassFaults> faults(1);
  ResetQueueKernel<<<1, 1>>>(queue.get(), 0xffff0000u);
  PassBuffersKernel<<<kBlocks, kBlockSize>>>(queue.get(), buffers.get(), held.get(), faults.get());
  ASSERT_TRUE(Synchronize());
  EXPECT_EQ(faults.Read()[0].stopped, 0u);
  EXPECT_EQ(faults.Read()[0].wrong_words, 0u) << "of " << std::uint64_t{kTokens} * kRounds * kWords;
  std::vector<bool> seen(kTokens);
  std::uint64_t passes = 0;
  for (const ContractItem& token : held.Read()) {
    ASSERT_LT(token.producer, kTokens);
    EXPECT_FALSE(seen[token.producer]) << "token " << token.producer << " is there twice";
    seen[token.producer] = true;
    passes += token.sequence;
  }
  EXPECT_EQ(passes, std::uint64_t{kTokens} * kRounds);
}

// All tokens fit: a block puts all of its own before it gets others.
using Ring = queue::SequenceRing<DeviceScope, ContractItem, kTokens, kTokens>;

TEST(PayloadOrder, HoldsThroughASequenceRing) { ExpectPayloadsInOrder<Ring>(); }

TEST(PayloadOrder, HoldsThroughAPagedQueue) {
  ExpectPayloadsInOrder<PagedWithPool<DeviceScope, 64, kTokens, kTokens / 64 + 8>>();
}

TEST(PayloadOrder, HoldsThroughLanes) {
  ExpectPayloadsInOrder<queue::LanedQueue<DeviceScope, Ring, 4>>();
}

}  // namespace
}  // namespace warpyard::test_support
