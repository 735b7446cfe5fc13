// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/model/event/event_table.h"

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
    return table_.Start(kSlot, [](std::uint32_t event, std::uint32_t) { EXPECT_EQ(event, kSlot); });
  }
  /// As a worker that knows no stage.
  RangeClaim Claim(std::uint32_t wanted) {
    exec::PackedSlot unknown{~0u, {}};
    return table_.Claim(kSlot, wanted, unknown);
  }

  enum class After { kSameStage, kNextStage, kDone };
  After CountOut(std::uint32_t count, std::uint32_t us = 0) {
    std::uint32_t shown = 0;
    const std::uint64_t before = table_[kSlot].cursor;
    const bool done =
        table_.CountOut(kSlot, count, us, [&](std::uint32_t event, std::uint32_t elements) {
          EXPECT_EQ(event, kSlot);
          EXPECT_EQ(table_[kSlot].cursor, before) << "shown before anyone can claim of it";
          shown = elements;
        });
    EXPECT_FALSE(done && shown != 0);
    if (done) return After::kDone;
    if (shown == 0) return After::kSameStage;
    EXPECT_EQ(shown, Outstanding()) << "the elements of the stage";
    return After::kNextStage;
  }
  std::uint32_t Outstanding() { return static_cast<std::uint32_t>(table_[kSlot].account); }

  const std::unique_ptr<Table> memory_ = std::make_unique<Table>();
  Table& table_ = *memory_;
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

TEST_F(EventTableTest, AClaimWithAnOldDescriptionIsOfTheOpenStage) {
  Start({3, 1, {1, 4, 6}});
  exec::PackedSlot described{~0u, {}};
  const std::uint32_t first = table_.Claim(kSlot, 1, described).stage;
  EXPECT_EQ(described.turn, first);
  CountOut(1);
  const RangeClaim second = table_.Claim(kSlot, 3, described);
  EXPECT_EQ(second.stage, first + 1);
  EXPECT_EQ(second.count, 3u);
  EXPECT_EQ(second.plan.procedure, 1u);
  EXPECT_EQ(described.turn, first + 1) << "learned by the claim";
  EXPECT_EQ(described.payload[0], 4u);
  exec::PackedSlot old = described;
  EXPECT_EQ(table_.Claim(kSlot, 1, described).count, 1u) << "known: the last one";
  EXPECT_EQ(table_.Claim(kSlot, 1, described).count, 0u);
  EXPECT_EQ(described.turn, first + 1) << "an empty claim teaches nothing";
  CountOut(4);
  const RangeClaim late = table_.Claim(kSlot, 2, old);
  EXPECT_EQ(late.stage, first + 2);
  EXPECT_EQ(late.count, 2u);
  EXPECT_EQ(late.elements, 6u);
  EXPECT_EQ(late.plan.procedure, 2u);
}

TEST_F(EventTableTest, AClaimWithADescriptionOfAnotherEventIsOfTheNewOne) {
  Start({1, 1, {3}});
  exec::PackedSlot described{~0u, {}};
  table_.Claim(kSlot, 3, described);
  EXPECT_EQ(CountOut(3), After::kDone);
  EXPECT_EQ(table_.Claim(kSlot, 1, described).count, 0u) << "it is done";
  Start({1, 2, {9}});
  const RangeClaim claim = table_.Claim(kSlot, 2, described);
  EXPECT_EQ(claim.elements, 5u);
  EXPECT_EQ(claim.count, 2u);
  EXPECT_EQ(claim.plan.grain, 2u);
}

/// Workers that claim, execute and count out until the event is done; some come late to a stage.
/// Each keeps the description of the stage that it claimed of last.
std::string FaultOfWorkers(std::uint32_t seed) {
  using Table = EventTable<ScheduledScope, test_support::StagedProgram>;
  const auto table = std::make_unique<Table>();
  const StagedJob job{5, 1 + seed % 2, {3, 1, seed % 4, 1, 6}};
  (*table)[kSlot].job = job;
  std::vector<std::vector<std::uint32_t>> times(StagedJob::kMostStages,
                                                std::vector<std::uint32_t>(8, 0));
  std::uint32_t done = 0, closed = 0, shown = 0;
  table->Start(kSlot, [&](std::uint32_t, std::uint32_t, std::uint32_t) { ++shown; });
  Bodies bodies;
  for (std::uint32_t worker = 0; worker < 3; ++worker) {
    bodies.emplace_back([&, worker] {
      exec::PackedSlot described{~0u, {}};
      while (ScheduledScope::Word(done).LoadAcquire() == 0) {
        const RangeClaim claim = table->Claim(kSlot, 1 + (seed + worker) % 3, described);
        if (claim.count == 0) continue;
        if (claim.TakesLast()) ++closed;
        for (std::uint32_t i = 0; i < claim.count; ++i) {
          const procedure::Range indices = Table::IndicesOf(claim, i);
          for (std::uint32_t k = indices.begin; k < indices.end; ++k) {
            ++times[claim.plan.procedure][k];
          }
        }
        const auto show = [&](std::uint32_t, std::uint32_t, std::uint32_t) { ++shown; };
        const bool last = table->CountOut(kSlot, claim.count, 1, show);
        if (!last) continue;
        ScheduledScope::Word(done).FetchAddAcqRel(1);
      }
    });
  }
  const std::string stopped = RunInSchedule(seed, bodies);
  if (!stopped.empty()) return stopped;
  if (done != 1) return "done " + std::to_string(done) + " times";
  if (closed != shown) return "not one last claim for each stage";
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
