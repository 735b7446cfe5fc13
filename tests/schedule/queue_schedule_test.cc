// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The queue contract in seeded interleavings, and proof that these would find a broken queue.

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/queue/distributed_locks_queue.h"
#include "tests/schedule/broken_queues.h"
#include "tests/support/queue_contract.h"
#include "tests/support/scheduled_scope.h"

namespace warpyard::test_support {
namespace {

constexpr std::uint32_t kSeeds = 500;

/// Runs one crowd of producers and consumers in the interleaving of a seed.
template <class Queue>
CrowdResult RunCrowdAt(std::uint64_t seed, const Crowd& crowd) {
  const auto queue = std::make_unique<Queue>();
  queue->Reset(crowd.first_ticket);
  CrowdResult result;
  result.pushed.assign(crowd.producers, crowd.items_per_producer);
  result.received.assign(crowd.consumers, std::vector<ContractItem>(crowd.Share()));
  std::vector<RoleEnd> ends(crowd.producers + crowd.consumers);
  Schedule schedule(seed);
  for (std::uint32_t p = 0; p < crowd.producers; ++p) {
    schedule.Add([&, p] { ends[p] = Produce<ScheduledScope>(*queue, crowd, p); });
  }
  for (std::uint32_t c = 0; c < crowd.consumers; ++c) {
    schedule.Add([&, c] {
      ends[crowd.producers + c] = Consume<ScheduledScope>(*queue, crowd, result.received[c].data());
    });
  }
  result.stopped = schedule.Run();
  if (result.stopped.empty()) result.stopped = DescribeEnds(ends);
  result.left = queue->ApproximateSize();
  return result;
}

/// Runs jugglers in the interleaving of a seed.
template <class Queue>
CrowdResult RunJugglersAt(std::uint64_t seed, const Crowd& crowd) {
  const auto queue = std::make_unique<Queue>();
  queue->Reset(crowd.first_ticket);
  std::vector<JuggleLog> logs(crowd.producers);
  std::vector<std::vector<ContractItem>> received(
      crowd.producers, std::vector<ContractItem>(crowd.items_per_producer));
  Schedule schedule(seed);
  for (std::uint32_t p = 0; p < crowd.producers; ++p) {
    schedule.Add(
        [&, p] { logs[p] = Juggle<ScheduledScope>(*queue, crowd, p, received[p].data()); });
  }
  const std::string stopped = schedule.Run();
  std::vector<ContractItem> rest;
  ContractItem item;
  while (stopped.empty() && queue->TryPop(item) == queue::PopResult::kOk) rest.push_back(item);
  CrowdResult result = CollectJugglers(logs, std::move(received), std::move(rest));
  if (!stopped.empty()) result.stopped = stopped;
  return result;
}

/// The contract suite in a few seeds of each of its crowds.
template <std::uint32_t kCapacity>
struct ScheduledRunner {
  using Queue = queue::DistributedLocksQueue<ScheduledScope, ContractItem, kCapacity>;
  static constexpr std::uint32_t kThreads = 2;
  static constexpr std::uint32_t kItems = 16;

  static AloneFault RunAlone(std::uint32_t first_ticket) {
    Queue queue;
    queue.Reset(first_ticket);
    return CheckAlone(queue);
  }
  static CrowdResult RunCrowd(const Crowd& crowd) { return Try(RunCrowdAt<Queue>, crowd); }
  static CrowdResult RunJugglers(const Crowd& crowd) { return Try(RunJugglersAt<Queue>, crowd); }

 private:
  template <class Run>
  static CrowdResult Try(Run run, const Crowd& crowd) {
    CrowdResult result;
    for (std::uint64_t seed = 1000; seed < 1020; ++seed) {
      result = run(seed, crowd);
      if (!FindFault(result).empty()) break;
    }
    return result;
  }
};

using Runners = ::testing::Types<ScheduledRunner<1>, ScheduledRunner<2>, ScheduledRunner<4>>;
INSTANTIATE_TYPED_TEST_SUITE_P(DistributedLocksQueueInSchedules, QueueContract, Runners);

/// Two to four threads; the third starts just below the wrap of tickets.
std::vector<Crowd> Crowds() {
  return {{1, 1, 8, 0}, {2, 1, 4, 0},           {2, 2, 4, 0xfffffffdu}, {2, 2, 4, 0},
          {1, 3, 9, 0}, {3, 1, 3, 0xfffffffbu}, {1, 2, 6, 0xffffffffu}, {2, 2, 2, 0xfffffffeu}};
}

/// The first seed and crowd at which a queue fails.
template <class Queue>
struct Search {
  std::uint32_t seed = 0;
  std::string fault;

