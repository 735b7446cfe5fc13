// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/strategy/local_stack.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <deque>
#include <random>
#include <vector>

#include "core/exec/thread_scope.h"
#include "core/procedure/element.h"
#include "tests/support/lane_scopes.h"

namespace warpyard::strategy {
namespace {

using exec::ThreadScope;
using procedure::Element;
using test_support::RunLanes;
using test_support::ScheduledLaneScope;

constexpr std::uint32_t kProcedures = 3;
using Stack = LocalStack<Element, 16, kProcedures>;

Element Make(std::uint32_t procedure, std::uint32_t number) {
  return {procedure::MakeHead(0, procedure, 0), {number, 0}};
}

class LocalStackTest : public ::testing::Test {
 protected:
  LocalStackTest() { stack_.Reset(scope_); }

  void Push(std::uint32_t procedure, std::uint32_t number) {
    stack_.Push(scope_, true, Make(procedure, number));
  }
  std::vector<std::uint32_t> Take(std::uint32_t procedure, std::uint32_t wanted) {
    Element out[16];
    const std::uint32_t taken = stack_.TakeNewest(scope_, procedure, wanted, out);
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t i = 0; i < taken; ++i) numbers.push_back(out[i].payload[0]);
    return numbers;
  }
  /// Takes the newest elements if none of them belongs to procedure `other`.
  std::vector<std::uint32_t> TakeWithout(std::uint32_t other, std::uint32_t wanted) {
    Element out[16];
    const std::uint32_t taken = stack_.TakeNewestIf(
        scope_, wanted, out,
        [other](const Element& element) { return element.Procedure() != other; });
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t i = 0; i < taken; ++i) numbers.push_back(out[i].payload[0]);
    return numbers;
  }
  std::vector<std::uint32_t> Counts() const {
    return {stack_.CountOf(0), stack_.CountOf(1), stack_.CountOf(2)};
  }

  ThreadScope scope_{nullptr};
  Stack stack_;
};

TEST_F(LocalStackTest, TakesTheNewestOfAProcedureFromAmongOthers) {
  for (std::uint32_t i = 0; i < 9; ++i) Push(i % 3, i);
  EXPECT_EQ(Take(1, 2), (std::vector<std::uint32_t>{4, 7}));
  EXPECT_EQ(Take(1, 5), (std::vector<std::uint32_t>{1}));
  EXPECT_EQ(Take(1, 5), std::vector<std::uint32_t>());
  EXPECT_EQ(Take(2, 9), (std::vector<std::uint32_t>{2, 5, 8}));
  EXPECT_EQ(Take(0, 9), (std::vector<std::uint32_t>{0, 3, 6}));
  EXPECT_EQ(stack_.Size(), 0u);
}

TEST_F(LocalStackTest, GivesTheOldestAway) {
  for (std::uint32_t i = 0; i < 4; ++i) Push(i % 2, i);
  Element oldest{};
  EXPECT_EQ(stack_.TakeOldest(scope_, 3, oldest), 1u);  // one a thread
  EXPECT_EQ(oldest.payload[0], 0u);
  EXPECT_EQ(stack_.CountOf(0), 1u);
  EXPECT_EQ(stack_.Newest().payload[0], 3u);
}

TEST_F(LocalStackTest, PushesNothingForThreadsThatHaveNothing) {
  stack_.Push(scope_, false, Make(0, 1));
  EXPECT_EQ(stack_.Size(), 0u);
}

TEST_F(LocalStackTest, KnowsItsFullestProcedure) {
  for (std::uint32_t i = 0; i < 5; ++i) Push(i == 0 ? 2 : 1, i);
  EXPECT_EQ(stack_.FullestProcedure(), 1u);
  EXPECT_EQ(stack_.Free(), 11u);
}

TEST_F(LocalStackTest, TakesTheNewestOfSeveralProceduresTogether) {
  for (std::uint32_t i = 0; i < 3; ++i) Push(2, i);
  for (std::uint32_t i = 3; i < 9; ++i) Push(i % 2, i);
  EXPECT_EQ(TakeWithout(2, 4), (std::vector<std::uint32_t>{5, 6, 7, 8}));
  EXPECT_EQ(Counts(), (std::vector<std::uint32_t>{1, 1, 3}));
  EXPECT_EQ(stack_.Size(), 5u);
  EXPECT_EQ(stack_.Newest().payload[0], 4u);
  EXPECT_EQ(TakeWithout(1, 0), std::vector<std::uint32_t>());
  EXPECT_EQ(TakeWithout(99, 9), (std::vector<std::uint32_t>{0, 1, 2, 3, 4})) << "all there are";
  EXPECT_EQ(Counts(), (std::vector<std::uint32_t>{0, 0, 0}));
  EXPECT_EQ(TakeWithout(1, 3), std::vector<std::uint32_t>());
}

