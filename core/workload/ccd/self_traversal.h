// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Self-collision traversal: every pair of features whose swept boxes overlap, each once.
//
// Independent traversal: each thread takes a leaf and descends the hierarchy with it; a subtree
// whose last leaf does not come after the own leaf is skipped, so that of two leaves only the first
// finds the second. [Karras: independent traversal, "process each pair only once"] Deviates from
// it: the block works in rounds. Threads append the triangle pairs that they find to shared memory
// until it is nearly full; then all threads together expand them to feature pairs; when those fill
// their buffer, all threads filter them. So a thread whose leaf is done helps with the pairs of the
// others, and the code of the three phases does not diverge. For a block of one thread (a CPU
// worker) the same rounds are batches that stay in its cache.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_SELF_TRAVERSAL_H_
#define WARPYARD_CORE_WORKLOAD_CCD_SELF_TRAVERSAL_H_

#include <cstddef>
#include <cstdint>

#include "core/base/macros.h"
#include "core/procedure/block_buffer.h"
#include "core/procedure/procedure_concept.h"
#include "core/workload/ccd/collision_job.h"
#include "core/workload/ccd/feature_expansion.h"
#include "core/workload/ccd/pair_filter.h"

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
    const Triangle& triangle = scene.leaves[leaf];
    box_ = Union(
        scene.vertex_boxes[triangle.vertex[0]],
        Union(scene.vertex_boxes[triangle.vertex[1]], scene.vertex_boxes[triangle.vertex[2]]));
    stack_[0] = *scene.root;
    depth_ = 1;
  }

  /// Visits one node; calls emit(leaf) for each child that is a leaf to pair with (at most two).
  template <class Emit>
  WY_HD void VisitNode(const SceneView& scene, Emit&& emit) {
    const Node& node = scene.nodes[stack_[--depth_]];
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
  // A path has at most 30 + 32 nodes: as many as a key has bits that differ. Each leaves one entry.
  static constexpr int kMaxDepth = 64;

  geometry::Box box_;
  std::uint32_t leaf_ = 0;
  int depth_ = 0;
  std::uint32_t stack_[kMaxDepth];
};

/// Stage over leaves: finds candidates, filters them, lists the survivors.
struct TraverseLeaves {
  struct LeafPair {
    std::uint32_t a;
    std::uint32_t b;
  };
  struct Scratch {
    BlockBuffer<LeafPair, 1024> pairs;
    BlockBuffer<TaggedPair, 2560> candidates;
    BlockBuffer<PairIds, 512> survivors[2];
  };

  using Item = Range;
  static constexpr std::size_t kSharedBytes = sizeof(Scratch);
  static constexpr const char* kName = "TraverseLeaves";
  static constexpr bool kUneven = true;
  // Fewer leaves than a block has threads: neighbours in Morton order overlap the same part of the
  // scene, so a block with few of them is done early where a block with many would be the last.
  static constexpr std::uint32_t kGrain = 16;

  template <class Scope>
  WY_HD static void Execute(Context<Scope, CollisionJob>& context, const Range& range) {
    TraverseLeaves(Scope::Cycles(), range).Run(context);
  }

 private:
  WY_HD TraverseLeaves(std::uint64_t cycles, const Range& range)
      : begin_(cycles), next_leaf_(range.begin), end_leaf_(range.end) {}

  template <class Scope>
  WY_HD void Run(Context<Scope, CollisionJob>& context) {
    Scratch& scratch = context.template Shared<Scratch>();
    Scope& scope = context.scope;
    next_leaf_ += scope.Rank();
    if (scope.Rank() == 0) {
      scratch.pairs.count = 0;
      scratch.candidates.count = 0;
      scratch.survivors[0].count = 0;
      scratch.survivors[1].count = 0;
    }
    scope.Barrier();
    bool more = true;
    while (more) {
      FindPairs(context, scratch);
      more = scope.Any(descent_.Active() || next_leaf_ < end_leaf_);
      ExpandPairs(context, scratch);
      more = more && !context.Cancelled();
    }
    FilterCandidates(context, scratch);
    for (int kind = 0; kind < 2; ++kind) {
      scratch.survivors[kind].FlushTo(scope, context.job.step.survivors[kind]);
    }
    AddCounters(context);
  }

