// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/job/stage_list.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>

#include "core/exec/thread_scope.h"

namespace warpyard::test_support {
namespace {

using ccd::Deal;
using ccd::StepPhase;
using Scope = exec::ThreadScope;

/// A procedure that is only planned.
template <int kNumber>
struct Planned {
  using Item = procedure::Range;
  static constexpr std::size_t kSharedBytes = 0;
  static constexpr const char* kName = "Planned";
  static constexpr std::uint32_t kGrain = 16;
  static constexpr std::uint32_t kLeastGrain = 4;
};

using First = ccd::StageList<
    ccd::Stage<Planned<1>, StepPhase::kRefit, Deal::kGrains, ccd::EachTriangle>,
    ccd::Stage<Planned<2>, StepPhase::kBroad, Deal::kParts, ccd::EachVertex, Planned<3>>>;
using Second = ccd::StageList<
    ccd::Stage<Planned<1>, StepPhase::kSort, Deal::kShares, ccd::EachVertexOrTriangle>>;
using All = ccd::JoinedStages<First, Second>;

ccd::CollisionJob JobOf(std::uint32_t vertices, std::uint32_t triangles) {
  ccd::CollisionJob job{};
  job.scene.mesh.vertices = vertices;
  job.scene.mesh.triangles = triangles;
  job.shares = 10;
  return job;
}

procedure::StagePlan PlanOf(const ccd::CollisionJob& job, std::uint32_t stage) {
  return All::Plan<Scope, All::Procedures>(job, stage);
}

TEST(StageList, HasEachProcedureOnceAndThoseThatAreSpawned) {
  EXPECT_EQ(All::kCount, 3u);
  EXPECT_EQ(All::Procedures::kCount, 3u);
  EXPECT_EQ(All::Procedures::IndexOf<Planned<2>>() + 1, All::Procedures::IndexOf<Planned<3>>());
}

TEST(StageList, PlansEachStageByItsNumber) {
  const ccd::CollisionJob job = JobOf(7, 5);
  EXPECT_EQ(PlanOf(job, 0).procedure, All::Procedures::IndexOf<Planned<1>>());
  EXPECT_EQ(PlanOf(job, 0).count, 5u);
  EXPECT_EQ(PlanOf(job, 1).procedure, All::Procedures::IndexOf<Planned<2>>());
  EXPECT_EQ(PlanOf(job, 1).count, 7u);
  EXPECT_EQ(PlanOf(job, 2).procedure, All::Procedures::IndexOf<Planned<1>>());
  EXPECT_EQ(PlanOf(job, 2).count, 7u);
  EXPECT_EQ(PlanOf(job, 3).count, 0u) << "behind the last one";
}

TEST(StageList, TellsThePhaseOfEachStage) {
  EXPECT_EQ(All::kPhases[0], StepPhase::kRefit);
  EXPECT_EQ(All::kPhases[1], StepPhase::kBroad);
  EXPECT_EQ(All::kPhases[2], StepPhase::kSort);
}

TEST(Deal, GivesWholeGrains) { EXPECT_EQ(PlanOf(JobOf(1, 3), 0).grain, 16u); }

TEST(Deal, GivesSmallPartsWhereThereAreFew) {
  EXPECT_EQ(PlanOf(JobOf(1, 1), 1).grain, 4u);
  EXPECT_EQ(PlanOf(JobOf(4096 * 11, 1), 1).grain, 8u) << "a whole multiple of the least grain";
  EXPECT_EQ(PlanOf(JobOf(4096 * 1000, 1), 1).grain, 16u);
}

TEST(Deal, GivesAsManyShares) {
  EXPECT_EQ(PlanOf(JobOf(0, 0), 2).grain, 1u);
  EXPECT_EQ(PlanOf(JobOf(10, 10), 2).grain, 1u);
  EXPECT_EQ(PlanOf(JobOf(11, 10), 2).grain, 2u);
  EXPECT_EQ(PlanOf(JobOf(10'000, 10), 2).grain, 16u) << "not more than a grain";
}

TEST(Deal, GivesWarpsOfALargeDeviceAShareEach) {
  EXPECT_EQ(ccd::SharesOf(263), 1664u) << "two worker blocks for most of 132 multiprocessors";
  EXPECT_GE(ccd::SharesOf(1), 1u);
}

}  // namespace
}  // namespace warpyard::test_support
