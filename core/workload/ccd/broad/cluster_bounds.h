// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Boxes of clusters in a step, from the positions of vertices up to the top of the tree, in one
// stage.
//
// The box of a feature is the union of the boxes of its vertices. A cluster has few vertices, and
// their boxes fit into a warp's memory, so each cluster computes them itself. So most boxes of
// vertices are computed three or four times. That takes less time than a separate stage for these
// boxes: the time of short steps is mostly that of chains of reads and of stages (docs/adr/0028).
#ifndef WARPYARD_CORE_WORKLOAD_CCD_BROAD_CLUSTER_BOUNDS_H_
#define WARPYARD_CORE_WORKLOAD_CCD_BROAD_CLUSTER_BOUNDS_H_

#include <cstddef>
#include <cstdint>

#include "core/base/macros.h"
#include "core/base/no_index.h"
#include "core/exec/bits.h"
#include "core/exec/scope.h"
#include "core/procedure/procedure_concept.h"
#include "core/workload/ccd/broad/vertex_bounds.h"
#include "core/workload/ccd/job/collision_job.h"
#include "core/workload/ccd/job/sample_part.h"
#include "core/workload/geometry/bounds.h"

namespace warpyard::ccd {

using procedure::Context;
using procedure::Range;

/// Stage over IndicesOf a job: boxes of features up to EndTime, boxes of clusters, and boxes of
/// the tree's nodes above them. The last child that arrives at a node continues with the node. Each
/// index also keeps a share of the vertices for later stages (StepVertices::Keep). Candidate lists
/// are empty after this stage: the pass after a sample discards the lists of the sample.
///
/// Builds bound static clusters and keep static vertices. Steps pass over both (docs/adr/0053).
struct BoundClusters {
  struct Scratch {
    geometry::Box vertices[kClusterVertices];  ///< boxes of a cluster's vertices
  };

  using Item = Range;
  static constexpr std::uint32_t kThreads = 32;
  static constexpr std::size_t kSharedBytes = sizeof(Scratch);
  static constexpr const char* kName = "BoundClusters";
  static constexpr bool kUneven = true;
  static constexpr std::uint32_t kGrain = 8;

  /// As many as clusters. There are more where many vertices have no triangle, so that shares of
  /// vertices stay small.
  WY_HD static std::uint32_t IndicesOf(const CollisionJob& job) { return PartOf(job).indices; }

  template <exec::LaneScope Scope>
  WY_HD static void Execute(Context<Scope, CollisionJob>& context, const Range& range) {
    if (range.begin == 0 && context.scope.Rank() == 0) {
      SampleParts::EndIfBegun<Scope>(*context.job.step.counters);
    }
    Pass<Scope> pass(context, range);
    pass.Run();
    pass.AddCounters();
  }

 private:
  static constexpr std::uint32_t kMostShare = 32;

  /// The part of a scene that a job bounds: a build bounds all, a step the clusters that move.
  struct Part {
    std::uint32_t indices;   ///< of the stage
    std::uint32_t clusters;  ///< of the stage
    std::uint32_t vertices;  ///< of which the stage keeps something
    std::uint32_t clusters_of_world, vertices_of_world;
  };
  WY_HD static Part PartOf(const CollisionJob& job) {
    const SceneView& scene = job.scene;
    const MeshView& mesh = scene.mesh;
    const ClusterTree& tree = scene.clusters.tree;
    Part part = {0, tree.first[1], mesh.vertices, tree.clusters, scene.VerticesOfWorld()};
    if (mesh.static_vertices != 0 && job.task == CollisionTask::kStep) {
      if (!scene.worlds.AreSeveral()) part.clusters = tree.MovingClusters();
      part.clusters_of_world = tree.MovingClusters();
      part.vertices_of_world -= mesh.static_vertices;
      // Where a step sorts, all vertices have rows to be emptied.
      const bool empties_rows = job.step.lists.rows.ends != nullptr;
      if (!empties_rows && !scene.worlds.AreSeveral()) part.vertices = part.vertices_of_world;
    }
    const std::uint32_t shares = (part.vertices - 1) / kMostShare + 1;
    part.indices = part.clusters > shares ? part.clusters : shares;
    return part;
  }

