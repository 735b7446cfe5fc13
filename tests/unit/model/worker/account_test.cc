// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/model/worker/account.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "core/exec/thread_scope.h"
#include "tests/support/workers/small_space.h"
#include "tests/unit/model/counting_program.h"

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
  using Handle = WorkerHandle<Space>;

  AccountTest() {
    for (WorkerMemory<Space>& worker : memory_.block->workers) Tested::Reset(worker);
    memory_.block->time.ns_per_cycle = 1;
  }

  /// Starts an event of two stages, and turns to it.
  void Start(std::uint32_t event, std::uint32_t first, std::uint32_t second) {
    memory_.space->events[event].job = CountingJob{{first, second, 0}, 1, 0, nullptr, 0};
    EXPECT_FALSE(memory_.space->events.Start(event, memory_.space->board).done);
    TurnTo(one_, event);
  }
  std::uint32_t TurnTo(const Handle& worker, std::uint32_t event) {
    const auto done = [this](std::uint32_t one) { done_.push_back(one); };
    return Tested::TurnTo(group_, worker, event, done);
  }
  std::uint32_t Leave(const Handle& worker) { return TurnTo(worker, kNoEvent); }
  static void Count(const Handle& worker, std::int32_t elements) {
    Tested::Count(worker.Memory(), elements);
  }
  std::uint32_t Outstanding(std::uint32_t event) {
    return static_cast<std::uint32_t>(memory_.space->events[event].account);
  }
  bool IsOpen(std::uint32_t event) { return memory_.space->board.Read().IsOpen(event); }

  ThreadScope group_{nullptr};
  test_support::SmallMemory<Space> memory_;
  const Handle one_{*memory_.space, *memory_.block, {2, 0, 4, 1}};
  const Handle other_{*memory_.space, *memory_.block, {3, 1, 4, 1}};
  std::vector<std::uint32_t> done_;
};

TEST_F(AccountTest, KeepsItsCountToItselfWhileItServesTheEvent) {
  EXPECT_EQ(one_.Memory().account.event, kNoEvent);
  EXPECT_FALSE(Tested::Serves(one_.Memory(), 4));
  Start(4, 10, 1);
  Count(one_, -3);
  Count(one_, 1);
  EXPECT_EQ(Outstanding(4), 10u);
  Leave(one_);
  EXPECT_EQ(Outstanding(4), 8u);
  Leave(one_);
  EXPECT_EQ(Outstanding(4), 8u) << "once";
  TurnTo(one_, 4);
  Count(one_, 5);
  Leave(one_);
  EXPECT_EQ(Outstanding(4), 13u);
}

TEST_F(AccountTest, OpensTheNextStageAndSaysWhenTheEventIsDone) {
  Start(4, 2, 3);
  Count(one_, -2);
  memory_.space->board.Toggle(4);  // the first stage is claimed
  EXPECT_FALSE(IsOpen(4));
  EXPECT_EQ(Leave(one_), 4u);
  EXPECT_TRUE(IsOpen(4));
  EXPECT_EQ(one_.Memory().account.opened_stage.elements, 3u);
  EXPECT_EQ(one_.Memory().account.opened_stage.procedure, 1u);
  EXPECT_EQ(Outstanding(4), 3u);
  EXPECT_TRUE(done_.empty());
  memory_.space->board.Toggle(4);
  EXPECT_EQ(TurnTo(one_, 4), kNoEvent);
  Count(one_, -3);
  EXPECT_EQ(Leave(one_), kNoEvent) << "nothing has opened";
  EXPECT_EQ(done_, std::vector<std::uint32_t>{4});
  EXPECT_FALSE(IsOpen(4));
}

TEST_F(AccountTest, SaysWhichEventItServes) {
  Start(4, 2, 3);
  EXPECT_TRUE(Tested::Serves(one_.Memory(), 4));
  EXPECT_FALSE(Tested::Serves(one_.Memory(), 5));
  EXPECT_FALSE(Tested::Serves(other_.Memory(), 4));
  Leave(one_);
  EXPECT_FALSE(Tested::Serves(one_.Memory(), 4));
  EXPECT_EQ(one_.Memory().account.event, 4u) << "the latest one";
}

TEST_F(AccountTest, TellsOnlyWhatWasSpawnedBeforeItGives) {
  Start(4, 5, 1);
  Count(one_, -2);
  Tested::TellSpawned(group_, one_);
  EXPECT_EQ(Outstanding(4), 5u) << "fewer: nobody needs to know yet";
  Count(one_, 6);
  Tested::TellSpawned(group_, one_);
  EXPECT_EQ(Outstanding(4), 9u);
  Count(one_, -9);
  Leave(one_);
  EXPECT_EQ(Outstanding(4), 1u) << "the next stage";
}

