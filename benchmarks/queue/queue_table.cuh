// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Times runs of queues, checks that each element came out once, and prints the cells of the report.
#ifndef WARPYARD_BENCHMARKS_QUEUE_QUEUE_TABLE_CUH_
#define WARPYARD_BENCHMARKS_QUEUE_QUEUE_TABLE_CUH_

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "benchmarks/queue/bench_queues.cuh"
#include "benchmarks/queue/queue_kernels.cuh"

namespace warpyard::queue_bench {

inline void Require(cudaError_t error) {
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
    // Divided by milliseconds, this gives millions per second.
    const double pairs = static_cast<double>(elements) / 1e3;
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

}  // namespace warpyard::queue_bench

#endif  // WARPYARD_BENCHMARKS_QUEUE_QUEUE_TABLE_CUH_
