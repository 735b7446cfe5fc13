// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/model/combined_program.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/exec/thread_scope.h"

namespace warpyard::model {
namespace {

using exec::ThreadScope;
using procedure::Context;
using procedure::Element;

struct SmallJob {
  std::uint8_t stages;
};
struct LargeJob {
  std::uint64_t words[5];
  std::vector<std::string>* log;
};

/// @shape kLetter: its name
template <char kLetter>
struct Procedure {
  using Item = procedure::Range;
  static constexpr std::size_t kSharedBytes = kLetter;
  static constexpr char kName[] = {kLetter, '\0'};

  template <class Scope, class Job>
  static void Execute(Context<Scope, Job>&, const Item&) {}
};

/// Records what it sees of its job, and spawns another element of its own workload.
struct Spawner : Procedure<'s'> {
  using Item = std::uint32_t;
  static constexpr std::uint32_t kThreads = 8;
  static constexpr std::uint32_t kMaxSpawns = 2;
  static constexpr bool kSpawned = true;

  template <class Scope>
  static void Execute(Context<Scope, LargeJob>& context, std::uint32_t item) {
    context.job.log->push_back(std::to_string(context.job.words[4]) + "/" + std::to_string(item));
    context.Spawn(ProcedureId(1), item + 1);
    context.SpawnAt(Level(6), ProcedureId(0), item + 2);
    if (context.Cancelled()) context.Fail();
  }
};

struct SmallProgram {
  using Job = SmallJob;
  using Procedures = procedure::ProcedureList<Procedure<'a'>, Procedure<'b'>, Procedure<'c'>>;
  static constexpr std::uint32_t kMaxStages = 3;

  static std::uint32_t StageCount(const Job& job) { return job.stages; }
  template <class Scope>
  static procedure::StagePlan Plan(const Job&, std::uint32_t stage) {
    return {ProcedureId(stage), 100 + stage, 7};
  }
};

struct LargeProgram {
  using Job = LargeJob;
  using Procedures = procedure::ProcedureList<Procedure<'x'>, Spawner>;
  static constexpr std::uint32_t kMaxStages = 2;

  static std::uint32_t StageCount(const Job&) { return 2; }
  template <class Scope>
  static procedure::StagePlan Plan(const Job& job, std::uint32_t stage) {
    return {ProcedureId(1 - stage), static_cast<std::uint32_t>(job.words[stage]), 1};
  }

  template <class Scope>
  static void Finish(const Job& job) {
    job.log->push_back("finished");
  }
};

struct LastJob {
  std::uint32_t stages;
};

struct LastProgram {
  using Job = LastJob;
  using Procedures = procedure::ProcedureList<Procedure<'z'>>;
  static constexpr std::uint32_t kMaxStages = 1;

