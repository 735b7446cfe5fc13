// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/model/worker/exchange.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "core/exec/thread_scope.h"
#include "tests/support/lane_scopes.h"
#include "tests/support/workers/small_space.h"
#include "tests/support/workers/start_event.h"
#include "tests/unit/model/counting_program.h"

namespace warpyard::model {
namespace {

using exec::ThreadScope;
using test_support::CountingJob;
using test_support::CountingProgram;
using test_support::NumberedElement;
using test_support::ScheduledLaneScope;

constexpr std::uint32_t kEvent = 6;

/// Four workers of two blocks.
template <std::uint32_t kGroup>
struct ExchangeShape : test_support::SmallShape<kGroup> {
  static constexpr std::uint32_t kBlockWorkers = 2;
};

class ExchangeTest : public ::testing::Test {
 protected:
  using Space = Workspace<ThreadScope, CountingProgram, ExchangeShape<1>>;
  using Tested = Exchange<ThreadScope, Space>;
  using Stack = OwnStack<ThreadScope, Space>;
  using Handle = WorkerHandle<Space>;

  ExchangeTest() {
    for (auto* const block : {memory_.block.get(), other_.get()}) {
      for (WorkerMemory<Space>& worker : block->workers) {
        worker.stack = {0, worker.elements, true, 0};
        Account<ThreadScope, Space>::Reset(worker);
      }
    }
  }

  Stack StackOf(const Handle& worker) {
    return {one_, *memory_.space, worker.Memory(), worker.place.index};
  }
  void Push(const Handle& worker, std::uint32_t first, std::uint32_t count) {
    StackOf(worker).Push(count,
                         [&](std::uint32_t i) { return NumberedElement(first + i, kEvent, 0); });
  }
  std::vector<std::uint32_t> NumbersOf(const Handle& worker) {
    std::vector<std::uint32_t> numbers;
    const WorkerMemory<Space>& memory = worker.Memory();
    for (std::uint32_t i = 0; i < memory.stack.count; ++i) {
      numbers.push_back(memory.elements[i].payload[0]);
    }
    return numbers;
  }
  bool Give(const Handle& worker) {
    Stack stack = StackOf(worker);
    return Tested::Give(one_, worker, stack, memory_.space->hand_over.Waiting());
  }
  std::uint32_t Choose() { return memory_.space->hand_over.Choose(one_, 1); }
  void Take(const Handle& worker, std::uint32_t given) {
    Stack stack = StackOf(worker);
    Tested::Take(one_, worker, stack, given);
  }
  std::uint32_t Given(const Handle& worker, std::uint32_t members) {
    return Tested::Given(one_, worker, members);
  }

