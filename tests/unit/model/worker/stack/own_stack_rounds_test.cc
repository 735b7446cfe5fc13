// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Which elements of a stack are executed together.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "core/exec/bits.h"
#include "core/exec/thread_scope.h"
#include "core/model/worker/stack/own_stack.h"
#include "tests/support/lane_scopes.h"
#include "tests/support/workers/small_space.h"

namespace warpyard::model {
namespace {

using procedure::Element;
using test_support::NumberedElement;
using test_support::RunLanes;
using test_support::ScheduledLaneScope;
using test_support::SmallMemory;
using test_support::SmallSpace;
using test_support::TraitsFor;

TEST(OwnStackOfOneThread, ARoundIsItsNewestElement) {
  using Space = SmallSpace<exec::ThreadScope>;
  SmallMemory<Space> memory;
  exec::ThreadScope one(nullptr);
  OwnStack<exec::ThreadScope, Space> stack(one, *memory.space, memory.worker, 0);
  stack.Push(80, [](std::uint32_t i) { return NumberedElement(i, 0, i % 2); });
  const Round round = stack.NewestRound(TraitsFor(1).data());
  EXPECT_EQ(round.count, 1u);
  EXPECT_EQ(round.procedure, 1u);
  EXPECT_EQ(round.lanes, 1u);
}

/// The rounds of a worker of several lanes.
class OwnStackRounds : public ::testing::TestWithParam<std::uint32_t> {
 protected:
  using Space = SmallSpace<ScheduledLaneScope, 32>;
  using Stack = OwnStack<ScheduledLaneScope, Space>;
  using Numbers = std::vector<std::uint32_t>;

  /// The round that all lanes find on top of these elements.
  Round RoundOf(const std::vector<Element>& elements) {
    std::vector<Round> rounds(GetParam());
    const std::vector<ProcedureTraits> traits = TraitsFor(GetParam());
    const std::string stopped = RunLanes(GetParam(), [&](ScheduledLaneScope& lane) {
      Stack stack(lane, *memory_.space, memory_.worker, 0);
      stack.Pop(stack.Size());
      stack.Push(static_cast<std::uint32_t>(elements.size()),
                 [&](std::uint32_t i) { return elements[i]; });
      rounds[lane.Rank()] = stack.NewestRound(traits.data());
    });
    EXPECT_EQ(stopped, "");
    for (const Round& round : rounds) {
      EXPECT_EQ(round.count, rounds[0].count);
      EXPECT_EQ(round.procedure, rounds[0].procedure);
      EXPECT_EQ(round.lanes, rounds[0].lanes);
    }
    return rounds[0];
  }

  /// The numbers of the elements on the stack, the oldest first.
  Numbers Order() const {
    Numbers numbers;
    for (std::uint32_t i = 0; i < memory_.worker.stack.count; ++i) {
      numbers.push_back(memory_.worker.elements[i].payload[0]);
    }
    return numbers;
  }

