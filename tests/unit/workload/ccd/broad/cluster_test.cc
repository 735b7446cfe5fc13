// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Clusters from their features to the pairs that overlap: cluster.h, cluster_build.h,
// cluster_bounds.h, cluster_search.h.

#include "core/workload/ccd/job/cluster.h"

#include <gtest/gtest.h>
#include <oneapi/tbb/global_control.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/workload/ccd/broad/cluster_bounds.h"
#include "core/workload/ccd/broad/cluster_build.h"
#include "core/workload/ccd/broad/cluster_search.h"
#include "tests/support/mesh_fixtures.h"
#include "tests/unit/workload/ccd/broad/cluster_faults.h"
#include "tests/unit/workload/ccd/broad/hierarchy_fixture.h"
#include "tests/unit/workload/ccd/stage_runners.h"

namespace warpyard::test_support {
namespace {

// Sorts run on one thread here: ThreadSanitizer does not see how oneTBB hands work to others.
const tbb::global_control kSerialSorts(tbb::global_control::max_allowed_parallelism, 1);

/// Cluster ids in the order of PairIds.
using Meetings = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// A scene with clusters, and its mesh.
struct Clusters {
  explicit Clusters(Motion of) : motion(std::move(of)), hierarchy(motion) {}

  template <class Run>
  void Build(Run run) {
    hierarchy.BuildAndRefit(run);
    run.template operator()<ccd::ArrangeClusters>(hierarchy.job.scene.Clusters());
  }
  template <class Run>
  void Bound(Run run) {
    const ccd::SceneView& scene = hierarchy.job.scene;
    run.template operator()<ccd::BoundClusters>(ccd::BoundClusters::IndicesOf(scene));
  }

  /// Pairs whose boxes overlap, those of every `stride`th cluster.
  Meetings Expected(std::uint32_t stride = 1) const {
    const ccd::ClusterTree& tree = hierarchy.job.scene.tree;
    Meetings expected;
    for (std::uint32_t a = 0; a < tree.Count(0); a += stride) {
      for (std::uint32_t b = a; b < tree.Count(0); ++b) {
        bool overlap = true;
        for (int k = 0; k < 3; ++k) {
          overlap = overlap && tree.boxes[a].low[k] <= tree.boxes[b].high[k] &&
                    tree.boxes[b].low[k] <= tree.boxes[a].high[k];
        }
        if (overlap) expected.emplace_back(a, b);
      }
    }
    return expected;
  }

  /// What a search lists, in the order of the list, with room for `capacity` pairs.
  template <class Search, class Run>
  Meetings Found(Run run, std::size_t capacity) {
    constexpr bool kSamples = std::is_same_v<Search, ccd::SampleClusters>;
    constexpr std::uint32_t kStride = kSamples ? ccd::SampleClusters::kStride : 1;
    hierarchy.ReserveMeetings(capacity);
    const ccd::DeviceList<ccd::PairIds>& list = hierarchy.job.step.meetings;
    *list.count = 0;
    run.template operator()<Search>((hierarchy.job.scene.Clusters() - 1) / kStride + 1);
    EXPECT_EQ(list.items[capacity].a, HostHierarchy::kUnused.a) << "written behind the list";
    Meetings found;
    for (std::size_t i = 0; i < std::min<std::uint64_t>(*list.count, capacity); ++i) {
      found.emplace_back(list.items[i].a, list.items[i].b);
    }
    return found;
  }

  /// Both searches. Empty when they list what they should, each pair once.
  template <class Run>
  std::string FindSearchFault(Run run) {
    const Meetings all = Expected(), sample = Expected(ccd::SampleClusters::kStride);
    Meetings found = Found<ccd::SearchClusters>(run, all.size() + 1);
    std::sort(found.begin(), found.end());
    if (found != all) return "the pairs are not those that overlap";
    found = Found<ccd::SampleClusters>(run, sample.size() + 1);
    std::sort(found.begin(), found.end());
    return found == sample ? "" : "the sample is not the pairs of every 64th cluster";
  }

  std::string FindFault() const {
    ClusterFaults faults(motion, hierarchy.job);
    const std::string fault = faults.OfArrangement();
    return fault.empty() ? faults.OfWholeStep() : fault;
  }

