// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/synthetic/synthetic_program.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "core/procedure/procedure_list.h"
#include "core/workload/synthetic/synthetic_oracle.h"
#include "tests/support/workers/serial_driver.h"

namespace warpyard::synthetic {
namespace {

using test_support::SerialDriver;
using test_support::SerialOrder;
using Report = test_support::SerialReport<SyntheticProgram>;

/// A job with its results, run on this thread.
struct LoadRun {
  SyntheticJob job;
  SyntheticResults results;
  std::vector<TraceEntry> trace;

  Report Run(SerialOrder order = SerialOrder::kOldestFirst) {
    job.results = &results;
    job.trace = trace.empty() ? nullptr : trace.data();
    job.trace_capacity = static_cast<std::uint32_t>(trace.size());
    return SerialDriver<SyntheticProgram>(order).Run(job);
  }
};

SyntheticJob JobOf(SyntheticKind kind, std::uint32_t elements, const Growth& growth = {}) {
  SyntheticJob job;
  job.kind = kind;
  job.seed = 42;
  job.elements = elements;
  job.growth = growth;
  return job;
}

std::uint64_t SumOf(const Report& report) {
  return std::accumulate(report.executed.begin(), report.executed.end(), std::uint64_t{0});
}

static_assert(SyntheticProcedures::kMaxSpawns == 32);
static_assert(SyntheticProcedures::SharedBytes(1024) == 0);
static_assert(SeedElements::kGrain == SeedElements::kMaxSpawns);

TEST(SyntheticProgram, ExecutesWhatTheOracleSays) {
  const SyntheticKind kinds[] = {SyntheticKind::kRecursiveItems, SyntheticKind::kRecursiveSets,
                                 SyntheticKind::kRecursivePackages64,
                                 SyntheticKind::kRecursivePackages, SyntheticKind::kTree};
  const Growth growths[] = {RecursiveGrowth(), ExpandingGrowth(), FullTreeGrowth(4, kStayPermille),
                            ForestGrowth(100, kChangePermille)};
  for (const SyntheticKind kind : kinds) {
    for (const Growth& growth : growths) {
      for (const SerialOrder order : {SerialOrder::kOldestFirst, SerialOrder::kNewestFirst}) {
        LoadRun run{JobOf(kind, 70, growth), {}, {}};
        const Report report = run.Run(order);
        EXPECT_EQ(report.error, procedure::EventError::kNone);
        EXPECT_EQ(TotalOf(run.results), CountNodes(run.job));
        const std::uint64_t seeds = report.Executed<SeedElements>();
        EXPECT_EQ(seeds, 3u) << "70 elements by 32";
        EXPECT_EQ(SumOf(report), seeds + TotalOf(run.results).executed);
      }
    }
  }
}

TEST(SyntheticProgram, SeedsChangeTheElements) {
  LoadRun one{JobOf(SyntheticKind::kTree, 100, ForestGrowth(50, kEvenPermille)), {}, {}};
  LoadRun two = one;
  two.job.seed = 43;
  one.Run();
  two.Run();
  EXPECT_NE(TotalOf(one.results), TotalOf(two.results));
  EXPECT_EQ(TotalOf(two.results), CountNodes(two.job));
}

TEST(SyntheticProgram, RunsOnlyTheProceduresOfTheKind) {
  LoadRun run{JobOf(SyntheticKind::kRecursiveSets, 10, RecursiveGrowth()), {}, {}};
  const Report report = run.Run();
  EXPECT_EQ(report.Executed<RecursiveSet>(), TotalOf(run.results).executed);
  EXPECT_GE(report.Executed<RecursiveSet>(), 200u);
  EXPECT_EQ(report.Executed<RecursiveItem>(), 0u);
}

TEST(SyntheticProgram, RecursionKeepsItsNumberThenDeclines) {
  const SyntheticJob job = JobOf(SyntheticKind::kRecursiveItems, 20'000, RecursiveGrowth());
  // 20 certain rounds beside the first, then .95, .95 * .9, ... of them
  double expected = 21, alive = 1;
  for (int k = 1; k < 20; ++k) expected += alive *= 1 - 0.05 * k;
  EXPECT_NEAR(static_cast<double>(CountNodes(job).executed) / job.elements, expected, 0.1);
}

TEST(SyntheticProgram, ExpandingRecursionKeepsItsNumberInTheMean) {
  Growth growth = ExpandingGrowth();
  growth.depths = 30;
  const SyntheticJob job = JobOf(SyntheticKind::kRecursiveItems, 20'000, growth);
  EXPECT_NEAR(static_cast<double>(CountNodes(job).executed) / job.elements, 30, 1.5);
}

TEST(SyntheticProgram, ForestKeepsItsNumberOfNodes) {
  const SyntheticJob job = JobOf(SyntheticKind::kTree, 65'536, ForestGrowth(100, kEvenPermille));
  EXPECT_NEAR(static_cast<double>(CountNodes(job).executed) / job.elements, 100, 6);
}

TEST(SyntheticProgram, FillsATree) {
  LoadRun run{JobOf(SyntheticKind::kTree, 1, FullTreeGrowth(12, kEvenPermille)), {}, {}};
  const Report report = run.Run();
  EXPECT_EQ(TotalOf(run.results).executed, (1u << 12) - 1);
  const std::uint64_t types[] = {report.Executed<TreeItem<0>>(), report.Executed<TreeItem<1>>(),
                                 report.Executed<TreeItem<2>>(), report.Executed<TreeItem<3>>()};
  for (const std::uint64_t count : types) EXPECT_NEAR(static_cast<double>(count), 1024, 150);
}

TEST(SyntheticProgram, FlatStagesRunOneAfterTheOther) {
  LoadRun run{JobOf(SyntheticKind::kFlat, 5), {}, std::vector<TraceEntry>(15)};
  run.job.stages = 3;
  const Report report = run.Run();
  EXPECT_EQ(report.Executed<RunPackages>(), 15u);
  EXPECT_EQ(TotalOf(run.results), CountNodes(run.job));
  for (std::uint32_t i = 0; i < 15; ++i) EXPECT_EQ(run.trace[i].id, i % 5);
}

TEST(SyntheticProgram, ElementsOfFlatStagesMayBeWarps) {
  LoadRun run{JobOf(SyntheticKind::kFlatWarps, 5), {}, {}};
  EXPECT_EQ(run.Run().Executed<RunWarps>(), 5u);
  EXPECT_EQ(TotalOf(run.results), CountNodes(run.job));
}

TEST(SyntheticProgram, HasFourStagesAtMostAndOneWithPriorities) {
  SyntheticJob job = JobOf(SyntheticKind::kTree, 1);
  job.stages = 9;
  EXPECT_EQ(SyntheticProgram::StageCount(job), 4u);
  job.stages = 2;
  EXPECT_EQ(SyntheticProgram::StageCount(job), 2u);
  job.kind = SyntheticKind::kPrioritised;
  EXPECT_EQ(SyntheticProgram::StageCount(job), 1u);
}

TEST(SyntheticProgram, DoesNothingWithoutElements) {
  for (const SyntheticKind kind :
       {SyntheticKind::kFlat, SyntheticKind::kTree, SyntheticKind::kPrioritised}) {
    LoadRun run{JobOf(kind, 0, RecursiveGrowth()), {}, {}};
    run.job.total = 10;
    run.Run();
    EXPECT_EQ(TotalOf(run.results), SyntheticTotals{});
    EXPECT_EQ(CountNodes(run.job), SyntheticTotals{});
  }
}

/// The fraction of pairs of packages that waited together and began in the order of their
/// priorities. [Steinberger §5.2.4]
double Accuracy(const SyntheticJob& job, const std::vector<TraceEntry>& trace) {
  std::vector<bool> begun(job.total);
  double right = 0, pairs = 0;
  for (std::uint32_t n = 0; n < job.total; ++n) {
    const std::uint32_t own = trace[n].id;
    begun.at(own) = true;
    for (std::uint32_t id = 0; id < std::min(job.elements + n, job.total); ++id) {
      if (begun[id]) continue;
      right += LevelOf(job, own) <= LevelOf(job, id) ? 1 : 0;
      ++pairs;
    }
  }
  return right / pairs;
}

LoadRun PrioritisedRun(std::uint32_t levels) {
  LoadRun run{JobOf(SyntheticKind::kPrioritised, 50), {}, std::vector<TraceEntry>(400)};
  run.job.total = 400;
  run.job.levels = levels;
  return run;
}

TEST(SyntheticProgram, PrioritisedPackagesRunOnceEachInTheOrderOfLevels) {
  LoadRun run = PrioritisedRun(192);
  const Report report = run.Run();
  EXPECT_EQ(report.Executed<PrioritisedPackage>(), 400u);
  EXPECT_EQ(TotalOf(run.results), CountNodes(run.job));
  EXPECT_EQ(run.results.started, 400u);
  std::vector<bool> seen(400);
  for (const TraceEntry& entry : run.trace) {
    EXPECT_FALSE(seen.at(entry.id));
    seen[entry.id] = true;
    EXPECT_EQ(entry.detail, LevelOf(run.job, entry.id));
    EXPECT_LE(entry.begin_ns, entry.end_ns);
  }
  EXPECT_EQ(Accuracy(run.job, run.trace), 1.0);
}

TEST(SyntheticProgram, PrioritisedPackagesWithoutLevelsRunInTheOrderOfSpawning) {
  LoadRun run = PrioritisedRun(0);
  run.Run();
  for (std::uint32_t n = 0; n < 400; ++n) EXPECT_EQ(run.trace[n].id, n);
  run.job.levels = 192;
  EXPECT_NEAR(Accuracy(run.job, run.trace), 0.5, 0.1);
}

TEST(SyntheticProgram, KeepsAsManyPrioritisedPackagesWaitingAsItStartedWith) {
  LoadRun run = PrioritisedRun(10);
  // The packages of the start are the most that wait together.
  EXPECT_LE(run.Run().most_waiting, 50u);
}

TEST(SyntheticProgram, ExecutesAllOfTheStartWhenTheTotalIsLess) {
  LoadRun run = PrioritisedRun(10);
  run.job.total = 20;
  run.Run();
  EXPECT_EQ(TotalOf(run.results).executed, 50u);
  EXPECT_EQ(TotalOf(run.results), CountNodes(run.job));
}

TEST(SyntheticProgram, TracesElementsOfAllKindsUpToTheCapacity) {
  LoadRun run{JobOf(SyntheticKind::kRecursiveItems, 2, RecursiveGrowth()), {}, {}};
  run.trace.assign(10, {0xffffffffu, 0, 0, 0});
  run.job.work = {WorkKind::kSpin, 1000, 0, 0, nullptr};
  run.Run();
  EXPECT_EQ(run.results.started, TotalOf(run.results).executed);
  for (std::uint32_t i = 0; i < 10; ++i) {
    EXPECT_EQ(run.trace[i].detail, i / 2) << "oldest first: depth by depth";
    EXPECT_GE(run.trace[i].end_ns, run.trace[i].begin_ns + 1000);
  }
}

TEST(SyntheticProgram, CountsNothingWhenNotAsked) {
  SyntheticJob job = JobOf(SyntheticKind::kTree, 10, FullTreeGrowth(3, kEvenPermille));
  job.counting = Counting::kOff;
  job.results = nullptr;
  const Report report = SerialDriver<SyntheticProgram>().Run(job);
  EXPECT_EQ(report.error, procedure::EventError::kNone);
  EXPECT_EQ(SumOf(report), 71u) << "10 trees of 7 nodes, and what starts them";
}

TEST(SyntheticProgram, CountsThreads) {
  LoadRun run{JobOf(SyntheticKind::kRecursivePackages, 10, RecursiveGrowth()), {}, {}};
  run.job.counting = Counting::kThreads;
  const Report report = run.Run();
  EXPECT_EQ(report.error, procedure::EventError::kNone);
  EXPECT_EQ(ThreadsOf(run.results), TotalOf(run.results).executed) << "a group is one thread here";
}

TEST(SyntheticProgram, FailsWhereAsked) {
  for (const SyntheticKind kind :
       {SyntheticKind::kFlat, SyntheticKind::kTree, SyntheticKind::kRecursivePackages}) {
    LoadRun run{JobOf(kind, 20, {}), {}, {}};
    run.job.fault = Fault::kFail;
    run.job.fault_at = 12;
    EXPECT_EQ(run.Run().error, procedure::EventError::kProcedure);
    run.job.fault_at = 20;
    EXPECT_EQ(run.Run().error, procedure::EventError::kNone) << "no such element";
  }
}

TEST(LoadProgramDeathTest, StoresWhereNoMemoryIs) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  LoadRun run{JobOf(SyntheticKind::kFlat, 20, {}), {}, {}};
  run.job.fault = Fault::kWildStore;
  EXPECT_DEATH(run.Run(), "");
}

}  // namespace
}  // namespace warpyard::synthetic
