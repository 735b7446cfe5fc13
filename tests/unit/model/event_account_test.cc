// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/model/event_account.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/exec/thread_scope.h"
#include "tests/unit/model/staged_program.h"

namespace warpyard::model {
namespace {

using exec::ThreadScope;
using Hint = std::pair<std::uint32_t, std::uint32_t>;

/// The part of a workspace that an account uses.
struct AccountedSpace {
  using Scope = ThreadScope;

  struct Buckets {
    static constexpr std::uint32_t kRangeHint = 1u << 31;
    void SetHint(std::uint32_t bucket, std::uint32_t hint) { hints.push_back({bucket, hint}); }
    std::vector<Hint> hints;
  };

  Buckets buckets;
  EventTable<ThreadScope, test_support::StagedProgram> events;
};

constexpr std::uint32_t kFirst = 3;
constexpr std::uint32_t kSecond = 9;

class EventAccountTest : public ::testing::Test {
 protected:
  EventAccountTest() {
    for (const std::uint32_t event : {kFirst, kSecond}) {
      space_->events[event].job = {2, 1, {10, 4}};
      space_->events.Start(event);
    }
  }

  void Finish(std::uint32_t event, std::uint32_t count) {
    account_.CountFinished(one_, event, count, note_);
  }
  void Spawn(std::uint32_t event, std::uint32_t count) {
    account_.CountSpawned(one_, event, count);
  }
  void TurnTo(std::uint32_t event) { account_.TurnTo(one_, event, note_); }
  void Flush() { account_.Flush(one_, note_); }
  void Charge(std::uint32_t event, std::uint64_t ns) { account_.Charge(one_, event, ns); }

  std::uint32_t Outstanding(std::uint32_t event) { return space_->events[event].outstanding; }
  std::uint64_t Executed(std::uint32_t event) { return space_->events[event].executed_ns; }

  /// Called for events that are done.
  struct Note {
    std::vector<std::uint32_t> done;
    void operator()(std::uint32_t event) { done.push_back(event); }
  };