  ThreadScope one_{nullptr};
  test_support::SmallMemory<Space> memory_;
  const std::unique_ptr<BlockMemory<Space>> other_{new BlockMemory<Space>()};
  const Handle first_{*memory_.space, *memory_.block, {0, 0, 4, 1}};
  const Handle second_{*memory_.space, *memory_.block, {1, 1, 4, 1}};
  const Handle third_{*memory_.space, *other_, {2, 0, 4, 1}};
  const Handle fourth_{*memory_.space, *other_, {3, 1, 4, 1}};
};

TEST_F(ExchangeTest, AWorkerWaitsOnce) {
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(Tested::Wait(one_, third_));
  EXPECT_EQ(memory_.space->hand_over.Waiting(), 1u);
  EXPECT_EQ(third_.Memory().waits, 1u);
  EXPECT_EQ(fourth_.Memory().waits, 0u);
  EXPECT_EQ(Choose(), 2u) << "by its number among all workers";
}

TEST_F(ExchangeTest, GivesNothingWhereNobodyWaits) {
  Push(first_, 0, 8);
  EXPECT_TRUE(Give(first_));
  EXPECT_EQ(NumbersOf(first_).size(), 8u);
}

TEST_F(ExchangeTest, GivesItsOldestElementsToTheWorkerThatWaitsLongest) {
  Tested::Wait(one_, fourth_);
  Tested::Wait(one_, third_);
  Push(first_, 10, 6);
  ASSERT_TRUE(Give(first_));
  EXPECT_EQ(NumbersOf(first_), (std::vector<std::uint32_t>{13, 14, 15}));
  EXPECT_EQ(memory_.block->counters.given, 3u);
  EXPECT_EQ(Given(third_, 1), 0u);
  EXPECT_EQ(Given(fourth_, 2), 2u);
  Push(fourth_, 90, 1);
  Take(fourth_, 2);
  EXPECT_EQ(NumbersOf(fourth_), (std::vector<std::uint32_t>{90, 10, 11, 12})) << "on top";
  EXPECT_EQ(fourth_.Memory().waits, 0u);
  EXPECT_EQ(Given(fourth_, 2), 0u);
  EXPECT_EQ(memory_.space->hand_over.Waiting(), 1u) << "the third one";
}

TEST_F(ExchangeTest, TellsWhatItSpawnedBeforeItGives) {
  memory_.space->events[kEvent].job = CountingJob{{1, 0, 0}, 1, 0, nullptr, 0};
  test_support::StartEvent(*memory_.space, kEvent);
  const auto done = [](std::uint32_t) { ADD_FAILURE() << "others hold elements"; };
  Account<ThreadScope, Space>::TurnTo(one_, first_, kEvent, done);
  Account<ThreadScope, Space>::Count(first_.Memory(), 7);  // 8 spawned, one finished
  Push(first_, 0, 8);
  Tested::Wait(one_, third_);
  ASSERT_TRUE(Give(first_));
  EXPECT_EQ(static_cast<std::uint32_t>(memory_.space->events[kEvent].account), 8u);
}

TEST_F(ExchangeTest, TakesForOtherWorkersOfItsBlock) {
  Tested::Wait(one_, second_);
  Tested::Wait(one_, first_);
  Push(third_, 10, 4);
  Push(third_, 20, 4);
  ASSERT_TRUE(Give(third_));
  ASSERT_TRUE(Give(third_));
  EXPECT_EQ(Given(first_, 1), 1u) << "for itself";
  EXPECT_EQ(Given(first_, 3), 3u) << "and for the members of its team";
  Take(first_, 3);
  EXPECT_EQ(NumbersOf(first_), (std::vector<std::uint32_t>{20, 21, 10, 11, 12, 13}));
  EXPECT_EQ(NumbersOf(second_), std::vector<std::uint32_t>{});
  EXPECT_EQ(first_.Memory().waits + second_.Memory().waits, 0u) << "both may wait again";
  EXPECT_TRUE(Tested::Wait(one_, second_));
  EXPECT_EQ(Choose(), 1u);
}

TEST_F(ExchangeTest, LooksOnlyIntoInboxesOfThoseThatWait) {
  memory_.space->hand_over.Give(one_, 1, 2, [](std::uint32_t i) { return NumberedElement(i); });
  EXPECT_EQ(Given(first_, 3), 0u);
  second_.Memory().waits = 1;
  EXPECT_EQ(Given(first_, 3), 2u);
  EXPECT_EQ(Given(first_, 1), 0u) << "no member of its team";
}

TEST_F(ExchangeTest, LeavesAnInboxForWhichThereIsNoRoom) {
  Tested::Wait(one_, first_);
  Push(third_, 10, 4);
  ASSERT_TRUE(Give(third_));
  const std::uint32_t size = Stack::kCapacity - kGivenElements + 1;
  Push(first_, 100, size);
  Take(first_, Given(first_, 1));
  EXPECT_EQ(NumbersOf(first_).size(), size);
  EXPECT_EQ(Given(first_, 1), 1u) << "for later";
  StackOf(first_).Pop(1);
  Take(first_, Given(first_, 1));
  EXPECT_EQ(NumbersOf(first_).size(), size + 1);
}

/// Many workers of 32 lanes, of which the first one gives.
class ExchangeOfMany : public ::testing::Test {
 protected:
  struct Shape : ExchangeShape<32> {
    static constexpr std::uint32_t kWorkers = 16;
  };
  using Space = Workspace<ScheduledLaneScope, CountingProgram, Shape>;

  ExchangeOfMany() {
    memory_.block->traits[0].groups = 32;
    Account<ScheduledLaneScope, Space>::Reset(memory_.worker);
  }

  /// Gives of so many elements to the workers from 1 on that wait. Returns how many the others got,
  /// in the order in which they began to wait.
  std::vector<std::uint32_t> Give(std::uint32_t elements, std::uint32_t waiting) {
    for (std::uint32_t w = 0; w < waiting; ++w) memory_.space->hand_over.Wait(waiting - w);
    const std::string stopped = test_support::RunLanes(32, [&](ScheduledLaneScope& lane) {
      OwnStack<ScheduledLaneScope, Space> stack(lane, *memory_.space, memory_.worker, 0);
      stack.Push(elements, [](std::uint32_t i) { return NumberedElement(i, kEvent, 0); });
      EXPECT_TRUE((Exchange<ScheduledLaneScope, Space>::Give(lane, own_, stack, waiting)));
    });
    EXPECT_EQ(stopped, "");
    std::vector<std::uint32_t> counts;
    for (std::uint32_t w = 0; w < waiting; ++w) counts.push_back(Receive(waiting - w));
    EXPECT_EQ(memory_.worker.stack.count, elements - next_);
    EXPECT_EQ(memory_.worker.elements[0].payload[0], next_) << "the oldest one that it keeps";
    EXPECT_EQ(memory_.block->counters.given, next_);
    return counts;
  }

