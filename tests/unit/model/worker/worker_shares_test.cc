// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// How workers divide their time among accounts whose elements lie on few stacks.

#include <gtest/gtest.h>

#include <cstdint>

#include "core/model/worker/worker.h"
#include "core/policy/share.h"
#include "tests/unit/model/worker/worker_fixture.h"

namespace warpyard::model {
namespace {

using test_support::ClockScope;
using test_support::Ends;
using test_support::TreeJob;

constexpr std::uint32_t kEndless = 1'000'000;
constexpr std::uint32_t kWorkers = 4;

/// Two elements of a stage, each of which spawns some chains.
TreeJob Chains(std::uint32_t each, std::uint32_t length) {
  TreeJob job{2, each, length};
  job.chains = true;
  return job;
}

class WorkerSharesTest : public test_support::WorkerFixture {
 protected:
  WorkerSharesTest() { Launch(kWorkers, 1); }

  void Share(std::uint32_t event, std::uint32_t account, std::uint32_t weight_part) {
    const std::uint32_t stride = policy::kStrideUnit * weight_part;
    space_.board.SetShare(event, policy::PackShare({1, account, stride}));
  }

  /// Workers `begin` to `end` in turn.
  void StepAll(std::uint32_t begin, std::uint32_t end, int steps) {
    for (int i = 0; i < steps; ++i) {
      for (std::uint32_t w = begin; w < end; ++w) ASSERT_NE(Step(w), Found::kStuck);
    }
  }

  /// Two events of chains, each on two of the workers.
  void StartOnHalves(const TreeJob& first, const TreeJob& second) {
    Start(5, first);
    StepAll(0, 2, 20);
    EXPECT_EQ(space_.board.Read().open[0], 0u) << "all is on stacks";
    Start(6, second);
    StepAll(2, 4, 20);
    EXPECT_EQ(space_.board.Read().open[0], 0u);
  }

