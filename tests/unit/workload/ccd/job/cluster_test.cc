// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/job/cluster.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace warpyard::test_support {
namespace {

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
  // The largest number of triangles of a scene.
  EXPECT_EQ(ccd::ClusterTreeOf(0x7fffffffu / 3 / ccd::kClusterTriangles + 1).levels,
            ccd::kMostTreeLevels);
}

TEST(ClusterTree, HasBoxesOfEachLevelAboveItsFirstClusters) {
  const ccd::ClusterTree tree = ccd::ClusterTreeOf(1025);
  EXPECT_EQ(ccd::ClusterTree::CountAbove(1025, 1), tree.Count(1));
  EXPECT_EQ(ccd::ClusterTree::CountAbove(32, 0), 32u);
  EXPECT_EQ(ccd::ClusterTree::CountAbove(32, 1), 1u);
  EXPECT_EQ(ccd::ClusterTree::CountAbove(33, 1), 2u);
  EXPECT_EQ(ccd::ClusterTree::CountAbove(1, 2), 1u);
}

TEST(ClustersOf, HaveTrianglesThatMoveOrStaticOnes) {
  EXPECT_EQ(ccd::ClustersOf(16u, 0u), 2u);
  EXPECT_EQ(ccd::ClustersOf(16u, 8u), 2u);
  EXPECT_EQ(ccd::ClustersOf(16u, 1u), 3u);
  EXPECT_EQ(ccd::ClustersOf(2u, 1u), 2u);
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

}  // namespace
}  // namespace warpyard::test_support