  ThreadScope one_{nullptr};
  const std::unique_ptr<AccountedSpace> space_ = std::make_unique<AccountedSpace>();
  EventAccount<ThreadScope, AccountedSpace> account_{*space_};
  Note note_;
};

TEST_F(EventAccountTest, HoldsWhatIsFinishedBackUntilItIsFlushed) {
  Finish(kFirst, 2);
  Finish(kFirst, 3);
  EXPECT_EQ(Outstanding(kFirst), 10u);
  Flush();
  EXPECT_EQ(Outstanding(kFirst), 5u);
  Flush();
  EXPECT_EQ(Outstanding(kFirst), 5u) << "once";
}

TEST_F(EventAccountTest, SetsWhatIsSpawnedOffAgainstWhatIsHeld) {
  Finish(kFirst, 3);
  Spawn(kFirst, 2);
  EXPECT_EQ(Outstanding(kFirst), 10u);
  Flush();
  EXPECT_EQ(Outstanding(kFirst), 9u);
}

TEST_F(EventAccountTest, CountsWhatIsSpawnedBeyondThatInAtOnce) {
  Spawn(kFirst, 4);
  EXPECT_EQ(Outstanding(kFirst), 14u) << "nothing is held";
  Finish(kFirst, 3);
  Spawn(kFirst, 5);
  EXPECT_EQ(Outstanding(kFirst), 16u);
  Flush();
  EXPECT_EQ(Outstanding(kFirst), 16u) << "nothing is held any more";
}

TEST_F(EventAccountTest, DoesNotSetOneEventOffAgainstAnother) {
  Finish(kFirst, 3);
  Spawn(kSecond, 2);
  EXPECT_EQ(Outstanding(kSecond), 12u);
  Flush();
  EXPECT_EQ(Outstanding(kFirst), 7u);
}

TEST_F(EventAccountTest, TellsWhatItHoldsBeforeItHoldsOrDoesAnythingForAnother) {
  Finish(kFirst, 3);
  Finish(kSecond, 1);
  EXPECT_EQ(Outstanding(kFirst), 7u);
  EXPECT_EQ(Outstanding(kSecond), 10u);
  TurnTo(kSecond);
  EXPECT_EQ(Outstanding(kSecond), 10u) << "it goes on with this one";
  TurnTo(kFirst);
  EXPECT_EQ(Outstanding(kSecond), 9u);
}

TEST_F(EventAccountTest, SetsTheHintOfTheStageThatItOpens) {
  Finish(kFirst, 9);
  Flush();
  EXPECT_TRUE(space_->buckets.hints.empty());
  Finish(kFirst, 1);
  Flush();
  const std::vector<Hint> expected{{kFirst, AccountedSpace::Buckets::kRangeHint}};
  EXPECT_EQ(space_->buckets.hints, expected);
  EXPECT_EQ(Outstanding(kFirst), 4u);
  EXPECT_TRUE(note_.done.empty());
}

TEST_F(EventAccountTest, SaysOnceThatAnEventIsDone) {
  Finish(kFirst, 10);
  Flush();
  Finish(kFirst, 4);
  EXPECT_TRUE(note_.done.empty());
  TurnTo(kSecond);
  EXPECT_EQ(note_.done, std::vector<std::uint32_t>{kFirst});
  Flush();
  EXPECT_EQ(note_.done.size(), 1u);
  EXPECT_EQ(space_->buckets.hints.size(), 1u) << "of the second stage only";
}

TEST_F(EventAccountTest, ARecursionOfOneElementCostsNothingUntilItEnds) {
  for (std::uint32_t i = 0; i < 100; ++i) {
    Finish(kFirst, 1);
    Spawn(kFirst, 1);
    ASSERT_EQ(Outstanding(kFirst), 10u);
  }
  Finish(kFirst, 1);
  Flush();
  EXPECT_EQ(Outstanding(kFirst), 9u);
}

TEST_F(EventAccountTest, ChargesTogetherWhatIsLittle) {
  Charge(kFirst, 100);
  Charge(kFirst, 200);
  EXPECT_EQ(Executed(kFirst), 0u);
  account_.FlushCharge(one_);
  EXPECT_EQ(Executed(kFirst), 300u);
  account_.FlushCharge(one_);
  EXPECT_EQ(Executed(kFirst), 300u) << "once";
}

TEST_F(EventAccountTest, ChargesMuchAtOnce) {
  Charge(kFirst, 1'000'000);
  EXPECT_EQ(Executed(kFirst), 1'000'000u);
}

TEST_F(EventAccountTest, ChargesEachEventWithItsOwn) {
  Charge(kFirst, 100);
  Charge(kSecond, 50);
  EXPECT_EQ(Executed(kFirst), 100u);
  EXPECT_EQ(Executed(kSecond), 0u);
  TurnTo(kFirst);
  EXPECT_EQ(Executed(kSecond), 50u);
  EXPECT_EQ(Executed(kFirst), 100u);
}

TEST_F(EventAccountTest, SaysThatAnEventIsServedOncePerCharge) {
  std::uint64_t& served = space_->events[kFirst].served_ns;
  TurnTo(kFirst);
  EXPECT_GT(served, 0u);
  served = 0;
  TurnTo(kFirst);
  EXPECT_EQ(served, 0u) << "said already";
  Charge(kFirst, 1'000'000);
  TurnTo(kFirst);
  EXPECT_GT(served, 0u);
}

TEST_F(EventAccountTest, DoesNotTakeBackThatAnEventWasServedLater) {
  space_->events[kFirst].served_ns = ~std::uint64_t{0};
  TurnTo(kFirst);
  EXPECT_EQ(space_->events[kFirst].served_ns, ~std::uint64_t{0});
}

TEST_F(EventAccountTest, SettlesWhatWasChargedAheadWithoutTakingBack) {
  TurnTo(kFirst);
  account_.ChargeAhead(one_, 50'000);
  EXPECT_EQ(Executed(kFirst), 50'000u);
  account_.Settle(one_, kFirst, 20'000, 50'000);
  EXPECT_EQ(Executed(kFirst), 50'000u) << "charges are only added";
  account_.ChargeAhead(one_, 40'000);
  EXPECT_EQ(Executed(kFirst), 60'000u) << "what was too much counts for the next";
  account_.Settle(one_, kFirst, 70'000, 40'000);
  EXPECT_EQ(Executed(kFirst), 90'000u);
}

TEST_F(EventAccountTest, SaysNowAndThenThatAnEventIsServedWhichIsChargedAhead) {
  TurnTo(kFirst);
  space_->events[kFirst].served_ns = 1;
  for (int batch = 0; batch < 20; ++batch) {
    account_.ChargeAhead(one_, 1'000);
    TurnTo(kFirst);
  }
  EXPECT_GT(space_->events[kFirst].served_ns, 1u);
}

}  // namespace
}  // namespace warpyard::model
