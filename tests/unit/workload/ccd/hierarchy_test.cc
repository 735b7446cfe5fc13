// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Build and refit together: hierarchy_build.h, hierarchy_refit.h.

#include <gtest/gtest.h>
#include <oneapi/tbb/global_control.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "core/exec/thread_scope.h"
#include "core/workload/ccd/hierarchy_build.h"
#include "core/workload/ccd/hierarchy_refit.h"
#include "tests/support/mesh_fixtures.h"
#include "tests/unit/workload/ccd/hierarchy_fixture.h"

namespace warpyard::test_support {
namespace {

// Sorts run on one thread here: ThreadSanitizer does not see how oneTBB hands work to others.
const tbb::global_control kSerialSorts(tbb::global_control::max_allowed_parallelism, 1);

using exec::ThreadScope;
using ThreadContext = procedure::Context<ThreadScope, ccd::CollisionJob>;

/// Runs each stage in ranges of a few indices, in random order.
class InRandomOrder {
 public:
  InRandomOrder(std::uint64_t seed, HostHierarchy& hierarchy)
      : random_(seed), hierarchy_(hierarchy) {}

  template <class Procedure>
  void operator()(std::uint32_t count) {
    std::vector<procedure::Range> ranges;
    for (std::uint32_t begin = 0; begin < count;) {
      const std::uint32_t end = std::min(count, begin + 1 + random_.Below(7));
      ranges.push_back({begin, end});
      begin = end;
    }
    ThreadScope scope(nullptr);
    ThreadContext context{scope, hierarchy_.job};
    while (!ranges.empty()) {
      std::swap(ranges[random_.Below(static_cast<std::uint32_t>(ranges.size()))], ranges.back());
      Procedure::Execute(context, ranges.back());
      ranges.pop_back();
    }
  }

 private:
  Random random_;
  HostHierarchy& hierarchy_;
};

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

/// The soup with all triangles, or those of each of some clusters, in one place.
Motion Stacked(std::uint32_t triangles, std::uint32_t places) {
  Motion motion = TriangleSoup(5, {triangles, 0.1, 0.2});
  for (std::size_t t = 0; t < triangles; ++t) {
    const std::size_t from = t % places;
    for (std::size_t k = 0; k < 9; ++k) motion.start[9 * t + k] = motion.start[9 * from + k];
  }
  return motion;
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
  again.operator()<ccd::RefitNodes>(hierarchy.job.scene.triangles);
  EXPECT_EQ(hierarchy.FindFault(), "");
}

/// Runs each stage on several threads, each taking every n-th range.
struct OnThreads {
  HostHierarchy& hierarchy;

  template <class Procedure>
  void operator()(std::uint32_t count) {
    constexpr std::uint32_t kThreads = 3, kRange = 5;
    std::vector<std::thread> threads;
    for (std::uint32_t t = 0; t < kThreads; ++t) {
      threads.emplace_back([this, t, count] {
        ThreadScope scope(nullptr);
        ThreadContext context{scope, hierarchy.job};
        for (std::uint32_t begin = t * kRange; begin < count; begin += kThreads * kRange) {
          Procedure::Execute(context, procedure::Range{begin, std::min(count, begin + kRange)});
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
};

TEST(Hierarchy, IsRightWhenThreadsBuildItTogether) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    HostHierarchy hierarchy(TriangleSoup(seed, {400, 0.1, 0.5}));
    hierarchy.BuildAndRefit(OnThreads{hierarchy});
    ASSERT_EQ(hierarchy.FindFault(), "") << "seed " << seed;
  }
}

}  // namespace
}  // namespace warpyard::test_support
