// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Clusters of a scene: which features they have, and their boxes in a step.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_CLUSTER_BUILD_H_
#define WARPYARD_CORE_WORKLOAD_CCD_CLUSTER_BUILD_H_

#include <cstddef>
#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/bits.h"
#include "core/exec/scope.h"
#include "core/procedure/procedure_concept.h"
#include "core/workload/ccd/collision_job.h"
#include "core/workload/geometry/bounds.h"

namespace warpyard::ccd {

using procedure::Context;
using procedure::Range;

/// Stage over clusters, leaves arranged: the features of each.
struct ArrangeClusters {
  using Item = Range;
  static constexpr std::size_t kSharedBytes = 0;
  static constexpr const char* kName = "ArrangeClusters";
  static constexpr std::uint32_t kGrain = 256;

  template <class Scope>
  WY_HD static void Execute(Context<Scope, CollisionJob>& context, const Range& range) {
    for (std::uint32_t cluster = range.begin + context.scope.Rank(); cluster < range.end;
         cluster += context.scope.Size()) {
      Arrange<Scope>(context.job.scene, cluster);
    }
  }

 private:
  template <class Scope>
  WY_HD static void Arrange(const SceneView& scene, std::uint32_t cluster) {
    const std::uint32_t begin = cluster * kClusterTriangles;
    const std::uint32_t end =
        scene.triangles - begin < kClusterTriangles ? scene.triangles : begin + kClusterTriangles;
    FeatureCounts counts{end - begin, 0, 0};
    for (std::uint32_t i = begin; i < end; ++i) {
      counts.vertices += exec::CountBits(scene.leaves[i].owned & 7u);
      counts.edges += exec::CountBits(scene.leaves[i].owned >> 3);
    }
    // Clusters lie in the order in which they come by; nothing depends on it.
    const std::uint32_t first =
        Scope::Word(scene.ordered_bounds[kFeaturesPlaced]).FetchAddRelaxed(counts.All());
    scene.feature_spans[cluster] = {first, PackCounts(counts)};
    Feature* next = scene.features + first;
    for (std::uint32_t i = begin; i < end; ++i) {
      const Triangle& leaf = scene.leaves[i];
      Put(next++, leaf.id, GroupOf(scene, leaf));
    }
    for (std::uint32_t i = begin; i < end; ++i) {
      const Triangle& leaf = scene.leaves[i];
      for (int k = 0; k < 3; ++k) {
        if (!leaf.OwnsEdge(k)) continue;
        Put(next++, leaf.edge[k], GroupOf(scene, leaf));
      }
    }
    for (std::uint32_t i = begin; i < end; ++i) {
      const Triangle& leaf = scene.leaves[i];
      for (int k = 0; k < 3; ++k) {
        if (!leaf.OwnsVertex(k)) continue;
        Put(next++, leaf.vertex[k], GroupOf(scene, leaf));
      }
    }
  }

  WY_HD static std::uint32_t GroupOf(const SceneView& scene, const Triangle& triangle) {
    return scene.vertex_groups == nullptr ? 0 : scene.vertex_groups[triangle.vertex[0]];
  }

  WY_HD static void Put(Feature* feature, std::uint32_t id, std::uint32_t group) {
    *feature = {{0, 0, 0}, id, {0, 0, 0}, group};
  }
};

/// Stage over clusters: the boxes of their features as of BoundVertices, of themselves, and of the
/// nodes above: the last of a node's children to arrive goes on with the node.
struct BoundClusters {
  using Item = Range;
  static constexpr std::uint32_t kThreads = 32;
  static constexpr std::size_t kSharedBytes = 0;
  static constexpr const char* kName = "BoundClusters";
  static constexpr bool kUneven = true;
  static constexpr std::uint32_t kGrain = 4;
  static constexpr std::uint32_t kLeastGrain = 1;  // where there are few

