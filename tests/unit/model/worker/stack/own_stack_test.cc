// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/model/worker/stack/own_stack.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "core/exec/thread_scope.h"
#include "tests/support/lane_scopes.h"
#include "tests/support/workers/small_space.h"

namespace warpyard::model {
namespace {

using exec::ThreadScope;
using test_support::NumberedElement;
using test_support::RunLanes;
using test_support::ScheduledLaneScope;
using test_support::SmallMemory;
using test_support::SmallSpace;
using test_support::TraitsFor;

/// The numbers of all elements of a stack, the oldest first.
template <class Space>
std::vector<std::uint32_t> NumbersOf(const SmallMemory<Space>& memory) {
  std::vector<std::uint32_t> numbers;
  const WorkerMemory<Space>& own = memory.worker;
  for (std::uint32_t i = own.reserve_from; i != own.reserve_to; ++i) {
    numbers.push_back(memory.space->reserves[0][i % Space::Shape::kReserveElements].payload[0]);
  }
  for (std::uint32_t i = 0; i < own.stack.count; ++i) numbers.push_back(own.elements[i].payload[0]);
  return numbers;
}

std::vector<std::uint32_t> Numbers(std::uint32_t first, std::uint32_t end) {
  std::vector<std::uint32_t> numbers;
  for (; first < end; ++first) numbers.push_back(first);
  return numbers;
}

class OwnStackTest : public ::testing::Test {
 protected:
  using Space = SmallSpace<ThreadScope>;
  static constexpr std::uint32_t kCapacity = Space::Shape::kStackElements;
  static constexpr std::uint32_t kReserve = Space::Shape::kReserveElements;

  void Push(std::uint32_t first, std::uint32_t count) {
    stack_.Push(count, [&](std::uint32_t i) { return NumberedElement(first + i); });
  }
  /// Executes the newest element, as if it spawned so many.
  bool Spawn(std::uint32_t spawns, std::uint32_t first) {
    if (stack_.MakeRoom(1, spawns) == 0) return false;
    stack_.Pop(1);
    EXPECT_GE(stack_.Free(), spawns);
    Push(first, spawns);
    return true;
  }

  std::uint32_t GivenCount() { return stack_.GivenCount(TraitsFor(1).data()); }