  const Motion motion;
  HostHierarchy hierarchy;
};

std::string FaultOf(const Motion& motion, std::uint64_t seed) {
  Clusters clusters(motion);
  InRandomOrder run(seed, clusters.hierarchy);
  clusters.Build(run);
  clusters.Bound(run);
  const std::string fault = clusters.FindFault();
  return fault.empty() ? clusters.FindSearchFault(run) : fault;
}

/// A sheet of 40 x 40 quads of side 1 that is rough, but a thousand times thinner than wide.
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
  const ccd::ClusterTree& tree = clusters.hierarchy.job.scene.tree;
  double area = 0;
  for (std::uint32_t i = 0; i < tree.Count(0); ++i) {
    const geometry::Box& box = tree.boxes[i];
    area += double(box.high[0] - box.low[0]) * double(box.high[1] - box.low[1]);
  }
  EXPECT_LT(area, 4.0 * 40 * 40) << "clusters cover the sheet more than four times";
}

TEST(ClusterTree, HasAsManyLevelsAsItNeeds) {
  const std::pair<std::uint32_t, std::vector<std::uint32_t>> cases[] = {
      {1, {0, 1}},
      {32, {0, 32}},
      {33, {0, 33, 35}},
      {1024, {0, 1024, 1056}},
      {1025, {0, 1025, 1058, 1060}},
  };
  for (const auto& [clusters, first] : cases) {
    const ccd::ClusterTree tree = ccd::ClusterTreeOf(clusters);
    EXPECT_EQ(std::vector<std::uint32_t>(tree.first, tree.first + tree.levels + 1), first);
  }
  // The most triangles of a scene.
  EXPECT_EQ(ccd::ClusterTreeOf(0x7fffffffu / 3 / ccd::kClusterTriangles + 1).levels,
            ccd::kMostTreeLevels);
}

TEST(FeatureCounts, AreTheSameWhenUnpacked) {
  for (const ccd::FeatureCounts& counts :
       {ccd::FeatureCounts{1, 0, 0}, ccd::FeatureCounts{8, 24, 24}, ccd::FeatureCounts{3, 5, 2}}) {
    const ccd::FeatureCounts unpacked = ccd::UnpackCounts(ccd::PackCounts(counts));
    EXPECT_EQ(unpacked.faces, counts.faces);
    EXPECT_EQ(unpacked.edges, counts.edges);
    EXPECT_EQ(unpacked.vertices, counts.vertices);
    EXPECT_EQ(unpacked.All(), counts.faces + counts.edges + counts.vertices);
  }
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
  job.step.report = report;
  std::memcpy(&job.step.counters->earliest_bits, &time, sizeof time);
}

/// Bounds until `time`, and looks at random times before it.
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

TEST(SearchClusters, ListsAClusterWithItselfFirst) {
  Clusters clusters(TriangleSoup(14, {2000, 0.1, 0.2}));
  InRandomOrder run(14, clusters.hierarchy);
  clusters.Build(run);
  clusters.Bound(run);
  const Meetings found = clusters.Found<ccd::SearchClusters>(OnThreads{clusters.hierarchy},
                                                             clusters.Expected().size());
  std::set<std::uint32_t> seen;
  for (const auto& [a, b] : found) {
    EXPECT_TRUE(!seen.insert(a).second || a == b) << a << " with " << b;
  }
}

TEST(SearchClusters, CountsWhatAListThatIsTooShortWouldNeed) {
  Clusters clusters(TriangleSoup(15, {300, 0.2, 0.3}));
  InRandomOrder run(15, clusters.hierarchy);
  clusters.Build(run);
  clusters.Bound(run);
  const Meetings all = clusters.Expected();
  ASSERT_GT(all.size(), 200u);
  for (const std::size_t capacity : {std::size_t{0}, std::size_t{100}, all.size() - 1}) {
    const Meetings found = clusters.Found<ccd::SearchClusters>(run, capacity);
    EXPECT_EQ(*clusters.hierarchy.job.step.meetings.count, all.size());
    EXPECT_EQ(std::set(found.begin(), found.end()).size(), capacity) << "each pair once";
    for (const auto& pair : found) {
      EXPECT_TRUE(std::binary_search(all.begin(), all.end(), pair));
    }
  }
}

}  // namespace
}  // namespace warpyard::test_support
