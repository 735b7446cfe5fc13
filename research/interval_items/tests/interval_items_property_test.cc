// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Whole steps whose root finder makes work items of intervals find the same pairs at the same times
// as steps that walk each pair at once.

#include <gtest/gtest.h>
#include <oneapi/tbb/global_control.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "research/interval_items/tests/interval_driver.h"
#include "tests/support/mesh_fixtures.h"

namespace warpyard::test_support {
namespace {

using ccd::CollisionOptions;
using ccd::CollisionResult;
using ccd::Report;
using ccd::RootFinder;
using ccd::Traversal;

// Sorts run on one thread here: ThreadSanitizer does not see how oneTBB hands work to others.
const tbb::global_control kSerialSorts(tbb::global_control::max_allowed_parallelism, 1);

std::vector<NamedMotion> Motions() {
  std::vector<NamedMotion> motions = DegenerateMotions();
  motions.push_back({"soup", AmongMany(TriangleSoup(51, {140, 0.35, 0.25}))});
  motions.push_back({"grid_soup", AmongMany(TriangleSoup(52, {100, 0.5, 0.5, 2}))});
  motions.push_back({"cloth", FoldingCloth(53, 11, 15)});
  motions.push_back({"bodies", Tetrahedra(54, 25)});
  motions.push_back({"one_triangle", TriangleSoup(7, {1, 1, 1})});
  return motions;
}

/// Options of a narrow phase.
struct Asked {
  std::uint32_t max_intervals = 1'000'000;
  double min_separation = 0;
  double max_time = 1;
};
constexpr Asked kAsked[] = {{},
                            {.max_intervals = 1},
                            {.max_intervals = 4},
                            {.max_intervals = 5, .min_separation = 0.01},
                            {.min_separation = 0.03},
                            {.max_time = 0.3},
                            {.min_separation = 0.01, .max_time = 0.6}};

CollisionOptions OptionsOf(const Asked& asked, Report report) {
  CollisionOptions options;
  options.max_intervals = asked.max_intervals;
  options.min_separation = asked.min_separation;
  options.max_time = asked.max_time;
  options.report = report;
  return options;
}

/// Steps of one motion with one scene.
class Steps {
 public:
  Steps(IntervalDriver& driver, const Motion& motion)
      : driver_(driver), motion_(motion), scene_(*driver.Open(motion)) {}

  /// @shape intervals: how many an item examines; 0: FindRoots walks whole pairs
  CollisionResult Run(const CollisionOptions& options, std::uint32_t intervals) {
    driver_.SetIntervals(intervals);
    auto result = driver_.Step(*scene_, motion_, options);
    EXPECT_TRUE(result.ok()) << result.status();
    return result.ok() ? *std::move(result) : CollisionResult{};
  }

