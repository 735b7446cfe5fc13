// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Finds the clusters that overlap: for each cluster, a descent of the tree above the clusters.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_BROAD_CLUSTER_SEARCH_H_
#define WARPYARD_CORE_WORKLOAD_CCD_BROAD_CLUSTER_SEARCH_H_

#include <cstddef>
#include <cstdint>

#include "core/base/macros.h"
#include "core/base/no_index.h"
#include "core/exec/bits.h"
#include "core/exec/scope.h"
#include "core/procedure/lane_buffer.h"
#include "core/procedure/procedure_concept.h"
#include "core/workload/ccd/job/collision_job.h"
#include "core/workload/ccd/job/sample_part.h"

namespace warpyard::ccd {

using procedure::Context;
using procedure::LaneBuffer;
using procedure::Range;

/// Stage over clusters: lists the pairs whose boxes overlap; the pair of a cluster with itself
/// comes first.
///
/// A warp descends with a cluster and tests 32 boxes at once. It skips the clusters before its own,
/// so that each pair is found once, by its first cluster. [Karras: "process each pair only once"]
/// Clusters that never move come last, and do not search: pairs of them are no pairs of the step.
/// The next stage divides pairs among workers, not clusters, because a few clusters overlap a
/// hundred times as many others as most clusters do.
struct SearchClusters {
  using Found = LaneBuffer<PairIds, 96>;
  struct Scratch {
    Found::Memory found;
  };

  using Item = Range;
  static constexpr std::uint32_t kThreads = 32;
  static constexpr std::size_t kSharedBytes = sizeof(Scratch);
  static constexpr const char* kName = "SearchClusters";
  static constexpr bool kUneven = true;
  static constexpr std::uint32_t kGrain = 4;
  static constexpr std::uint32_t kLeastGrain = 1;  // where there are few clusters

  template <exec::LaneScope Scope>
  WY_HD static void Execute(Context<Scope, CollisionJob>& context, const Range& range) {
    Search(context, range, 1);
  }

  /// Searches with every `stride`th cluster only.
  template <class Scope>
  WY_HD static void Search(Context<Scope, CollisionJob>& context, const Range& range,
                           std::uint32_t stride) {
    const ClusterTree& tree = context.job.scene.clusters.tree;
    const DeviceList<PairIds>& list = context.job.step.lists.meetings;
    Found found(context.template Shared<Scratch>().found);
    const bool alone = tree.IsOfOneWorld();  // read once: the job is in memory of the device
    for (std::uint32_t i = range.begin; i < range.end; ++i) {
      const std::uint32_t world = alone ? 0 : tree.WorldOf(i * stride);
      if (!alone && !Moves(context.job.step, world)) continue;
      const std::uint32_t first = world * tree.clusters;
      const OwnCluster own{world, i * stride - first};
      if (own.cluster >= tree.MovingClusters()) continue;
      Descend(context.scope, tree, own, [&](bool has, std::uint32_t other) {
        found.Push(context.scope, has, {first + own.cluster, first + other});
        if (found.IsNearlyFull(context.scope)) found.FlushTo(context.scope, list);
      });
    }
    found.FlushTo(context.scope, list);
  }

 private:
  /// Nodes whose clusters are read at once. Otherwise a cluster that overlaps thousands would wait
  /// for one read after the other, while the other workers are already done.
  static constexpr std::uint32_t kAhead = 4;

  /// The cluster that searches: its world, and its number there. The search stays in that world.
  struct OwnCluster {
    std::uint32_t world;
    std::uint32_t cluster;
  };

  /// The clusters of a world, and the cluster that searches. Members are copies, because the job
  /// lies in memory that the device would read again for each test.
  struct Clusters {
    const geometry::Box* boxes;
    std::uint32_t count;
    std::uint32_t own;
    geometry::Box box;
  };