TEST_F(AccountTest, TellsOneEventWhenItTurnsToAnother) {
  Start(4, 1, 0);
  Count(one_, -1);
  Start(9, 2, 0);
  EXPECT_EQ(done_, std::vector<std::uint32_t>{4});
  EXPECT_TRUE(Tested::Serves(one_.Memory(), 9));
  Count(one_, -1);
  TurnTo(one_, 5);
  EXPECT_EQ(Outstanding(9), 1u);
}

TEST_F(AccountTest, TheLastWorkerOfABlockTellsWhatAllFinished) {
  Start(4, 10, 1);
  TurnTo(other_, 4);
  Count(one_, -4);
  Leave(one_);
  EXPECT_EQ(Outstanding(4), 10u) << "the other one still serves it";
  TurnTo(one_, 4);
  Count(one_, -1);
  Count(other_, -3);
  Leave(other_);
  EXPECT_EQ(Outstanding(4), 10u);
  Leave(one_);
  EXPECT_EQ(Outstanding(4), 2u);
  memory_.space->board.Toggle(4);  // the first stage is claimed
  TurnTo(other_, 4);
  Count(other_, -2);
  EXPECT_EQ(Leave(other_), 4u);
  EXPECT_TRUE(IsOpen(4)) << "the next stage";
}

TEST_F(AccountTest, TheLastWorkerTellsThoughItFinishedNothing) {
  Start(4, 3, 0);
  TurnTo(other_, 4);
  Count(one_, -3);
  Leave(one_);
  EXPECT_TRUE(done_.empty());
  TurnTo(other_, 5);
  EXPECT_EQ(done_, std::vector<std::uint32_t>{4});
}

TEST_F(AccountTest, SpawnedElementsAreToldAtOnceWhoeverServes) {
  Start(4, 3, 0);
  TurnTo(other_, 4);
  Count(one_, 6);
  Leave(one_);
  EXPECT_EQ(Outstanding(4), 9u);
}

TEST_F(AccountTest, ChargesAnEventWithTheTimeThatItTook) {
  Start(4, 1'000, 1);
  const std::uint32_t before = memory_.space->events.ExecutedUs(4);
  for (std::uint32_t i = 0; i < 100; ++i) {
    Tested::Charge(one_.Memory(), 1'000 + i % 10 * 100);
    Count(one_, -1);
    Leave(one_);
    TurnTo(one_, 4);
  }
  EXPECT_NEAR(memory_.space->events.ExecutedUs(4) - before, 145, 12)
      << "give or take the roundings";
}

/// A worker of a chain may put its only element into a queue, and leave with nothing to count out.
TEST_F(AccountTest, TellsTheTimeOfAChainBeforeAnotherWorkerCanEndTheEvent) {
  Start(4, 1, 0);
  Tested::Charge(one_.Memory(), 40'000);
  Count(one_, 1);
  Count(one_, -1);
  Tested::TellSpawned(group_, one_);
  EXPECT_NEAR(memory_.space->events.ExecutedUs(4), 40, 1);
  EXPECT_EQ(Outstanding(4), 1u);
  Leave(one_);
  TurnTo(other_, 4);
  Count(other_, -1);
  Leave(other_);
  EXPECT_EQ(done_, std::vector<std::uint32_t>{4});
  EXPECT_NEAR(memory_.space->events.ExecutedUs(4), 40, 1) << "once";
  EXPECT_EQ(memory_.block->accounts[4].cycles, 0u) << "nothing is left for the slot's next event";
}

TEST_F(AccountTest, TellsTheTimeOfAChainThatStaysOnItsStack) {
  Start(4, 1, 0);
  Tested::Charge(one_.Memory(), 40'000);
  TurnTo(one_, 5);
  EXPECT_NEAR(memory_.space->events.ExecutedUs(4), 40, 1);
  EXPECT_EQ(memory_.block->accounts[4].cycles, 0u);
}

TEST_F(AccountTest, TellsMuchTimeWithoutElements) {
  Start(4, 10, 1);
  const std::uint32_t before = memory_.space->events.ExecutedUs(4);
  Tested::Charge(one_.Memory(), 2'000);
  Tested::TellTimeSometimes(group_, one_);
  EXPECT_EQ(memory_.space->events.ExecutedUs(4), before) << "little can wait";
  Tested::Charge(one_.Memory(), 1'000'000);
  Tested::TellTimeSometimes(group_, one_);
  EXPECT_NEAR(memory_.space->events.ExecutedUs(4) - before, 1'002, 2);
  EXPECT_EQ(Outstanding(4), 10u);
}

}  // namespace
}  // namespace warpyard::model
