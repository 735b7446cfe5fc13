// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// bench.queue.<queue>.<scenario>: push-pop pairs a second of the queues on a CUDA device, as JSON.
//
// The two scenarios of [Steinberger §4.5], 256 threads a block, 500 rounds:
//   package     one thread of a block pushes one element, then the block pops one
//   item        every thread pushes an element, warp by warp, then the block pops as many
//   item-block  as item, but the block pushes together, as a block that spawns after a barrier does
// The collector queue runs them in two launches, all pushes and then all pops; the block-local
// queue in each block for itself. Paged queues run as one bucket and as 64, of which each block
// uses one. Queues of shards take the block's number as the hint. Each scenario also runs once with
// a count for every element: exactly once, and whole.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string>
#include <type_traits>
#include <vector>

#include "core/exec/device_scope.cuh"
#include "core/queue/block_local_queue.h"
#include "core/queue/collector_queue.h"
#include "core/queue/distributed_locks_queue.h"
#include "core/queue/paged_queue.h"
#include "core/queue/sequence_ring.h"
#include "core/queue/sharded_queue.h"

namespace warpyard {
namespace {

using Scope = exec::DeviceScope;
constexpr unsigned kThreads = 256;
constexpr unsigned kRounds = 500;
constexpr std::uint32_t kCapacity = 1u << 20;
constexpr std::uint32_t kSlack = 1u << 19;
// All claims may meet in one shard, so each has nearly a ring's slack; four have its slots in all.
constexpr std::uint32_t kShardCapacity = 1u << 17;
constexpr std::uint32_t kShardSlack = 3u << 17;
constexpr std::uint32_t kWraps = 0xfff00000u;  // first ticket: the tickets wrap during the run

struct Element {
  std::uint32_t id, seven, nine;
};

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

/// Repeats an operation until it is neither refused nor for ever: a thread gives up after a second.
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

/// The same with what queues of claims offer beyond the common interface: a view that is kept.
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

/// Pops one element for each thread of the block; several claims where one finds too few.
template <class Queue, class Claim>
__device__ void PopForBlock(Queue* queue, Claim& shared_claim, const Verdict& verdict) {
  for (unsigned have = 0; have < kThreads;) {
    if (threadIdx.x == 0) {
      verdict.Check(Retry([&] {
        return (shared_claim = Use<Queue>::ReservePop(queue, kThreads - have)).count > 0;
      }));
      if (shared_claim.count == 0) shared_claim.count = kThreads;  // gave up: an error is noted
    }
    __syncthreads();
    const Claim claim = shared_claim;
    if (threadIdx.x >= have && threadIdx.x < have + claim.count) {
      Element out{};
      verdict.Check(Use<Queue>::Get(queue, claim, threadIdx.x - have, out));
      verdict.Note(out);
    }
    have += claim.count;
    __syncthreads();  // all elements of the claim are read
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
    __syncthreads();  // who takes part in a claim must have no push to do: it could wait for the
                      // claim
    PopForBlock(queue, shared_claim, verdict);
  }
}

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

/// Stands for the queues that blocks have in their shared memory.
struct NoQueue {
  __device__ void Reset(std::uint32_t) {}
};

__global__ void LocalItemKernel(NoQueue*, Verdict verdict) {
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

void Require(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "queue_bench: %s\n", cudaGetErrorString(error));
  std::exit(1);
}

struct Cell {
  std::vector<double> milliseconds;
  std::size_t wrong = 0;  // elements not delivered exactly once
  std::uint32_t errors = 0;
};

/// @shape launch(queue, verdict): a run in which every element goes in and comes out
template <class Queue, class Launch>
Cell Measure(Launch launch, std::size_t elements) {
  Queue* queue = nullptr;
  std::uint32_t *seen = nullptr, *errors = nullptr;
  Require(cudaMalloc(&queue, sizeof(Queue)));
  Require(cudaMalloc(&seen, elements * sizeof *seen));
  Require(cudaMalloc(&errors, sizeof *errors));
  Require(cudaMemset(seen, 0, elements * sizeof *seen));
  Require(cudaMemset(errors, 0, sizeof *errors));
  ResetQueueKernel<<<1, 1>>>(queue, kWraps);
  cudaEvent_t begin, end;
  Require(cudaEventCreate(&begin));
  Require(cudaEventCreate(&end));
  Cell cell;
  for (int run = 0; run < 9; ++run) {
    Require(cudaEventRecord(begin));
    launch(queue, Verdict{run == 0 ? seen : nullptr, errors});
    Require(cudaEventRecord(end));
    Require(cudaEventSynchronize(end));
    float milliseconds = 0;
    Require(cudaEventElapsedTime(&milliseconds, begin, end));
    if (run > 1) cell.milliseconds.push_back(milliseconds);
  }
  std::vector<std::uint32_t> counts(elements);
  Require(cudaMemcpy(counts.data(), seen, elements * sizeof *seen, cudaMemcpyDeviceToHost));
  Require(cudaMemcpy(&cell.errors, errors, sizeof *errors, cudaMemcpyDeviceToHost));
  for (const std::uint32_t count : counts) cell.wrong += count != 1;
  std::sort(cell.milliseconds.begin(), cell.milliseconds.end());
  for (void* memory :
       {static_cast<void*>(queue), static_cast<void*>(seen), static_cast<void*>(errors)}) {
    Require(cudaFree(memory));
  }
  return cell;
}

/// The cells of the report, printed as they are measured.
class Table {
 public:
  template <class Queue, class Launch>
  void Add(const char* name, const char* scenario, Launch launch, unsigned blocks,
           unsigned per_block) {
    const std::size_t elements = std::size_t{blocks} * kRounds * per_block;
    const Cell cell = Measure<Queue>(launch, elements);
    const bool right = cell.wrong == 0 && cell.errors == 0;
    const double pairs = static_cast<double>(elements) / 1e3;  // by milliseconds: millions a second
    const std::vector<double>& ms = cell.milliseconds;
    std::printf(
        "%s    {\"queue\": \"%s\", \"scenario\": \"%s\", \"blocks\": %u, \"million_pairs_per_s\": "
        "{\"median\": %.1f, \"min\": %.1f, \"max\": %.1f}, \"exactly_once\": %s}",
        empty_ ? "" : ",\n", name, scenario, blocks, pairs / ms[ms.size() / 2], pairs / ms.back(),
        pairs / ms.front(), right ? "true" : "false");
    std::fflush(stdout);
    empty_ = false;
    all_right_ &= right;
  }
  bool all_right() const { return all_right_; }

