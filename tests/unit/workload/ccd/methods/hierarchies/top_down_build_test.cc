// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/methods/hierarchies/top_down_build.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/procedure/procedure_list.h"
#include "core/workload/ccd/broad/hierarchy_build.h"
#include "core/workload/ccd/methods/hierarchies/hierarchy_refit.h"
#include "tests/support/mesh_fixtures.h"
#include "tests/support/workers/serial_driver.h"
#include "tests/unit/workload/ccd/broad/hierarchy_fixture.h"
#include "tests/unit/workload/ccd/stage_runners.h"

namespace warpyard::test_support {
namespace {

/// The build, and the refit that gives boxes to its nodes.
struct BuildProgram {
  using Job = ccd::CollisionJob;
  using Stages = ccd::JoinedStages<ccd::SplitTopDownTask::Stages, ccd::RefitTopDownTask::Stages>;
  using Procedures = Stages::Procedures;

  static std::uint32_t StageCount(const Job&) { return Stages::kCount; }

  template <class Scope>
  static procedure::StagePlan Plan(const Job& job, std::uint32_t stage) {
    return Stages::Plan<Scope, Procedures>(job, stage);
  }
};

/// The triangles in the order of the leaves.
std::vector<std::uint32_t> Build(HostHierarchy& hierarchy, SerialOrder order) {
  std::vector<std::uint64_t> spare(hierarchy.job.scene.mesh.triangles);
  hierarchy.job.step.spare_keys = spare.data();
  SerialDriver<BuildProgram> driver(order);
  const auto report = driver.Run(hierarchy.job);
  EXPECT_EQ(report.error, procedure::EventError::kNone);
  std::vector<std::uint32_t> triangles;
  for (std::uint32_t i = 0; i < hierarchy.job.scene.mesh.triangles; ++i) {
    triangles.push_back(hierarchy.job.scene.order.leaves[i].id);
  }
  return triangles;
}

std::vector<NamedMotion> Motions() {
  std::vector<NamedMotion> motions = DegenerateMotions();
  for (const std::uint32_t triangles : {1u, 2u, 3u, 63u, 64u, 65u, 66u, 500u, 3001u}) {
    motions.push_back({std::to_string(triangles), TriangleSoup(triangles, {triangles, 0.1, 0.3})});
  }
  motions.push_back({"cloth", FoldingCloth(1, 30, 40)});
  motions.push_back({"in one place", Stacked(700, 1)});
  motions.push_back({"in three places", Stacked(700, 3)});
  return motions;
}

TEST(TopDownBuild, GivesATreeOfAllTriangles) {
  for (const NamedMotion& named : Motions()) {
    HostHierarchy hierarchy(named.motion);
    Build(hierarchy, SerialOrder::kOldestFirst);
    EXPECT_EQ(hierarchy.FindFault(), "") << named.name;
  }
}

TEST(TopDownBuild, GivesTheSameTreeInAnyOrder) {
  for (const NamedMotion& named : Motions()) {
    HostHierarchy first(named.motion), second(named.motion);
    EXPECT_EQ(Build(first, SerialOrder::kOldestFirst), Build(second, SerialOrder::kNewestFirst))
        << named.name;
  }
}

TEST(TopDownBuild, GivesTheSameHalvesByManyThreads) {
  const Motion motion = TriangleSoup(3, {400, 0.1, 0.3});
  HostHierarchy one(motion), many(motion);
  std::vector<std::uint64_t> spare(400);
  for (HostHierarchy* hierarchy : {&one, &many}) {
    hierarchy->job.step.spare_keys = spare.data();
    for (std::uint32_t i = 0; i < 400; ++i) hierarchy->job.scene.order.keys[i] = i;
  }
  const auto split = [](auto& scope, ccd::CollisionJob& job) {
    procedure::Element elements[2];
    procedure::SpawnBuffer spawns{0, elements};
    procedure::Context<std::remove_reference_t<decltype(scope)>, ccd::CollisionJob> context{
        scope, job, nullptr, &spawns};
    ccd::SplitRange::Execute(context, ccd::LeafRange{0, 399});
  };
  ScratchOf<ccd::SplitRange> scratch;
  exec::ThreadScope scope(scratch.bytes);
  split(scope, one.job);
  const std::string failure = RunLanes(
      7, [&](ScheduledLaneScope& lane) { split(lane, many.job); }, scratch.bytes);
  EXPECT_EQ(failure, "");
  std::uint64_t* const a = one.job.scene.order.keys;
  std::uint64_t* const b = many.job.scene.order.keys;
  for (const auto& [begin, end] : {std::pair{0, 200}, std::pair{200, 400}}) {
    std::sort(a + begin, a + end);
    std::sort(b + begin, b + end);
  }
  EXPECT_TRUE(std::equal(a, a + 400, b));
  EXPECT_LT(a[199], a[200]);
}

TEST(TopDownBuild, GivesNodesAboutAsSmallAsThoseOfMortonOrder) {
  for (const Motion& motion : {TriangleSoup(5, {4000, 0.05, 0}), FoldingCloth(2, 40, 50)}) {
    HostHierarchy top(motion), morton(motion);
    top.job.scene.order.size_scale = morton.job.scene.order.size_scale = 0x1p20F;
    Build(top, SerialOrder::kOldestFirst);
    morton.BuildAndRefit(InRandomOrder(1, morton));
    const ccd::HierarchySize &a = top.job.step.counters->sizes[1],
                             &b = morton.job.step.counters->sizes[1];
    EXPECT_EQ(a.triangles, b.triangles);
    EXPECT_LT(static_cast<double>(a.nodes), 1.1 * static_cast<double>(b.nodes));
  }
}

}  // namespace
}  // namespace warpyard::test_support
