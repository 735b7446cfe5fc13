// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Clusters of a scene: which features each cluster has, and which vertices those features have.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_BROAD_CLUSTER_BUILD_H_
#define WARPYARD_CORE_WORKLOAD_CCD_BROAD_CLUSTER_BUILD_H_

#include <cstddef>
#include <cstdint>

#include "core/base/macros.h"
#include "core/base/no_index.h"
#include "core/exec/bits.h"
#include "core/procedure/procedure_concept.h"
#include "core/workload/ccd/job/collision_job.h"

namespace warpyard::ccd {

using procedure::Context;
using procedure::Range;

/// Stage over clusters, leaves arranged: the vertices and the features of each.
struct ArrangeClusters {
  using Item = Range;
  static constexpr std::size_t kSharedBytes = 0;
  static constexpr const char* kName = "ArrangeClusters";
  static constexpr std::uint32_t kThreads = 32;
  static constexpr std::uint32_t kGrain = 32;

  template <class Scope>
  WY_HD static void Execute(Context<Scope, CollisionJob>& context, const Range& range) {
    for (std::uint32_t cluster = range.begin + context.scope.Rank(); cluster < range.end;
         cluster += context.scope.Size()) {
      Arrange<Scope>(context.job.scene, cluster);
    }
  }

 private:
  /// Clusters of triangles that never move follow those of the others.
  WY_HD static Range LeavesOf(const SceneView& scene, std::uint32_t cluster) {
    const std::uint32_t moving = scene.mesh.triangles - scene.mesh.static_triangles;
    const std::uint32_t moving_clusters = ClustersOf(moving);
    const bool is_static = cluster >= moving_clusters;
    const std::uint32_t begin = is_static ? moving + (cluster - moving_clusters) * kClusterTriangles
                                          : cluster * kClusterTriangles;
    const std::uint32_t most = is_static ? scene.mesh.triangles : moving;
    return {begin, most - begin < kClusterTriangles ? most : begin + kClusterTriangles};
  }

  template <class Scope>
  WY_HD static void Arrange(const SceneView& scene, std::uint32_t cluster) {
    const auto [begin, end] = LeavesOf(scene, cluster);
    FeatureCounts counts{end - begin, 0, 0};
    for (std::uint32_t i = begin; i < end; ++i) {
      counts.vertices += exec::CountBits(scene.order.leaves[i].owned & 7u);
      counts.edges += exec::CountBits(scene.order.leaves[i].owned >> 3);
    }
    // The order of features depends on the order in which clusters reserve places. No result
    // depends on it.
    const std::uint32_t first =
        Scope::Word(scene.order.ordered_bounds[kFeaturesPlaced]).FetchAddRelaxed(counts.All());
    scene.clusters.spans[cluster] = {first, PackCounts(counts)};
    PutFaces(scene, cluster, {begin, end}, first);
    std::uint32_t next = first + counts.faces;
    for (std::uint32_t i = begin; i < end; ++i) {
      const Triangle& leaf = scene.order.leaves[i];
      const FeatureCorners face = scene.clusters.corners[first + i - begin];
      for (std::uint32_t k = 0; k < 3; ++k) {
        if (!leaf.OwnsEdge(static_cast<int>(k))) continue;
        const std::uint32_t to = CornerOf(face, (k + 1) % 3);
        Put(scene, next++, {leaf.edge[k], GroupOf(scene, leaf)},
            PackCorners(CornerOf(face, k), to, to));
      }
    }
    for (std::uint32_t i = begin; i < end; ++i) {
      const Triangle& leaf = scene.order.leaves[i];
      const FeatureCorners face = scene.clusters.corners[first + i - begin];
      for (std::uint32_t k = 0; k < 3; ++k) {
        if (!leaf.OwnsVertex(static_cast<int>(k))) continue;
        const std::uint32_t at = CornerOf(face, k);
        Put(scene, next++, {leaf.vertex[k], GroupOf(scene, leaf)}, PackCorners(at, at, at));
      }
    }
  }

  /// Writes the faces of a cluster and the list of their vertices. @shape leaves: of the cluster;
  /// first: the first feature
  WY_HD static void PutFaces(const SceneView& scene, std::uint32_t cluster, const Range& leaves,
                             std::uint32_t first) {
    std::uint32_t* const vertices =
        scene.clusters.vertices + std::size_t{cluster} * kClusterVertices;
    std::uint32_t listed = 0;
    for (std::uint32_t i = leaves.begin; i < leaves.end; ++i) {
      const Triangle& leaf = scene.order.leaves[i];
      std::uint32_t place[3];
      for (int k = 0; k < 3; ++k) {
        place[k] = 0;
        while (place[k] < listed && vertices[place[k]] != leaf.vertex[k]) ++place[k];
        if (place[k] == listed) vertices[listed++] = leaf.vertex[k];
      }
      Put(scene, first + i - leaves.begin, {leaf.id, GroupOf(scene, leaf)},
          PackCorners(place[0], place[1], place[2]));
    }
    while (listed < kClusterVertices) vertices[listed++] = kNoIndex;
  }

  WY_HD static std::uint32_t GroupOf(const SceneView& scene, const Triangle& triangle) {
    return scene.mesh.vertex_groups == nullptr ? 0 : scene.mesh.vertex_groups[triangle.vertex[0]];
  }

  struct Ids {
    std::uint32_t feature;
    std::uint32_t group;
  };
  WY_HD static void Put(const SceneView& scene, std::uint32_t place, const Ids& ids,
                        FeatureCorners corners) {
    scene.clusters.features[place] = {{0, 0, 0}, ids.feature, {0, 0, 0}, ids.group};
    scene.clusters.corners[place] = corners;
  }
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_BROAD_CLUSTER_BUILD_H_