  template <exec::LaneScope Scope>
  WY_HD static void Execute(Context<Scope, CollisionJob>& context, const Range& range) {
    const SceneView& scene = context.job.scene;
    SizeSum size(scene.size_scale);  // of thread 0
    for (std::uint32_t cluster = range.begin; cluster < range.end; ++cluster) {
      const geometry::Box own = BoundFeatures(context.scope, scene, cluster);
      if (context.scope.Rank() == 0) {
        size.AddTriangle(scene.features[scene.feature_spans[cluster].first], kClusterTriangles);
      }
      Climb(context.scope, scene.tree, cluster, own, size);
    }
    // Where a sample has found a contact this is the second pass, whose boxes end there.
    StepCounters& counters = *context.job.step.counters;
    if (context.scope.Rank() == 0 &&
        Scope::Word(counters.earliest_bits).LoadRelaxed() == kNoContactBits) {
      size.AddTo<Scope>(counters.sizes[static_cast<int>(HierarchyKind::kClusters)]);
    }
  }

 private:
  /// Returns the box of the cluster, in all threads.
  template <class Scope>
  WY_HD static geometry::Box BoundFeatures(Scope& scope, const SceneView& scene,
                                           std::uint32_t cluster) {
    const FeatureSpan span = scene.feature_spans[cluster];
    const FeatureCounts counts = UnpackCounts(span.counts);
    Feature* const features = scene.features + span.first;
    geometry::Box own = geometry::EmptyBox();
    for (std::uint32_t i = scope.Rank(); i < counts.All(); i += scope.Size()) {
      Feature feature = features[i];
      const geometry::Box box =
          BoxOf(scene, feature.id, (i < counts.faces), (i < counts.faces + counts.edges));
      for (int k = 0; k < 3; ++k) {
        feature.low[k] = box.low[k];
        feature.high[k] = box.high[k];
      }
      features[i] = feature;
      own = Union(own, box);
    }
    return UnionOfAll(scope, own);
  }

  WY_HD static geometry::Box BoxOf(const SceneView& scene, std::uint32_t id, bool is_face,
                                   bool has_edges) {
    const geometry::Box* const boxes = scene.vertex_boxes;
    if (is_face) {
      const Triangle& triangle = scene.triangle_records[id];
      return Union(boxes[triangle.vertex[0]],
                   Union(boxes[triangle.vertex[1]], boxes[triangle.vertex[2]]));
    }
    if (!has_edges) return boxes[id];
    const std::uint32_t* const ends = scene.edge_vertices + 2 * std::size_t{id};
    return Union(boxes[ends[0]], boxes[ends[1]]);
  }

  /// The box around those of all threads.
  template <class Scope>
  WY_HD static geometry::Box UnionOfAll(Scope& scope, const geometry::Box& own) {
    geometry::Box all{};
    for (int k = 0; k < 3; ++k) {
      all.low[k] = geometry::FromOrderedBits(scope.Min(geometry::OrderedBits(own.low[k])));
      all.high[k] = geometry::FromOrderedBits(~scope.Min(~geometry::OrderedBits(own.high[k])));
    }
    return all;
  }

  template <class Scope>
  WY_HD static void Climb(Scope& scope, const ClusterTree& tree, std::uint32_t index,
                          geometry::Box box, SizeSum& size) {
    for (std::uint32_t level = 0;; ++level) {
      if (scope.Rank() == 0) {
        tree.boxes[tree.first[level] + index] = box;
        size.AddNode(box);
      }
      if (level + 1 == tree.levels) return;
      index /= kTreeArity;
      const std::uint32_t begin = tree.first[level] + index * kTreeArity;
      const std::uint32_t left = tree.first[level + 1] - begin;
      const std::uint32_t children = left < kTreeArity ? left : kTreeArity;
      bool last = false;
      if (scope.Rank() == 0) {
        std::uint32_t& arrivals = tree.arrivals[tree.first[level + 1] + index];
        last = Scope::Word(arrivals).FetchAddAcqRel(1) + 1 == children;
      }
      if (!scope.Broadcast(last)) return;
      scope.Barrier();
      geometry::Box below = geometry::EmptyBox();
      for (std::uint32_t i = scope.Rank(); i < children; i += scope.Size()) {
        below = Union(below, tree.boxes[begin + i]);
      }
      box = UnionOfAll(scope, below);
    }
  }
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_CLUSTER_BUILD_H_
