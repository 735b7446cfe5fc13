// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Runner of the queue contract (queue_contract.h) among the threads of many blocks.
//
// Every wait is bounded: within a queue by Scope::Wait, and elsewhere by the same limit on repeated
// tries.
#ifndef WARPYARD_TESTS_DEVICE_DEVICE_RUNNER_CUH_
#define WARPYARD_TESTS_DEVICE_DEVICE_RUNNER_CUH_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/exec/device_scope.cuh"
#include "tests/device/device_memory.cuh"
#include "tests/support/queues/queue_contract.h"

namespace warpyard::test_support {

/// Number of threads that push, and of threads that pop.
inline constexpr std::uint32_t kThreadsOfASide = 512;
inline constexpr std::uint32_t kBlockSize = 64;

/// So few blocks that all are on the device at the same time, because threads wait for one another.
inline std::uint32_t Blocks(std::uint32_t threads) {
  return (threads + kBlockSize - 1) / kBlockSize;
}

__device__ inline std::uint32_t ThreadIndex() { return blockIdx.x * blockDim.x + threadIdx.x; }

template <class Queue>
__global__ void ResetQueueKernel(Queue* queue, std::uint32_t first_ticket) {
  queue->Reset(first_ticket);
}

template <class Queue>
__global__ void CheckAloneKernel(Queue* queue, AloneFault* fault) {
  *fault = CheckAlone(*queue);
}

/// Warps hold producers and consumers alternately, as long as both are left.
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
      produces ? Roles::Produce(*queue, crowd, index) : Roles::Consume(*queue, crowd, index, list);
}

template <class Queue, class Roles>
__global__ void RunJugglersKernel(Queue* queue, Crowd crowd, ContractItem* received,
                                  JuggleLog* logs) {
  const std::uint32_t thread = ThreadIndex();
  if (thread >= crowd.producers) return;
  ContractItem* const list = received + std::size_t{thread} * crowd.items_per_producer;
  logs[thread] = Roles::Juggle(*queue, crowd, thread, list);
}

/// Takes the remaining items. @shape items: room for `room`
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
inline std::vector<std::vector<ContractItem>> Split(const std::vector<ContractItem>& items,
                                                    std::size_t count) {
  const std::size_t each = items.size() / count;
  std::vector<std::vector<ContractItem>> lists(count);
  for (std::size_t i = 0; i < each * count; ++i) lists[i / each].push_back(items[i]);
  return lists;
}

template <class QueueType, std::uint32_t kItemsOfAll, class Roles = OneByOne<exec::DeviceScope>>
struct DeviceRunner {
  using Queue = QueueType;
  static constexpr std::uint32_t kThreads = kThreadsOfASide;
  static constexpr std::uint32_t kItems = kItemsOfAll;

  static std::string WhyNot() { return HasDevice() ? "" : "no CUDA device answers"; }

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
    result.in_order = IsInOrder<Queue>();
    return result;
  }

  static CrowdResult RunJugglers(const Crowd& crowd) {
    const DeviceMemory<Queue> queue(1);
    const DeviceMemory<ContractItem> received(crowd.Items());
    const DeviceMemory<JuggleLog> logs(crowd.producers);
    const DeviceMemory<ContractItem> rest(crowd.Items());
    const DeviceMemory<std::uint32_t> rest_count(1);
    ResetQueueKernel<<<1, 1>>>(queue.get(), crowd.first_ticket);
    RunJugglersKernel<Queue, Roles>
        <<<Blocks(crowd.producers), kBlockSize>>>(queue.get(), crowd, received.get(), logs.get());
    PopRestKernel<<<1, 1>>>(queue.get(), rest.get(), crowd.Items(), rest_count.get());
    CrowdResult result;
    result.stopped = "the kernel failed";
    if (!Synchronize()) return result;
    std::vector<ContractItem> items = rest.Read();
    items.resize(rest_count.Read()[0]);
    result =
        CollectJugglers(logs.Read(), Split(received.Read(), crowd.producers), std::move(items));
    result.in_order = IsInOrder<Queue>();
    return result;
  }
};

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_DEVICE_DEVICE_RUNNER_CUH_