  ThreadScope one_{nullptr};
  SmallMemory<Space> memory_;
  OwnStack<ThreadScope, Space> stack_{one_, *memory_.space, memory_.worker, 0};
};

TEST_F(OwnStackTest, TakesTheNewestFirst) {
  EXPECT_EQ(stack_.Size(), 0u);
  Push(10, 3);
  EXPECT_EQ(stack_.Size(), 3u);
  EXPECT_EQ(stack_.Free(), kCapacity - 3);
  EXPECT_EQ(stack_.Newest().payload[0], 12u);
  stack_.Pop(2);
  EXPECT_EQ(stack_.Newest().payload[0], 10u);
}

TEST_F(OwnStackTest, MovesOlderElementsToTheReserveAndBack) {
  Push(0, kCapacity);
  EXPECT_EQ(stack_.MakeRoom(1, 40), 1u);
  EXPECT_GE(stack_.Free() + 1, 40u);
  EXPECT_GT(stack_.Reserved(), 0u);
  EXPECT_EQ(NumbersOf(memory_), Numbers(0, kCapacity)) << "in their order";
  EXPECT_EQ(stack_.Newest().payload[0], kCapacity - 1);
  const std::uint32_t reserved = stack_.Reserved();
  stack_.Pop(stack_.Size());
  stack_.Reload();
  EXPECT_EQ(NumbersOf(memory_), Numbers(0, reserved));
  EXPECT_EQ(stack_.Newest().payload[0], reserved - 1);
}

TEST_F(OwnStackTest, LeavesElementsWhereTheyAreIfThereIsRoom) {
  Push(0, kCapacity);
  EXPECT_EQ(stack_.MakeRoom(1, 1), 1u) << "one takes the place of the other";
  EXPECT_EQ(stack_.MakeRoom(1, 0), 1u);
  EXPECT_EQ(stack_.Reserved(), 0u);
  stack_.Pop(7);
  EXPECT_EQ(stack_.MakeRoom(1, 8), 1u);
  EXPECT_EQ(stack_.Reserved(), 0u);
}

TEST_F(OwnStackTest, SaysThatThereIsNoRoomWhenTheReserveIsFull) {
  Push(0, 1);
  std::uint32_t next = 1;
  while (Spawn(8, next)) next += 8;
  EXPECT_GT(stack_.Reserved() + stack_.Size(), kReserve / 2);
  EXPECT_LE(stack_.Reserved() + stack_.Size(), kReserve) << "parking needs room for all";
  std::vector<ProcedureTraits> traits = TraitsFor(1);
  traits[0].max_spawns = 8;
  EXPECT_FALSE(stack_.HasRoomToNest(traits.data(), {5, 0}));
  traits[0].max_spawns = 0;
  EXPECT_TRUE(stack_.HasRoomToNest(traits.data(), {5, 0})) << "a claim fits, and nothing grows";
  EXPECT_FALSE(stack_.HasRoomToNest(traits.data(), {0, 0})) << "nobody knows the stage";
  const std::vector<std::uint32_t> numbers = NumbersOf(memory_);
  stack_.Park();
  EXPECT_EQ(stack_.Size(), 0u);
  EXPECT_EQ(NumbersOf(memory_), numbers);
}

TEST_F(OwnStackTest, KeepsEverythingThroughParksWithAFullReserve) {
  Push(0, 1);
  std::uint32_t next = 1;
  for (int launch = 0; launch < 5; ++launch) {
    if (stack_.Size() == 0) stack_.Reload();
    while (Spawn(8, next)) next += 8;
    ASSERT_LE(stack_.Reserved() + stack_.Size(), kReserve) << "launch " << launch;
    const std::vector<std::uint32_t> numbers = NumbersOf(memory_);
    stack_.Park();
    ASSERT_EQ(NumbersOf(memory_), numbers) << "launch " << launch;
  }
}

TEST_F(OwnStackTest, AClaimOrAGiftFindsRoomOnlyWhereAParkDoes) {
  // As after a launch that parked a full reserve.
  memory_.worker.reserve_to = kReserve;
  stack_.Reload();
  EXPECT_GT(stack_.Size(), 0u);
  EXPECT_LE(stack_.Reserved() + stack_.Size() + stack_.Free(), kReserve);
}

TEST_F(OwnStackTest, GoesRoundItsReserveManyTimes) {
  std::vector<std::uint32_t> model;
  std::uint32_t next = 0;
  for (std::uint32_t round = 0; round < 400; ++round) {
    const std::uint32_t count = 1 + round % 40;
    if (stack_.MakeRoom(0, count) == 0 && stack_.Free() < count) {
      const std::uint32_t given = GivenCount();
      stack_.TakeOldest(given, [&](auto&& at) {
        for (std::uint32_t i = 0; i < given; ++i) ASSERT_EQ(at(i).payload[0], model[i]);
      });
      model.erase(model.begin(), model.begin() + given);
    }
    if (stack_.Free() >= count) {
      Push(next, count);
      for (std::uint32_t i = 0; i < count; ++i) model.push_back(next++);
    }
    if (round % 3 == 0 && stack_.Size() != 0) {
      stack_.Pop(1);
      model.pop_back();
    }
    if (round % 7 == 0) {
      stack_.Park();
      stack_.Reload();
    }
    ASSERT_EQ(NumbersOf(memory_), model) << round;
  }
  EXPECT_GT(memory_.worker.reserve_to, kReserve);
}

TEST_F(OwnStackTest, GivesHalfOfItsElementsTheOldestOnes) {
  Push(0, 1);
  EXPECT_EQ(GivenCount(), 0u) << "it keeps one";
  Push(1, 8);
  ASSERT_EQ(GivenCount(), 4u);
  stack_.TakeOldest(4, [](auto&& at) {
    for (std::uint32_t i = 0; i < 4; ++i) EXPECT_EQ(at(i).payload[0], i);
  });
  EXPECT_EQ(NumbersOf(memory_), Numbers(4, 9));
  Push(9, 80);
  EXPECT_EQ(GivenCount(), kGivenElements) << "as many as an inbox holds";
}

TEST_F(OwnStackTest, GivesOfItsReserveFirst) {
  Push(0, kCapacity);
  stack_.MakeRoom(1, 40);
  const std::uint32_t size = stack_.Size(), given = GivenCount();
  ASSERT_GT(given, 0u);
  stack_.TakeOldest(given, [](auto&& at) { EXPECT_EQ(at(0).payload[0], 0u); });
  EXPECT_EQ(stack_.Size(), size);
  EXPECT_EQ(NumbersOf(memory_), Numbers(given, kCapacity));
}

/// Calls a function with each lane of a worker and its stack.
template <class Space, class Body>
void RunStack(SmallMemory<Space>& memory, std::uint32_t lanes, const Body& body) {
  ASSERT_EQ(RunLanes(lanes,
                     [&](ScheduledLaneScope& lane) {
                       OwnStack<ScheduledLaneScope, Space> stack(lane, *memory.space, memory.worker,
                                                                 0);
                       body(lane, stack);
                     }),
            "");
}

TEST(OwnStackOfLanes, MovesElementsAsOneThreadDoes) {
  using Space = SmallSpace<ScheduledLaneScope, 32>;
  constexpr std::uint32_t kCapacity = Space::Shape::kStackElements;
  for (const std::uint32_t lanes : {8u, 32u}) {
    SmallMemory<Space> memory;
    const std::vector<ProcedureTraits> traits = TraitsFor(lanes);
    RunStack(memory, lanes, [&](ScheduledLaneScope& lane, auto& stack) {
      stack.Push(kCapacity, [](std::uint32_t i) { return NumberedElement(i); });
      EXPECT_EQ(stack.MakeRoom(2, 20), 2u);
      EXPECT_GE(stack.Free() + 2, 40u);
      if (lane.Rank() == 0) {
        EXPECT_EQ(NumbersOf(memory), Numbers(0, kCapacity));
      }
      lane.Barrier();
      stack.Park();
      stack.Reload();
      const std::uint32_t given = stack.GivenCount(traits.data());
      stack.TakeOldest(given, [&](auto&& at) {
        if (lane.Rank() < given) {
          EXPECT_EQ(at(lane.Rank()).payload[0], lane.Rank());
        }
      });
      if (lane.Rank() == 0) {
        EXPECT_EQ(NumbersOf(memory), Numbers(given, kCapacity));
      }
      lane.Barrier();
      stack.Pop(stack.Size());
      stack.Push(3, [](std::uint32_t i) { return NumberedElement(100 + i); });
      EXPECT_EQ(stack.Newest().payload[0], 102u);
    });
  }
}

TEST(OwnStackOfLanes, GivesNothingOfHalfARound) {
  using Space = SmallSpace<ScheduledLaneScope, 32>;
  SmallMemory<Space> memory;
  const std::vector<ProcedureTraits> traits = TraitsFor(32);
  RunStack(memory, 32, [&](ScheduledLaneScope&, auto& stack) {
    stack.Push(16, [](std::uint32_t i) { return NumberedElement(i); });
    EXPECT_EQ(stack.GivenCount(traits.data()), 0u) << "it executes them sooner";
    stack.Push(1, [](std::uint32_t) { return NumberedElement(16); });
    EXPECT_EQ(stack.GivenCount(traits.data()), 8u);
    stack.Push(1, [](std::uint32_t) { return NumberedElement(17, 0, 4); });
    EXPECT_EQ(stack.GivenCount(traits.data()), 9u) << "a package is a round of its own";
  });
}

}  // namespace
}  // namespace warpyard::model