TEST_F(LocalStackTest, TakesNothingWhereNotAllGoTogether) {
  for (std::uint32_t i = 0; i < 9; ++i) Push(i == 4 ? 2 : i % 2, i);
  EXPECT_EQ(TakeWithout(2, 5), std::vector<std::uint32_t>());
  EXPECT_EQ(TakeWithout(2, 16), std::vector<std::uint32_t>());
  EXPECT_EQ(stack_.Size(), 9u);
  EXPECT_EQ(Counts(), (std::vector<std::uint32_t>{4, 4, 1}));
  EXPECT_EQ(TakeWithout(2, 4), (std::vector<std::uint32_t>{5, 6, 7, 8})) << "none of the other";
  EXPECT_EQ(Take(2, 9), (std::vector<std::uint32_t>{4}));
  EXPECT_EQ(TakeWithout(2, 9), (std::vector<std::uint32_t>{0, 1, 2, 3}));
}

TEST_F(LocalStackTest, TakesTheNewestTogetherByAGroupOfThreads) {
  constexpr std::uint32_t kLanes = 4;
  for (std::uint32_t i = 0; i < 14; ++i) Push(i % 3, i);
  Element first{};
  for (std::uint32_t i = 0; i < 6; ++i) stack_.TakeOldest(scope_, 1, first);
  for (std::uint32_t i = 14; i < 20; ++i) Push(i % 3, i);  // past the wrap
  Element out[16];
  std::vector<std::uint32_t> taken(kLanes), refused(kLanes);
  EXPECT_EQ(RunLanes(kLanes,
                     [&](ScheduledLaneScope& lane) {
                       const std::uint32_t rank = lane.Rank();
                       refused[rank] = stack_.TakeNewestIf(
                           lane, 11, out, [](const Element& e) { return e.payload[0] != 12; });
                       taken[rank] =
                           stack_.TakeNewestIf(lane, 11, out, [](const Element&) { return true; });
                     }),
            "");
  EXPECT_EQ(refused, std::vector<std::uint32_t>(kLanes, 0));
  EXPECT_EQ(taken, std::vector<std::uint32_t>(kLanes, 11));
  for (std::uint32_t i = 0; i < 11; ++i) EXPECT_EQ(out[i].payload[0], 9 + i);
  EXPECT_EQ(Counts(), (std::vector<std::uint32_t>{1, 1, 1}));
}

/// Compares with a plain list: all operations in random order, past the wrap many times.
TEST_F(LocalStackTest, AgreesWithAPlainList) {
  std::minstd_rand engine(7);
  const auto random = [&engine] { return static_cast<std::uint32_t>(engine() >> 4); };
  std::deque<std::pair<std::uint32_t, std::uint32_t>> model;
  for (std::uint32_t i = 0; i < 20'000; ++i) {
    const std::uint32_t procedure = random() % kProcedures, action = random() % 5;
    if (action < 3 && model.size() < 16) {
      Push(procedure, i);
      model.emplace_back(procedure, i);
    } else if (action == 3) {
      const std::uint32_t wanted = random() % 5;
      std::vector<std::uint32_t> expected;
      for (auto entry = model.end(); entry != model.begin() && expected.size() < wanted;) {
        --entry;
        if (entry->first != procedure) continue;
        expected.insert(expected.begin(), entry->second);
        entry = model.erase(entry);
      }
      ASSERT_EQ(Take(procedure, wanted), expected);
    } else if (!model.empty()) {
      Element oldest{};
      ASSERT_EQ(stack_.TakeOldest(scope_, 1, oldest), 1u);
      ASSERT_EQ(oldest.payload[0], model.front().second);
      model.pop_front();
    }
    ASSERT_EQ(stack_.Size(), model.size());
  }
}

}  // namespace
}  // namespace warpyard::strategy
