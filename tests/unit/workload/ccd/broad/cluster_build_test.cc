// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Clusters, from their features to their boxes and to the pairs of clusters that overlap.

#include "core/workload/ccd/broad/cluster_build.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/mesh_fixtures.h"
#include "tests/support/serial_sorts.h"
#include "tests/unit/workload/ccd/broad/clusters_fixture.h"

namespace warpyard::test_support {
namespace {

/// A rough sheet of 40 x 40 quads of side 1; it is a thousand times thinner than wide.
Motion RoughSheet() {
  constexpr std::uint32_t kSide = 41;
  Random random(1);
  Motion motion;
  for (std::uint32_t v = 0; v < kSide * kSide; ++v) {
    const std::uint32_t column = v % kSide, row = v / kSide;
    motion.start.insert(motion.start.end(), {double(column), double(row), random.Uniform(0, 0.04)});
    if (column == 0 || row == 0) continue;
    motion.triangles.insert(motion.triangles.end(),
                            {v - kSide - 1, v - kSide, v, v - kSide - 1, v, v - 1});
  }
  motion.end = motion.start;
  return motion;
}

TEST(Clusters, OfAThinSceneAreNoSlices) {
  Clusters clusters(RoughSheet());
  const InRandomOrder run(1, clusters.hierarchy);
  clusters.Build(run);
  clusters.Bound(run);
  const ccd::ClusterTree& tree = clusters.hierarchy.job.scene.clusters.tree;
  double area = 0;
  for (std::uint32_t i = 0; i < tree.Count(0); ++i) {
    const geometry::Box& box = tree.boxes[i];
    area += double(box.high[0] - box.low[0]) * double(box.high[1] - box.low[1]);
  }
  EXPECT_LT(area, 4.0 * 40 * 40) << "clusters cover the sheet more than four times";
}

TEST(Clusters, AreRightForAFewTriangles) {
  for (std::uint32_t triangles = 1; triangles <= 17; ++triangles) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      ASSERT_EQ(FaultOf(TriangleSoup(seed, {triangles, 0.3, 0.3}), seed), "")
          << triangles << " triangles, seed " << seed;
    }
  }
}

TEST(Clusters, AreRightForRandomSoups) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const auto triangles = static_cast<std::uint32_t>(18 + seed * seed);
    ASSERT_EQ(FaultOf(TriangleSoup(seed, {triangles, 0.1, seed % 2 == 0 ? 0.5 : 0.1}), seed), "")
        << triangles << " triangles, seed " << seed;
  }
}

TEST(Clusters, AreRightWhereALevelIsFullAndWhereAnotherBegins) {
  for (const std::uint32_t triangles : {255u, 256u, 257u, 264u, 265u, 8192u, 8193u}) {
    EXPECT_EQ(FaultOf(TriangleSoup(triangles, {triangles, 0.05, 0.05}), triangles), "")
        << triangles << " triangles";
  }
}

TEST(Clusters, AreRightForConnectedMeshes) {
  EXPECT_EQ(FaultOf(FoldingCloth(1, 30, 40), 1), "");
  EXPECT_EQ(FaultOf(Tetrahedra(2, 300), 2), "");
}

TEST(Clusters, AreRightForDegenerateMotions) {
  for (const NamedMotion& named : DegenerateMotions()) {
    EXPECT_EQ(FaultOf(named.motion, 3), "") << named.name;
  }
}

TEST(Clusters, AreRightForTrianglesThatUseAVertexTwice) {
  Motion motion = TriangleSoup(4, {20, 0.3, 0.3});
  for (std::size_t t = 0; t < 10; ++t) motion.triangles[3 * t + 1] = motion.triangles[3 * t];
  EXPECT_EQ(FaultOf(motion, 4), "");
}

TEST(Clusters, AreRightForAMeshWithoutGroups) {
  Motion motion = Tetrahedra(9, 30);
  motion.vertex_groups.clear();
  EXPECT_EQ(FaultOf(motion, 9), "");
}

TEST(Clusters, AreRightWhenManyTrianglesHaveTheSameCentre) {
  for (const std::uint32_t places : {1u, 2u, 7u}) {
    for (const std::uint32_t triangles : {7u, 64u, 1000u}) {
      ASSERT_EQ(FaultOf(Stacked(triangles, places), 6), "")
          << triangles << " triangles at " << places << " places";
    }
  }
}

TEST(Clusters, AreRightWhenBoundAgainAtOtherPositions) {
  Clusters clusters(TriangleSoup(8, {500, 0.1, 0.5}));
  InRandomOrder run(8, clusters.hierarchy);
  clusters.Build(run);
  clusters.Bound(run);
  auto* start = const_cast<geometry::Vector3d*>(clusters.hierarchy.job.step.start);
  for (std::size_t v = 0; v < clusters.motion.Vertices(); ++v) start[v] = -2.0 * start[v];
  clusters.Bound(run);
  EXPECT_EQ(clusters.FindFault(), "");
  EXPECT_EQ(clusters.FindSearchFault(run), "");
}

