// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The queue contract among the threads of many blocks. Every wait is bounded: by Scope::Wait within
// a queue, and by the same limit where a thread tries again.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/exec/device_scope.cuh"
#include "core/queue/distributed_locks_queue.h"
#include "tests/device/device_memory.cuh"
#include "tests/support/queue_contract.h"

namespace warpyard::test_support {
namespace {

using exec::DeviceScope;

constexpr std::uint32_t kBlockSize = 64;

/// Few enough blocks to be on the device at the same time: threads wait for one another.
std::uint32_t Blocks(std::uint32_t threads) { return (threads + kBlockSize - 1) / kBlockSize; }

__device__ std::uint32_t ThreadIndex() { return blockIdx.x * blockDim.x + threadIdx.x; }

template <class Queue>
__global__ void ResetQueueKernel(Queue* queue, std::uint32_t first_ticket) {
  queue->Reset(first_ticket);
}

template <class Queue>
__global__ void CheckAloneKernel(Queue* queue, AloneFault* fault) {
  *fault = CheckAlone(*queue);
}

/// Producers and consumers take turns in thread order, so that warps hold both.
template <class Queue>
__global__ void RunCrowdKernel(Queue* queue, Crowd crowd, ContractItem* received, RoleEnd* ends) {
  const std::uint32_t thread = ThreadIndex();
  if (thread >= crowd.producers + crowd.consumers) return;
  const std::uint32_t pairs = crowd.producers < crowd.consumers ? crowd.producers : crowd.consumers;
  const bool paired = thread < 2 * pairs;
  const bool produces = paired ? thread % 2 == 0 : crowd.producers > crowd.consumers;
  const std::uint32_t index = paired ? thread / 2 : thread - pairs;
  if (produces) {
    ends[thread] = Produce<DeviceScope>(*queue, crowd, index);
  } else {
    ends[thread] =
        Consume<DeviceScope>(*queue, crowd, received + std::size_t{index} * crowd.Share());
  }
}

template <class Queue>
__global__ void RunJugglersKernel(Queue* queue, Crowd crowd, ContractItem* received,
                                  JuggleLog* logs) {
  const std::uint32_t thread = ThreadIndex();
  if (thread >= crowd.producers) return;
  logs[thread] = Juggle<DeviceScope>(*queue, crowd, thread,
                                     received + std::size_t{thread} * crowd.items_per_producer);
}

/// Takes what is left; the list's length is the queue's capacity.
template <class Queue>
__global__ void PopAllKernel(Queue* queue, ContractItem* items, std::uint32_t* count) {
  while (*count < Queue::Capacity() && queue->TryPop(items[*count]) == queue::PopResult::kOk) {
    ++*count;
  }
}

template <class Queue>
__global__ void ReadSizeKernel(Queue* queue, std::uint32_t* size) {
  *size = queue->ApproximateSize();
}

/// One list for each of `count` threads.
std::vector<std::vector<ContractItem>> Split(const std::vector<ContractItem>& items,
                                             std::size_t count) {
  const std::size_t each = items.size() / count;
  std::vector<std::vector<ContractItem>> lists;
  for (std::size_t i = 0; i < count; ++i) {
    const auto begin = items.begin() + static_cast<std::ptrdiff_t>(i * each);
    lists.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(each));
  }
  return lists;
}

template <class DeviceQueue, std::uint32_t kItemsOfAll>
struct DeviceRunner {
  using Queue = DeviceQueue;
  static constexpr std::uint32_t kThreads = 512;
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
    RunCrowdKernel<<<Blocks(threads), kBlockSize>>>(queue.get(), crowd, received.get(), ends.get());
    ReadSizeKernel<<<1, 1>>>(queue.get(), left.get());
    CrowdResult result;
    result.stopped = Synchronize() ? DescribeEnds(ends.Read()) : "the kernel failed";
    result.pushed.assign(crowd.producers, crowd.items_per_producer);
    result.received = Split(received.Read(), crowd.consumers);
    result.left = left.Read()[0];
    return result;
  }

  static CrowdResult RunJugglers(const Crowd& crowd) {
    const DeviceMemory<Queue> queue(1);
    const DeviceMemory<ContractItem> received(crowd.Items());
    const DeviceMemory<JuggleLog> logs(crowd.producers);
    const DeviceMemory<ContractItem> rest(Queue::Capacity());
    const DeviceMemory<std::uint32_t> rest_count(1);
    ResetQueueKernel<<<1, 1>>>(queue.get(), crowd.first_ticket);
    RunJugglersKernel<<<Blocks(crowd.producers), kBlockSize>>>(queue.get(), crowd, received.get(),
                                                               logs.get());
    PopAllKernel<<<1, 1>>>(queue.get(), rest.get(), rest_count.get());
    if (!Synchronize()) return {"the kernel failed", {}, {}, 0};
    std::vector<ContractItem> items = rest.Read();
    items.resize(rest_count.Read()[0]);
    return CollectJugglers(logs.Read(), Split(received.Read(), crowd.producers), std::move(items));
  }
};

template <std::uint32_t kCapacity, std::uint32_t kItems>
using LocksRunner =
    DeviceRunner<queue::DistributedLocksQueue<DeviceScope, ContractItem, kCapacity>, kItems>;

using Runners =
    ::testing::Types<LocksRunner<1, 2048>, LocksRunner<2, 4096>, LocksRunner<1024, 65536>>;
INSTANTIATE_TYPED_TEST_SUITE_P(DistributedLocksQueueOnDevice, QueueContract, Runners);

}  // namespace
}  // namespace warpyard::test_support