  template <class Scope>
  class Pass {
   public:
    WY_HD Pass(Context<Scope, CollisionJob>& context, const Range& range)
        : scope_(context.scope),
          scene_(context.job.scene),
          step_(context.job.step),
          range_(range),
          part_(PartOf(context.job)),
          boxes_(context.template Shared<Scratch>().vertices),
          lists_(scene_.clusters.vertices),
          spans_(scene_.clusters.spans),
          features_(scene_.clusters.features),
          corners_(scene_.clusters.corners),
          tree_boxes_(scene_.clusters.tree.boxes),
          fetched_(FetchedOf(range.begin)),  // first, because other members wait for counters
          is_first_(SampleParts::Of<Scope>(*step_.counters) == SamplePart::kBefore),
          vertices_(context.job, !is_first_, EndTime<Scope>(step_)),
          size_(scene_.order.size_scale) {}

    WY_HD void Run() {
      const bool several = scene_.worlds.AreSeveral();
      KeepShare(several);  // while the first cluster's list is loading
      WY_ROLLED
      for (std::uint32_t i = range_.begin, end = ClustersEnd(); i < end; ++i) {
        if (!several || (IsBounded(i) && EnterWorld(scene_.clusters.tree.WorldOf(i)))) {
          BoundCluster(i);
        } else {
          fetched_ = FetchedOf(i + 1);
        }
      }
      ArriveAbove();
    }

    WY_HD void AddCounters() const {
      if (scope_.Rank() != 0 || !is_first_) return;
      StepCounters& counters = *step_.counters;
      size_.template AddTo<Scope>(counters.sizes[static_cast<int>(HierarchyKind::kClusters)]);
    }

   private:
    /// What a thread loads from a cluster before the cluster's turn.
    struct Fetched {
      FeatureSpan span;
      std::uint32_t vertex;  ///< in the cluster's list, at this thread's place
    };

    /// The part of a feature that bounding reads.
    struct Head {
      std::uint32_t id, group, corners;
    };

    WY_HD std::uint32_t ClustersEnd() const { return exec::Least(range_.end, part_.clusters); }

    /// Empty for clusters behind the range.
    WY_HD Fetched FetchedOf(std::uint32_t cluster) const {
      Fetched fetched{{0, 0}, kNoIndex};
      if (cluster >= ClustersEnd()) return fetched;
      fetched.span = spans_[cluster];
      if (scope_.Rank() < kClusterVertices) fetched.vertex = ListOf(cluster)[scope_.Rank()];
      return fetched;
    }

    WY_HD const std::uint32_t* ListOf(std::uint32_t cluster) const {
      return lists_ + std::size_t{cluster} * kClusterVertices;
    }

    /// Vertices without a triangle count, too, because a rebuild reads the positions of all.
    WY_HD void KeepShare(bool several) {
      const std::uint32_t share = (part_.vertices - 1) / part_.indices + 1;
      const std::uint32_t end = exec::Least(range_.end * share, part_.vertices);
      WY_ROLLED
      for (std::uint32_t v = range_.begin * share + scope_.Rank(); v < end; v += scope_.Size()) {
        const std::uint32_t world = several ? v / scene_.worlds.vertices : 0;
        if (v - world * scene_.worlds.vertices >= part_.vertices_of_world) {
          vertices_.ClearRows(v);
        } else if (!several || EnterWorld(world)) {
          vertices_.Keep(v);
        } else {
          vertices_.Skip(step_, v, step_.worlds.states[world]);
        }
      }
    }

