// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Two stages with a collector queue: producers fill it, and after the last one is done consumers
// empty it.
#ifndef WARPYARD_TESTS_SUPPORT_WORKERS_COLLECTOR_STAGES_H_
#define WARPYARD_TESTS_SUPPORT_WORKERS_COLLECTOR_STAGES_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/queue/collector_queue.h"
#include "tests/support/queues/queue_contract.h"
#include "tests/support/run_bodies.h"

namespace warpyard::test_support {

/// A collector queue with its memory.
template <class Scope>
class CollectorMemory {
 public:
  using Queue = queue::CollectorQueue<Scope, ContractItem>;
  explicit CollectorMemory(std::uint64_t capacity) : items_(capacity) {}
  Queue Get() { return Queue(items_.data(), items_.size(), &pushed_, &taken_); }

 private:
  std::vector<ContractItem> items_;
  alignas(Scope::kContendedBytes) std::uint64_t pushed_ = 0;
  alignas(Scope::kContendedBytes) std::uint64_t taken_ = 0;
};

/// Whether consumers wait for the end of the producers' stage, as they must.
enum class StageBoundary { kAwaited, kIgnored };

/// Pushes in reservations of several sizes.
template <class Queue>
void Collect(Queue queue, std::uint32_t producer, std::uint32_t items) {
  for (std::uint32_t sequence = 0; sequence < items;) {
    const std::uint32_t wanted = 1 + (sequence + producer) % 3;
    const std::uint32_t count = wanted < items - sequence ? wanted : items - sequence;
    const std::uint64_t first = queue.Reserve(count);
    for (std::uint32_t i = 0; i < count; ++i) queue.Put(first + i, MakeItem(producer, sequence++));
  }
}

/// Takes ranges of several sizes until nothing is left.
template <class Queue>
void TakeAll(Queue queue, std::uint32_t consumer, std::vector<ContractItem>& received) {
  for (std::uint32_t step = consumer;; ++step) {
    const queue::IndexRange range = queue.TakeRange(1 + step % 5);
    if (range.count == 0) return;
    for (std::uint64_t i = 0; i < range.count; ++i) received.push_back(queue.Get(range.first + i));
  }
}

/// The first fault after `crowd` used a queue of its size for two stages.
template <class Scope, StageBoundary kBoundary = StageBoundary::kAwaited, class Run>
std::string RunTwoStages(const Crowd& crowd, Run run) {
  CollectorMemory<Scope> memory(crowd.Items());
  auto queue = memory.Get();
  std::uint32_t outstanding = crowd.producers;
  CrowdResult result;
  result.pushed.assign(crowd.producers, crowd.items_per_producer);
  result.received.resize(crowd.consumers);
  Bodies bodies;
  for (std::uint32_t p = 0; p < crowd.producers; ++p) {
    bodies.emplace_back([&, p] {
      Collect(queue, p, crowd.items_per_producer);
      Scope::Word(outstanding).FetchSubAcqRel(1);
    });
  }
  for (std::uint32_t c = 0; c < crowd.consumers; ++c) {
    bodies.emplace_back([&, c] {
      const auto ended = [&] {
        return kBoundary == StageBoundary::kIgnored || Scope::Word(outstanding).LoadAcquire() == 0;
      };
      if (Scope::Wait("for the end of a stage", ended)) TakeAll(queue, c, result.received[c]);
    });
  }
  result.stopped = run(bodies);
  if (result.stopped.empty() && kBoundary == StageBoundary::kIgnored) {
    TakeAll(queue, 0, result.received[0]);
  }
  return FindFault(result);
}

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SUPPORT_WORKERS_COLLECTOR_STAGES_H_
