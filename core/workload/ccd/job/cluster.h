// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Clusters: neighbouring triangles, with the boxes of their features side by side.
//
// A pair of triangles has 15 pairs of features. Other triangles own most of these features, and
// most of the boxes are apart; to find that out, a program must read eight boxes for each pair of
// triangles. A cluster is eight triangles in Morton order. The swept boxes of the features that the
// triangles own lie together in memory: faces, then edges, then vertices. Two clusters are compared
// feature by feature, so triangles are never compared at all. Above the clusters is a tree whose
// nodes have 32 children. The children lie together, too, so that a warp tests all of them at once
// and needs no links. Source: ours; leaves of several primitives and wide nodes as in ray tracers;
// ownership as in Triangle.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_JOB_CLUSTER_H_
#define WARPYARD_CORE_WORKLOAD_CCD_JOB_CLUSTER_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/workload/geometry/bounds.h"

namespace warpyard::ccd {

/// Triangles of a cluster; the last cluster may have fewer.
inline constexpr std::uint32_t kClusterTriangles = 8;
/// Features of a cluster: faces, edges, vertices.
inline constexpr std::uint32_t kClusterFeatures = 7 * kClusterTriangles;
static_assert(kClusterFeatures <= 255, "places and counts are bytes");
/// Places in the list of a cluster for the vertices of its triangles, each listed once. Places that
/// are not needed are at the end and hold kNoIndex.
inline constexpr std::uint32_t kClusterVertices = 3 * kClusterTriangles;
/// Children of a node of the tree above the clusters.
inline constexpr std::uint32_t kTreeBits = 5;
inline constexpr std::uint32_t kTreeArity = 1u << kTreeBits;
static_assert(kTreeArity <= 32, "the children to see are bits of a word");
/// Levels of the tree for the largest number of triangles that a scene may have.
inline constexpr std::uint32_t kMostTreeLevels = 6;

/// A face, edge or vertex: its swept box, its id, and the group of the triangle that owns it.
struct alignas(16) Feature {
  float low[3];
  std::uint32_t id;
  float high[3];
  std::uint32_t group;
};
static_assert(sizeof(Feature) == 32);

/// The vertices of a feature as three places in the vertex list of its cluster. An edge repeats its
/// second vertex and a vertex repeats itself, so that the box of every feature is the box around
/// three vertices.
using FeatureCorners = std::uint16_t;
inline constexpr std::uint32_t kCornerBits = 5;
static_assert(kClusterVertices <= 1u << kCornerBits && 3 * kCornerBits <= 16);

WY_HD inline FeatureCorners PackCorners(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  return static_cast<FeatureCorners>(a | b << kCornerBits | c << 2 * kCornerBits);
}
/// @shape k: 0 to 2
WY_HD inline std::uint32_t CornerOf(std::uint32_t corners, std::uint32_t k) {
  return corners >> k * kCornerBits & ((1u << kCornerBits) - 1u);
}

/// How many features of each kind a cluster has, in their order in memory.
struct FeatureCounts {
  std::uint32_t faces;
  std::uint32_t edges;
  std::uint32_t vertices;

  WY_HD std::uint32_t All() const { return faces + edges + vertices; }
};

WY_HD inline std::uint32_t PackCounts(const FeatureCounts& counts) {
  return counts.faces | counts.edges << 8 | counts.vertices << 16;
}
WY_HD inline FeatureCounts UnpackCounts(std::uint32_t packed) {
  return {packed & 0xffu, packed >> 8 & 0xffu, packed >> 16};
}

/// Where the features of a cluster lie.
struct alignas(8) FeatureSpan {
  std::uint32_t first;
  std::uint32_t counts;  ///< see PackCounts
};

/// The tree above the clusters. Level 0 has the box of each cluster. Each level above has one box
/// for every 32 boxes of the level below. The top level has at most 32 boxes. Each world of a set
/// has a tree of its own; a level has the boxes of all worlds, one world after the other.
struct ClusterTree {
  std::uint32_t levels;
  std::uint32_t first[kMostTreeLevels + 1];  ///< box of each level; at [levels]: all boxes
  std::uint32_t clusters;                    ///< of each world
  std::uint32_t static_clusters;             ///< the last ones of each world: they never move
  geometry::Box* boxes;                      ///< @shape [first[levels]]
  /// @shape [first[levels]]: how many children of each node are refitted; zeros when an event
  /// begins
  std::uint32_t* arrivals;

  /// How many boxes of a level are above the first clusters of a world. @shape some: at least 1
  WY_HD static std::uint32_t CountAbove(std::uint32_t some, std::uint32_t level) {
    return ((some - 1) >> kTreeBits * level) + 1;
  }
  /// How many boxes of a level each world has.
  WY_HD std::uint32_t Count(std::uint32_t level) const { return CountAbove(clusters, level); }
  /// The first box of a world in a level.
  WY_HD std::uint32_t FirstOf(std::uint32_t world, std::uint32_t level) const {
    return first[level] + world * Count(level);
  }
  WY_HD bool IsOfOneWorld() const { return first[1] == clusters; }
  WY_HD std::uint32_t MovingClusters() const { return clusters - static_clusters; }
  WY_HD std::uint32_t WorldOf(std::uint32_t cluster) const {
    return IsOfOneWorld() ? 0 : cluster / clusters;
  }
};

/// @shape triangles: at least 1
template <class Number>
WY_HD constexpr Number ClustersOf(Number triangles) {
  return (triangles - 1) / kClusterTriangles + 1;
}

/// No cluster has triangles that move and others that never do.
/// @shape static_triangles: less than triangles
template <class Number>
WY_HD constexpr Number ClustersOf(Number triangles, Number static_triangles) {
  return ClustersOf(triangles - static_triangles) +
         (static_triangles == 0 ? 0 : ClustersOf(static_triangles));
}

/// A tree without memory. @shape clusters: of each world, at least 1
inline ClusterTree ClusterTreeOf(std::uint32_t clusters, std::uint32_t worlds = 1) {
  ClusterTree tree{};
  tree.clusters = clusters;
  std::uint32_t count = clusters;
  while (true) {
    tree.first[tree.levels + 1] = tree.first[tree.levels] + worlds * count;
    ++tree.levels;
    if (count <= kTreeArity) return tree;
    count = (count - 1) / kTreeArity + 1;
  }
}

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_JOB_CLUSTER_H_