  static const char* Missing(const Job& job) { return job.stages > 1 ? "a second stage" : nullptr; }
  static std::uint32_t StageCount(const Job& job) { return job.stages; }
  template <class Scope>
  static procedure::StagePlan Plan(const Job&, std::uint32_t) {
    return {ProcedureId(0), 1, 1};
  }
};

using Program = CombinedProgram<SmallProgram, LargeProgram, LastProgram>;
using Job = Program::Job;

template <class SubJob>
Job Wrap(const SubJob& job) {
  Job wrapped;
  EXPECT_TRUE(Program::Wrap(procedure::AnyJob::Of(job), wrapped).ok());
  return wrapped;
}

TEST(CombinedProgram, HasRoomForTheLargestOfAll) {
  EXPECT_GE(sizeof(Job::bytes), sizeof(LargeJob));
  EXPECT_EQ(Program::kMaxStages, 3u);
}

TEST(CombinedProgram, WrapsAJobWithItsProgram) {
  const Job wrapped = Wrap(LargeJob{{1, 2, 3, 4, 5}, nullptr});
  EXPECT_EQ(wrapped.program, 1u);
  EXPECT_EQ(wrapped.As<LargeJob>().words[4], 5u);
  EXPECT_EQ(Wrap(SmallJob{2}).program, 0u);
  EXPECT_EQ(Wrap(LastJob{1}).program, 2u);
}

TEST(CombinedProgram, SaysWhatItsProgramsLackForAJob) {
  Job wrapped;
  absl::Status status = Program::Wrap(procedure::AnyJob::Of(LastJob{2}), wrapped);
  EXPECT_TRUE(absl::IsUnimplemented(status));
  EXPECT_EQ(status.message(), "the program of these workers does not have: a second stage");
  status = Program::Wrap(procedure::AnyJob::Of(std::uint32_t{2}), wrapped);
  EXPECT_TRUE(absl::IsUnimplemented(status));
  EXPECT_EQ(status.message(),
            "the program of these workers does not have: the workload of this job");
}

TEST(CombinedProgram, HasTheStagesOfTheProgramOfTheJob) {
  EXPECT_EQ(Program::StageCount(Wrap(SmallJob{3})), 3u);
  EXPECT_EQ(Program::StageCount(Wrap(SmallJob{1})), 1u);
  EXPECT_EQ(Program::StageCount(Wrap(LargeJob{})), 2u);
  Job unknown;
  unknown.program = 3;
  EXPECT_EQ(Program::StageCount(unknown), 0u);
}

TEST(CombinedProgram, PlansWithTheIdsOfAllProcedures) {
  const auto of_first = Program::Plan<ThreadScope>(Wrap(SmallJob{3}), 2);
  EXPECT_EQ(of_first.procedure, 2u);
  EXPECT_EQ(of_first.count, 102u);
  EXPECT_EQ(of_first.grain, 7u);
  const Job large = Wrap(LargeJob{{11, 12}, nullptr});
  EXPECT_EQ(Program::Plan<ThreadScope>(large, 0).procedure, 3u + 1);
  EXPECT_EQ(Program::Plan<ThreadScope>(large, 0).count, 11u);
  EXPECT_EQ(Program::Plan<ThreadScope>(large, 1).procedure, 3u + 0);
  EXPECT_EQ(Program::Plan<ThreadScope>(Wrap(LastJob{1}), 0).procedure, 5u);
}

TEST(CombinedProgram, FinishesJobsOfProgramsThatWantIt) {
  std::vector<std::string> log;
  Program::Finish<ThreadScope>(Wrap(SmallJob{3}));
  EXPECT_TRUE(log.empty());
  Program::Finish<ThreadScope>(Wrap(LargeJob{{}, &log}));
  EXPECT_EQ(log, std::vector<std::string>{"finished"});
}

TEST(CombinedProgram, ListsTheProceduresOfAllPrograms) {
  std::string names;
  for (const char* name : Program::Procedures::kNames) names += name;
  EXPECT_EQ(names, "abcxsz");
}

TEST(CombinedProgram, KeepsWhatProceduresDeclare) {
  using Procedures = Program::Procedures;
  for (std::uint32_t id = 0; id < Procedures::kCount; ++id) {
    EXPECT_EQ(Procedures::IsSpawnedId(id), id == 4) << id;
  }
  EXPECT_EQ(Procedures::MaxSpawns(4), 2u);
  EXPECT_EQ(Procedures::MaxSpawns(3), 0u);
  EXPECT_EQ(Procedures::Threads(4, 64), 8u);
  EXPECT_EQ(Procedures::Threads(0, 64), 64u);
  EXPECT_EQ(Procedures::SharedBytes(1), 128u);
}

TEST(CombinedProgram, ExecutesAProcedureWithTheJobOfItsProgram) {
  std::vector<std::string> log;
  Job job = Wrap(LargeJob{{0, 0, 0, 0, 42}, &log});
  ThreadScope scope(nullptr);
  Element spawned[2];
  procedure::SpawnBuffer spawns{0, spawned};
  std::uint32_t cancel = 0, error = 0;
  const std::uint32_t head = procedure::MakeHead(9, 4, 9);
  Context<ThreadScope, Job> context{scope, job, &cancel, &spawns, head, 0, &error};
  const std::uint32_t payload[2] = {5, 0};
  Program::Procedures::Execute(4, context, payload);
  EXPECT_EQ(log, std::vector<std::string>{"42/5"});
  ASSERT_EQ(spawns.count, 2u);
  EXPECT_EQ(spawned[0].Event(), 9u);
  EXPECT_EQ(spawned[0].Procedure(), 4u) << "its own number 1, after the 3 of the first program";
  EXPECT_EQ(spawned[0].Bucket(), 9u);
  EXPECT_EQ(spawned[0].payload[0], 6u);
  EXPECT_EQ(spawned[1].Procedure(), 3u);
  EXPECT_EQ(spawned[1].Bucket(), procedure::kEventBuckets + 6);
  EXPECT_EQ(error, 0u);
  cancel = 1;
  spawns.count = 0;
  Program::Procedures::Execute(4, context, payload);
  EXPECT_EQ(error, static_cast<std::uint32_t>(procedure::EventError::kProcedure));
}

/// A program of `kCount` procedures.
template <std::size_t kCount>
struct ManyProgram : SmallProgram {
  struct Job : SmallJob {};
  template <std::size_t>
  struct Numbered : Procedure<'n'> {};
  template <std::size_t... kNumbers>
  static procedure::ProcedureList<Numbered<kNumbers>...> ListOf(std::index_sequence<kNumbers...>);

  using Procedures = decltype(ListOf(std::make_index_sequence<kCount>()));
};

TEST(CombinedProgram, HasRoomForAllProceduresThatAByteNames) {
  using Many = CombinedProgram<ManyProgram<200>, ManyProgram<55>, LastProgram>;
  EXPECT_EQ(Many::Procedures::kCount, procedure::kMaxProcedures);
  Many::Job last;
  ASSERT_TRUE(Many::Wrap(procedure::AnyJob::Of(LastJob{1}), last).ok());
  const auto plan = Many::Plan<ThreadScope>(last, 0);
  EXPECT_EQ(plan.procedure, 255u);
  EXPECT_EQ(procedure::ProcedureOf(procedure::MakeHead(63, plan.procedure, 255)), 255u);
}

}  // namespace
}  // namespace warpyard::model