  /// What part of the elements that were executed in so many steps was of event 6.
  double PartOfSecond(int steps, std::uint32_t workers = kWorkers) {
    const std::uint32_t before[] = {Executed(5), Executed(6)};
    StepAll(0, workers, steps);
    const double first = Executed(5) - before[0], second = Executed(6) - before[1];
    return second / (first + second);
  }
};

TEST_F(WorkerSharesTest, GiveEachAccountItsPartThoughItsChainsBeganOnFewWorkers) {
  ClockScope::step = 3'000;
  StartOnHalves(Chains(3, kEndless), Chains(3, kEndless));
  EXPECT_NEAR(PartOfSecond(2'000), 0.5, 0.03) << "by their places";
  Share(5, 0, 3);
  Share(6, 1, 1);
  PartOfSecond(200);
  EXPECT_NEAR(PartOfSecond(4'000), 0.75, 0.02);
  Share(5, 0, 1);
  Share(6, 1, 4);
  PartOfSecond(200);
  EXPECT_NEAR(PartOfSecond(4'000), 0.2, 0.02);
}

TEST_F(WorkerSharesTest, GiveEachAccountItsPartThoughManyOfItsChainsLieDeepDown) {
  ClockScope::step = 3'000;
  Launch(2, 2);
  for (const std::uint32_t event : {4u, 5u, 6u}) {
    TreeJob job = Chains(8, kEndless);
    job.indices = 10;
    Start(event, job);
    Share(event, event, event == 6 ? 1 : 2);
  }
  StepAll(0, 2, 500);
  const std::uint32_t before[] = {Executed(4), Executed(5), Executed(6)};
  StepAll(0, 2, 6'000);
  const double first = Executed(4) - before[0], second = Executed(5) - before[1],
               third = Executed(6) - before[2];
  EXPECT_NEAR(first / (first + second + third), 0.25, 0.02);
  EXPECT_NEAR(second / (first + second + third), 0.25, 0.02);
  EXPECT_NEAR(third / (first + second + third), 0.5, 0.02);
}

TEST_F(WorkerSharesTest, GiveEachAccountItsPartOfTrees) {
  ClockScope::step = 3'000;
  StartOnHalves({2, 2, 14}, {2, 2, 14});
  Share(5, 0, 3);
  Share(6, 1, 1);
  PartOfSecond(200);
  EXPECT_NEAR(PartOfSecond(3'000), 0.75, 0.04);
  RunAll();
  EXPECT_EQ(Executed(5), (TreeJob{2, 2, 14}.Elements()));
  EXPECT_EQ(Executed(6), (TreeJob{2, 2, 14}.Elements()));
  EXPECT_EQ(ends_, (Ends{6, 5}));
  EXPECT_EQ(space_.queues.ApproximateSize(), 0u);
  EXPECT_EQ(space_.waiting[1], 0u);
}

TEST_F(WorkerSharesTest, GiveAnAccountOfLittleWeightItsPart) {
  ClockScope::step = 300;
  Launch(1, 2);
  const TreeJob flat{1'000'000, 1, 0};
  Start(5, flat);
  Start(6, flat);
  Share(5, 0, 1);
  Share(6, 1, 16);
  StepAll(0, 1, 1'000);
  EXPECT_NEAR(PartOfSecond(200'000, 1), 1.0 / 17, 0.01);
}

TEST_F(WorkerSharesTest, OfferNothingWhereAllIsOfOneAccount) {
  ClockScope::step = 3'000;
  StartOnHalves(Chains(3, kEndless), Chains(3, kEndless));
  Share(5, 2, 1);
  Share(6, 2, 1);
  for (int i = 0; i < 200; ++i) {
    StepAll(0, kWorkers, 5);
    ASSERT_EQ(space_.board.Read().Queued(), 0u);
  }
}

TEST_F(WorkerSharesTest, DropWhatWasOfferedOfACancelledEvent) {
  ClockScope::step = 3'000;
  StartOnHalves(Chains(8, kEndless), Chains(3, 1'000));
  Share(5, 0, 1);
  Share(6, 1, 1);
  for (int i = 0; i < 1'000 && !space_.queues.HasSome(5); ++i) StepAll(0, kWorkers, 1);
  ASSERT_TRUE(space_.queues.HasSome(5));
  space_.events[5].cancel = 1;
  space_.board.SetRank(5, 0);
  space_.board.SetShare(5, 0);
  RunAll();
  EXPECT_EQ(ends_, (Ends{5, 6}));
  EXPECT_EQ(Executed(6), (Chains(3, 1'000).Elements()));
  EXPECT_EQ(space_.waiting[1], 0u);
}

TEST_F(WorkerSharesTest, EndWhatIsQueuedWhenTheOtherAccountsHaveEnded) {
  ClockScope::step = 3'000;
  StartOnHalves(Chains(8, 200), Chains(3, 50));
  Share(5, 0, 1);
  Share(6, 1, 1);
  RunAll();
  EXPECT_EQ(ends_, (Ends{6, 5}));
  EXPECT_EQ(Executed(5), (Chains(8, 200).Elements()));
  EXPECT_FALSE(space_.board.Read().HasWork());
  for (const auto& worker : workers_) {
    for (const std::uint32_t event : {5u, 6u}) {
      EXPECT_EQ(worker->Block().accounts[event].cycles, 0u) << "all time is told";
    }
  }
}

/// A push tells the board late of what a draw has taken meanwhile.
TEST_F(WorkerSharesTest, TakeQueuesOffTheBoardThatNobodyDrawsOf) {
  for (const std::uint32_t word : {6u, 7u}) space_.board.SetWaiting(word);
  RunAll();
  EXPECT_EQ(space_.board.Read().Queued(), 0u);
}

TEST_F(WorkerSharesTest, KeepTheirReserveWhereTheyOfferAllElse) {
  constexpr std::uint32_t kOwn = 9;
  space_.board.SetShare(kOwn, policy::PackShare({2, 0, policy::kStrideUnit}));  // comes later
  Share(5, 1, 1);
  Share(6, 2, 1);
  Start(5, {1, 0, 0});
  Start(kOwn, {6, 0, 0});
  for (const std::uint32_t event : {5u, kOwn}) space_.board.Toggle(event);  // all is claimed
  ++space_.event_counts.running;                                            // event 6
  BlockMemory<test_support::TreeSpace>& block = workers_[0]->Block();
  WorkerMemory<test_support::TreeSpace>& own = block.workers[0];
  const procedure::Element element{procedure::MakeHead(kOwn, 2, kOwn), {0, 1}};
  own.elements[0] = element;
  own.stack.count = 1;
  for (std::uint32_t i = 0; i < 5; ++i) space_.reserves[0][i] = element;
  own.reserve_to = 5;
  TakenElements drawn{};
  drawn.claim = {0, 1, 1, 1, {ProcedureId(2), 1, 1}};
  drawn.event = 5;
  drawn.portion = 1;
  BlockRange<ClockScope>::Fill(block.range, drawn, 0);
  block.range.event = 5;
  space_.hand_over.Wait(1);  // takes what others give
  EXPECT_EQ(Step(), Found::kRan);
  EXPECT_EQ(Executed(5), 1u);
  EXPECT_EQ(space_.queues.ApproximateSizeOf(kOwn), 1u) << "offered";
  EXPECT_EQ(workers_[0]->Elements(), 5u);
  space_.board.SetShare(6, 0);
  RunAll();
  EXPECT_EQ(Executed(kOwn), 6u);
  EXPECT_EQ(ends_, (Ends{5, kOwn}));
}

/// Sixteen workers: the last one is a kept block.
class WorkerKeptTest : public WorkerSharesTest {
 protected:
  static constexpr std::uint32_t kAll = 16, kKept = 15;

  WorkerKeptTest() {
    Launch(kAll, 1);
    ClockScope::step = 30'000;
  }
  void StartUrgent(std::uint32_t event, const TreeJob& job) {
    space_.events[event].view.deadline_ns = 1;
    Start(event, job);
    space_.board.ShowUrgent(true);
  }
  /// So many steps of the kept worker; returns how often it executed something.
  std::size_t RunKept(int steps) {
    const std::size_t before = log_.size();
    StepAll(kKept, kKept + 1, steps);
    return log_.size() - before;
  }
};

TEST_F(WorkerKeptTest, PassOverLongElementsWhileUrgentEventsCome) {
  Start(9, {20'000, 0, 0});
  EXPECT_GT(RunKept(50), 10u) << "no event is urgent";
  space_.board.ShowUrgent(true);
  RunKept(50);
  EXPECT_EQ(RunKept(200), 0u);
  EXPECT_EQ(Step(kKept), Found::kNothing);
  EXPECT_FALSE(workers_[kKept]->HasNews()) << "it may rest";
  StartUrgent(5, {1, 0, 0});
  EXPECT_TRUE(workers_[kKept]->HasNews());
  RunKept(10);
  EXPECT_EQ(Executed(5), 1u);
  EXPECT_EQ(RunKept(200), 0u);
  space_.board.ShowUrgent(false);
  EXPECT_TRUE(workers_[kKept]->HasNews());
  EXPECT_GT(RunKept(50), 10u);
  RunAll();
  EXPECT_EQ(ends_, (Ends{5, 9}));
}

TEST_F(WorkerKeptTest, ExecuteWhatIsShort) {
  ClockScope::step = 10;
  Start(9, {1'000, 2, 1});
  space_.board.ShowUrgent(true);
  EXPECT_GT(RunKept(50), 10u);
}

TEST_F(WorkerKeptTest, LeaveTheRestToTheOthers) {
  space_.board.ShowUrgent(true);
  Start(9, {1'000, 2, 3});
  RunAll();
  EXPECT_EQ(ends_, Ends{9});
  EXPECT_EQ(Executed(9), (TreeJob{1'000, 2, 3}.Elements()));
}

}  // namespace
}  // namespace warpyard::model