 private:
  IntervalDriver& driver_;
  const Motion& motion_;
  const std::unique_ptr<ccd::Scene> scene_;
};

/// The difference of two results; empty if they are equal.
std::string Difference(const CollisionResult& a, const CollisionResult& b) {
  if (a.earliest_time != b.earliest_time) return "the earliest time";
  const auto same_face = [](const auto& x, const auto& y) {
    return x.vertex == y.vertex && x.face == y.face && x.time == y.time;
  };
  const auto same_edges = [](const auto& x, const auto& y) {
    return x.a0 == y.a0 && x.a1 == y.a1 && x.b0 == y.b0 && x.b1 == y.b1 && x.time == y.time;
  };
  if (!std::equal(a.vertex_face.begin(), a.vertex_face.end(), b.vertex_face.begin(),
                  b.vertex_face.end(), same_face)) {
    return "a vertex and a face";
  }
  if (!std::equal(a.edge_edge.begin(), a.edge_edge.end(), b.edge_edge.begin(), b.edge_edge.end(),
                  same_edges)) {
    return "two edges";
  }
  return "";
}

class IntervalItems : public testing::TestWithParam<Traversal> {};

std::string NameOf(const testing::TestParamInfo<Traversal>& info) {
  return ccd::NameOf(info.param);
}
INSTANTIATE_TEST_SUITE_P(Each, IntervalItems,
                         testing::Values(Traversal::kClusters, Traversal::kIndependent), NameOf);

TEST_P(IntervalItems, FindTheSamePairsAtTheSameTimes) {
  IntervalDriver one(1), several(3);
  std::uint64_t capped = 0;
  std::uint32_t turn = 0;
  for (const NamedMotion& named : Motions()) {
    Steps by_one(one, named.motion), by_several(several, named.motion);
    for (const Asked& asked : kAsked) {
      CollisionOptions options = OptionsOf(asked, Report::kCollisions);
      options.traversal = GetParam();
      const CollisionResult expected = by_several.Run(options, 0);
      for (const std::uint32_t intervals : {1u, 3u}) {
        const CollisionResult found =
            (turn++ % 2 == 0 ? by_one : by_several).Run(options, intervals);
        ASSERT_EQ(Difference(found, expected), "") << named.name << " by " << intervals;
        EXPECT_EQ(found.statistics.capped_pairs, expected.statistics.capped_pairs);
        EXPECT_EQ(found.statistics.vertex_face_collisions,
                  expected.statistics.vertex_face_collisions);
        EXPECT_EQ(found.statistics.edge_edge_collisions, expected.statistics.edge_edge_collisions);
        capped += found.statistics.capped_pairs;
      }
    }
  }
  EXPECT_GT(one.ContinuedWalks() + several.ContinuedWalks(), 10'000u);
  EXPECT_GT(capped, 1000u);
}

TEST_P(IntervalItems, FindTheSameEarliestTimesAndCandidates) {
  IntervalDriver driver(3);
  for (const NamedMotion& named : Motions()) {
    Steps steps(driver, named.motion);
    for (const Asked& asked : kAsked) {
      for (const Report report : {Report::kEarliest, Report::kCandidates}) {
        CollisionOptions options = OptionsOf(asked, report);
        options.traversal = GetParam();
        const CollisionResult expected = steps.Run(options, 0);
        EXPECT_EQ(Difference(steps.Run(options, 1), expected), "") << named.name;
      }
    }
  }
}

// So many pairs that stacks are full repeatedly, and lists overflow at first.
TEST(IntervalItemsOfACrowd, FindTheSameWithManyWorkers) {
  const Motion crowd = AmongMany(TriangleSoup(76, {1500, 0.16, 0.2}));
  for (const int threads : {2, 8}) {
    IntervalDriver driver(threads);
    Steps steps(driver, crowd);
    const CollisionResult expected = steps.Run(OptionsOf({}, Report::kCollisions), 0);
    EXPECT_EQ(driver.ContinuedWalks(), 0u) << "whole walks";
    std::uint64_t continued[2] = {};
    for (std::uint64_t& count : continued) {
      const std::uint64_t before = driver.ContinuedWalks();
      const CollisionResult found = steps.Run(OptionsOf({}, Report::kCollisions), 1);
      EXPECT_EQ(Difference(found, expected), "");
      count = driver.ContinuedWalks() - before;
    }
    EXPECT_EQ(continued[0], continued[1]) << "it does not depend on the order";
    EXPECT_GT(continued[0], 10'000u);
    const CollisionResult found = steps.Run(OptionsOf({}, Report::kEarliest), 1);
    EXPECT_EQ(found.earliest_time, expected.earliest_time);
  }
}

TEST(IntervalItemsOfTheCubicFinder, AreRefused) {
  IntervalDriver driver(1);
  driver.SetIntervals(4);
  CollisionOptions options;
  options.root_finder = RootFinder::kCubic;
  const Motion motion = TriangleSoup(9, {2, 1.5, 1});
  const auto scene = driver.Open(motion);
  ASSERT_TRUE(scene.ok()) << scene.status();
  const auto result = driver.Step(**scene, motion, options);
  EXPECT_EQ(result.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(result.status().message().find("intervals: 4"), 0u) << result.status();
}

TEST(IntervalItemsOfAStep, EndWhenItIsCancelled) {
  IntervalDriver driver(2);
  const Motion crowd = AmongMany(TriangleSoup(76, {1500, 0.16, 0.2}));
  auto scene = driver.Open(crowd);
  ASSERT_TRUE(scene.ok()) << scene.status();
  procedure::CancelToken cancelled;
  cancelled.Cancel();
  driver.SetIntervals(1);
  const CollisionOptions options = OptionsOf({}, Report::kCollisions);
  EXPECT_EQ(driver.Step(**scene, crowd, options, cancelled).status().code(),
            absl::StatusCode::kCancelled);
  EXPECT_TRUE(driver.Step(**scene, crowd, options).ok());
}

TEST(IntervalItemsWithoutMemory, AreRefused) {
  const Motion soup = AmongMany(TriangleSoup(51, {140, 0.35, 0.25}));
  std::size_t used = 0;
  {
    IntervalDriver driver(1);
    const auto scene = driver.Open(soup);
    ASSERT_TRUE(scene.ok());
    ASSERT_TRUE(driver.Step(**scene, soup, OptionsOf({}, Report::kCollisions)).ok());
    used = driver.MemoryUsed();
  }
  IntervalDriver driver(1, used + 1024);
  const auto scene = driver.Open(soup);
  ASSERT_TRUE(scene.ok()) << scene.status();
  driver.SetIntervals(1);
  EXPECT_EQ(driver.Step(**scene, soup, OptionsOf({}, Report::kEarliest)).status().code(),
            absl::StatusCode::kResourceExhausted);
  driver.SetIntervals(0);
  const auto without = driver.Step(**scene, soup, OptionsOf({}, Report::kEarliest));
  EXPECT_TRUE(without.ok()) << without.status();
}

}  // namespace
}  // namespace warpyard::test_support
