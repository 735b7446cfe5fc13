// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Rounds of pushes and pops on a device: packages, and items by warps or by whole blocks.
#ifndef WARPYARD_BENCHMARKS_QUEUE_QUEUE_KERNELS_CUH_
#define WARPYARD_BENCHMARKS_QUEUE_QUEUE_KERNELS_CUH_

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "benchmarks/queue/bench_queues.cuh"
#include "core/queue/block_local_queue.h"
#include "core/queue/claim.h"
#include "core/queue/collector_queue.h"
#include "core/queue/queue_concept.h"

namespace warpyard::queue_bench {

struct Verdict {
  std::uint32_t* seen;  // how often each element came out; null: not counted
  std::uint32_t* errors;

  __device__ void Note(const Element& element) const {
    if (seen == nullptr) return;
    atomicAdd(&seen[element.id], 1u);
    if (element.seven != 7 || element.nine != 9) atomicAdd(errors, 1u);
  }
  __device__ void Check(bool ok) const {
    if (!ok) atomicAdd(errors, 1u);
  }
};

template <class Queue>
__global__ void ResetQueueKernel(Queue* queue, std::uint32_t first_ticket) {
  queue->Reset(first_ticket);
}

/// The claim of the warp's first thread.
template <class Claim>
__device__ Claim OfWarp(const Claim& claim) {
  std::uint32_t words[sizeof(Claim) / 4];
  memcpy(words, &claim, sizeof(Claim));
  for (std::uint32_t& word : words) word = __shfl_sync(0xffffffffu, word, 0);
  Claim result;
  memcpy(&result, words, sizeof(Claim));
  return result;
}

/// Repeats an operation until it is not refused. A thread gives up after a second.
template <class Try>
__device__ bool Retry(Try attempt) {
  const std::uint64_t limit = Scope::NowNs() + 1'000'000'000;
  while (!attempt()) {
    if (Scope::NowNs() > limit) return false;
  }
  return true;
}

template <class Queue>
__global__ void PackageKernel(Queue* queue, Verdict verdict) {
  for (unsigned round = 0; round < kRounds; ++round) {
    if (threadIdx.x == 0) {
      const Element in{blockIdx.x * kRounds + round, 7, 9};
      Element out{};
      verdict.Check(Retry([&] { return queue->TryPush(in) == queue::PushResult::kOk; }));
      verdict.Check(Retry([&] { return queue->TryPop(out) == queue::PopResult::kOk; }));
      verdict.Note(out);
    }
    __syncthreads();
  }
}

/// The queue with a view that is kept between pushes, which queues of claims offer in addition.
template <class Queue>
__global__ void ClaimPackageKernel(Queue* queues, Verdict verdict) {
  auto* const queue = OfBlock(queues);
  using With = Use<std::remove_pointer_t<decltype(OfBlock(queues))>>;
  auto view = With::FirstView();
  for (unsigned round = 0; round < kRounds; ++round) {
    if (threadIdx.x == 0) {
      const Element in{blockIdx.x * kRounds + round, 7, 9};
      Element out{};
      typename With::Claim claim{};
      verdict.Check(Retry([&] { return (claim = queue->ReservePush(1, view)).count == 1; }));
      verdict.Check(With::Put(queue, claim, 0, in));
      verdict.Check(Retry([&] { return (claim = With::ReservePop(queue, 1)).count == 1; }));
      verdict.Check(With::Get(queue, claim, 0, out));
      queue->FinishPop(claim);
      verdict.Note(out);
    }
    __syncthreads();
  }
}

/// Pops one element for each thread of the block, by several claims if one finds too few.
template <class Queue, class Claim>
__device__ void PopForBlock(Queue* queue, Claim& shared_claim, const Verdict& verdict) {
  for (unsigned have = 0; have < kThreads;) {
    if (threadIdx.x == 0) {
      verdict.Check(Retry([&] {
        return (shared_claim = Use<Queue>::ReservePop(queue, kThreads - have)).count > 0;
      }));
      if (shared_claim.count == 0) shared_claim.count = kThreads;  // gave up: an error is recorded
    }
    __syncthreads();
    const Claim claim = shared_claim;
    if (threadIdx.x >= have && threadIdx.x < have + claim.count) {
      Element out{};
      verdict.Check(Use<Queue>::Get(queue, claim, threadIdx.x - have, out));
      verdict.Note(out);
    }
    have += claim.count;
    __syncthreads();  // all elements of the claim have been read
    if (threadIdx.x == 0) queue->FinishPop(claim);
  }
}

template <class Queue, bool kWholeBlock>
__global__ void ClaimItemKernel(Queue* queues, Verdict verdict) {
  auto* const queue = OfBlock(queues);
  using With = Use<std::remove_pointer_t<decltype(OfBlock(queues))>>;
  __shared__ typename With::Claim shared_claim;
  auto view = With::FirstView();
  const unsigned group = kWholeBlock ? kThreads : 32, rank = threadIdx.x % group;
  for (unsigned round = 0; round < kRounds; ++round) {
    typename With::Claim claim{};
    if (rank == 0) {
      verdict.Check(
          Retry([&] { return (claim = queue->ReservePush(group, view)).count == group; }));
    }
    if (kWholeBlock) {
      if (rank == 0) shared_claim = claim;
      __syncthreads();
      claim = shared_claim;
      __syncthreads();
    } else {
      claim = OfWarp(claim);
    }
    const std::uint32_t id = (blockIdx.x * kRounds + round) * kThreads + threadIdx.x;
    verdict.Check(With::Put(queue, claim, rank, {id, 7, 9}));
    // A thread that takes part in a claim must have no push left: the push could wait for the
    // claim.
    __syncthreads();
    PopForBlock(queue, shared_claim, verdict);
  }
}

/// First phase. @shape kGroup: threads that push together; 1: one thread of a block pushes
template <unsigned kGroup>
__global__ void CollectKernel(CollectorSpace* space, Verdict verdict) {
  __shared__ std::uint64_t shared_first;
  auto collector = space->Get();
  const unsigned rank = threadIdx.x % kGroup;
  if (kGroup == 1 && threadIdx.x > 0) return;
  for (unsigned round = 0; round < kRounds; ++round) {
    std::uint64_t first = 0;
    if (rank == 0) first = collector.Reserve(kGroup);
    if (kGroup == kThreads) {
      if (rank == 0) shared_first = first;
      __syncthreads();
      first = shared_first;
      __syncthreads();
    } else if (kGroup == 32) {
      first = __shfl_sync(0xffffffffu, first, 0);
    }
    const unsigned per_block = kGroup == 1 ? 1 : kThreads;
    const std::uint32_t id = (blockIdx.x * kRounds + round) * per_block + threadIdx.x;
    verdict.Check(collector.Put(first + rank, {id, 7, 9}) == queue::PushResult::kOk);
  }
}

/// Second phase. @shape kPerBlock: elements that a block takes together
template <unsigned kPerBlock>
__global__ void TakeKernel(CollectorSpace* space, Verdict verdict) {
  __shared__ queue::IndexRange shared_range;
  auto collector = space->Get();
  for (unsigned round = 0; round < kRounds; ++round) {
    if (threadIdx.x == 0) {
      shared_range = collector.TakeRange(kPerBlock);
      verdict.Check(shared_range.count == kPerBlock);
    }
    __syncthreads();
    const queue::IndexRange range = shared_range;
    __syncthreads();
    if (threadIdx.x < range.count) verdict.Note(collector.Get(range.first + threadIdx.x));
  }
}

/// Each block runs by itself.
template <class Queue>
__global__ void LocalItemKernel(Queue*, Verdict verdict) {
  __shared__ queue::BlockLocalQueue<Scope, Element, 2 * kThreads> local;
  __shared__ std::uint64_t mailbox[2];
  Scope scope(nullptr, mailbox);
  local.Reset(scope);
  const unsigned rank = threadIdx.x % 32;
  for (unsigned round = 0; round < kRounds; ++round) {
    std::uint32_t first = 0;
    if (rank == 0) first = local.Reserve(32);
    first = __shfl_sync(0xffffffffu, first, 0);
    const std::uint32_t id = (blockIdx.x * kRounds + round) * kThreads + threadIdx.x;
    verdict.Check(local.Put(first + rank, {id, 7, 9}) == queue::PushResult::kOk);
    Element out{};
    verdict.Check(local.PopTogether(scope, kThreads, out) == kThreads);
    verdict.Note(out);
  }
}

}  // namespace warpyard::queue_bench

#endif  // WARPYARD_BENCHMARKS_QUEUE_QUEUE_KERNELS_CUH_
