// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Self-collision traversal: every pair of features whose swept boxes overlap, each once.
//
// Independent traversal: each thread takes a leaf and descends the hierarchy with it. It skips a
// subtree whose last leaf does not come after its own leaf, so that each pair of leaves is found
// once, by its first leaf. [Karras: independent traversal, "process each pair only once"] Deviates
// from it: the block works in rounds. Threads append the triangle pairs that they find to shared
// memory until it is nearly full. Then all threads expand these pairs to feature pairs. When the
// feature pairs fill their buffer, all threads filter them. So a thread whose leaf is done helps
// the others, and the threads do not diverge in any of the three phases. For a block of one thread
// (a CPU worker) the same rounds are batches that stay in its cache.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_METHODS_TRAVERSALS_SELF_TRAVERSAL_H_
#define WARPYARD_CORE_WORKLOAD_CCD_METHODS_TRAVERSALS_SELF_TRAVERSAL_H_

#include <cstddef>
#include <cstdint>

#include "core/base/macros.h"
#include "core/procedure/block_buffer.h"
#include "core/procedure/procedure_concept.h"
#include "core/workload/ccd/job/collision_job.h"
#include "core/workload/ccd/methods/features/candidate_funnel.h"

namespace warpyard::ccd {

using procedure::BlockBuffer;
using procedure::Context;
using procedure::Range;

/// The descent of one leaf: a cursor over the nodes that its box overlaps.
class LeafDescent {
 public:
  WY_HD bool Active() const { return depth_ > 0; }

  WY_HD void Start(const SceneView& scene, std::uint32_t leaf) {
    leaf_ = leaf;
    const Triangle& triangle = scene.order.leaves[leaf];
    box_ = Union(scene.hierarchy.vertex_boxes[triangle.vertex[0]],
                 Union(scene.hierarchy.vertex_boxes[triangle.vertex[1]],
                       scene.hierarchy.vertex_boxes[triangle.vertex[2]]));
    stack_[0] = *scene.hierarchy.root;
    depth_ = 1;
  }

  /// Visits one node; calls emit(leaf) for each child that is a leaf to pair with (at most two).
  template <class Emit>
  WY_HD void VisitNode(const SceneView& scene, Emit&& emit) {
    const Node& node = scene.hierarchy.nodes[stack_[--depth_]];
    for (int side = 0; side < 2; ++side) {
      const NodeChild& child = node.child[side];
      if (child.last_leaf <= leaf_ || !Overlap(child, box_)) continue;
      if ((child.child & kLeafBit) != 0) {
        emit(child.child & ~kLeafBit);
      } else {
        stack_[depth_++] = child.child;
      }
    }
  }

  WY_HD std::uint32_t Leaf() const { return leaf_; }

 private:
  // A path has at most 30 + 32 nodes, one for each bit in which keys differ. Each node leaves one
  // entry.
  static constexpr int kMaxDepth = 64;

  geometry::Box box_;
  std::uint32_t leaf_ = 0;
  int depth_ = 0;
  std::uint32_t stack_[kMaxDepth];
};

/// Stage over leaves: finds candidates, filters them, lists the survivors.
struct TraverseLeaves {
  struct Scratch {
    BlockBuffer<LeafPair, 1024> pairs;
    CandidateFunnel::Scratch funnel;
  };

  using Item = Range;
  static constexpr std::size_t kSharedBytes = sizeof(Scratch);
  static constexpr const char* kName = "TraverseLeaves";
  static constexpr bool kUneven = true;
  // Fewer leaves than a block has threads. Neighbours in Morton order overlap the same part of the
  // scene, so a block with many leaves of a crowded part would finish last.
  static constexpr std::uint32_t kGrain = 16;

  template <class Scope>
  WY_HD static void Execute(Context<Scope, CollisionJob>& context, const Range& range) {
    TraverseLeaves(Scope::Cycles(), range).Run(context);
  }

 private:
  WY_HD TraverseLeaves(std::uint64_t cycles, const Range& range)
      : funnel_(cycles), next_leaf_(range.begin), end_leaf_(range.end) {}

  template <class Scope>
  WY_HD void Run(Context<Scope, CollisionJob>& context) {
    Scratch& scratch = context.template Shared<Scratch>();
    Scope& scope = context.scope;
    next_leaf_ += scope.Rank();
    if (scope.Rank() == 0) scratch.pairs.count = 0;
    CandidateFunnel::Clear(scope, scratch.funnel);
    scope.Barrier();
    bool more = true;
    while (more) {
      FindPairs(context, scratch);
      more = scope.Any(descent_.Active() || next_leaf_ < end_leaf_);
      scope.Barrier();
      funnel_.Expand(context, scratch.funnel, scratch.pairs.count,
                     [&](std::uint32_t i) { return scratch.pairs.items[i]; });
      scope.Barrier();
      if (scope.Rank() == 0) scratch.pairs.count = 0;
      scope.Barrier();
      more = more && !context.Cancelled();
    }
    funnel_.Finish(context, scratch.funnel);
  }

  /// Each thread descends until its leaves are done or the buffer of pairs is nearly full.
  template <class Scope>
  WY_HD void FindPairs(Context<Scope, CollisionJob>& context, Scratch& scratch) {
    const SceneView& scene = context.job.scene;
    const std::uint32_t limit = 1024 - 2 * context.scope.Size();
    while (Scope::BlockWord(scratch.pairs.count).LoadRelaxed() <= limit) {
      if (!descent_.Active()) {
        if (next_leaf_ >= end_leaf_) return;
        descent_.Start(scene, next_leaf_);
        next_leaf_ += context.scope.Size();
      }
      descent_.VisitNode(scene, [&](std::uint32_t leaf) {
        scratch.pairs.template Push<Scope>({descent_.Leaf(), leaf});
      });
    }
  }

  LeafDescent descent_;
  CandidateFunnel funnel_;
  std::uint32_t next_leaf_;
  std::uint32_t end_leaf_;
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_METHODS_TRAVERSALS_SELF_TRAVERSAL_H_