  /// Calls emit(has, other) for each group of clusters tested at once. All threads call it
  /// together.
  template <class Scope, class Emit>
  WY_HD static void Descend(Scope& scope, const ClusterTree& tree, const OwnCluster& own,
                            Emit&& emit) {
    const geometry::Box* const boxes = tree.boxes + tree.FirstOf(own.world, 0);
    const Clusters clusters{boxes, tree.clusters, own.cluster, boxes[own.cluster]};
    const geometry::Box& box = clusters.box;
    std::uint32_t open[kMostTreeLevels], node[kMostTreeLevels];  // children to visit; node
    std::uint32_t level = tree.levels - 1, parent = 0;
    if (level == 0) return LookAt(scope, clusters, Nodes<1>{{0}}, emit);
    while (true) {
      std::uint32_t overlapping = 0;
      WY_ROLLED
      for (std::uint32_t first = 0; first < kTreeArity; first += scope.Size()) {
        const std::uint32_t child = parent * kTreeArity + first + scope.Rank();
        bool overlaps = child < tree.Count(level) && child >= own.cluster >> kTreeBits * level;
        if (overlaps) {
          overlaps = geometry::Overlap(tree.boxes[tree.FirstOf(own.world, level) + child], box);
        }
        overlapping |= scope.Ballot(overlaps) << first;
      }
      node[level] = parent;
      open[level] = overlapping;
      if (level == 1) {
        if (scope.Size() == 32) {
          LookBelow<kAhead>(scope, clusters, {parent, overlapping}, emit);
        } else {
          LookBelow<1>(scope, clusters, {parent, overlapping}, emit);
        }
        open[level] = 0;
      }
      while (level < tree.levels && open[level] == 0) ++level;
      if (level == tree.levels) return;
      parent = node[level] * kTreeArity + exec::LowestBit(open[level]);
      open[level] &= open[level] - 1;
      --level;
    }
  }

  /// Some of the children of a node.
  struct Children {
    std::uint32_t parent;
    std::uint32_t mask;
  };

  /// Tests the clusters below nodes of level 1, kSome nodes at once.
  template <std::uint32_t kSome, class Scope, class Emit>
  WY_HD static void LookBelow(Scope& scope, const Clusters& clusters, Children nodes, Emit&& emit) {
    WY_ROLLED
    while (nodes.mask != 0) {
      Nodes<kSome> some{};
      for (std::uint32_t& node : some.of) {
        node = nodes.mask == 0 ? kNoIndex : nodes.parent * kTreeArity + exec::LowestBit(nodes.mask);
        nodes.mask &= nodes.mask - 1;
      }
      LookAt(scope, clusters, some, emit);
    }
  }

  template <std::uint32_t kCount>
  struct Nodes {
    std::uint32_t of[kCount];
  };

  template <std::uint32_t kCount, class Scope, class Emit>
  WY_HD static void LookAt(Scope& scope, const Clusters& clusters, const Nodes<kCount>& nodes,
                           Emit&& emit) {
    WY_ROLLED
    for (std::uint32_t first = 0; first < kTreeArity; first += scope.Size()) {
      bool overlaps[kCount];
      for (std::uint32_t k = 0; k < kCount; ++k) {
        const std::uint32_t other = nodes.of[k] * kTreeArity + first + scope.Rank();
        overlaps[k] = nodes.of[k] != kNoIndex && other < clusters.count && other >= clusters.own &&
                      geometry::Overlap(clusters.boxes[other], clusters.box);
      }
      for (std::uint32_t k = 0; k < kCount && nodes.of[k] != kNoIndex; ++k) {
        emit(overlaps[k], nodes.of[k] * kTreeArity + first + scope.Rank());
      }
    }
  }
};

/// Stage over every kStride-th cluster: SearchClusters for a sample of clusters. The choice is
/// fixed, so that the sample finds the same time in every run.
struct SampleClusters {
  using Item = Range;
  using Scratch = SearchClusters::Scratch;
  static constexpr std::uint32_t kThreads = 32;
  static constexpr std::size_t kSharedBytes = sizeof(Scratch);
  static constexpr const char* kName = "SampleClusters";
  static constexpr bool kUneven = true;
  static constexpr std::uint32_t kGrain = 1;
  static constexpr std::uint32_t kStride = 64;

  template <exec::LaneScope Scope>
  WY_HD static void Execute(Context<Scope, CollisionJob>& context, const Range& range) {
    if (range.begin == 0 && context.scope.Rank() == 0) {
      SampleParts::Begin<Scope>(*context.job.step.counters);
    }
    SearchClusters::Search(context, range, kStride);
  }
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_BROAD_CLUSTER_SEARCH_H_
