// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/strategy/spill.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "core/exec/thread_scope.h"
#include "core/procedure/element.h"
#include "core/strategy/buckets.h"
#include "core/strategy/local_stack.h"

namespace warpyard::strategy {
namespace {

using exec::ThreadScope;
using procedure::Element;

constexpr std::uint32_t kBucket = 3;

/// Procedures 0 and 2 are spawned.
struct TwoProcedures {
  static std::uint32_t SpawnedIndex(std::uint32_t procedure) { return procedure / 2; }
};

class SpillTest : public ::testing::Test {
 protected:
  static constexpr std::uint32_t kPages = 64;
  struct Shape {
    using Element = procedure::Element;
    static constexpr std::uint32_t kBuckets = 8;
    static constexpr std::uint32_t kQueues = 2;
    static constexpr std::uint32_t kQueueElements = 4096;
    static constexpr std::uint32_t kPages = SpillTest::kPages;
  };
  using OwnStack = LocalStack<Element, 16, 3>;

  SpillTest() {
    buckets_->Reset(0, 1);
    stack_.Reset(one_);
  }

  void Keep(std::uint32_t procedure, std::uint32_t number) {
    stack_.Push(one_, true, {procedure::MakeHead(kBucket, procedure, kBucket), {number, 0}});
  }
  Spilled Spill(std::uint32_t count) {
    return SpillOldest<TwoProcedures>(one_, *buckets_, stack_, count);
  }
  std::vector<std::uint32_t> Draw(std::uint32_t queue) {
    std::vector<Element> out(16);
    const std::uint32_t count = buckets_->Draw(one_, {kBucket, queue}, {16, 16, 1}, out.data());
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t i = 0; i < count; ++i) numbers.push_back(out[i].payload[0]);
    return numbers;
  }

  ThreadScope one_{nullptr};
  std::unique_ptr<Buckets<ThreadScope, Shape>> buckets_ =
      std::make_unique<Buckets<ThreadScope, Shape>>();
  OwnStack stack_;
};

TEST_F(SpillTest, GivesTheOldestToTheQueuesOfTheirProcedures) {
  for (std::uint32_t number = 0; number < 6; ++number) Keep(number % 2 == 0 ? 0 : 2, number);
  const Spilled spilled = Spill(4);
  EXPECT_EQ(spilled.count, 4u);
  EXPECT_FALSE(spilled.stuck);
  EXPECT_EQ(stack_.Size(), 2u);
  EXPECT_EQ(stack_.Newest().payload[0], 5u);
  EXPECT_EQ(Draw(0), (std::vector<std::uint32_t>{0, 2}));
  EXPECT_EQ(Draw(1), (std::vector<std::uint32_t>{1, 3}));
}

TEST_F(SpillTest, GivesNoMoreThanThereIs) {
  Keep(0, 7);
  EXPECT_EQ(Spill(100).count, 1u);
  EXPECT_EQ(Spill(100).count, 0u);
  EXPECT_EQ(stack_.Size(), 0u);
}

TEST_F(SpillTest, KeepsWhatNobodyHasRoomFor) {
  while (buckets_->HasRoom()) {
    const Element filler{procedure::MakeHead(0, 0, 0), {0, 0}};
    if (buckets_->Push(one_, true, filler, 0) != queue::PushResult::kOk) break;
  }
  Keep(0, 7);
  const Spilled spilled = Spill(1);
  EXPECT_EQ(spilled.count + stack_.Size(), 1u);
  EXPECT_FALSE(spilled.stuck);
}

}  // namespace
}  // namespace warpyard::strategy