  explicit Search(std::uint32_t seeds) {
    for (; seed < seeds; ++seed) {
      for (const Crowd& crowd : Crowds()) {
        fault = FindFault(RunCrowdAt<Queue>(seed, crowd));
        if (!fault.empty()) return;
      }
      for (const std::uint32_t threads : {2u, 3u, 4u}) {
        fault = FindFault(RunJugglersAt<Queue>(seed, {threads, 0, 4, 0xfffffffcu}));
        if (!fault.empty()) return;
      }
    }
  }
};

template <std::uint32_t kCapacity>
void ExpectNoFault() {
  using Queue = queue::DistributedLocksQueue<ScheduledScope, ContractItem, kCapacity>;
  const Search<Queue> search(kSeeds);
  EXPECT_EQ(search.fault, "") << "seed " << search.seed;
}

TEST(QueueSchedules, FindNoFaultAtCapacityOne) { ExpectNoFault<1>(); }
TEST(QueueSchedules, FindNoFaultAtCapacityTwo) { ExpectNoFault<2>(); }
TEST(QueueSchedules, FindNoFaultAtCapacityFour) { ExpectNoFault<4>(); }

template <QueueFault kFault, std::uint32_t kCapacity>
void ExpectFound() {
  using Queue = BrokenQueue<ScheduledScope, ContractItem, kCapacity, kFault>;
  const Search<Queue> search(kSeeds);
  EXPECT_NE(search.fault, "") << "not found in " << kSeeds << " seeds at capacity " << kCapacity;
  EXPECT_LT(search.seed, 100u) << search.fault << ": found, but hardly";
}

TEST(QueueSchedules, BlameTheFaultAndNotTheFrameOfABrokenQueue) {
  using Queue = BrokenQueue<ScheduledScope, ContractItem, 2, QueueFault::kNone>;
  const Search<Queue> search(kSeeds / 4);
  EXPECT_EQ(search.fault, "") << "seed " << search.seed;
}

TEST(QueueSchedules, CatchASlotFlagWithoutLapNumber) {
  ExpectFound<QueueFault::kFlagWithoutLap, 1>();
  ExpectFound<QueueFault::kFlagWithoutLap, 2>();
}

TEST(QueueSchedules, CatchAnAdmissionThatIsUndone) {
  // Larger queues need more threads that pop at the same moment than run here.
  ExpectFound<QueueFault::kUndoneAdmission, 1>();
}

TEST(QueueSchedules, CatchAnElementPublishedBeforeItIsWritten) {
  ExpectFound<QueueFault::kPublishedTooEarly, 2>();
}

TEST(QueueSchedules, CatchASlotReleasedBeforeItIsRead) {
  ExpectFound<QueueFault::kReleasedTooEarly, 2>();
}

TEST(QueueSchedules, CatchATurnThatIsLostAtTheWrap) {
  // With one or two slots the turn itself wraps where it should.
  ExpectFound<QueueFault::kTurnLostAtWrap, 4>();
}

TEST(QueueSchedules, CatchTicketsThatAreTakenTwice) {
  ExpectFound<QueueFault::kTicketsNotTakenOnce, 4>();
}

TEST(Schedule, IsTheSameForTheSameSeed) {
  const auto trace = [](std::uint64_t seed) {
    std::string order;
    Schedule schedule(seed);
    for (const char name : {'a', 'b', 'c'}) {
      schedule.Add([&order, name] {
        for (int i = 0; i < 20; ++i) {
          order += name;
          Schedule::Step();
        }
      });
    }
    EXPECT_EQ(schedule.Run(), "");
    return order;
  };
  EXPECT_EQ(trace(1), trace(1));
  EXPECT_NE(trace(1), trace(2));
}

TEST(Schedule, FailsWithTheReasonOfAWaitThatNobodyEnds) {
  std::uint32_t word = 0;
  Schedule schedule(3);
  schedule.Add([&] {
    ScheduledScope::Wait("for a word",
                         [&] { return ScheduledScope::Word(word).LoadAcquire() == 2; });
  });
  schedule.Add([&] { ScheduledScope::Word(word).StoreRelease(1); });
  EXPECT_EQ(schedule.Run(), "waited in vain: for a word");
}

TEST(Schedule, FailsWhenItsThreadsNeverEnd) {
  Schedule schedule(4);
  for (int i = 0; i < 2; ++i) {
    schedule.Add([] {
      while (true) ScheduledScope::Pause(0);
    });
  }
  EXPECT_NE(schedule.Run(), "");
}

}  // namespace
}  // namespace warpyard::test_support