  SmallMemory<Space> memory_;
};

TEST_P(OwnStackRounds, ARoundHasAnElementForEachGroupOfLanes) {
  const std::uint32_t lanes = GetParam();
  std::vector<Element> items, sets, whole;
  for (std::uint32_t i = 0; i < 40; ++i) {
    items.push_back(NumberedElement(i, 5, i % 2));
    sets.push_back(NumberedElement(i, 5, 2));
    whole.push_back(NumberedElement(i, 5, 4));
  }
  items.resize(20);  // too few to be sorted
  EXPECT_EQ(RoundOf(items).count, exec::Least(lanes, 20)) << "items of all procedures together";
  EXPECT_EQ(RoundOf(sets).count, lanes / 8);
  EXPECT_EQ(RoundOf(whole).count, 1u);
  EXPECT_EQ(RoundOf(whole).lanes, 0u);
  items.resize(3);
  EXPECT_EQ(RoundOf(items).count, 3u) << "there are no more";
}

TEST_P(OwnStackRounds, ARoundIsOfOneEventAndOfOneKind) {
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

/// A tree of items of two procedures is too deep for rounds of whole warps.
TEST_P(OwnStackRounds, ARecursionFindsRoomAtAnyDepth) {
  constexpr std::uint32_t kDepths = 30;
  const std::vector<ProcedureTraits> traits = TraitsFor(GetParam());
  memory_.worker.elements[0] = NumberedElement(0);
  memory_.worker.stack.count = 1;
  std::uint32_t leaves = 0;
  for (int round = 0; round < 400; ++round) {
    std::vector<std::uint32_t> fits(GetParam());
    const std::string stopped = RunLanes(GetParam(), [&](ScheduledLaneScope& lane) {
      Stack stack(lane, *memory_.space, memory_.worker, 0);
      if (stack.Size() == 0) stack.Reload();
      const std::uint32_t count = stack.NewestRound(traits.data()).count;
      const std::uint32_t fit = fits[lane.Rank()] = stack.MakeRoom(count, 2);
      std::vector<Element> spawned;
      for (std::uint32_t i = 0; i < fit; ++i) {
        const std::uint32_t depth = memory_.worker.elements[stack.Size() - 1 - i].payload[0] + 1;
        if (depth == kDepths && lane.Rank() == 0) ++leaves;
        for (std::uint32_t child = 0; depth < kDepths && child < 2; ++child) {
          spawned.push_back(NumberedElement(depth, 0, (depth * 7 + child + i) % 2));
        }
      }
      stack.Pop(fit);
      stack.Push(static_cast<std::uint32_t>(spawned.size()),
                 [&](std::uint32_t i) { return spawned[i]; });
    });
    ASSERT_EQ(stopped, "");
    ASSERT_GT(fits[0], 0u) << "no room in round " << round;
  }
  EXPECT_GT(leaves, 100u);
}

INSTANTIATE_TEST_SUITE_P(Warps, OwnStackRounds, ::testing::Values(8, 32));

/// Rounds of a whole warp, which sorts what it has by procedure.
class OwnStackSort : public OwnStackRounds {
 protected:
  /// Adds an element of a procedure, whose number is its place on the stack.
  void Add(std::uint32_t procedure, std::uint32_t event = 5) {
    elements_.push_back(
        NumberedElement(static_cast<std::uint32_t>(elements_.size()), event, procedure));
  }
  /// The numbers of the elements of a procedure and an event, the oldest first.
  Numbers NumbersOf(std::uint32_t procedure, std::uint32_t event = 5) const {
    Numbers numbers;
    for (const Element& element : elements_) {
      const bool is_of = element.Procedure() == procedure && element.Event() == event;
      if (is_of) numbers.push_back(element.payload[0]);
    }
    return numbers;
  }
  /// Whether the round left the elements as they were.
  bool IsUnsorted() const {
    Numbers numbers;
    for (const Element& element : elements_) numbers.push_back(element.payload[0]);
    return Order() == numbers;
  }

  std::vector<Element> elements_;
};

TEST_P(OwnStackSort, BringsElementsOfTheCommonestProcedureToTheTop) {
  for (std::uint32_t i = 0; i < 90; ++i) Add(i % 3 == 2 ? 1 : 0);
  const Round round = RoundOf(elements_);
  EXPECT_EQ(round.procedure, 0u);
  EXPECT_EQ(round.count, 32u);
  EXPECT_EQ(round.lanes, 1u);
  Numbers sorted = NumbersOf(1);
  const Numbers top = NumbersOf(0);
  sorted.insert(sorted.end(), top.begin(), top.end());
  EXPECT_EQ(Order(), sorted) << "each kind in its order";
}

TEST_P(OwnStackSort, LeavesAShortStackAndAGoodRunAsTheyAre) {
  for (std::uint32_t i = 0; i < 20; ++i) Add(i % 2);
  EXPECT_EQ(RoundOf(elements_).count, 20u) << "of both procedures";
  EXPECT_TRUE(IsUnsorted());
  for (std::uint32_t i = 0; i < 20; ++i) Add(0);
  EXPECT_EQ(RoundOf(elements_).count, 20u);
  EXPECT_EQ(RoundOf(elements_).procedure, 0u);
  EXPECT_TRUE(IsUnsorted());
}

TEST_P(OwnStackSort, LeavesElementsOfWhichNoneAreMany) {
  for (std::uint32_t i = 0; i < 80; ++i) Add(i % 8 < 2 ? 2 : 3);
  for (std::uint32_t i = 0; i < 12; ++i) Add(i % 2);
  EXPECT_EQ(RoundOf(elements_).count, 12u) << "of both procedures";
  EXPECT_TRUE(IsUnsorted()) << "sets and groups of 32 are no matter";
}

TEST_P(OwnStackSort, LeavesAnUrgentEventOnTop) {
  for (std::uint32_t i = 0; i < 40; ++i) Add(0);
  for (std::uint32_t i = 0; i < 40; ++i) Add(i % 2, 6);
  const Round round = RoundOf(elements_);
  EXPECT_EQ(round.count, 20u);
  EXPECT_EQ(round.procedure, 1u) << "the newest one, of two that are as many";
  Numbers sorted = NumbersOf(0);
  for (const std::uint32_t procedure : {0u, 1u}) {
    const Numbers more = NumbersOf(procedure, 6);
    sorted.insert(sorted.end(), more.begin(), more.end());
  }
  EXPECT_EQ(Order(), sorted);
}

TEST_P(OwnStackSort, FindsNothingToSortWhereAnUrgentEventHasFew) {
  for (std::uint32_t i = 0; i < 70; ++i) Add(i % 2);
  for (std::uint32_t i = 0; i < 4; ++i) Add(i % 2, 6);
  EXPECT_EQ(RoundOf(elements_).count, 4u);
  EXPECT_TRUE(IsUnsorted());
}

INSTANTIATE_TEST_SUITE_P(Warps, OwnStackSort, ::testing::Values(32));

}  // namespace
}  // namespace warpyard::model
