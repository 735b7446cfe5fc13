// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The time that one warp needs to push to its own stack and to pop from it. Some of the stacks
// allow other blocks to take elements, and one is private. No block takes during the measurement.
//
//   plain             in shared memory, plain accesses
//   cluster_relaxed   takeable in the cluster, without the order that takers need: not correct
//   cluster_release   takeable in the cluster
//   global_release    takeable by the whole device, in global memory
// With stores, each lane writes a word of global memory before each push, the memory that an
// element refers to: a release waits for this store.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "research/block_clusters/launch.cuh"
#include "research/block_clusters/table.h"
#include "research/block_clusters/takeable_stack.cuh"
#include "research/block_clusters/ways.cuh"

namespace warpyard::bench {
namespace {

constexpr std::uint32_t kElements = 32;  // of a push and of a pop
constexpr std::uint32_t kDeep = 8;       // pushes in a row, then as many pops
constexpr std::uint32_t kRounds = 64;
constexpr int kRepetitions = 7;

/// @units cycles of kDeep operations
struct OwnTimes {
  std::uint32_t push;
  std::uint32_t pop;
};

/// @shape times: one for each block and round; stored: words of each lane of each block, or null
struct OwnRecords {
  OwnTimes* times;
  std::uint32_t* stored;
  std::uint32_t* errors;
};

template <class Stack>
__device__ void PushAndPop(Stack& stack, const OwnRecords& records) {
  for (std::uint32_t round = 0; round < kRounds; ++round) {
    const std::uint32_t first_id = round * kDeep * kElements + Lane();
    std::uint32_t right = 0;
    const std::uint32_t begin = Clock();
    for (std::uint32_t i = 0; i < kDeep; ++i) {
      if (records.stored != nullptr) {
        std::uint32_t* const word = &records.stored[(blockIdx.x * kDeep + i) * 32 + Lane()];
        asm volatile("st.global.u32 [%0], %1;" ::"l"(__cvta_generic_to_global(word)), "r"(round)
                     : "memory");
      }
      const Hand mine = {MakeElement(first_id + i * kElements), {}};
      right += stack.Push(kElements, mine) ? 1 : 0;
    }
    const std::uint32_t pushed = Clock();
    for (std::uint32_t i = kDeep; i-- > 0;) {
      Hand mine = {};
      const bool found = stack.PopNewest(kElements, mine) == kElements;
      right += found && mine[0].id == first_id + i * kElements && mine[0].seven == 7 ? 1 : 0;
    }
    if (__all_sync(kAllLanes, right == 2 * kDeep) == 0) {
      if (Lane() == 0) atomicAdd(records.errors, 1u);
      continue;  // a branch, so that the clock is read after the elements
    }
    const std::uint32_t popped = Clock();
    if (Lane() == 0) {
      records.times[blockIdx.x * kRounds + round] = {pushed - begin, popped - pushed};
    }
  }
}

template <class Stack, class Space>
__global__ void __launch_bounds__(kBlockThreads, kBlocksOfProcessor)
    UseOwnStackKernel(StackMemory* in_global, OwnRecords records) {
  extern __shared__ uint4 shared[];
  StackMemory& memory = Space::Own(in_global, reinterpret_cast<StackMemory*>(shared));
  if (threadIdx.x == 0) memory.state = memory.drained = 0;
  SyncCluster();
  if (threadIdx.x < 32) {
    Stack stack(memory);
    PushAndPop(stack, records);
  }
  SyncCluster();
}

/// @shape name: of the stack
template <class Stack, class Space>
void MeasureStack(ClusterTable& table, const char* name, const Grid& grid, bool stores) {
  Buffer<StackMemory> stacks(grid.blocks);
  Buffer<OwnTimes> times(std::size_t{grid.blocks} * kRounds);
  Buffer<std::uint32_t> stored(std::size_t{grid.blocks} * kDeep * 32);
  Buffer<std::uint32_t> errors(1);
  ClusterCell cell;
  cell.On("stack", name).On("cluster", grid.cluster).On("blocks", grid.blocks);
  cell.On("elements", kElements).On("stores", stores ? 1u : 0u);
  for (int run = 0; run <= kRepetitions; ++run) {
    const OwnRecords records{times.data(), stores ? stored.data() : nullptr, errors.data()};
    Launch(grid, UseOwnStackKernel<Stack, Space>, stacks.data(), records);
    Require(cudaDeviceSynchronize());
    cell.right &= errors.Read()[0] == 0;
    if (run == 0) continue;
    std::vector<double> pushes, pops;
    for (const OwnTimes& one : times.Read()) {
      pushes.push_back(static_cast<double>(one.push) / kDeep);
      pops.push_back(static_cast<double>(one.pop) / kDeep);
    }
    cell.Add("push_cycles", Median(pushes));
    cell.Add("pop_cycles", Median(pops));
  }
  table.Add(cell);
}

template <class Stack, class Space>
void MeasureKind(ClusterTable& table, const char* name, std::uint32_t cluster,
                 std::uint32_t processors) {
  const Grid full = ResidentGrid(UseOwnStackKernel<Stack, Space>, cluster, processors);
  if (full.blocks < cluster) Fail("no cluster is resident");
  for (const Grid& grid : {Grid{cluster, cluster}, full}) {
    for (const bool stores : {false, true}) MeasureStack<Stack, Space>(table, name, grid, stores);
  }
}

}  // namespace

void MeasureOwnStacks(ClusterTable& table, std::uint32_t processors) {
  using Relaxed = StackOwner<ClusterSpace, Publish::kRelaxed>;
  table.Begin("own_stack");
  for (const std::uint32_t cluster : kClusterSizes) {
    MeasureKind<PlainStack, ClusterSpace>(table, "plain", cluster, processors);
    if (cluster == 1) {
      MeasureKind<StackOwner<GlobalSpace>, GlobalSpace>(table, "global_release", 1, processors);
      continue;
    }
    MeasureKind<Relaxed, ClusterSpace>(table, "cluster_relaxed", cluster, processors);
    MeasureKind<StackOwner<ClusterSpace>, ClusterSpace>(table, "cluster_release", cluster,
                                                        processors);
  }
}

}  // namespace warpyard::bench
