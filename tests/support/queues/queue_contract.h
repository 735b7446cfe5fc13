// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The contract of every bounded queue (core/queue/queue_concept.h), written once for all scopes.
//
// One part is what a thread does with the queue: CheckAlone and the roles of OneByOne, which run on
// the host and on a device. The other part judges on the host what came out (FindFault), and is one
// GoogleTest suite, QueueContract, over a type that says how to run many threads:
//   struct Runner {
//     using Queue = ...;
//     static constexpr std::uint32_t kThreads, kItems;  // of each side; in all
//     static std::string WhyNot();  // optional: why the suite is skipped; empty when it is not
//     static AloneFault RunAlone(std::uint32_t first_ticket);
//     static CrowdResult RunCrowd(const Crowd& crowd);      // Produce and Consume
//     static CrowdResult RunJugglers(const Crowd& crowd);   // Juggle, then the rest is popped
//   };
#ifndef WARPYARD_TESTS_SUPPORT_QUEUES_QUEUE_CONTRACT_H_
#define WARPYARD_TESTS_SUPPORT_QUEUES_QUEUE_CONTRACT_H_

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/base/macros.h"
#include "core/queue/queue_concept.h"

namespace warpyard::test_support {

/// The item of the contract: large enough that a half-written one would be visible.
struct ContractItem {
  std::uint32_t producer;
  std::uint32_t sequence;  ///< counts the items of a producer from 0
  std::uint32_t seal;      ///< a function of the other two; a torn item has a wrong one
};

WY_HD inline ContractItem MakeItem(std::uint32_t producer, std::uint32_t sequence) {
  return {producer, sequence, (producer + 1) * 2654435761u ^ sequence * 40503u};
}

WY_HD inline bool IsWhole(const ContractItem& item) {
  return item.seal == MakeItem(item.producer, item.sequence).seal;
}

/// Many threads at one queue. @shape consumers take equal shares: their number divides the items
struct Crowd {
  std::uint32_t producers = 1;
  std::uint32_t consumers = 1;
  std::uint32_t items_per_producer = 1;
  std::uint32_t first_ticket = 0;

  WY_HD std::uint32_t Items() const { return producers * items_per_producer; }
  WY_HD std::uint32_t Share() const { return Items() / consumers; }
};

/// How a producer or a consumer ended. kStuck: the queue reported it. kGaveUp: the queue refused
/// for as long as a wait may take, so an item was lost.
enum class RoleEnd : std::uint32_t { kDone, kStuck, kGaveUp };

/// What one juggler did.
struct JuggleLog {
  RoleEnd end = RoleEnd::kDone;
  std::uint32_t pushed = 0;
  std::uint32_t popped = 0;
};

/// What threads do with a queue, one element at a time. Other roles (queue_claims.h,
/// queue_shards.h) use a queue in other ways and have the same functions.
template <class Scope>
struct OneByOne {
  /// Pushes all items of one producer, and tries again while the queue is full.
  template <class Queue>
  WY_HD static RoleEnd Produce(Queue& queue, const Crowd& crowd, std::uint32_t producer) {
    for (std::uint32_t sequence = 0; sequence < crowd.items_per_producer; ++sequence) {
      const ContractItem item = MakeItem(producer, sequence);
      queue::PushResult result = queue::PushResult::kFull;
      const bool done =
          Retry([&] { return (result = queue.TryPush(item)) != queue::PushResult::kFull; });
      if (!done) return RoleEnd::kGaveUp;
      if (result == queue::PushResult::kStuck) return RoleEnd::kStuck;
    }
    return RoleEnd::kDone;
  }

  /// Pops the share of one consumer. @shape `received`: room for crowd.Share() items
  template <class Queue>
  WY_HD static RoleEnd Consume(Queue& queue, const Crowd& crowd, std::uint32_t /*consumer*/,
                               ContractItem* received) {
    for (std::uint32_t i = 0; i < crowd.Share(); ++i) {
      queue::PopResult result = queue::PopResult::kEmpty;
      const bool done =
          Retry([&] { return (result = queue.TryPop(received[i])) != queue::PopResult::kEmpty; });
      if (!done) return RoleEnd::kGaveUp;
      if (result == queue::PopResult::kStuck) return RoleEnd::kStuck;
    }
    return RoleEnd::kDone;
  }

  /// Tries to push and to pop alternately, once each: no thread may wait for one that does not
  /// return. @shape `received`: room for crowd.items_per_producer items
  template <class Queue>
  WY_HD static JuggleLog Juggle(Queue& queue, const Crowd& crowd, std::uint32_t thread,
                                ContractItem* received) {
    JuggleLog log;
    for (std::uint32_t i = 0; i < 2 * crowd.items_per_producer; ++i) {
      bool stuck = false;
      if ((i + thread) % 2 == 0) {
        const queue::PushResult result = queue.TryPush(MakeItem(thread, log.pushed));
        log.pushed += result == queue::PushResult::kOk ? 1 : 0;
        stuck = result == queue::PushResult::kStuck;
      } else {
        const queue::PopResult result = queue.TryPop(received[log.popped]);
        log.popped += result == queue::PopResult::kOk ? 1 : 0;
        stuck = result == queue::PopResult::kStuck;
      }
      if (stuck) {
        log.end = RoleEnd::kStuck;
        return log;
      }
    }
    return log;
  }

