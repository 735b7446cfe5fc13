// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/model/event/event_table.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/model/worker/board/board.h"
#include "tests/support/run_bodies.h"
#include "tests/support/scheduled_scope.h"
#include "tests/support/seed_count.h"
#include "tests/unit/model/staged_program.h"

namespace warpyard::model {
namespace {

using test_support::Bodies;
using test_support::RunInSchedule;
using test_support::Schedule;
using test_support::ScheduledScope;
using test_support::StagedJob;

constexpr std::uint32_t kSlot = 7;

class EventTableTest : public ::testing::Test {
 protected:
  using Table = EventTable<ScheduledScope, test_support::StagedProgram>;

  bool Start(const StagedJob& job) {
    table_[kSlot].job = job;
    const Opened opened = table_.Start(kSlot, board_);
    EXPECT_NE(opened.done, opened.elements != 0);
    return opened.done;
  }
  /// As a worker that knows no stage.
  RangeClaim Claim(std::uint32_t wanted) { return table_.Claim(kSlot, wanted, Table::kNoStage); }

  enum class After { kSameStage, kNextStage, kDone };
  After CountOut(std::uint32_t count, std::uint32_t us = 0) {
    const Opened opened = table_.CountOut(kSlot, count, us, board_);
    EXPECT_FALSE(opened.done && opened.elements != 0);
    if (opened.done) return After::kDone;
    if (opened.elements == 0) return After::kSameStage;
    EXPECT_EQ(opened.elements, Outstanding()) << "the elements of the stage";
    EXPECT_EQ(opened.procedure, table_[kSlot].stage) << "the procedure has its number";
    return After::kNextStage;
  }
  bool IsOpen() { return board_.Read().IsOpen(kSlot); }
  std::uint32_t Outstanding() { return static_cast<std::uint32_t>(table_[kSlot].account); }

