// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// bench.queue.<queue>.<scenario>: push-pop pairs per second of the queues on a CUDA device, as
// JSON.
//
// The two scenarios of [Steinberger §4.5], with 256 threads in a block and 500 rounds:
//   package     one thread of a block pushes one element, then the block pops one
//   item        every thread pushes an element, warp by warp, then the block pops as many
//   item-block  as item, but the block pushes together, as a block that spawns after a barrier does
// The collector queue runs them in two launches, first all pushes and then all pops. The
// block-local queue runs in each block separately. Paged queues run as one bucket, and as 64
// buckets of which each block uses one. Queues of shards take the block's number as the hint. Each
// scenario also runs once while every element is counted: each must come out exactly once, and
// whole.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <string>

#include "benchmarks/queue/bench_queues.cuh"
#include "benchmarks/queue/queue_kernels.cuh"
#include "benchmarks/queue/queue_table.cuh"
#include "core/queue/distributed_locks_queue.h"
#include "core/queue/sequence_ring.h"

namespace warpyard::queue_bench {
namespace {

/// A run with one launch.
template <class Queue>
auto Launch(void (*kernel)(Queue*, Verdict), unsigned blocks) {
  return [=](Queue* queue, Verdict verdict) { kernel<<<blocks, kThreads>>>(queue, verdict); };
}

/// A run with two phases.
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
    table.Add<NoQueue>("block_local", "item", Launch(LocalItemKernel<NoQueue>, blocks), blocks,
                       kThreads);
  }
  std::printf("\n  ]\n}\n");
  return table.all_right() ? 0 : 1;
}

}  // namespace
}  // namespace warpyard::queue_bench

int main(int argc, char** argv) {
  return warpyard::queue_bench::Main(argc > 1 ? argv[1] : "", argc > 2 ? argv[2] : "");
}
