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

namespace warpyard::strategy {
namespace {

using exec::ThreadScope;
using procedure::Element;

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

/// Against a plain list, with all operations in random order, past the wrap many times.
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