  /// Each thread descends until its leaves are done or the pairs could run over.
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

  /// The block turns all gathered triangle pairs into candidates.
  template <class Scope>
  WY_HD void ExpandPairs(Context<Scope, CollisionJob>& context, Scratch& scratch) {
    const SceneView& scene = context.job.scene;
    Scope& scope = context.scope;
    scope.Barrier();
    const std::uint32_t count = scratch.pairs.count;
    TriangleBoxes a, b;
    std::uint32_t loaded = kLeafBit;  // pairs of one leaf follow one another: load it once
    for (std::uint32_t first = 0; first < count; first += scope.Size()) {
      if (!scratch.candidates.HasRoom(scope, kMostCandidatesOfTrianglePair)) {
        FilterCandidates(context, scratch);
      }
      const std::uint32_t i = first + scope.Rank();
      if (i >= count) continue;
      const LeafPair pair = scratch.pairs.items[i];
      if (pair.a != loaded) a.Load(scene, scene.leaves[pair.a]);
      loaded = pair.a;
      b.Load(scene, scene.leaves[pair.b]);
      if (!GroupsMayCollide(scene, a.triangle, b.triangle)) continue;
      ExpandTrianglePair(a, b, [&](const TaggedPair& candidate) {
        ++candidates_[static_cast<int>(candidate.Kind())];
        scratch.candidates.template Push<Scope>(candidate);
      });
    }
    scope.Barrier();
    if (scope.Rank() == 0) scratch.pairs.count = 0;
    scope.Barrier();
  }

  /// The block filters all gathered candidates.
  template <class Scope>
  WY_HD void FilterCandidates(Context<Scope, CollisionJob>& context, Scratch& scratch) {
    Scope& scope = context.scope;
    const CollisionJob& job = context.job;
    const std::uint64_t begin = Scope::Cycles();
    scope.Barrier();
    const std::uint32_t count = scratch.candidates.count;
    for (std::uint32_t first = 0; first < count; first += scope.Size()) {
      for (int kind = 0; kind < 2; ++kind) {
        if (!scratch.survivors[kind].HasRoom(scope, 1)) {
          scratch.survivors[kind].FlushTo(scope, job.step.survivors[kind]);
        }
      }
      const std::uint32_t i = first + scope.Rank();
      if (i >= count) continue;
      const TaggedPair candidate = scratch.candidates.items[i];
      const PairKind kind = candidate.Kind();
      if (job.step.report == Report::kCandidates ||
          SurvivesFilters(LoadPair(job.scene, job.step, kind, candidate.Ids()),
                          job.step.min_separation)) {
        scratch.survivors[static_cast<int>(kind)].template Push<Scope>(candidate.Ids());
      }
    }
    scope.Barrier();
    if (scope.Rank() == 0) scratch.candidates.count = 0;
    scope.Barrier();
    filter_cycles_ += Scope::Cycles() - begin;
  }

  template <class Scope>
  WY_HD void AddCounters(Context<Scope, CollisionJob>& context) {
    StepCounters& counters = *context.job.step.counters;
    for (int kind = 0; kind < 2; ++kind) {
      if (candidates_[kind] == 0) continue;
      Scope::Word(counters.candidates[kind]).FetchAddRelaxed(candidates_[kind]);
    }
    if (context.scope.Rank() != 0) return;
    Scope::Word(counters.filter_cycles).FetchAddRelaxed(filter_cycles_);
    Scope::Word(counters.traverse_cycles).FetchAddRelaxed(Scope::Cycles() - begin_);
  }

  LeafDescent descent_;
  std::uint64_t begin_;
  std::uint64_t filter_cycles_ = 0;
  std::uint64_t candidates_[2] = {0, 0};
  std::uint32_t next_leaf_;
  std::uint32_t end_leaf_;
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_SELF_TRAVERSAL_H_
