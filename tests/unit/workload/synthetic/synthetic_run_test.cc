// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/synthetic/synthetic_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "core/workload/synthetic/synthetic_oracle.h"

namespace warpyard::synthetic {
namespace {

using ::testing::HasSubstr;

SyntheticJob Valid(SyntheticKind kind = SyntheticKind::kRecursiveItems) {
  SyntheticJob job;
  job.kind = kind;
  job.elements = 100;
  job.growth = RecursiveGrowth();
  if (kind == SyntheticKind::kPrioritised) {
    job.total = 500;
    job.levels = 16;
  }
  return job;
}

std::string ErrorOf(const std::function<void(SyntheticJob&)>& break_it,
                    SyntheticKind kind = SyntheticKind::kRecursiveItems) {
  SyntheticJob job = Valid(kind);
  break_it(job);
  const absl::Status status = CheckJob(job);
  EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
  return std::string(status.message());
}

TEST(CheckJob, AllowsEveryKind) {
  for (std::uint32_t kind = 0; kind <= static_cast<std::uint32_t>(SyntheticKind::kFlatWarps);
       ++kind) {
    EXPECT_TRUE(CheckJob(Valid(static_cast<SyntheticKind>(kind))).ok()) << kind;
  }
}

TEST(CheckJob, RefusesFaultsAndPointers) {
  for (const Fault fault : {Fault::kFail, Fault::kWildStore, Fault::kNeverReturn}) {
    EXPECT_THAT(ErrorOf([fault](SyntheticJob& job) { job.fault = fault; }), HasSubstr("fault: "));
  }
  SyntheticResults results;
  TraceEntry trace;
  const std::uint32_t word = 0;
  EXPECT_THAT(ErrorOf([&](SyntheticJob& job) { job.results = &results; }), HasSubstr("results"));
  EXPECT_THAT(ErrorOf([&](SyntheticJob& job) { job.trace = &trace; }), HasSubstr("trace"));
  EXPECT_THAT(ErrorOf([&](SyntheticJob& job) { job.work.memory = &word; }), HasSubstr("memory"));
}

TEST(CheckJob, RefusesWhatIsOutOfRange) {
  using Break = std::function<void(SyntheticJob&)>;
  const std::vector<std::pair<std::string, Break>> cases = {
      {"kind: 8", [](SyntheticJob& job) { job.kind = static_cast<SyntheticKind>(8); }},
      {"stages: 0", [](SyntheticJob& job) { job.stages = 0; }},
      {"stages: 5", [](SyntheticJob& job) { job.stages = 5; }},
      {"elements: 0", [](SyntheticJob& job) { job.elements = 0; }},
      {"elements: ", [](SyntheticJob& job) { job.elements = kMaxElements + 1; }},
      {"total: 1", [](SyntheticJob& job) { job.total = 1; }},
      {"levels: 1", [](SyntheticJob& job) { job.levels = 1; }},
      {"growth.depths: 0", [](SyntheticJob& job) { job.growth.depths = 0; }},
      {"growth.depths: 65", [](SyntheticJob& job) { job.growth.depths = 65; }},
      {"growth.child_permille: 1001",
       [](SyntheticJob& job) { job.growth.child_permille[1] = 1001; }},
      {"growth.decline_from: ", [](SyntheticJob& job) { job.growth.decline_from = 65; }},
      {"growth.decline_permille: ", [](SyntheticJob& job) { job.growth.decline_permille = 1001; }},
      {"growth.type_change", [](SyntheticJob& job) { job.growth.type_change_permille = 1001; }},
      {"work.kind: 4", [](SyntheticJob& job) { job.work.kind = static_cast<WorkKind>(4); }},
      {"work.amount: 1, ", [](SyntheticJob& job) { job.work.amount = 1; }},
      {"work.amount: ",
       [](SyntheticJob& job) {
         job.work = {WorkKind::kFma, kMaxFma + 1};
       }},
      {"work.amount: ",
       [](SyntheticJob& job) {
         job.work = {WorkKind::kMemory, kMaxLoads + 1, 0, 1};
       }},
      {"work.amount: ",
       [](SyntheticJob& job) {
         job.work = {WorkKind::kSpin, kMaxSpinNs + 1};
       }},
      {"work.spread_permille: ", [](SyntheticJob& job) { job.work.spread_permille = 1001; }},
      {"work.memory_words: 0",
       [](SyntheticJob& job) {
         job.work = {WorkKind::kMemory, 1};
       }},
      {"work.memory_words: 9",
       [](SyntheticJob& job) {
         job.work = {WorkKind::kFma, 1, 0, 9};
       }},
      {"growth: ",
       [](SyntheticJob& job) { job.growth = FullTreeGrowth(kMaxDepths, kEvenPermille); }},
  };
  for (const auto& [part, break_it] : cases) EXPECT_THAT(ErrorOf(break_it), HasSubstr(part));
}

TEST(CheckJob, RefusesWhatPrioritisedPackagesCannotBe) {
  const SyntheticKind kind = SyntheticKind::kPrioritised;
  EXPECT_THAT(ErrorOf([](SyntheticJob& job) { job.total = 99; }, kind), HasSubstr("total: 99"));
  EXPECT_THAT(ErrorOf([](SyntheticJob& job) { job.levels = 193; }, kind), HasSubstr("levels: 193"));
  EXPECT_THAT(ErrorOf([](SyntheticJob& job) { job.stages = 2; }, kind), HasSubstr("stages: 2"));
}

TEST(MeanElements, IsAboutWhatTheOracleCounts) {
  SyntheticJob job = Valid();
  job.elements = 3000;
  job.stages = 2;
  for (const Growth& growth : {RecursiveGrowth(), ExpandingGrowth(), FullTreeGrowth(5, 750)}) {
    job.growth = growth;
    const double mean = MeanElements(job);
    EXPECT_NEAR(static_cast<double>(CountNodes(job).executed), mean, 0.1 * mean);
  }
  EXPECT_EQ(MeanElements(Valid(SyntheticKind::kFlat)), 100);
  EXPECT_EQ(MeanElements(Valid(SyntheticKind::kPrioritised)), 500);
}

}  // namespace
}  // namespace warpyard::synthetic
