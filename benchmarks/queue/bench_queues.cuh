// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The measured queues, their memory, and how a block uses each.
#ifndef WARPYARD_BENCHMARKS_QUEUE_BENCH_QUEUES_CUH_
#define WARPYARD_BENCHMARKS_QUEUE_BENCH_QUEUES_CUH_

#include <cstdint>
#include <iterator>

#include "core/base/macros.h"
#include "core/exec/device_scope.cuh"
#include "core/queue/claim.h"
#include "core/queue/collector_queue.h"
#include "core/queue/page_pool.h"
#include "core/queue/paged_queue.h"
#include "core/queue/queue_concept.h"
#include "core/queue/sequence_ring.h"
#include "core/queue/sharded_queue.h"

namespace warpyard::queue_bench {

using Scope = exec::DeviceScope;
inline constexpr unsigned kThreads = 256;
inline constexpr unsigned kRounds = 500;
inline constexpr std::uint32_t kCapacity = 1u << 20;
inline constexpr std::uint32_t kSlack = 1u << 19;
// All claims may meet in one shard, so each shard has nearly the slack of a ring. Four shards have
// as many slots as one ring.
inline constexpr std::uint32_t kShardCapacity = 1u << 17;
inline constexpr std::uint32_t kShardSlack = 3u << 17;
// First ticket, so that the tickets wrap during the run.
inline constexpr std::uint32_t kWraps = 0xfff00000u;

struct Element {
  std::uint32_t id, seven, nine;
};

/// Paged queues that share a pool; a block uses one of them.
template <std::uint32_t kCount>
struct Buckets {
  using Pool = queue::PagePool<Scope, 1024, 2048>;
  using Queue = queue::PagedQueue<Scope, Element, Pool, kCapacity>;

  __device__ void Reset(std::uint32_t first_ticket) {
    pool.Reset();
    for (Queue& bucket : buckets) bucket.Reset(pool, first_ticket);
  }

  Pool pool;
  Queue buckets[kCount];
};

/// The queue that a block uses.
template <class Queue>
__device__ Queue* OfBlock(Queue* queue) {
  return queue;
}
template <std::uint32_t kCount>
__device__ typename Buckets<kCount>::Queue* OfBlock(Buckets<kCount>* buckets) {
  return &buckets->buckets[blockIdx.x % kCount];
}

template <std::uint32_t kShards>
using ShardedRing =
    queue::ShardedQueue<Scope, queue::SequenceRing<Scope, Element, kShardCapacity, kShardSlack>,
                        kShards>;

/// Paged queues on one pool, as the shards of one queue.
template <std::uint32_t kShards>
struct PagedShards {
  using Pool = Buckets<1>::Pool;
  using Queue =
      queue::ShardedQueue<Scope, queue::PagedQueue<Scope, Element, Pool, kCapacity / kShards>,
                          kShards>;

  __device__ void Reset(std::uint32_t first_ticket) {
    pool.Reset();
    queue.Reset(pool, first_ticket);
  }

  Pool pool;
  Queue queue;
};
template <std::uint32_t kShards>
__device__ typename PagedShards<kShards>::Queue* OfBlock(PagedShards<kShards>* shards) {
  return &shards->queue;
}

/// How a block uses a queue that gives claims.
template <class Queue>
struct Use {
  using Claim = queue::Claim;
  using View = queue::ProducerView;
  __device__ static View FirstView() { return {}; }
  __device__ static Claim ReservePop(Queue* queue, std::uint32_t wanted) {
    return queue->ReservePop(wanted);
  }
  __device__ static bool Put(Queue* queue, const Claim& claim, unsigned index, const Element& in) {
    return queue->Put(claim.first + index, in) == queue::PushResult::kOk;
  }
  __device__ static bool Get(Queue* queue, const Claim& claim, unsigned index, Element& out) {
    return queue->Get(claim.first + index, out) == queue::PopResult::kOk;
  }
};
template <class Shard, std::uint32_t kShards>
struct Use<queue::ShardedQueue<Scope, Shard, kShards>> {
  using Queue = queue::ShardedQueue<Scope, Shard, kShards>;
  using Claim = queue::ShardClaim;
  using View = queue::ShardView;
  __device__ static View FirstView() { return {blockIdx.x, {}}; }
  __device__ static Claim ReservePop(Queue* queue, std::uint32_t wanted) {
    return queue->ReservePop(wanted, blockIdx.x);
  }
  __device__ static bool Put(Queue* queue, const Claim& claim, unsigned index, const Element& in) {
    return queue->Put(claim, index, in) == queue::PushResult::kOk;
  }
  __device__ static bool Get(Queue* queue, const Claim& claim, unsigned index, Element& out) {
    return queue->Get(claim, index, out) == queue::PopResult::kOk;
  }
};

/// A collector queue with the memory for all elements of a run.
struct CollectorSpace {
  __device__ void Reset(std::uint32_t) { pushed = taken = 0; }
  WY_HD queue::CollectorQueue<Scope, Element> Get() {
    return {items, std::size(items), &pushed, &taken};
  }

  alignas(Scope::kContendedBytes) std::uint64_t pushed;
  alignas(Scope::kContendedBytes) std::uint64_t taken;
  alignas(Scope::kContendedBytes) Element items[1u << 28];
};

/// Placeholder for queues in the shared memory of blocks.
struct NoQueue {
  __device__ void Reset(std::uint32_t) {}
};

}  // namespace warpyard::queue_bench

#endif  // WARPYARD_BENCHMARKS_QUEUE_BENCH_QUEUES_CUH_
