// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Runners of the queue contract (queue_contract.h) for any queue, on threads and in schedules.
//
// What they run is a Holder: a queue with all that it needs.
//   struct Holder {
//     using Queue = ...;
//     explicit Holder(std::uint32_t first_ticket);
//     Queue& Get();
//   };
// The queue is used from outside while no thread runs it, to see what is left.
#ifndef WARPYARD_TESTS_SUPPORT_QUEUES_QUEUE_RUNNERS_H_
#define WARPYARD_TESTS_SUPPORT_QUEUES_QUEUE_RUNNERS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/exec/thread_scope.h"
#include "tests/support/queues/queue_contract.h"
#include "tests/support/run_bodies.h"
#include "tests/support/scheduled_scope.h"

namespace warpyard::test_support {

/// A queue that needs nothing but its Reset.
template <class QueueType>
class PlainHolder {
 public:
  using Queue = QueueType;
  explicit PlainHolder(std::uint32_t first_ticket) : queue_(std::make_unique<Queue>()) {
    queue_->Reset(first_ticket);
  }
  Queue& Get() { return *queue_; }

 private:
  std::unique_ptr<Queue> queue_;
};

template <class Queue>
std::vector<ContractItem> PopRest(Queue& queue) {
  std::vector<ContractItem> items;
  ContractItem item;
  while (queue.TryPop(item) == queue::PopResult::kOk) items.push_back(item);
  return items;
}

/// @shape Roles: as OneByOne; run: takes the bodies of all threads, as RunOnThreads
template <class Holder, class Roles, class Run>
CrowdResult RunCrowdOf(const Crowd& crowd, Run run) {
  Holder holder(crowd.first_ticket);
  auto& queue = holder.Get();
  CrowdResult result;
  result.in_order = IsInOrder<typename Holder::Queue>();
  result.pushed.assign(crowd.producers, crowd.items_per_producer);
  result.received.assign(crowd.consumers, std::vector<ContractItem>(crowd.Share()));
  std::vector<RoleEnd> ends(crowd.producers + crowd.consumers);
  Bodies bodies;
  for (std::uint32_t p = 0; p < crowd.producers; ++p) {
    bodies.emplace_back([&, p] { ends[p] = Roles::Produce(queue, crowd, p); });
  }
  for (std::uint32_t c = 0; c < crowd.consumers; ++c) {
    bodies.emplace_back([&, c] {
      ends[crowd.producers + c] = Roles::Consume(queue, crowd, c, result.received[c].data());
    });
  }
  result.stopped = run(bodies);
  if (result.stopped.empty()) result.stopped = DescribeEnds(ends);
  result.left = queue.ApproximateSize();
  return result;
}

/// @shape Roles, run: as above
template <class Holder, class Roles, class Run>
CrowdResult RunJugglersOf(const Crowd& crowd, Run run) {
  Holder holder(crowd.first_ticket);
  auto& queue = holder.Get();
  std::vector<JuggleLog> logs(crowd.producers);
  std::vector<std::vector<ContractItem>> received(
      crowd.producers, std::vector<ContractItem>(crowd.items_per_producer));
  Bodies bodies;
  for (std::uint32_t p = 0; p < crowd.producers; ++p) {
    bodies.emplace_back([&, p] { logs[p] = Roles::Juggle(queue, crowd, p, received[p].data()); });
  }
  const std::string stopped = run(bodies);
  CrowdResult result = CollectJugglers(
      logs, std::move(received), stopped.empty() ? PopRest(queue) : std::vector<ContractItem>());
  result.in_order = IsInOrder<typename Holder::Queue>();
  if (!stopped.empty()) result.stopped = stopped;
  return result;
}

/// The contract on CPU threads. @shape Holder: of a queue over ThreadScope
template <class Holder, class Roles = OneByOne<exec::ThreadScope>>
struct ThreadRunner {
  using Queue = typename Holder::Queue;
  static constexpr std::uint32_t kThreads = 4;
  // In a small queue threads hand over every item, and each hand-over may take a time slice.
  static constexpr std::uint32_t kItems = Queue::Capacity() < 16 ? 1600 : 40'000;

  static AloneFault RunAlone(std::uint32_t first_ticket) {
    Holder holder(first_ticket);
    return CheckAlone(holder.Get());
  }
  static CrowdResult RunCrowd(const Crowd& crowd) {
    return RunCrowdOf<Holder, Roles>(crowd, RunOnThreads);
  }
  static CrowdResult RunJugglers(const Crowd& crowd) {
    return RunJugglersOf<Holder, Roles>(crowd, RunOnThreads);
  }
};

/// The contract in a few seeds of each of its crowds. @shape Holder: of a queue over ScheduledScope
template <class Holder, class Roles = OneByOne<ScheduledScope>>
struct ScheduledRunner {
  using Queue = typename Holder::Queue;
  static constexpr std::uint32_t kThreads = 2;
  static constexpr std::uint32_t kItems = 16;

  static AloneFault RunAlone(std::uint32_t first_ticket) {
    Holder holder(first_ticket);
    return CheckAlone(holder.Get());
  }
  static CrowdResult RunCrowd(const Crowd& crowd) {
    return Try([&](auto run) { return RunCrowdOf<Holder, Roles>(crowd, run); });
  }
  static CrowdResult RunJugglers(const Crowd& crowd) {
    return Try([&](auto run) { return RunJugglersOf<Holder, Roles>(crowd, run); });
  }

 private:
  template <class RunAt>
  static CrowdResult Try(RunAt run_at) {
    CrowdResult result;
    for (std::uint64_t seed = 1000; seed < 1020; ++seed) {
      result = run_at([seed](const Bodies& bodies) { return RunInSchedule(seed, bodies); });
      if (!FindFault(result).empty()) break;
    }
    return result;
  }
};

/// Two to four threads; the third starts just below the wrap of tickets.
inline std::vector<Crowd> ScheduledCrowds() {
  return {{1, 1, 8, 0}, {2, 1, 4, 0},           {2, 2, 4, 0xfffffffdu}, {2, 2, 4, 0},
          {1, 3, 9, 0}, {3, 1, 3, 0xfffffffbu}, {1, 2, 6, 0xffffffffu}, {2, 2, 2, 0xfffffffeu}};
}

/// The first seed at which a queue fails in one of the crowds, and the reason.
template <class Holder, class Roles = OneByOne<ScheduledScope>>
struct ScheduleSearch {
  std::uint32_t seed = 0;
  std::string fault;

  explicit ScheduleSearch(std::uint32_t seeds) {
    for (; seed < seeds; ++seed) {
      const auto run = [this](const Bodies& bodies) { return RunInSchedule(seed, bodies); };
      for (const Crowd& crowd : ScheduledCrowds()) {
        fault = FindFault(RunCrowdOf<Holder, Roles>(crowd, run));
        if (!fault.empty()) return;
      }
      for (const std::uint32_t threads : {2u, 3u, 4u}) {
        fault = FindFault(RunJugglersOf<Holder, Roles>({threads, 0, 4, 0xfffffffcu}, run));
        if (!fault.empty()) return;
      }
    }
  }
};

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SUPPORT_QUEUES_QUEUE_RUNNERS_H_