  test_support::SmallMemory<Space> memory_;
  const WorkerHandle<Space> own_{*memory_.space, *memory_.block, {0, 0, 16, 1}};

 private:
  /// Empties an inbox, which has the elements that follow those of the worker before.
  std::uint32_t Receive(std::uint32_t worker) {
    const std::uint32_t first = next_;
    if (memory_.space->hand_over.Given(worker) == 0) return 0;
    ThreadScope one(nullptr);
    memory_.space->hand_over.Take(one, worker, [&](std::uint32_t count, auto&& at) {
      for (std::uint32_t i = 0; i < count; ++i) EXPECT_EQ(at(i).payload[0], next_++);
    });
    return next_ - first;
  }

  std::uint32_t next_ = 0;
};

TEST_F(ExchangeOfMany, GivesTheSameNumberToEachThatWaits) {
  EXPECT_EQ(Give(60, 3), (std::vector<std::uint32_t>{10, 10, 10})) << "half of them";
  EXPECT_EQ(memory_.space->hand_over.Waiting(), 0u);
}

TEST_F(ExchangeOfMany, GivesNobodyLessThanAQuarterOfARound) {
  EXPECT_EQ(Give(40, 3), (std::vector<std::uint32_t>{10, 10, 0}));
  EXPECT_EQ(memory_.space->hand_over.Waiting(), 1u) << "this one waits on";
}

TEST_F(ExchangeOfMany, GivesToEightAtOnce) {
  memory_.block->traits[0].groups = 4;
  EXPECT_EQ(Give(64, 10), (std::vector<std::uint32_t>{4, 4, 4, 4, 4, 4, 4, 4, 0, 0}));
  EXPECT_EQ(memory_.space->hand_over.Waiting(), 2u);
}

TEST_F(ExchangeOfMany, GivesToNoMoreThanItHasElementsFor) {
  memory_.block->traits[0].groups = 4;
  EXPECT_EQ(Give(5, 3), (std::vector<std::uint32_t>{1, 1, 0}));
  EXPECT_EQ(memory_.space->hand_over.Waiting(), 1u);
}

TEST_F(ExchangeOfMany, GivesFewElementsToOne) {
  EXPECT_EQ(Give(18, 1), std::vector<std::uint32_t>{9});
}

TEST(ExchangeOfLanes, LanesLookIntoAnInboxEach) {
  using Space = Workspace<ScheduledLaneScope, CountingProgram, ExchangeShape<32>>;
  using Tested = Exchange<ScheduledLaneScope, Space>;
  test_support::SmallMemory<Space> memory;
  for (WorkerMemory<Space>& worker : memory.block->workers) {
    worker.stack = {0, worker.elements, true, 0};
  }
  const WorkerHandle<Space> own{*memory.space, *memory.block, {0, 0, 4, 1}};
  const std::string stopped = test_support::RunLanes(32, [&](ScheduledLaneScope& lane) {
    const WorkerHandle<Space> second{*memory.space, *memory.block, {1, 1, 4, 1}};
    EXPECT_TRUE(Tested::Wait(lane, own));
    EXPECT_TRUE(Tested::Wait(lane, second));
    memory.space->hand_over.Give(lane, 1, 32, [](std::uint32_t i) { return NumberedElement(i); });
    const std::uint32_t given = Tested::Given(lane, own, 3);
    EXPECT_EQ(given, lane.Rank() == 1 ? 2u : 0u);
    OwnStack<ScheduledLaneScope, Space> stack(lane, *memory.space, own.Memory(), 0);
    Tested::Take(lane, own, stack, lane.Ballot(given != 0));
    EXPECT_EQ(stack.Size(), 32u);
    EXPECT_EQ(memory.worker.elements[lane.Rank()].payload[0], lane.Rank());
  });
  EXPECT_EQ(stopped, "");
  EXPECT_EQ(memory.space->hand_over.Waiting(), 2u) << "nobody has chosen them";
  EXPECT_EQ(memory.block->workers[0].waits, 1u);
  EXPECT_EQ(memory.block->workers[1].waits, 0u);
}

}  // namespace
}  // namespace warpyard::model
