// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/model/worker/account.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "core/exec/thread_scope.h"
#include "tests/unit/model/counting_program.h"
#include "tests/unit/model/worker/small_space.h"

namespace warpyard::model {
namespace {

using exec::ThreadScope;
using test_support::CountingJob;
using test_support::CountingProgram;

/// Two workers of one block.
struct PairShape : test_support::SmallShape<1> {
  static constexpr std::uint32_t kBlockWorkers = 2;
};

class AccountTest : public ::testing::Test {
 protected:
  using Space = Workspace<ThreadScope, CountingProgram, PairShape>;
  using Tested = Account<ThreadScope, Space>;

  AccountTest() {
    memory_.block->workers[1].event = kNoEvent;
    memory_.block->ns_per_cycle = 1;
  }

  /// Starts an event of two stages, and turns to it.
  void Start(std::uint32_t event, std::uint32_t first, std::uint32_t second) {
    memory_.space->events[event].job = CountingJob{{first, second, 0}, 1, 0, nullptr, 0};
    EXPECT_FALSE(memory_.space->events.Start(event, [](std::uint32_t, std::uint32_t) {}));
    TurnTo(account_, event);
  }
  void TurnTo(Tested& account, std::uint32_t event) {
    const auto done = [this](std::uint32_t one) { done_.push_back(one); };
    account.TurnTo(event, done);
  }
  void Leave(Tested& account) {
    const auto done = [this](std::uint32_t one) { done_.push_back(one); };
    account.Leave(done);
  }
  std::uint32_t Outstanding(std::uint32_t event) {
    return static_cast<std::uint32_t>(memory_.space->events[event].account);
  }
  bool IsOpen(std::uint32_t event) { return memory_.space->board.Read().IsOpen(event); }

  ThreadScope one_{nullptr};
  test_support::SmallMemory<Space> memory_;
  Tested account_{one_, *memory_.space, *memory_.block, memory_.block->workers[0]};
  Tested other_{one_, *memory_.space, *memory_.block, memory_.block->workers[1]};
  std::vector<std::uint32_t> done_;
};

TEST_F(AccountTest, KeepsItsCountToItselfWhileItServesTheEvent) {
  EXPECT_EQ(account_.Event(), kNoEvent);
  Start(4, 10, 1);
  account_.Count(-3);
  account_.Count(1);
  EXPECT_EQ(Outstanding(4), 10u);
  Leave(account_);
  EXPECT_EQ(Outstanding(4), 8u);
  Leave(account_);
  EXPECT_EQ(Outstanding(4), 8u) << "once";
  TurnTo(account_, 4);
  account_.Count(5);
  Leave(account_);
  EXPECT_EQ(Outstanding(4), 13u);
}

TEST_F(AccountTest, OpensTheNextStageAndSaysWhenTheEventIsDone) {
  Start(4, 2, 3);
  account_.Count(-2);
  EXPECT_FALSE(IsOpen(4)) << "nobody has shown the first stage here";
  Leave(account_);
  EXPECT_TRUE(IsOpen(4));
  EXPECT_EQ(Outstanding(4), 3u);
  EXPECT_TRUE(done_.empty());
  memory_.space->board.Close(4);
  TurnTo(account_, 4);
  account_.Count(-3);
  Leave(account_);
  EXPECT_EQ(done_, std::vector<std::uint32_t>{4});
  EXPECT_FALSE(IsOpen(4));
}

TEST_F(AccountTest, TellsOnlyWhatWasSpawnedBeforeItGives) {
  Start(4, 5, 1);
  account_.Count(-2);
  account_.TellSpawned();
  EXPECT_EQ(Outstanding(4), 5u) << "fewer: nobody needs to know yet";
  account_.Count(6);
  account_.TellSpawned();
  EXPECT_EQ(Outstanding(4), 9u);
  account_.Count(-9);
  Leave(account_);
  EXPECT_EQ(Outstanding(4), 1u) << "the next stage";
}

TEST_F(AccountTest, TellsOneEventWhenItTurnsToAnother) {
  Start(4, 1, 0);
  memory_.worker.left = 77;
  memory_.worker.stage.turn = 5;
  account_.Count(-1);
  TurnTo(account_, 4);
  EXPECT_TRUE(done_.empty()) << "it serves that one already";
  EXPECT_EQ(memory_.worker.left, 77u);
  Start(9, 2, 0);
  EXPECT_EQ(done_, std::vector<std::uint32_t>{4});
  EXPECT_EQ(account_.Event(), 9u);
  EXPECT_EQ(memory_.worker.stage.turn, ~0u) << "what it knew of the other event's stage";
  EXPECT_EQ(memory_.worker.left, 0u);
  account_.Count(-1);
  TurnTo(account_, 4);
  EXPECT_EQ(Outstanding(9), 1u);
}

TEST_F(AccountTest, TheLastWorkerOfABlockTellsWhatAllFinished) {
  Start(4, 10, 1);
  TurnTo(other_, 4);
  account_.Count(-4);
  Leave(account_);
  EXPECT_EQ(Outstanding(4), 10u) << "the other one still serves it";
  TurnTo(account_, 4);
  account_.Count(-1);
  other_.Count(-3);
  Leave(other_);
  EXPECT_EQ(Outstanding(4), 10u);
  Leave(account_);
  EXPECT_EQ(Outstanding(4), 2u);
  TurnTo(other_, 4);
  other_.Count(-2);
  Leave(other_);
  EXPECT_TRUE(IsOpen(4));
}

TEST_F(AccountTest, TheLastWorkerTellsThoughItFinishedNothing) {
  Start(4, 3, 0);
  TurnTo(other_, 4);
  account_.Count(-3);
  Leave(account_);
  EXPECT_TRUE(done_.empty());
  TurnTo(other_, 5);
  EXPECT_EQ(done_, std::vector<std::uint32_t>{4});
}

TEST_F(AccountTest, SpawnedElementsAreToldAtOnceWhoeverServes) {
  Start(4, 3, 0);
  TurnTo(other_, 4);
  account_.Count(6);
  Leave(account_);
  EXPECT_EQ(Outstanding(4), 9u);
}

TEST_F(AccountTest, ChargesAnEventWithTheTimeThatItTook) {
  Start(4, 1'000, 1);
  const std::uint32_t before = memory_.space->events.ExecutedUs(4);
  for (std::uint32_t i = 0; i < 100; ++i) {
    account_.Charge(1'000 + i % 10 * 100);
    account_.Count(-1);
    Leave(account_);
    TurnTo(account_, 4);
  }
  EXPECT_NEAR(memory_.space->events.ExecutedUs(4) - before, 145, 12)
      << "give or take the roundings";
}

TEST_F(AccountTest, TellsMuchTimeWithoutElements) {
  Start(4, 10, 1);
  const std::uint32_t before = memory_.space->events.ExecutedUs(4);
  account_.Charge(2'000);
  account_.TellTimeSometimes();
  EXPECT_EQ(memory_.space->events.ExecutedUs(4), before) << "little can wait";
  account_.Charge(1'000'000);
  account_.TellTimeSometimes();
  EXPECT_NEAR(memory_.space->events.ExecutedUs(4) - before, 1'002, 2);
  EXPECT_EQ(Outstanding(4), 10u);
}

}  // namespace
}  // namespace warpyard::model