    /// Whether the job bounds a cluster. The static clusters of a set lie between the clusters of
    /// two worlds. @shape cluster: of any world
    WY_HD bool IsBounded(std::uint32_t cluster) const {
      const ClusterTree& tree = scene_.clusters.tree;
      return cluster - tree.WorldOf(cluster) * tree.clusters < part_.clusters_of_world;
    }

    /// Whether a world of a set moves; then vertices end as the world does. After a sample, each
    /// world has an end of its own.
    WY_HD bool EnterWorld(std::uint32_t world) {
      if (!Moves(step_, world)) return false;
      if (!is_first_) vertices_.EndAt(EndTime<Scope>(step_, world));
      return true;
    }

    WY_HD void BoundCluster(std::uint32_t cluster) {
      const Fetched now = fetched_;
      fetched_ = FetchedOf(cluster + 1);  // arrives before its turn
      const std::uint32_t first = now.span.first, count = UnpackCounts(now.span.counts).All();
      constexpr std::uint32_t kAhead = 2;  // rows that hold all features, by 32 threads
      static_assert(kClusterFeatures <= kAhead * 32);
      Head heads[kAhead] = {};
      for (std::uint32_t row = 0; row < kAhead; ++row) {
        const std::uint32_t i = row * scope_.Size() + scope_.Rank();
        if (i < count) heads[row] = HeadOf(first + i);
      }
      const geometry::Box own = BoundVertices(cluster, now.vertex);
      const bool counts = Counts(cluster, 0);
      scope_.Barrier();
      for (std::uint32_t row = 0; row < kAhead; ++row) {
        const std::uint32_t i = row * scope_.Size() + scope_.Rank();
        if (i >= count) continue;
        const geometry::Box box = BoundFeature(first + i, heads[row]);
        if (i == 0 && counts) size_.AddTriangle(box, kClusterTriangles);  // the feature is a face
      }
      for (std::uint32_t i = kAhead * scope_.Size() + scope_.Rank(); i < count;
           i += scope_.Size()) {
        BoundFeature(first + i, HeadOf(first + i));
      }
      PutTreeBox(cluster, UnionOfAll(own), counts);
      scope_.Barrier();  // all threads have read the boxes that the next cluster overwrites
    }

    WY_HD Head HeadOf(std::uint32_t feature) const {
      const Feature& of = features_[feature];
      return {of.id, of.group, corners_[feature]};
    }

    /// Bounds the vertices of a cluster; returns the box around those of this thread.
    /// @shape first: the first vertex of this thread, or kNoIndex
    WY_HD geometry::Box BoundVertices(std::uint32_t cluster, std::uint32_t first) {
      geometry::Box all = geometry::EmptyBox();
      std::uint32_t vertex = first;
      for (std::uint32_t place = scope_.Rank(); vertex != kNoIndex;) {
        const geometry::Box box = vertices_.BoxOf(vertices_.PathOf(vertex));
        boxes_[place] = box;
        all = Union(all, box);
        place += scope_.Size();
        vertex = place < kClusterVertices ? ListOf(cluster)[place] : kNoIndex;
      }
      return all;
    }

    WY_HD geometry::Box BoundFeature(std::uint32_t feature, const Head& head) {
      const geometry::Box box =
          Union(boxes_[CornerOf(head.corners, 0)],
                Union(boxes_[CornerOf(head.corners, 1)], boxes_[CornerOf(head.corners, 2)]));
      features_[feature] = {{box.low[0], box.low[1], box.low[2]},
                            head.id,
                            {box.high[0], box.high[1], box.high[2]},
                            head.group};
      return box;
    }

    /// The box around the boxes of all threads.
    WY_HD geometry::Box UnionOfAll(const geometry::Box& own) {
      geometry::Box all{};
      for (int k = 0; k < 3; ++k) {
        all.low[k] = geometry::FromOrderedBits(scope_.Min(geometry::OrderedBits(own.low[k])));
        all.high[k] = geometry::FromOrderedBits(~scope_.Min(~geometry::OrderedBits(own.high[k])));
      }
      return all;
    }

