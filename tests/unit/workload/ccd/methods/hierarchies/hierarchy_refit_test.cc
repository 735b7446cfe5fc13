// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Build and refit together: hierarchy_build.h, hierarchy_refit.h.

#include "core/workload/ccd/methods/hierarchies/hierarchy_refit.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/workload/ccd/broad/hierarchy_build.h"
#include "tests/support/mesh_fixtures.h"
#include "tests/support/serial_sorts.h"
#include "tests/unit/workload/ccd/broad/hierarchy_fixture.h"
#include "tests/unit/workload/ccd/stage_runners.h"

namespace warpyard::test_support {
namespace {

std::string FaultAfterBuild(const Motion& motion, std::uint64_t seed) {
  HostHierarchy hierarchy(motion);
  hierarchy.BuildAndRefit(InRandomOrder(seed, hierarchy));
  return hierarchy.FindFault();
}

TEST(Hierarchy, IsRightForOneTwoAndThreeTriangles) {
  for (std::uint32_t triangles = 1; triangles <= 3; ++triangles) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      ASSERT_EQ(FaultAfterBuild(TriangleSoup(seed, {triangles, 0.3, 0.3}), seed), "")
          << triangles << " triangles, seed " << seed;
    }
  }
}

TEST(Hierarchy, IsRightForRandomSoups) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const auto triangles = static_cast<std::uint32_t>(4 + seed * seed);
    ASSERT_EQ(FaultAfterBuild(TriangleSoup(seed, {triangles, 0.1, 0.5}), seed), "")
        << triangles << " triangles, seed " << seed;
  }
}

TEST(Hierarchy, IsRightForConnectedMeshes) {
  EXPECT_EQ(FaultAfterBuild(FoldingCloth(1, 30, 40), 1), "");
  EXPECT_EQ(FaultAfterBuild(Tetrahedra(2, 300), 2), "");
}

TEST(Hierarchy, IsRightForDegenerateMotions) {
  for (const NamedMotion& named : DegenerateMotions()) {
    EXPECT_EQ(FaultAfterBuild(named.motion, 3), "") << named.name;
  }
}

TEST(Hierarchy, IsRightWhenManyTrianglesHaveTheSameCentre) {
  for (const std::uint32_t places : {1u, 2u, 7u}) {
    for (const std::uint32_t triangles : {7u, 64u, 1000u}) {
      ASSERT_EQ(FaultAfterBuild(Stacked(triangles, places), 6), "")
          << triangles << " triangles at " << places << " places";
    }
  }
}

TEST(Hierarchy, IsRightWhenTheSceneIsFlatOrALine) {
  for (const std::size_t flat_axes : {1u, 2u, 3u}) {
    Motion motion = TriangleSoup(7, {200, 0.1, 0.2});
    for (std::size_t i = 0; i < motion.start.size(); ++i) {
      if (i % 3 < flat_axes) motion.start[i] = 0.25;
    }
    EXPECT_EQ(FaultAfterBuild(motion, 7), "") << flat_axes << " axes";
  }
}

TEST(Hierarchy, IsRightWhenRefittedToOtherPositions) {
  const Motion first = TriangleSoup(8, {500, 0.1, 0.5});
  HostHierarchy hierarchy(first);
  hierarchy.BuildAndRefit(InRandomOrder(8, hierarchy));
  auto* start = const_cast<geometry::Vector3d*>(hierarchy.job.step.start);
  for (std::size_t v = 0; v < first.Vertices(); ++v) start[v] = -2.0 * start[v];
  InRandomOrder again(9, hierarchy);
  again.operator()<ccd::BoundVertices>(static_cast<std::uint32_t>(first.Vertices()));
  again.operator()<ccd::RefitNodes>(hierarchy.job.scene.mesh.triangles);
  EXPECT_EQ(hierarchy.FindFault(), "");
}

TEST(Hierarchy, IsRightWhenThreadsBuildItTogether) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    HostHierarchy hierarchy(TriangleSoup(seed, {400, 0.1, 0.5}));
    hierarchy.BuildAndRefit(OnThreads{hierarchy});
    ASSERT_EQ(hierarchy.FindFault(), "") << "seed " << seed;
  }
}

}  // namespace
}  // namespace warpyard::test_support