TEST(Clusters, AreRightWhenThreadsBuildThemTogether) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Clusters clusters(TriangleSoup(seed, {700, 0.1, 0.5}));
    const OnThreads run{clusters.hierarchy};
    clusters.Build(run);
    clusters.Bound(run);
    ASSERT_EQ(clusters.FindFault(), "") << "seed " << seed;
    ASSERT_EQ(clusters.FindSearchFault(run), "") << "seed " << seed;
  }
}

TEST(Clusters, AreRightWhenAGroupBuildsThem) {
  for (const std::uint32_t lanes : {2u, 4u, 32u}) {
    for (const std::uint32_t triangles : {1u, 9u, 60u, 300u}) {
      Clusters clusters(TriangleSoup(lanes, {triangles, 0.2, 0.2}));
      clusters.Build(InRandomOrder(lanes, clusters.hierarchy));
      std::string failure;
      const ByLanes run{clusters.hierarchy, lanes, failure};
      run.operator()<ccd::ArrangeLeaves>(triangles);
      run.operator()<ccd::ArrangeClusters>(clusters.hierarchy.job.scene.Clusters());
      clusters.Bound(run);
      const std::string where =
          std::to_string(triangles) + " triangles, " + std::to_string(lanes) + " lanes";
      ASSERT_EQ(failure, "") << where;
      ASSERT_EQ(clusters.FindFault(), "") << where;
      ASSERT_EQ(clusters.FindSearchFault(run), "") << where;
      ASSERT_EQ(failure, "") << where;
    }
  }
}

void SetEarliest(ccd::CollisionJob& job, ccd::Report report, double time) {
  job.step.asked.report = report;
  std::memcpy(&job.step.counters->earliest_bits, &time, sizeof time);
}

/// Bounds clusters until `time`, and checks them at random times before it.
std::string FaultUntil(Clusters& clusters, double time, std::uint64_t seed) {
  SetEarliest(clusters.hierarchy.job, ccd::Report::kEarliest, time);
  InRandomOrder run(seed, clusters.hierarchy);
  clusters.Bound(run);
  const ClusterFaults faults(clusters.motion, clusters.hierarchy.job);
  Random random(seed);
  for (int i = 0; i < 20; ++i) {
    const double at = i == 0 ? 0 : i == 1 ? time : random.Uniform(0, time);
    if (!faults.ContainAt(at)) return "a box does not contain a vertex at " + std::to_string(at);
  }
  const std::string fault = faults.OfStepUntil(time);
  return fault.empty() ? clusters.FindSearchFault(run) : fault;
}

TEST(Clusters, ReachAsFarAsTheEarliestTimeThatIsKnown) {
  Random random(11);
  std::vector<NamedMotion> motions = DegenerateMotions();
  motions.push_back({"soup", TriangleSoup(11, {400, 0.1, 0.5})});
  motions.push_back({"cloth", FoldingCloth(11, 20, 15)});
  motions.push_back({"far away", TriangleSoup(12, {100, 0.1, 0.5})});
  for (double& value : motions.back().motion.start) value += 1e6;
  for (double& value : motions.back().motion.end) value -= 1e6 / 3;
  for (const NamedMotion& named : motions) {
    Clusters clusters(named.motion);
    clusters.Build(InRandomOrder(11, clusters.hierarchy));
    std::vector<double> times = {0, 1e-300, 1e-16, 0.5, 1 - 0x1p-53};
    for (int i = 0; i < 10; ++i) times.push_back(random.Uniform(0, 1));
    for (const double time : times) {
      ASSERT_EQ(FaultUntil(clusters, time, 11), "") << named.name << " until " << time;
    }
  }
}

TEST(Clusters, ReachToTheEndWhereAllTimesAreWantedOrNoneIsKnown) {
  Clusters clusters(TriangleSoup(13, {100, 0.1, 0.5}));
  InRandomOrder run(13, clusters.hierarchy);
  clusters.Build(run);
  for (const auto& [report, time] :
       {std::pair(ccd::Report::kCollisions, 0.25), std::pair(ccd::Report::kCandidates, 0.25),
        std::pair(ccd::Report::kEarliest, 1.0), std::pair(ccd::Report::kEarliest, 2.0)}) {
    SetEarliest(clusters.hierarchy.job, report, time);
    clusters.Bound(run);
    EXPECT_EQ(clusters.FindFault(), "") << time;
  }
}

}  // namespace
}  // namespace warpyard::test_support