    /// Whether the size of a box counts. The rebuild rule compares the sizes of steps with those of
    /// the build, and steps do not bound static clusters. @shape box: its number in a level of a
    /// world
    WY_HD bool Counts(std::uint32_t box, std::uint32_t level) const {
      const ClusterTree& tree = scene_.clusters.tree;
      if (part_.clusters_of_world != tree.clusters || tree.static_clusters == 0) return true;
      return box < ClusterTree::CountAbove(tree.MovingClusters(), level);
    }

    WY_HD void PutTreeBox(std::uint32_t place, const geometry::Box& box, bool counts) {
      if (scope_.Rank() != 0) return;
      tree_boxes_[place] = box;
      if (counts) size_.AddNode(box);
    }

    /// Clusters of the range with the same parent arrive there together.
    WY_HD void ArriveAbove() {
      const ClusterTree& tree = scene_.clusters.tree;
      if (tree.levels == 1) return;
      for (std::uint32_t begin = range_.begin; begin < ClustersEnd();) {
        const std::uint32_t world = tree.WorldOf(begin), first = world * tree.clusters;
        const std::uint32_t parent = (begin - first) / kTreeArity;
        const std::uint32_t next = exec::Least(tree.clusters, (parent + 1) * kTreeArity);
        const std::uint32_t end = exec::Least(ClustersEnd(), first + next);
        const std::uint32_t bounded = exec::Least(end, first + part_.clusters_of_world);
        const bool arrives = begin < bounded && (tree.IsOfOneWorld() || Moves(step_, world));
        if (arrives) Climb(world, parent, bounded - begin);
        begin = end;
      }
    }

    /// Continues with a node of level 1 if all of its children have arrived, and then with its
    /// parents. The last child that arrives resets the count for the next pass.
    WY_HD void Climb(std::uint32_t world, std::uint32_t node, std::uint32_t arriving) {
      const ClusterTree& tree = scene_.clusters.tree;
      for (std::uint32_t level = 1;; ++level) {
        const std::uint32_t first = node * kTreeArity;  // of the children, in their level
        const std::uint32_t children = exec::Least(tree.Count(level - 1) - first, kTreeArity);
        const std::uint32_t arrivals_due = exec::Least(
            ClusterTree::CountAbove(part_.clusters_of_world, level - 1) - first, kTreeArity);
        const std::uint32_t place = tree.FirstOf(world, level) + node;
        bool last = false;
        if (scope_.Rank() == 0) {
          const auto arrivals = Scope::Word(tree.arrivals[place]);
          last = arrivals.FetchAddAcqRel(arriving) + arriving == arrivals_due;
          if (last) arrivals.StoreRelaxed(0);
        }
        if (!scope_.Broadcast(last)) return;
        scope_.Barrier();
        geometry::Box below = geometry::EmptyBox();
        for (std::uint32_t i = scope_.Rank(); i < children; i += scope_.Size()) {
          below = Union(below, tree_boxes_[tree.FirstOf(world, level - 1) + first + i]);
        }
        PutTreeBox(place, UnionOfAll(below), Counts(node, level));
        if (level + 1 == tree.levels) return;
        node /= kTreeArity;
        arriving = 1;
      }
    }

    Scope& scope_;
    const SceneView& scene_;
    const StepView& step_;
    const Range range_;
    const Part part_;
    geometry::Box* const boxes_;
    const std::uint32_t* const lists_;
    const FeatureSpan* const spans_;
    Feature* const features_;
    const FeatureCorners* const corners_;
    geometry::Box* const tree_boxes_;
    Fetched fetched_;
    const bool is_first_;  // first pass of the step: positions still have the form of the input
    StepVertices vertices_;
    SizeSum size_;  // of thread 0
  };
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_BROAD_CLUSTER_BOUNDS_H_