  const std::unique_ptr<Table> memory_ = std::make_unique<Table>();
  Table& table_ = *memory_;
  Board<ScheduledScope> board_;
};

TEST_F(EventTableTest, StartOpensTheFirstStage) {
  EXPECT_EQ(Claim(1).count, 0u) << "nothing is open yet";
  EXPECT_FALSE(Start({2, 1, {3, 4}}));
  EXPECT_EQ(Outstanding(), 3u);
  EXPECT_EQ(table_[kSlot].stage, 0u);
  EXPECT_EQ(table_[kSlot].state, static_cast<std::uint32_t>(EventState::kRunning));
}

TEST_F(EventTableTest, ClaimsTakeEveryElementOnce) {
  Start({1, 1, {7}});
  const RangeClaim first = Claim(3), second = Claim(3), last = Claim(3);
  EXPECT_EQ(first.first, 0u);
  EXPECT_EQ(first.count, 3u);
  EXPECT_EQ(first.elements, 7u);
  EXPECT_EQ(second.first, 3u);
  EXPECT_EQ(second.count, 3u);
  EXPECT_EQ(last.first, 6u);
  EXPECT_EQ(last.count, 1u) << "what was left";
  EXPECT_EQ(Claim(1).count, 0u);
  EXPECT_EQ(Claim(1u << 30).count, 0u);
}

TEST_F(EventTableTest, OneClaimOfAStageTakesItsLastElement) {
  Start({1, 1, {7}});
  for (std::uint32_t i = 0; i < 3; ++i) EXPECT_EQ(Claim(3).TakesLast(), i == 2) << i;
  EXPECT_FALSE(Claim(3).TakesLast()) << "an empty one";
}

TEST_F(EventTableTest, ElementsAreGrainsOfIndices) {
  Start({1, 4, {10}});
  EXPECT_EQ(Outstanding(), 3u);
  const RangeClaim claim = Claim(9);
  ASSERT_EQ(claim.count, 3u);
  EXPECT_EQ(claim.plan.grain, 4u);
  EXPECT_EQ(claim.plan.count, 10u);
  const std::uint32_t begins[] = {0, 4, 8}, ends[] = {4, 8, 10};
  for (std::uint32_t i = 0; i < 3; ++i) {
    const procedure::Range indices = Table::IndicesOf(claim, i);
    EXPECT_EQ(indices.begin, begins[i]);
    EXPECT_EQ(indices.end, ends[i]);
  }
}

TEST_F(EventTableTest, IndicesGoOnWhereAnEarlierClaimEnded) {
  Start({1, 4, {10}});
  Claim(1);
  const RangeClaim claim = Claim(2);
  ASSERT_EQ(claim.count, 2u);
  EXPECT_EQ(Table::IndicesOf(claim, 0).begin, 4u);
  EXPECT_EQ(Table::IndicesOf(claim, 1).end, 10u);
}

TEST_F(EventTableTest, ElementsTogetherAreTheIndicesOfAllOfThem) {
  Start({1, 4, {10}});
  const RangeClaim claim = Claim(3);
  EXPECT_EQ(Table::IndicesOf(claim, 0, 2).begin, 0u);
  EXPECT_EQ(Table::IndicesOf(claim, 0, 2).end, 8u);
  EXPECT_EQ(Table::IndicesOf(claim, 1, 2).begin, 4u);
  EXPECT_EQ(Table::IndicesOf(claim, 1, 2).end, 10u);
}

TEST_F(EventTableTest, TellsOfTheStageBefore) {
  constexpr std::uint32_t kNever = ~0u, kLongUs = 1'000'000;
  Start({3, 1, {1, 1, 1}});
  EXPECT_EQ(table_.Before(kSlot).us_ago, kNever) << "it is at its first stage";
  CountOut(1);
  EXPECT_LT(table_.Before(kSlot).us_ago, kLongUs);
  EXPECT_EQ(table_.Before(kSlot).procedure, 0u);
  CountOut(1);
  EXPECT_EQ(table_.Before(kSlot).procedure, 1u);
  CountOut(1);
  Start({1, 1, {1}});
  EXPECT_EQ(table_.Before(kSlot).us_ago, kNever) << "the next event of the slot is at its first";
}

TEST_F(EventTableTest, TheLastElementOpensTheNextStage) {
  Start({3, 1, {2, 3, 1}});
  EXPECT_EQ(CountOut(1), After::kSameStage);
  EXPECT_EQ(CountOut(1), After::kNextStage);
  EXPECT_EQ(table_[kSlot].stage, 1u);
  EXPECT_EQ(Outstanding(), 3u);
  EXPECT_EQ(Claim(9).plan.procedure, 1u);
  EXPECT_EQ(CountOut(3), After::kNextStage) << "of several that are counted together, too";
  EXPECT_EQ(CountOut(1), After::kDone);
}

TEST_F(EventTableTest, ClaimsBeyondAStageTakeNothingFromTheNext) {
  Start({2, 1, {2, 5}});
  EXPECT_EQ(Claim(100).count, 2u);
  EXPECT_EQ(Claim(100).count, 0u);
  EXPECT_EQ(CountOut(2), After::kNextStage);
  const RangeClaim claim = Claim(100);
  EXPECT_EQ(claim.first, 0u);
  EXPECT_EQ(claim.count, 5u);
}

TEST_F(EventTableTest, ElementsThatAreCountedInKeepTheStageOpen) {
  Start({2, 1, {1, 1}});
  table_.CountIn(kSlot, 2, 0);
  EXPECT_EQ(CountOut(1), After::kSameStage);
  EXPECT_EQ(CountOut(1), After::kSameStage);
  EXPECT_EQ(CountOut(1), After::kNextStage);
}

TEST_F(EventTableTest, SumsUpTheTimeOfWorkersBesideTheCount) {
  Start({2, 1, {2, 3}});
  const std::uint32_t before = table_.ExecutedUs(kSlot);
  table_.CountIn(kSlot, 1, 10);
  EXPECT_EQ(CountOut(1, 200), After::kSameStage);
  EXPECT_EQ(table_.ExecutedUs(kSlot) - before, 210u);
  EXPECT_EQ(Outstanding(), 2u);
  EXPECT_EQ(CountOut(2, 3'000), After::kNextStage);
  EXPECT_EQ(table_.ExecutedUs(kSlot) - before, 3'210u) << "through the stages";
  EXPECT_EQ(Outstanding(), 3u);
  table_.CountIn(kSlot, 0, ~0u);
  EXPECT_EQ(table_.ExecutedUs(kSlot) - before, 3'209u) << "modulo 2^32";
  EXPECT_EQ(Outstanding(), 3u);
  EXPECT_EQ(CountOut(3, 1), After::kDone);
}

TEST_F(EventTableTest, StagesWithoutIndicesArePassedOver) {
  EXPECT_FALSE(Start({5, 1, {0, 1, 0, 1, 0}}));
  EXPECT_EQ(table_[kSlot].stage, 1u);
  EXPECT_EQ(Claim(1).plan.procedure, 1u);
  EXPECT_EQ(CountOut(1), After::kNextStage);
  EXPECT_EQ(Claim(1).plan.procedure, 3u);
  EXPECT_EQ(CountOut(1), After::kDone);
}

TEST_F(EventTableTest, AnEventWithoutIndicesIsDoneAtItsStart) {
  EXPECT_TRUE(Start({3, 1, {0, 0, 0}}));
  EXPECT_TRUE(Start({0, 1, {}}));
  EXPECT_EQ(Claim(1).count, 0u);
}

TEST_F(EventTableTest, ACancelledEventOpensNoFurtherStage) {
  Start({3, 1, {1, 1, 1}});
  EXPECT_FALSE(table_.IsDropped(kSlot));
  table_[kSlot].cancel = 1;
  EXPECT_TRUE(table_.IsDropped(kSlot));
  EXPECT_FALSE(table_.IsDropped(kSlot + 1));
  EXPECT_EQ(CountOut(1), After::kDone);
  EXPECT_TRUE(Start({3, 1, {1, 1, 1}})) << "cancelled before it began";
}

TEST_F(EventTableTest, AnErrorEndsAnEventAndNotTheNextOfItsSlot) {
  Start({3, 1, {1, 1, 1}});
  table_[kSlot].error = static_cast<std::uint32_t>(procedure::EventError::kProcedure);
  EXPECT_TRUE(table_.IsDropped(kSlot));
  EXPECT_EQ(CountOut(1), After::kDone);
  EXPECT_FALSE(Start({3, 1, {1, 1, 1}}));
  EXPECT_FALSE(table_.IsDropped(kSlot));
}

TEST_F(EventTableTest, TheNextEventOfASlotStartsAnew) {
  Start({1, 1, {4}});
  Claim(100);
  CountOut(4);
  EXPECT_FALSE(Start({1, 1, {2}}));
  EXPECT_EQ(Outstanding(), 2u);
  EXPECT_EQ(Claim(100).count, 2u);
}

TEST_F(EventTableTest, TheCursorOfAStageThatIsNotDescribedYetClaimsNothing) {
  Start({2, 1, {3, 3}});
  // As a late worker may see it: the cursor of a stage whose description it does not see.
  table_[kSlot].cursor = std::uint64_t{table_[kSlot].opened + 1} << 40;
  EXPECT_EQ(Claim(2).count, 0u);
  table_[kSlot].cursor = std::uint64_t{table_[kSlot].opened + 2} << 40;  // described alike, once
  EXPECT_EQ(Claim(2).count, 0u);
}

TEST_F(EventTableTest, FinishesAnEventOnceWhenAllStagesAreOver) {
  std::uint32_t finished = 0;
  Start({2, 1, {2, 3}, &finished});
  EXPECT_EQ(CountOut(2), After::kNextStage);
  EXPECT_EQ(CountOut(2), After::kSameStage);
  EXPECT_EQ(finished, 0u);
  EXPECT_EQ(CountOut(1), After::kDone);
  EXPECT_EQ(finished, 1u);
  EXPECT_TRUE(Start({2, 1, {0, 0}, &finished})) << "it has nothing to do";
  EXPECT_EQ(finished, 2u);
  Start({3, 1, {1, 1, 1}, &finished});
  table_[kSlot].cancel = 1;
  EXPECT_EQ(CountOut(1), After::kDone);
  EXPECT_EQ(finished, 3u) << "dropped stages are over, too";
}

TEST_F(EventTableTest, ShowsAndDescribesTheStageThatItOpens) {
  Start({3, 2, {7, 0, 1}});
  EXPECT_TRUE(IsOpen());
  EXPECT_EQ(board_.Read().HintOf(kSlot).elements, 4u) << "of two indices each";
  EXPECT_EQ(board_.Read().HintOf(kSlot).procedure, 0u);
  board_.Toggle(kSlot);  // all of it is claimed
  EXPECT_EQ(CountOut(4), After::kNextStage);
  EXPECT_TRUE(IsOpen());
  EXPECT_EQ(board_.Read().HintOf(kSlot).elements, 1u);
  EXPECT_EQ(board_.Read().HintOf(kSlot).procedure, 2u) << "a stage without indices is passed over";
  board_.Toggle(kSlot);
  EXPECT_EQ(CountOut(1), After::kDone);
  EXPECT_FALSE(IsOpen());
}

TEST_F(EventTableTest, ShowsNothingOfAnEventThatIsDoneAtItsStart) {
  EXPECT_TRUE(Start({2, 1, {0, 0}}));
  EXPECT_FALSE(board_.Read().HasWork());
}

TEST_F(EventTableTest, AClaimOfAWorkerThatKnowsAnOlderStageIsOfTheOpenOne) {
  Start({3, 1, {1, 4, 6}});
  const std::uint32_t first = Claim(1).stage;
  EXPECT_EQ(table_.Claim(kSlot, 1, first).count, 0u) << "there is no more of it";
  CountOut(1);
  const RangeClaim second = table_.Claim(kSlot, 3, first);
  EXPECT_EQ(second.stage, first + 1);
  EXPECT_EQ(second.count, 3u);
  EXPECT_EQ(second.plan.procedure, 1u);
  EXPECT_EQ(second.Left(), 1u);
  EXPECT_EQ(table_.Claim(kSlot, 1, second.stage).count, 1u) << "known: the last one";
  EXPECT_EQ(table_.Claim(kSlot, 1, second.stage).count, 0u);
  CountOut(4);
  const RangeClaim late = table_.Claim(kSlot, 2, first);
  EXPECT_EQ(late.stage, first + 2);
  EXPECT_EQ(late.count, 2u);
  EXPECT_EQ(late.elements, 6u);
  EXPECT_EQ(late.plan.procedure, 2u);
}

TEST_F(EventTableTest, AClaimOfAWorkerThatKnowsAnotherEventIsOfTheNewOne) {
  Start({1, 1, {3}});
  const std::uint32_t known = Claim(3).stage;
  EXPECT_EQ(CountOut(3), After::kDone);
  EXPECT_EQ(table_.Claim(kSlot, 1, known).count, 0u) << "it is done";
  Start({1, 2, {9}});
  const RangeClaim claim = table_.Claim(kSlot, 2, known);
  EXPECT_EQ(claim.elements, 5u);
  EXPECT_EQ(claim.count, 2u);
  EXPECT_EQ(claim.plan.grain, 2u);
}

/// Workers that claim, execute and count out until the event is done; some come late to a stage.
/// Each knows the stage that it claimed of last. Stages are taken off the board by the claims of
/// their last elements, which may come before they are shown.
std::string FaultOfWorkers(std::uint32_t seed) {
  using Table = EventTable<ScheduledScope, test_support::StagedProgram>;
  const auto table = std::make_unique<Table>();
  Board<ScheduledScope> board;
  const StagedJob job{5, 1 + seed % 2, {3, 1, seed % 4, 1, 6}};
  (*table)[kSlot].job = job;
  std::vector<std::vector<std::uint32_t>> times(StagedJob::kMostStages,
                                                std::vector<std::uint32_t>(8, 0));
  std::uint32_t done = 0, closed = 0, opened = 1;
  table->Start(kSlot, board);
  Bodies bodies;
  for (std::uint32_t worker = 0; worker < 3; ++worker) {
    bodies.emplace_back([&, worker] {
      std::uint32_t known = Table::kNoStage;
      while (ScheduledScope::Word(done).LoadAcquire() == 0) {
        const RangeClaim claim = table->Claim(kSlot, 1 + (seed + worker) % 3, known);
        if (claim.count == 0) continue;
        known = claim.stage;
        if (claim.TakesLast()) {
          ++closed;
          board.Toggle(kSlot);
        }
        for (std::uint32_t i = 0; i < claim.count; ++i) {
          const procedure::Range indices = Table::IndicesOf(claim, i);
          for (std::uint32_t k = indices.begin; k < indices.end; ++k) {
            ++times[claim.plan.procedure][k];
          }
        }
        const Opened next = table->CountOut(kSlot, claim.count, 1, board);
        opened += next.elements != 0 ? 1 : 0;
        if (next.done) ScheduledScope::Word(done).FetchAddAcqRel(1);
      }
    });
  }
  const std::string stopped = RunInSchedule(seed, bodies);
  if (!stopped.empty()) return stopped;
  if (done != 1) return "done " + std::to_string(done) + " times";
  if (closed != opened) return "not one last claim for each stage";
  if (board.Read().HasWork()) return "the board shows a stage that is over";
  for (std::uint32_t stage = 0; stage < StagedJob::kMostStages; ++stage) {
    for (std::uint32_t k = 0; k < job.counts[stage]; ++k) {
      if (times[stage][k] != 1) return "stage " + std::to_string(stage) + " is not executed once";
    }
  }
  return "";
}

TEST(EventTableSchedules, ExecuteEveryIndexOfEveryStageOnce) {
  const std::uint32_t seeds = test_support::SeedCount("WARPYARD_SCHEDULER_SEEDS", 500);
  for (std::uint32_t seed = 0; seed < seeds; ++seed) {
    ASSERT_EQ(FaultOfWorkers(seed), "") << "seed " << seed;
  }
}

}  // namespace
}  // namespace warpyard::model
