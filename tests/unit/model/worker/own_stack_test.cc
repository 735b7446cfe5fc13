// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/model/worker/own_stack.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "core/exec/thread_scope.h"
#include "tests/support/lane_scopes.h"
#include "tests/unit/model/worker/small_space.h"

namespace warpyard::model {
namespace {

using exec::ThreadScope;
using procedure::Element;
using test_support::NumberedElement;
using test_support::RunLanes;
using test_support::ScheduledLaneScope;
using test_support::SmallMemory;
using test_support::SmallSpace;

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
  EXPECT_FALSE(stack_.HasRoomToNest());
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
      const std::uint32_t given = stack_.GivenCount();
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
  EXPECT_EQ(stack_.GivenCount(), 0u) << "it keeps one";
  Push(1, 8);
  ASSERT_EQ(stack_.GivenCount(), 4u);
  stack_.TakeOldest(4, [](auto&& at) {
    for (std::uint32_t i = 0; i < 4; ++i) EXPECT_EQ(at(i).payload[0], i);
  });
  EXPECT_EQ(NumbersOf(memory_), Numbers(4, 9));
  Push(9, 80);
  EXPECT_EQ(stack_.GivenCount(), kGivenElements) << "as many as an inbox holds";
}

TEST_F(OwnStackTest, GivesOfItsReserveFirst) {
  Push(0, kCapacity);
  stack_.MakeRoom(1, 40);
  const std::uint32_t size = stack_.Size(), given = stack_.GivenCount();
  ASSERT_GT(given, 0u);
  stack_.TakeOldest(given, [](auto&& at) { EXPECT_EQ(at(0).payload[0], 0u); });
  EXPECT_EQ(stack_.Size(), size);
  EXPECT_EQ(NumbersOf(memory_), Numbers(given, kCapacity));
}

/// Procedures 0 to 4: two of single threads, a set of 8, one of 32 threads, one of a team.
/// @shape lanes: of the worker
std::vector<ProcedureTraits> TraitsFor(std::uint32_t lanes) {
  std::vector<ProcedureTraits> traits(5);
  for (const std::uint32_t p : {0u, 1u}) {
    traits[p].lanes = 1;
    traits[p].groups = static_cast<std::uint8_t>(lanes);
  }
  traits[2].lanes = 8;
  traits[2].groups = static_cast<std::uint8_t>(lanes / 8);
  traits[3].lanes = 32;
  traits[3].groups = traits[4].groups = 1;
  return traits;
}

TEST_F(OwnStackTest, ARoundOfOneThreadIsItsNewestElement) {
  Push(0, 5);
  const Round round = stack_.NewestRound(TraitsFor(1).data());
  EXPECT_EQ(round.count, 1u);
  EXPECT_EQ(round.procedure, 1u);
  EXPECT_EQ(round.lanes, 1u);
}

/// A stack of a worker of several lanes.
class OwnStackOfLanes : public ::testing::TestWithParam<std::uint32_t> {
 protected:
  using Space = SmallSpace<ScheduledLaneScope, 32>;
  using Stack = OwnStack<ScheduledLaneScope, Space>;

  void Run(const std::function<void(ScheduledLaneScope&, Stack&)>& body) {
    ASSERT_EQ(RunLanes(GetParam(),
                       [&](ScheduledLaneScope& lane) {
                         Stack stack(lane, *memory_.space, memory_.worker, 0);
                         body(lane, stack);
                       }),
              "");
  }
  /// The round that all lanes find on top of these elements.
  Round RoundOf(const std::vector<Element>& elements) {
    std::vector<Round> rounds(GetParam());
    const std::vector<ProcedureTraits> traits = TraitsFor(GetParam());
    Run([&](ScheduledLaneScope& lane, Stack& stack) {
      stack.Pop(stack.Size());
      stack.Push(static_cast<std::uint32_t>(elements.size()),
                 [&](std::uint32_t i) { return elements[i]; });
      rounds[lane.Rank()] = stack.NewestRound(traits.data());
    });
    for (const Round& round : rounds) {
      EXPECT_EQ(round.count, rounds[0].count);
      EXPECT_EQ(round.procedure, rounds[0].procedure);
      EXPECT_EQ(round.lanes, rounds[0].lanes);
    }
    return rounds[0];
  }

  SmallMemory<Space> memory_;
};

TEST_P(OwnStackOfLanes, MovesElementsAsOneThreadDoes) {
  constexpr std::uint32_t kCapacity = Space::Shape::kStackElements;
  Run([&](ScheduledLaneScope& lane, Stack& stack) {
    stack.Push(kCapacity, [](std::uint32_t i) { return NumberedElement(i); });
    EXPECT_EQ(stack.MakeRoom(2, 20), 2u);
    EXPECT_GE(stack.Free() + 2, 40u);
    if (lane.Rank() == 0) {
      EXPECT_EQ(NumbersOf(memory_), Numbers(0, kCapacity));
    }
    lane.Barrier();
    stack.Park();
    stack.Reload();
    const std::uint32_t given = stack.GivenCount();
    stack.TakeOldest(given, [&](auto&& at) {
      if (lane.Rank() < given) {
        EXPECT_EQ(at(lane.Rank()).payload[0], lane.Rank());
      }
    });
    if (lane.Rank() == 0) {
      EXPECT_EQ(NumbersOf(memory_), Numbers(given, kCapacity));
    }
    lane.Barrier();
    stack.Pop(stack.Size());
    stack.Push(3, [](std::uint32_t i) { return NumberedElement(100 + i); });
    EXPECT_EQ(stack.Newest().payload[0], 102u);
  });
}

TEST_P(OwnStackOfLanes, ARoundHasAnElementForEachGroupOfLanes) {
  const std::uint32_t lanes = GetParam();
  std::vector<Element> items, sets, whole;
  for (std::uint32_t i = 0; i < 40; ++i) {
    items.push_back(NumberedElement(i, 5, i % 2));
    sets.push_back(NumberedElement(i, 5, 2));
    whole.push_back(NumberedElement(i, 5, 4));
  }
  EXPECT_EQ(RoundOf(items).count, lanes) << "items of all procedures together";
  EXPECT_EQ(RoundOf(sets).count, lanes / 8);
  EXPECT_EQ(RoundOf(whole).count, 1u);
  EXPECT_EQ(RoundOf(whole).lanes, 0u);
  items.resize(3);
  EXPECT_EQ(RoundOf(items).count, 3u) << "there are no more";
}

TEST_P(OwnStackOfLanes, ARoundIsOfOneEventAndOfOneKind) {
  std::vector<Element> elements(20, NumberedElement(1, 5, 0));
  elements.push_back(NumberedElement(2, 6, 0));
  elements.push_back(NumberedElement(3, 6, 1));
  EXPECT_EQ(RoundOf(elements).count, 2u) << "the others are of another event";
  elements.push_back(NumberedElement(4, 6, 2));
  EXPECT_EQ(RoundOf(elements).count, 1u) << "the others are items";
  EXPECT_EQ(RoundOf(elements).procedure, 2u);
  elements.push_back(NumberedElement(5, 6, 1));
  EXPECT_EQ(RoundOf(elements).count, 1u) << "below is a set";
}

INSTANTIATE_TEST_SUITE_P(Warps, OwnStackOfLanes, ::testing::Values(8, 32));

}  // namespace
}  // namespace warpyard::model
