// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/queue/distributed_locks_queue.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "core/exec/thread_scope.h"
#include "tests/support/queue_contract.h"

namespace warpyard::test_support {
namespace {

using exec::ThreadScope;

template <class Queue>
std::vector<ContractItem> PopAll(Queue& queue) {
  std::vector<ContractItem> items;
  ContractItem item;
  while (queue.TryPop(item) == queue::PopResult::kOk) items.push_back(item);
  return items;
}

/// Runs the contract on CPU threads.
template <std::uint32_t kCapacity>
struct ThreadRunner {
  using Queue = queue::DistributedLocksQueue<ThreadScope, ContractItem, kCapacity>;
  static constexpr std::uint32_t kThreads = 4;
  // A small queue hands over every item, and each hand-over may cost a time slice.
  static constexpr std::uint32_t kItems = kCapacity < 16 ? 1600 : 40'000;

  static AloneFault RunAlone(std::uint32_t first_ticket) {
    const auto queue = std::make_unique<Queue>();
    queue->Reset(first_ticket);
    return CheckAlone(*queue);
  }

  static CrowdResult RunCrowd(const Crowd& crowd) {
    const auto queue = std::make_unique<Queue>();
    queue->Reset(crowd.first_ticket);
    CrowdResult result;
    result.pushed.assign(crowd.producers, crowd.items_per_producer);
    result.received.assign(crowd.consumers, std::vector<ContractItem>(crowd.Share()));
    std::vector<RoleEnd> ends(crowd.producers + crowd.consumers);
    std::vector<std::thread> threads;
    for (std::uint32_t p = 0; p < crowd.producers; ++p) {
      threads.emplace_back([&, p] { ends[p] = Produce<ThreadScope>(*queue, crowd, p); });
    }
    for (std::uint32_t c = 0; c < crowd.consumers; ++c) {
      threads.emplace_back([&, c] {
        ends[crowd.producers + c] = Consume<ThreadScope>(*queue, crowd, result.received[c].data());
      });
    }
    for (std::thread& thread : threads) thread.join();
    result.stopped = DescribeEnds(ends);
    result.left = queue->ApproximateSize();
    return result;
  }

  static CrowdResult RunJugglers(const Crowd& crowd) {
    const auto queue = std::make_unique<Queue>();
    queue->Reset(crowd.first_ticket);
    std::vector<JuggleLog> logs(crowd.producers);
    std::vector<std::vector<ContractItem>> received(
        crowd.producers, std::vector<ContractItem>(crowd.items_per_producer));
    std::vector<std::thread> threads;
    for (std::uint32_t p = 0; p < crowd.producers; ++p) {
      threads.emplace_back(
          [&, p] { logs[p] = Juggle<ThreadScope>(*queue, crowd, p, received[p].data()); });
    }
    for (std::thread& thread : threads) thread.join();
    return CollectJugglers(logs, std::move(received), PopAll(*queue));
  }
};

using Runners = ::testing::Types<ThreadRunner<1>, ThreadRunner<2>, ThreadRunner<64>>;
INSTANTIATE_TYPED_TEST_SUITE_P(DistributedLocksQueueOnThreads, QueueContract, Runners);

TEST(DistributedLocksQueue, IsEmptyAgainAfterReset) {
  using Queue = queue::DistributedLocksQueue<ThreadScope, ContractItem, 4>;
  const auto queue = std::make_unique<Queue>();
  queue->Reset();
  for (std::uint32_t i = 0; i < 3; ++i) queue->TryPush(MakeItem(0, i));
  EXPECT_EQ(queue->ApproximateSize(), 3u);
  queue->Reset();
  EXPECT_EQ(CheckAlone(*queue), AloneFault::kNone);
}

}  // namespace
}  // namespace warpyard::test_support
