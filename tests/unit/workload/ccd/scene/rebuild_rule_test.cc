// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/scene/rebuild_rule.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "core/exec/thread_scope.h"
#include "core/workload/geometry/bounds.h"

namespace warpyard::ccd {
namespace {

constexpr std::uint32_t kMany = RebuildRule::kLeastTriangles;
constexpr HierarchySize kAtBuild[2] = {{1000, 2000}, {1000, 5000}};

/// A rule after steps in which the nodes of clusters had these sizes.
RebuildRule After(const std::vector<std::uint64_t>& nodes) {
  RebuildRule rule;
  rule.Built(kAtBuild);
  for (const std::uint64_t size : nodes) rule.Take(HierarchyKind::kClusters, {1000, size});
  return rule;
}

TEST(RebuildRule, ComparesNodesWithTrianglesByHierarchy) {
  RebuildRule rule;
  rule.Built(kAtBuild);
  EXPECT_NEAR(rule.Take(HierarchyKind::kClusters, {1000, 3000}), 1.5, 0.01);
  EXPECT_NEAR(rule.Take(HierarchyKind::kNodes, {1000, 3000}), 0.6, 0.01);
  EXPECT_NEAR(rule.Take(HierarchyKind::kNodes, {3000, 15000}), 1, 0.01) << "both have grown";
}

TEST(RebuildRule, MeasuresNodesWhenTheyAreLinked) {
  RebuildRule rule;
  rule.Built({{1000, 2000}, {0, 0}});
  rule.Linked({1000, 4000});
  EXPECT_NEAR(rule.Take(HierarchyKind::kNodes, {1000, 6000}), 1.5, 0.01);
  EXPECT_NEAR(rule.Take(HierarchyKind::kClusters, {1000, 6000}), 3, 0.01);
  EXPECT_EQ(rule.Rebuilds(), 0u);
}

TEST(RebuildRule, WaitsForTwoStepsInARow) {
  EXPECT_FALSE(After({}).IsDue(2, kMany));
  EXPECT_FALSE(After({9000}).IsDue(2, kMany));
  EXPECT_FALSE(After({9000, 2000, 9000}).IsDue(2, kMany));
  EXPECT_TRUE(After({9000, 9000}).IsDue(2, kMany));
  EXPECT_FALSE(After({3900, 3900}).IsDue(2, kMany));
}

TEST(RebuildRule, CanBeTurnedOffAndLeavesSmallScenes) {
  const RebuildRule rule = After({9000, 9000});
  EXPECT_FALSE(rule.IsDue(0, kMany));
  EXPECT_FALSE(rule.IsDue(-1, kMany));
  EXPECT_FALSE(rule.IsDue(std::numeric_limits<double>::quiet_NaN(), kMany));
  EXPECT_FALSE(rule.IsDue(2, kMany - 1));
}

TEST(RebuildRule, RestsAfterARebuildAndTakesItsMeasure) {
  RebuildRule rule = After({9000, 9000});
  EXPECT_EQ(rule.Rebuilds(), 0u);
  rule.Built({{1000, 4500}, {1000, 4500}});
  EXPECT_EQ(rule.Rebuilds(), 1u);
  EXPECT_FALSE(rule.IsDue(2, kMany));
  for (std::uint32_t step = 1; step < RebuildRule::kRest; ++step) {
    rule.Take(HierarchyKind::kClusters, {1000, 10000});
    EXPECT_FALSE(rule.IsDue(2, kMany)) << step;
  }
  rule.Take(HierarchyKind::kClusters, {1000, 8900});
  EXPECT_FALSE(rule.IsDue(2, kMany));
  rule.Take(HierarchyKind::kClusters, {1000, 9500});
  rule.Take(HierarchyKind::kClusters, {1000, 9500});
  EXPECT_TRUE(rule.IsDue(2, kMany));
  rule.PutOff();
  EXPECT_FALSE(rule.IsDue(2, kMany));
}

TEST(RebuildRule, IsDueWhenAHeapOfPointsUnfolds) {
  RebuildRule rule;
  rule.Built({{0, 0}, {0, 0}});
  rule.Take(HierarchyKind::kClusters, {0, 0});
  rule.Take(HierarchyKind::kClusters, {0, 0});
  EXPECT_FALSE(rule.IsDue(2, kMany));
  rule.Take(HierarchyKind::kClusters, {1000, 3000});
  rule.Take(HierarchyKind::kClusters, {1000, 3000});
  EXPECT_TRUE(rule.IsDue(2, kMany));
}

TEST(SizeScale, GivesAScene26Bits) {
  EXPECT_EQ(SizeScale(1), 0x1p26F);
  EXPECT_EQ(SizeScale(1000), 0x1p17F);
  EXPECT_EQ(SizeScale(0), 0x1p26F);
  for (const double extents : {1e-45, 1e-300, 1e38}) {
    const float scale = SizeScale(extents);
    EXPECT_GT(scale, 0);
    EXPECT_LT(scale, std::numeric_limits<float>::infinity());
  }
}

TEST(SizeSum, LimitsWhatABoxCounts) {
  const geometry::Box unit = {{0, 0, 0, 0}, {1, 2, 3, 0}};
  const geometry::Box huge = {{-3e38F, -3e38F, -3e38F, 0}, {3e38F, 3e38F, 3e38F, 0}};
  HierarchySize total{};
  SizeSum sum(4);
  sum.AddTriangle(unit, 8);
  sum.AddNode(unit);
  sum.AddNode(huge);  // its extents are infinite in floats
  sum.AddTo<exec::ThreadScope>(total);
  EXPECT_EQ(total.triangles, 8 * 24u);
  EXPECT_EQ(total.nodes, 24 + (std::uint64_t{1} << 33));
}

}  // namespace
}  // namespace warpyard::ccd