  /// Repeats an attempt until it is not refused. Returns false after the time that a wait may take.
  template <class Attempt>
  WY_HD static bool Retry(Attempt attempt) {
    const std::uint64_t limit = Scope::NowNs() + Scope::WaitLimitNs();
    for (std::uint32_t round = 0; !attempt(); ++round) {
      if (Scope::NowNs() > limit) return false;
      Scope::Pause(round);
    }
    return true;
  }
};

/// Faults of a queue that only one thread uses.
enum class AloneFault : std::uint32_t {
  kNone,
  kNotRun,
  kGaveFromEmpty,
  kRefusedWithRoom,
  kTookWhenFull,
  kWrongSize,
  kLostAnItem,
  kWrongOrder,
};

/// Fills and drains a queue, in full and in part, over more laps than its slots could confuse.
template <class Queue>
WY_HD AloneFault CheckAlone(Queue& queue) {
  const std::uint32_t capacity = Queue::Capacity();
  std::uint32_t pushed = 0, popped = 0;
  ContractItem item{};
  for (std::uint32_t lap = 0; lap < 9; ++lap) {
    if (queue.TryPop(item) != queue::PopResult::kEmpty) return AloneFault::kGaveFromEmpty;
    // Every third lap fills the queue; the other laps move its ends to other slots.
    const std::uint32_t fill = lap % 3 == 0 ? capacity : 1 + (capacity * lap) / 10 % capacity;
    for (std::uint32_t i = 0; i < fill; ++i) {
      if (queue.ApproximateSize() != i) return AloneFault::kWrongSize;
      if (queue.TryPush(MakeItem(7, pushed++)) != queue::PushResult::kOk) {
        return AloneFault::kRefusedWithRoom;
      }
    }
    if (fill == capacity && queue.TryPush(MakeItem(8, 0)) != queue::PushResult::kFull) {
      return AloneFault::kTookWhenFull;
    }
    for (std::uint32_t i = 0; i < fill; ++i) {
      if (queue.TryPop(item) != queue::PopResult::kOk) return AloneFault::kLostAnItem;
      if (item.sequence != popped++ || !IsWhole(item)) return AloneFault::kWrongOrder;
    }
  }
  return queue.ApproximateSize() == 0 ? AloneFault::kNone : AloneFault::kWrongSize;
}

/// The items that came out of a queue after a crowd used it.
struct CrowdResult {
  /// Why threads did not end; empty when all did.
  std::string stopped;
  /// @shape items that each producer pushed
  std::vector<std::uint32_t> pushed;
  /// @shape one list a consumer, in the order in which it popped
  std::vector<std::vector<ContractItem>> received;
  /// The queue's size at the end.
  std::uint32_t left = 0;
  /// Whether a consumer must see the items of each producer in their order.
  bool in_order = true;
};

/// Whether a queue has one order for all items; a queue with shards (sharded_queue.h) has one for
/// each shard.
template <class Queue>
constexpr bool IsInOrder() {
  return !requires { Queue::kShards; };
}

/// The first fault in a result; empty when there is none.
inline std::string FindFault(const CrowdResult& result) {
  if (!result.stopped.empty()) return "not all threads ended: " + result.stopped;
  std::vector<std::vector<bool>> delivered;
  for (const std::uint32_t count : result.pushed) delivered.emplace_back(count, false);
  for (const std::vector<ContractItem>& list : result.received) {
    std::vector<std::uint32_t> next(result.pushed.size(), 0);
    for (const ContractItem& item : list) {
      if (!IsWhole(item) || item.producer >= result.pushed.size() ||
          item.sequence >= result.pushed[item.producer]) {
        return "an item was read before it was written in full";
      }
      const std::string name = std::to_string(item.producer) + "/" + std::to_string(item.sequence);
      if (delivered[item.producer][item.sequence]) return "item " + name + " was delivered twice";
      delivered[item.producer][item.sequence] = true;
      if (result.in_order && item.sequence < next[item.producer])
        return "item " + name + " was overtaken";
      next[item.producer] = item.sequence + 1;
    }
  }
  for (const std::vector<bool>& of_producer : delivered) {
    for (const bool item : of_producer) {
      if (!item) return "an item was lost";
    }
  }
  return result.left == 0 ? "" : "the queue is not empty at the end";
}

/// Says why roles did not end normally; empty when all did.
inline std::string DescribeEnds(const std::vector<RoleEnd>& ends) {
  std::uint32_t stuck = 0, gave_up = 0;
  for (const RoleEnd end : ends) {
    stuck += end == RoleEnd::kStuck ? 1 : 0;
    gave_up += end == RoleEnd::kGaveUp ? 1 : 0;
  }
  if (stuck + gave_up == 0) return "";
  return std::to_string(stuck) + " stuck, " + std::to_string(gave_up) + " gave up";
}

/// The result of jugglers. @shape `received`: a list of crowd.items_per_producer items a juggler;
/// `rest`: what was still in the queue
inline CrowdResult CollectJugglers(const std::vector<JuggleLog>& logs,
                                   std::vector<std::vector<ContractItem>> received,
                                   std::vector<ContractItem> rest) {
  CrowdResult result;
  std::vector<RoleEnd> ends;
  for (std::size_t i = 0; i < logs.size(); ++i) {
    ends.push_back(logs[i].end);
    result.pushed.push_back(logs[i].pushed);
    received[i].resize(logs[i].popped);
  }
  result.stopped = DescribeEnds(ends);
  result.received = std::move(received);
  result.received.push_back(std::move(rest));
  return result;
}

/// Tickets from which a run of a few hundred pushes passes the wrap, at different places of a lap.
inline std::vector<std::uint32_t> TicketsBeforeTheWrap() {
  return {0xffffffffu, 0xfffffffeu, 0xfffffff9u, 0xffffffc0u, 0xffffff01u};
}

template <class Runner>
class QueueContract : public ::testing::Test {
 protected:
  void SetUp() override {
    if constexpr (requires { Runner::WhyNot(); }) {
      if (const std::string why = Runner::WhyNot(); !why.empty()) GTEST_SKIP() << why;
    }
  }

