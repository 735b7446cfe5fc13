// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What a block does with its local queue, round by round, and a check of the elements that came
// out.
#ifndef WARPYARD_TESTS_SUPPORT_QUEUES_LOCAL_QUEUE_ROUNDS_H_
#define WARPYARD_TESTS_SUPPORT_QUEUES_LOCAL_QUEUE_ROUNDS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "core/queue/block_local_queue.h"
#include "tests/support/queues/queue_contract.h"
#include "tests/support/run_bodies.h"

namespace warpyard::test_support {

/// What one thread of the block saw.
struct LocalLog {
  std::vector<std::uint32_t> tried, accepted;  // by round: pushes
  std::vector<std::uint32_t> popped;           // by round: elements of the whole block
  std::vector<ContractItem> received;
};

/// In each round every thread pushes a few elements, not all of which fit, and the block pops some.
/// At the end the block pops the rest. @scope the block
template <class Scope, class Queue>
void WorkLocally(Scope& scope, Queue& queue, std::uint32_t rounds, LocalLog& log) {
  std::uint32_t pushed = 0;
  bool more = true;
  for (std::uint32_t round = 0; round < rounds || more; ++round) {
    const std::uint32_t pushes = round < rounds ? (scope.Rank() + round) % 4 : 0;
    std::uint32_t accepted = 0;
    for (std::uint32_t i = 0; i < pushes; ++i) {
      const ContractItem item = MakeItem(scope.Rank(), pushed);
      if (queue.TryPush(item) != queue::PushResult::kOk) continue;
      ++pushed;
      ++accepted;
    }
    ContractItem mine{};
    const std::uint32_t wanted = round < rounds ? round % (scope.Size() + 2) : scope.Size();
    const std::uint32_t taken = queue.PopTogether(scope, wanted, mine);
    if (scope.Rank() < taken) log.received.push_back(mine);
    log.tried.push_back(pushes);
    log.accepted.push_back(accepted);
    log.popped.push_back(taken);
    more = round < rounds || taken > 0;
  }
}

/// The first fault in the rounds of a block; empty when there is none.
inline std::string FindLocalFault(const std::vector<LocalLog>& logs, std::uint32_t capacity) {
  CrowdResult result;
  std::uint32_t size = 0;
  for (std::size_t round = 0; round < logs[0].popped.size(); ++round) {
    std::uint32_t tried = 0, accepted = 0;
    for (const LocalLog& log : logs) {
      if (log.popped.size() <= round || log.popped[round] != logs[0].popped[round]) {
        return "threads disagree about what the block popped";
      }
      tried += log.tried[round];
      accepted += log.accepted[round];
    }
    const std::uint32_t room = capacity - size;
    if (accepted != (tried < room ? tried : room)) return "full was not exact";
    size += accepted;
    if (logs[0].popped[round] > size) return "popped more than there was";
    size -= logs[0].popped[round];
  }
  for (const LocalLog& log : logs) {
    std::uint32_t pushed = 0;
    for (const std::uint32_t count : log.accepted) pushed += count;
    result.pushed.push_back(pushed);
    // The newest elements come first, so each element gets a list of its own, which has no order to
    // check.
    for (const ContractItem& item : log.received) result.received.push_back({item});
  }
  result.left = size;
  return FindFault(result);
}

/// @shape Queue: over Scope; make_scope(block, rank); run: as RunOnThreads
template <class Scope, class Queue, class MakeScope, class Run>
std::string RunLocalRounds(std::uint32_t threads, std::uint32_t rounds, MakeScope make_scope,
                           Run run) {
  typename Scope::Block block(threads);
  Queue queue{};
  std::vector<LocalLog> logs(threads);
  Bodies bodies;
  for (std::uint32_t rank = 0; rank < threads; ++rank) {
    bodies.emplace_back([&, rank] {
      Scope scope = make_scope(block, rank);
      WorkLocally(scope, queue, rounds, logs[rank]);
    });
  }
  const std::string stopped = run(bodies);
  return stopped.empty() ? FindLocalFault(logs, Queue::Capacity()) : stopped;
}

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SUPPORT_QUEUES_LOCAL_QUEUE_ROUNDS_H_
