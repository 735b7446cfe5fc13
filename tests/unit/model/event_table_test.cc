// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/model/event_table.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

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
    return table_.Start(kSlot);
  }
  RangeClaim Claim(std::uint32_t wanted) { return table_.Claim(kSlot, wanted); }

  enum class After { kSameStage, kNextStage, kDone };
  After CountOut(std::uint32_t count) {
    bool opened = true;
    const bool done = table_.CountOut(kSlot, count, opened);
    EXPECT_FALSE(done && opened);
    if (done) return After::kDone;
    return opened ? After::kNextStage : After::kSameStage;
  }
  std::uint32_t Outstanding() { return table_[kSlot].outstanding; }

  const std::unique_ptr<Table> memory_ = std::make_unique<Table>();
  Table& table_ = *memory_;
};

TEST_F(EventTableTest, StartOpensTheFirstStage) {
  EXPECT_FALSE(table_.HasRange(kSlot));
  EXPECT_FALSE(Start({2, 1, {3, 4}}));
  EXPECT_TRUE(table_.HasRange(kSlot));
  EXPECT_FALSE(table_.HasRange(kSlot + 1));
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
  EXPECT_FALSE(table_.HasRange(kSlot)) << "the last claim took what was left";
  EXPECT_EQ(last.first, 6u);
  EXPECT_EQ(last.count, 1u);
  EXPECT_EQ(Claim(1).count, 0u);
  EXPECT_EQ(Claim(1u << 30).count, 0u);
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
  EXPECT_TRUE(table_.HasRange(kSlot));
  const RangeClaim claim = Claim(100);
  EXPECT_EQ(claim.first, 0u);
  EXPECT_EQ(claim.count, 5u);
}

TEST_F(EventTableTest, ElementsThatAreCountedInKeepTheStageOpen) {
  Start({2, 1, {1, 1}});
  table_.CountIn(kSlot, 2);
  EXPECT_EQ(CountOut(1), After::kSameStage);
  EXPECT_EQ(CountOut(1), After::kSameStage);
  EXPECT_EQ(CountOut(1), After::kNextStage);
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
  table_[kSlot].executed_ns = 5;
  table_[kSlot].view.arrival_ns = 77;
  EXPECT_FALSE(Start({1, 1, {2}}));
  EXPECT_EQ(table_[kSlot].executed_ns, 0u);
  EXPECT_EQ(table_[kSlot].served_ns, 77u);
  EXPECT_EQ(Outstanding(), 2u);
  EXPECT_EQ(Claim(100).count, 2u);
}

TEST_F(EventTableTest, TheCursorOfAStageThatIsNotDescribedYetClaimsNothing) {
  Start({2, 1, {3, 3}});
  // What a late worker may see: the cursor of a stage whose description it does not see.
  table_[kSlot].cursor = std::uint64_t{table_[kSlot].opened + 1} << 40;
  EXPECT_FALSE(table_.HasRange(kSlot));
  EXPECT_EQ(Claim(2).count, 0u);
  table_[kSlot].cursor = std::uint64_t{table_[kSlot].opened + 2} << 40;  // described alike, once
  EXPECT_FALSE(table_.HasRange(kSlot));
  EXPECT_EQ(Claim(2).count, 0u);
}

using State = StageAfter::State;

TEST_F(EventTableTest, WhoStaysWithAnEventSeesItsNextStageAndItsEnd) {
  Start({3, 2, {2, 0, 5}});
  const std::uint32_t first = Claim(1).stage;
  EXPECT_EQ(table_.LookAfter(kSlot, first).state, State::kToCome);
  EXPECT_EQ(CountOut(1), After::kNextStage);
  const StageAfter second = table_.LookAfter(kSlot, first);
  ASSERT_EQ(second.state, State::kOpen);
  EXPECT_EQ(second.procedure, 2u);
  EXPECT_EQ(second.elements, 3u);
  EXPECT_EQ(second.described.turn, first + 1);
  EXPECT_EQ(table_.LookAfter(kSlot, first + 1).state, State::kToCome);
  EXPECT_EQ(CountOut(3), After::kDone);
  EXPECT_EQ(table_.LookAfter(kSlot, first + 1).state, State::kNone);
  EXPECT_EQ(table_.LookAfter(kSlot, first).state, State::kOpen) << "that was so, and all is taken";
  Start({1, 1, {4}});
  EXPECT_EQ(table_.LookAfter(kSlot, first).state, State::kNone) << "another event's";
  EXPECT_EQ(table_.LookAfter(kSlot, first + 1).state, State::kNone);
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

TEST_F(EventTableTest, AClaimWithAnOldDescriptionIsOfTheOpenStage) {
  Start({3, 1, {1, 4, 6}});
  const std::uint32_t first = Claim(1).stage;
  CountOut(1);
  const StageAfter second = table_.LookAfter(kSlot, first);
  const RangeClaim known = table_.Claim(kSlot, 3, second.described);
  EXPECT_EQ(known.stage, first + 1);
  EXPECT_EQ(known.count, 3u);
  EXPECT_EQ(known.plan.procedure, 1u);
  EXPECT_EQ(Table::DescriptionOf(known).turn, second.described.turn);
  EXPECT_EQ(Table::DescriptionOf(known).payload[0], second.described.payload[0]);
  EXPECT_EQ(Table::DescriptionOf(known).payload[1], second.described.payload[1]);
  EXPECT_EQ(Table::DescriptionOf(known).payload[2], second.described.payload[2]);
  Claim(1);
  CountOut(4);
  const RangeClaim late = table_.Claim(kSlot, 2, second.described);
  EXPECT_EQ(late.stage, first + 2);
  EXPECT_EQ(late.count, 2u);
  EXPECT_EQ(late.elements, 6u);
  EXPECT_EQ(late.plan.procedure, 2u);
}

/// Workers that claim, execute and report until the event is done; some reach a stage late.
std::string FaultOfWorkers(std::uint32_t seed) {
  using Table = EventTable<ScheduledScope, test_support::StagedProgram>;
  const auto table = std::make_unique<Table>();
  const StagedJob job{5, 1 + seed % 2, {3, 1, seed % 4, 1, 6}};
  (*table)[kSlot].job = job;
  table->Start(kSlot);
  std::vector<std::vector<std::uint32_t>> times(StagedJob::kMostStages,
                                                std::vector<std::uint32_t>(8, 0));
  std::uint32_t done = 0;
  Bodies bodies;
  for (std::uint32_t worker = 0; worker < 3; ++worker) {
    bodies.emplace_back([&, worker] {
      while (ScheduledScope::Word(done).LoadAcquire() == 0) {
        const RangeClaim claim = table->Claim(kSlot, 1 + (seed + worker) % 3);
        if (claim.count == 0) continue;
        for (std::uint32_t i = 0; i < claim.count; ++i) {
          const procedure::Range indices = Table::IndicesOf(claim, i);
          for (std::uint32_t k = indices.begin; k < indices.end; ++k) {
            ++times[claim.plan.procedure][k];
          }
        }
        bool opened = false;
        if (!table->CountOut(kSlot, claim.count, opened)) continue;
        ScheduledScope::Word(done).FetchAddAcqRel(1);
      }
    });
  }
  const std::string stopped = RunInSchedule(seed, bodies);
  if (!stopped.empty()) return stopped;
  if (done != 1) return "done " + std::to_string(done) + " times";
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