 private:
  bool empty_ = true;
  bool all_right_ = true;
};

/// A run that is one launch.
template <class Queue>
auto Launch(void (*kernel)(Queue*, Verdict), unsigned blocks) {
  return [=](Queue* queue, Verdict verdict) { kernel<<<blocks, kThreads>>>(queue, verdict); };
}

/// A run of two phases.
template <unsigned kGroup, unsigned kPerBlock>
auto LaunchPhases(unsigned blocks) {
  return [=](CollectorSpace* space, Verdict verdict) {
    ResetQueueKernel<<<1, 1>>>(space, 0);
    CollectKernel<kGroup><<<blocks, kThreads>>>(space, verdict);
    TakeKernel<kPerBlock><<<blocks, kThreads>>>(space, verdict);
  };
}

/// The scenarios of a queue that gives claims.
template <class Queue>
void AddClaims(Table& table, const char* name, unsigned blocks) {
  table.Add<Queue>(name, "package", Launch(ClaimPackageKernel<Queue>, blocks), blocks, 1);
  table.Add<Queue>(name, "item", Launch(ClaimItemKernel<Queue, false>, blocks), blocks, kThreads);
  table.Add<Queue>(name, "item-block", Launch(ClaimItemKernel<Queue, true>, blocks), blocks,
                   kThreads);
}

void AddCollector(Table& table, unsigned blocks) {
  using Queue = CollectorSpace;
  table.Add<Queue>("collector", "package", LaunchPhases<1, 1>(blocks), blocks, 1);
  table.Add<Queue>("collector", "item", LaunchPhases<32, kThreads>(blocks), blocks, kThreads);
  table.Add<Queue>("collector", "item-block", LaunchPhases<kThreads, kThreads>(blocks), blocks,
                   kThreads);
}

int Main(const std::string& machine, const std::string& commit) {
  int processors = 0, resident = 0;
  Require(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
  Require(cudaDeviceGetAttribute(&resident, cudaDevAttrMaxThreadsPerMultiProcessor, 0));
  const unsigned some = static_cast<unsigned>(processors);
  const unsigned full = some * static_cast<unsigned>(resident) / kThreads;
  using Locks = queue::DistributedLocksQueue<Scope, Element, kCapacity>;
  std::printf("{\n  \"benchmark\": \"bench.queue\", \"machine\": \"%s\", \"commit\": \"%s\",\n",
              machine.c_str(), commit.c_str());
  std::printf("  \"command\": \"queue_bench\", \"threads\": %u, \"rounds\": %u, \"cells\": [\n",
              kThreads, kRounds);
  Table table;
  for (const unsigned blocks : {some, full}) {
    table.Add<Locks>("distributed_locks", "package", Launch(PackageKernel<Locks>, blocks), blocks,
                     1);
    AddClaims<queue::SequenceRing<Scope, Element, kCapacity, kSlack>>(table, "sequence_ring",
                                                                      blocks);
    AddClaims<ShardedRing<4>>(table, "sharded_ring_4", blocks);
    AddClaims<PagedShards<8>>(table, "sharded_paged_8", blocks);
    AddClaims<Buckets<1>>(table, "paged_1", blocks);
    AddClaims<Buckets<64>>(table, "paged_64", blocks);
    AddCollector(table, blocks);
    table.Add<NoQueue>("block_local", "item", Launch(LocalItemKernel, blocks), blocks, kThreads);
  }
  std::printf("\n  ]\n}\n");
  return table.all_right() ? 0 : 1;
}

}  // namespace
}  // namespace warpyard

int main(int argc, char** argv) {
  return warpyard::Main(argc > 1 ? argv[1] : "", argc > 2 ? argv[2] : "");
}
