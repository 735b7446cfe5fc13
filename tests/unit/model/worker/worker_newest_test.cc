// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A worker of one thread executes several short elements between two decisions.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "core/model/worker/worker.h"
#include "tests/unit/model/worker/worker_fixture.h"

namespace warpyard::model {
namespace {

using test_support::ClockScope;
using test_support::Ends;
using test_support::TreeJob;
using test_support::Visit;

constexpr std::uint32_t kNewest = 5'000;

class WorkerNewestTest : public test_support::WorkerFixtureOf<kNewest> {
 protected:
  /// Elements that one step executes. @shape step: cycles between two reads of the clock
  std::uint32_t ExecutedInAStep(std::uint64_t step) {
    ClockScope::step = step;
    for (int i = 0; i < 50; ++i) Step();  // the worker learns how long elements take
    const std::size_t before = log_.size();
    EXPECT_EQ(Step(), Found::kRan);
    return static_cast<std::uint32_t>(log_.size() - before);
  }
};

/// One chain, so that there always is one newest element.
constexpr TreeJob kChain{1, 1, 1'000'000};

TEST_F(WorkerNewestTest, ExecutesAsManyElementsAsAreShort) {
  Start(5, kChain);
  // The clock is read twice in a step, so an element seems to take a part of the distance.
  EXPECT_GE(ExecutedInAStep(1'000), 10u);
  EXPECT_EQ(Outstanding(5), 1u);
}

TEST_F(WorkerNewestTest, DecidesBeforeEachElementThatTakesLong) {
  Start(5, kChain);
  EXPECT_EQ(ExecutedInAStep(2 * kNewest), 1u);
}

TEST_F(WorkerNewestTest, DecidesSoonAfterShortElementsTookLong) {
  Start(5, kChain);
  const std::uint32_t usual = ExecutedInAStep(10);
  ClockScope::step = 3 * kNewest;
  const std::size_t before = log_.size();
  Step();
  EXPECT_GT(usual, 20u);
  EXPECT_LE(log_.size() - before, 8u);
}

TEST_F(WorkerNewestTest, DecidesBeforeTheFirstElementsOfAProcedure) {
  Start(5, kChain);
  while (log_.empty()) Step();
  EXPECT_EQ(log_.size(), 1u) << "the worker does not know how long children take";
  Step();
  EXPECT_EQ(log_.size(), 2u);
}

TEST_F(WorkerNewestTest, ExecutesTheNewestElementsFirst) {
  const TreeJob job{1, 2, 3};
  Start(5, job);
  RunAll();
  ASSERT_EQ(log_.size(), job.Elements());
  const std::uint32_t depths[] = {0, 1, 2, 3, 3, 2, 3, 3, 1, 2, 3, 3, 2, 3, 3};
  for (std::size_t i = 0; i < log_.size(); ++i) EXPECT_EQ(log_[i].depth, depths[i]) << i;
  EXPECT_EQ(ends_, Ends{5});
}

TEST_F(WorkerNewestTest, CountsEachProcedureByItself) {
  const TreeJob job{30, 3, 4};
  Start(5, job);
  RunAll();
  workers_[0]->Rest();
  EXPECT_EQ(space_.procedures[0].executed, 30u);
  EXPECT_EQ(space_.procedures[0].spawned, 90u);
  EXPECT_EQ(space_.procedures[1].executed, job.Elements() - 30);
  EXPECT_EQ(space_.procedures[1].spawned, job.Elements() - 30 - 90);
}

TEST_F(WorkerNewestTest, ServesAnUrgentEventAfterFewElements) {
  constexpr std::uint32_t kNone = ~0u;
  std::uint32_t urgent = kNone, before = 0;
  const std::function<void()> visited = [&] {
    if (urgent == kNone) return;
    before = Executed(20);
    Start(urgent, {6, 0, 0});
    urgent = kNone;
  };
  TreeJob job = kChain;
  job.visited = &visited;
  Start(20, job);
  const std::uint32_t usual = ExecutedInAStep(100);
  for (std::uint32_t event = 10; event > 0; --event) {
    for (std::uint32_t i = 0; i < event; ++i) Step();
    urgent = event;
    for (int i = 0; i < 100 && Executed(event) == 0; ++i) Step();
    EXPECT_NE(Executed(event), 0u);
    EXPECT_LE(Executed(20) - before, 3 * usual / 2) << "no more than after one decision";
    for (int i = 0; i < 20; ++i) Step();  // it ends
  }
}

TEST_F(WorkerNewestTest, PutsElementsInLevelsBeforeItExecutesMore) {
  TreeJob job{1, 6, 2};
  job.levels = 4;
  job.mixed = true;
  Start(5, job);
  RunAll();
  ASSERT_EQ(log_.size(), job.Elements());
  const auto is_free = [](const Visit& visit) { return visit.begin == 0; };
  const auto first = std::find_if_not(log_.begin(), log_.end(), is_free);
  EXPECT_EQ(first - log_.begin(), 1 + 6 + 6 * 3) << "elements at no level come first";
  EXPECT_TRUE(std::is_sorted(first, log_.end(), [](const Visit& one, const Visit& other) {
    return one.begin < other.begin;
  }));
}

TEST_F(WorkerNewestTest, ExecutesNothingWithoutRoomForItsSpawns) {
  constexpr std::uint32_t kPlaces = TreeSpace::Shape::kStackElements;
  std::uint32_t most = 0;
  const std::function<void()> visited = [&] {
    most = std::max(most, workers_[0]->Block().workers[0].stack.count);
  };
  TreeJob job{1, test_support::kMostChildren, 30};
  job.comb = true;
  job.visited = &visited;
  ASSERT_GT(job.depths * (test_support::kMostChildren - 1), kPlaces);
  Start(5, job);
  RunAll();
  EXPECT_LE(most, kPlaces);
  EXPECT_GT(most, kPlaces - test_support::kMostChildren);
  EXPECT_EQ(log_.size(), 1 + job.depths * test_support::kMostChildren);
  EXPECT_EQ(ends_, Ends{5});
}

TEST_F(WorkerNewestTest, DropsACancelledEventAfterFewElements) {
  Start(5, kChain);
  const std::uint32_t usual = ExecutedInAStep(100);
  const std::size_t before = log_.size();
  space_.events[5].cancel = 1;
  RunAll();
  EXPECT_EQ(ends_, Ends{5});
  EXPECT_LE(log_.size() - before, 2 * usual);
}

TEST_F(WorkerNewestTest, DropsAllElementsOfACancelledEventInOneStep) {
  TreeJob job{1, test_support::kMostChildren, 1'000};
  job.comb = true;
  Start(5, job);
  ClockScope::step = 2 * kNewest;  // it executes one element in a step
  const std::uint32_t& size = workers_[0]->Block().workers[0].stack.count;
  for (int i = 0; i < 1'000 && size < 10; ++i) Step();
  ASSERT_GE(size, 10u);
  space_.events[5].cancel = 1;
  const std::size_t before = log_.size();
  for (int i = 0; i < 8 && size != 0; ++i) Step();  // it notices at its next look
  EXPECT_EQ(size, 0u);
  EXPECT_LE(log_.size() - before, 5u);
  RunAll();
  EXPECT_EQ(ends_, Ends{5});
}

TEST_F(WorkerNewestTest, ExecutesEveryElementOnceWithSeveralWorkers) {
  Launch(3, 2);
  const std::uint32_t expected = StartTwelve();
  RunAll();
  EXPECT_EQ(log_.size(), expected);
  EXPECT_EQ(ends_.size(), 12u);
}

}  // namespace
}  // namespace warpyard::model
