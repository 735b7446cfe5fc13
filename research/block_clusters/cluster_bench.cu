// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// bench.cluster: whether an idle block should take elements of 16 bytes from the local stack of a
// block of its cluster, through distributed shared memory, before it looks at the global queues.
// Prints JSON; needs a device of compute capability 9.0 or more.
//
//   residency   blocks that are resident, by the size of the clusters
//   one_taker   cycles until a warp has 32 or 64 elements, while nothing else runs
//   all_pairs   the same, and elements per second, with all resident blocks at once, in pairs
//   own_stack   cycles that an owner pays for a push and a pop, with and without possible takers
//
// Elements take one of these ways: stack_cluster (the owner's shared memory), stack_global (the
// same stack in global memory), sequence_ring and paged_queue (one queue for all blocks). The first
// three runs of each cell count every element: exactly once, and whole; they are not in the
// figures. Median, min and max are those of seven runs; each run gives the median of its takes.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <string>

#include "research/block_clusters/launch.cuh"
#include "research/block_clusters/table.h"

namespace warpyard::bench {
namespace {

/// A kernel with the resources of a worker block. @scope never launched
__global__ void __launch_bounds__(kBlockThreads, kBlocksOfProcessor)
    OccupyKernel(std::uint32_t* word) {
  extern __shared__ uint4 shared[];
  shared[threadIdx.x].x = *word;
  __syncthreads();
  *word = shared[(threadIdx.x + 1) % kBlockThreads].x;
}

std::uint32_t Attribute(cudaDeviceAttr attribute) {
  int value = 0;
  Require(cudaDeviceGetAttribute(&value, attribute, 0));
  return static_cast<std::uint32_t>(value);
}

void MeasureResidency(ClusterTable& table, std::uint32_t processors) {
  table.Begin("residency");
  PreferSharedMemory(OccupyKernel);
  const std::uint32_t without = BlocksOfProcessor(OccupyKernel) * processors;
  for (const std::uint32_t cluster : kClusterSizes) {
    ClusterCell cell;
    cell.On("cluster", cluster);
    cell.On("blocks", ResidentGrid(OccupyKernel, cluster, processors).blocks);
    cell.On("blocks_without_clusters", without);
    table.Add(cell);
  }
}

int Main(const std::string& machine, const std::string& commit) {
  int devices = 0;
  Require(cudaGetDeviceCount(&devices));
  if (devices == 0) Fail("no CUDA device");
  Require(cudaSetDevice(0));
  if (Attribute(cudaDevAttrComputeCapabilityMajor) < 9) Fail("the device has no clusters");
  const std::uint32_t processors = Attribute(cudaDevAttrMultiProcessorCount);
  std::printf("{\n  \"benchmark\": \"bench.cluster\", \"machine\": \"%s\", \"commit\": \"%s\",\n",
              machine.c_str(), commit.c_str());
  std::printf("  \"command\": \"cluster_bench\", \"threads\": %u, \"shared_bytes\": %u,\n",
              kBlockThreads, kBlockSharedBytes);
  std::printf("  \"multiprocessors\": %u, \"clock_mhz\": %u,\n", processors,
              Attribute(cudaDevAttrClockRate) / 1000);
  ClusterTable table;
  MeasureResidency(table, processors);
  MeasurePasses(table, processors);
  MeasureOwnStacks(table, processors);
  table.End();
  return table.all_right() ? 0 : 1;
}

}  // namespace
}  // namespace warpyard::bench

int main(int argc, char** argv) {
  return warpyard::bench::Main(argc > 1 ? argv[1] : "", argc > 2 ? argv[2] : "");
}