  void ExpectExactlyOnce(const Crowd& crowd) {
    EXPECT_EQ(FindFault(Runner::RunCrowd(crowd)), "")
        << crowd.producers << " producers, " << crowd.consumers << " consumers, first ticket "
        << crowd.first_ticket;
  }
};

TYPED_TEST_SUITE_P(QueueContract);

TYPED_TEST_P(QueueContract, ReportsFullAndEmptyRightlyWhenNothingElseRuns) {
  EXPECT_EQ(TypeParam::RunAlone(0), AloneFault::kNone);
}

TYPED_TEST_P(QueueContract, FillsAndDrainsAcrossTheWrapOfTickets) {
  for (const std::uint32_t ticket : TicketsBeforeTheWrap()) {
    EXPECT_EQ(TypeParam::RunAlone(ticket), AloneFault::kNone) << "first ticket " << ticket;
  }
}

TYPED_TEST_P(QueueContract, DeliversEachItemOfOneProducerOnceAndInOrder) {
  this->ExpectExactlyOnce({1, 1, TypeParam::kItems, 0});
}

TYPED_TEST_P(QueueContract, DeliversEachItemOfManyProducersToOneConsumerOnce) {
  this->ExpectExactlyOnce({TypeParam::kThreads, 1, TypeParam::kItems / TypeParam::kThreads, 0});
}

TYPED_TEST_P(QueueContract, DeliversEachItemOfOneProducerToManyConsumersOnce) {
  this->ExpectExactlyOnce({1, TypeParam::kThreads, TypeParam::kItems, 0});
}

TYPED_TEST_P(QueueContract, DeliversEachItemOnceAmongManyProducersAndConsumers) {
  this->ExpectExactlyOnce(
      {TypeParam::kThreads, TypeParam::kThreads, TypeParam::kItems / TypeParam::kThreads, 0});
}

TYPED_TEST_P(QueueContract, DeliversEachItemOnceAcrossTheWrapOfTickets) {
  for (const std::uint32_t ticket : TicketsBeforeTheWrap()) {
    this->ExpectExactlyOnce({TypeParam::kThreads, TypeParam::kThreads,
                             TypeParam::kItems / TypeParam::kThreads / 4, ticket});
  }
}

TYPED_TEST_P(QueueContract, NeverWaitsForAThreadThatDoesNotComeBack) {
  for (const std::uint32_t ticket : {0u, 0xfffffffeu}) {
    const Crowd crowd{TypeParam::kThreads, 0, TypeParam::kItems / TypeParam::kThreads, ticket};
    EXPECT_EQ(FindFault(TypeParam::RunJugglers(crowd)), "") << "first ticket " << ticket;
  }
}

REGISTER_TYPED_TEST_SUITE_P(QueueContract, ReportsFullAndEmptyRightlyWhenNothingElseRuns,
                            FillsAndDrainsAcrossTheWrapOfTickets,
                            DeliversEachItemOfOneProducerOnceAndInOrder,
                            DeliversEachItemOfManyProducersToOneConsumerOnce,
                            DeliversEachItemOfOneProducerToManyConsumersOnce,
                            DeliversEachItemOnceAmongManyProducersAndConsumers,
                            DeliversEachItemOnceAcrossTheWrapOfTickets,
                            NeverWaitsForAThreadThatDoesNotComeBack);

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SUPPORT_QUEUES_QUEUE_CONTRACT_H_
