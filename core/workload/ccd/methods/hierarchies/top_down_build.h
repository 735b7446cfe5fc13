// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Builds a hierarchy from the top by work that spawns work: each element is a range of triangles
// that becomes two ranges. [Lauterbach §4.1] A client may choose this build instead of Morton order
// when it opens a scene.
//
// A range is split into two halves with equal numbers of triangles, along the axis on which the
// centres of its triangles are widest apart. So the range alone determines the split and the name
// of the node, and an element is only the two ends of its range. Keys are unique, so the triangles
// of a half do not depend on the order in which threads examine them. In the end a half is one
// triangle, so the tree does not depend on that order either. Deviates from [Lauterbach §4.1]:
// splits are at medians instead of at the plane of least cost. One thread splits a short range
// completely, so that queues hold a bounded number of elements.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_METHODS_HIERARCHIES_TOP_DOWN_BUILD_H_
#define WARPYARD_CORE_WORKLOAD_CCD_METHODS_HIERARCHIES_TOP_DOWN_BUILD_H_

#include <cstddef>
#include <cstdint>

#include "core/base/macros.h"
#include "core/base/no_index.h"
#include "core/procedure/procedure_concept.h"
#include "core/workload/ccd/broad/hierarchy_build.h"
#include "core/workload/ccd/job/collision_job.h"
#include "core/workload/ccd/job/stage_list.h"
#include "core/workload/ccd/methods/hierarchies/hierarchy_refit.h"
#include "core/workload/geometry/bounds.h"

namespace warpyard::ccd {

/// Leaves `first` to `last` of the tree. Their set of triangles is known, but not yet the order.
struct LeafRange {
  std::uint32_t first;
  std::uint32_t last;

  WY_HD bool IsLeaf() const { return first == last; }
  /// The last leaf of the left half.
  WY_HD std::uint32_t Middle() const { return first + (last - first) / 2; }
  WY_HD LeafRange Half(int side) const {
    return side == 0 ? LeafRange{first, Middle()} : LeafRange{Middle() + 1, last};
  }
  /// The name of the range as NodeChild stores it.
  WY_HD std::uint32_t Name() const { return IsLeaf() ? kLeafBit | first : Middle(); }
};

/// Whether one thread splits a range completely.
WY_HD inline bool IsShort(const SceneView& scene, const LeafRange& range) {
  const std::uint32_t few = scene.mesh.triangles / 8192, most = few < 64 ? 64 : few;
  return range.last - range.first < most;
}

/// Links a node with its children. @shape range: of two leaves or more
WY_HD inline void LinkRange(const SceneView& scene, const LeafRange& range) {
  const std::uint32_t node = range.Name();
  for (std::uint32_t side = 0; side < 2; ++side) {
    const LeafRange half = range.Half(static_cast<int>(side));
    scene.hierarchy.nodes[node].child[side].child = half.Name();
    scene.hierarchy.nodes[node].child[side].last_leaf = half.last;
    (half.IsLeaf() ? scene.hierarchy.leaf_parent[half.first]
                   : scene.hierarchy.node_parent[half.Name()]) = node << 1 | side;
  }
}

/// Centres of triangles at the start of the step, as integers in the same order.
struct CentreOf {
  const CollisionJob& job;

  WY_HD std::uint32_t operator()(std::uint32_t triangle, int axis) const {
    const std::uint32_t(&v)[3] = job.scene.mesh.triangle_records[triangle].vertex;
    const Vector3d* const at = job.step.start;
    const Vector3d sum = (1.0 / 3.0) * (at[v[0]] + at[v[1]] + at[v[2]]);
    const double value = axis == 0 ? sum.x : axis == 1 ? sum.y : sum.z;
    return geometry::OrderedBits(static_cast<float>(value));
  }
};

/// The bounds of centres, as ordered bits.
struct CentreBounds {
  std::uint32_t low[3];
  std::uint32_t high[3];

  WY_HD void Clear() {
    for (int k = 0; k < 3; ++k) low[k] = ~0u, high[k] = 0;
  }
  WY_HD void Add(int k, std::uint32_t at) {
    low[k] = at < low[k] ? at : low[k];
    high[k] = at > high[k] ? at : high[k];
  }
  WY_HD int WidestAxis() const {
    int widest = 0;
    float most = -1;
    for (int k = 0; k < 3; ++k) {
      const float width = geometry::FromOrderedBits(high[k]) - geometry::FromOrderedBits(low[k]);
      if (width > most) widest = k;
      most = width > most ? width : most;
    }
    return widest;
  }
};

WY_HD inline std::uint64_t KeyAlong(const CentreOf& centre, std::uint64_t key, int axis) {
  const auto triangle = static_cast<std::uint32_t>(key);
  return std::uint64_t{centre(triangle, axis)} << 32 | triangle;
}

/// Stage over triangles: lists them in their own order.
struct ListTriangles {
  using Item = procedure::Range;
  static constexpr std::size_t kSharedBytes = 0;
  static constexpr const char* kName = "ListTriangles";
  static constexpr std::uint32_t kThreads = 32;
  static constexpr std::uint32_t kGrain = 1024;

  template <class Scope>
  WY_HD static void Execute(procedure::Context<Scope, CollisionJob>& context,
                            const procedure::Range& range) {
    const SceneView& scene = context.job.scene;
    for (std::uint32_t i = range.begin + context.scope.Rank(); i < range.end;
         i += context.scope.Size()) {
      scene.order.keys[i] = i;
    }
  }
};

/// Stage over one index: spawns the range of all triangles.
struct SeedSplit {
  using Item = procedure::Range;
  static constexpr std::uint32_t kThreads = 1;
  static constexpr std::size_t kSharedBytes = 0;
  static constexpr const char* kName = "SeedSplit";
  static constexpr std::uint32_t kMaxSpawns = 1;
  static constexpr std::uint32_t kGrain = 1;

  template <class Scope>
  WY_HD static void Execute(procedure::Context<Scope, CollisionJob>& context, const Item&) {
    const SceneView& scene = context.job.scene;
    const LeafRange all{0, scene.mesh.triangles - 1};
    *scene.hierarchy.root = all.Name();
    if (all.IsLeaf()) return;
    scene.hierarchy.node_parent[all.Name()] = kNoIndex;
    // SplitRange and FinishRange are the next procedures in the list.
    context.Spawn(context.OwnProcedure() + (IsShort(scene, all) ? 2 : 1), all);
  }
};

/// A long range: finds the median, moves keys to its sides, spawns both halves.
struct SplitRange {
  static constexpr std::uint32_t kDigits = 256;
  struct Scratch {
    CentreBounds bounds;
    std::uint32_t counts[kDigits];
    std::uint32_t places[2];
  };

  using Item = LeafRange;
  static constexpr std::size_t kSharedBytes = sizeof(Scratch);
  static constexpr const char* kName = "SplitRange";
  static constexpr std::uint32_t kMaxSpawns = 2;
  static constexpr bool kSpawned = true;

  template <class Scope>
  WY_HD static void Execute(procedure::Context<Scope, CollisionJob>& context, const Item& range) {
    const SceneView& scene = context.job.scene;
    Scope& scope = context.scope;
    Scratch& scratch = context.template Shared<Scratch>();
    const CentreOf centre{context.job};
    const int axis = WidestAxis(scope, scratch, scene, centre, range);
    for (std::uint32_t i = range.first + scope.Rank(); i <= range.last; i += scope.Size()) {
      scene.order.keys[i] = KeyAlong(centre, scene.order.keys[i], axis);
    }
    scope.Barrier();
    const std::uint64_t median = Median(scope, scratch, scene.order.keys, range);
    Partition(scope, scratch, context.job, range, median);
    if (scope.Rank() != 0) return;
    LinkRange(scene, range);
    for (int side = 0; side < 2; ++side) {
      const LeafRange half = range.Half(side);
      context.Spawn(context.OwnProcedure() + (IsShort(scene, half) ? 1 : 0), half);
    }
  }

 private:
  template <class Scope>
  WY_HD static int WidestAxis(Scope& scope, Scratch& scratch, const SceneView& scene,
                              const CentreOf& centre, const LeafRange& range) {
    if (scope.Rank() == 0) scratch.bounds.Clear();
    CentreBounds own;
    own.Clear();
    for (std::uint32_t i = range.first + scope.Rank(); i <= range.last; i += scope.Size()) {
      const auto triangle = static_cast<std::uint32_t>(scene.order.keys[i]);
      for (int k = 0; k < 3; ++k) own.Add(k, centre(triangle, k));
    }
    scope.Barrier();
    for (int k = 0; k < 3; ++k) {
      Scope::BlockWord(scratch.bounds.low[k]).FetchMinRelaxed(own.low[k]);
      Scope::BlockWord(scratch.bounds.high[k]).FetchMaxRelaxed(own.high[k]);
    }
    scope.Barrier();
    return scratch.bounds.WidestAxis();
  }

  /// The key of the last leaf of the left half, digit by digit.
  template <class Scope>
  WY_HD static std::uint64_t Median(Scope& scope, Scratch& scratch, const std::uint64_t* keys,
                                    const LeafRange& range) {
    std::uint64_t found = 0;
    std::uint32_t before = range.Middle() - range.first;  // smaller keys among the matching ones
    WY_ROLLED
    for (int shift = 56; shift >= 0; shift -= 8) {
      for (std::uint32_t d = scope.Rank(); d < kDigits; d += scope.Size()) scratch.counts[d] = 0;
      scope.Barrier();
      for (std::uint32_t i = range.first + scope.Rank(); i <= range.last; i += scope.Size()) {
        if ((keys[i] ^ found) >> shift >> 8 != 0) continue;
        const auto digit = static_cast<std::uint32_t>(keys[i] >> shift & (kDigits - 1));
        Scope::BlockWord(scratch.counts[digit]).FetchAddRelaxed(1);
      }
      scope.Barrier();
      std::uint32_t digit = 0;
      while (before >= scratch.counts[digit]) before -= scratch.counts[digit++];
      found |= std::uint64_t{digit} << shift;
      scope.Barrier();
    }
    return found;
  }

  template <class Scope>
  WY_HD static void Partition(Scope& scope, Scratch& scratch, const CollisionJob& job,
                              const LeafRange& range, std::uint64_t median) {
    std::uint64_t* const keys = job.scene.order.keys;
    std::uint64_t* const other = job.step.spare_keys;
    if (scope.Rank() == 0) {
      scratch.places[0] = range.first;
      scratch.places[1] = range.Middle() + 1;
    }
    scope.Barrier();
    for (std::uint32_t i = range.first + scope.Rank(); i <= range.last; i += scope.Size()) {
      std::uint32_t& place = scratch.places[keys[i] > median ? 1 : 0];
      other[Scope::BlockWord(place).FetchAddRelaxed(1)] = keys[i];
    }
    scope.Barrier();
    for (std::uint32_t i = range.first + scope.Rank(); i <= range.last; i += scope.Size()) {
      keys[i] = other[i];
    }
    scope.Barrier();
  }
};

/// A short range: one thread splits it completely.
struct FinishRange {
  using Item = LeafRange;
  static constexpr std::uint32_t kThreads = 1;
  static constexpr std::size_t kSharedBytes = 0;
  static constexpr const char* kName = "FinishRange";
  static constexpr bool kSpawned = true;

  template <class Scope>
  WY_HD static void Execute(procedure::Context<Scope, CollisionJob>& context, const Item& all) {
    const SceneView& scene = context.job.scene;
    LeafRange stack[kMostDepth];
    stack[0] = all;
    for (std::uint32_t depth = 1; depth != 0;) {
      const LeafRange range = stack[--depth];
      if (range.IsLeaf()) continue;
      Split(context.job, range);
      LinkRange(scene, range);
      stack[depth++] = range.Half(0);
      stack[depth++] = range.Half(1);
    }
  }

 private:
  /// A path has as many ranges as the number of triangles has bits.
  static constexpr std::uint32_t kMostDepth = 34;

  WY_HD static void Split(const CollisionJob& job, const LeafRange& range) {
    const CentreOf centre{job};
    std::uint64_t* const keys = job.scene.order.keys;
    CentreBounds bounds;
    bounds.Clear();
    for (std::uint32_t i = range.first; i <= range.last; ++i) {
      for (int k = 0; k < 3; ++k) bounds.Add(k, centre(static_cast<std::uint32_t>(keys[i]), k));
    }
    const int axis = bounds.WidestAxis();
    for (std::uint32_t i = range.first; i <= range.last; ++i) {
      keys[i] = KeyAlong(centre, keys[i], axis);
    }
    Select(keys, range);
  }

  /// Moves the keys of the left half to the left. [Hoare: FIND]
  WY_HD static void Select(std::uint64_t* keys, const LeafRange& range) {
    const std::int64_t middle = range.Middle();
    std::int64_t low = range.first, high = range.last;
    while (low < high) {
      const std::uint64_t pivot = keys[middle];
      std::int64_t i = low, j = high;
      while (i <= j) {
        while (keys[i] < pivot) ++i;
        while (pivot < keys[j]) --j;
        if (i > j) break;
        const std::uint64_t key = keys[i];
        keys[i++] = keys[j];
        keys[j--] = key;
      }
      if (j < middle) low = i;
      if (middle < i) high = j;
    }
  }
};

/// Indices of SeedSplit.
struct OneForAllTriangles {
  template <class Scope>
  WY_HD static std::uint32_t Count(const CollisionJob&) {
    return 1;
  }
};

/// The events of a build from the top, beside ArrangeClustersTask.
struct SplitTopDownTask {
  static constexpr CollisionTask kTask = CollisionTask::kSplitTopDown;
  using Stages = StageList<Stage<BoundScene, StepPhase::kBuild, Deal::kGrains, EachVertex>,
                           Stage<ListTriangles, StepPhase::kBuild, Deal::kGrains, EachTriangle>,
                           Stage<SeedSplit, StepPhase::kBuild, Deal::kGrains, OneForAllTriangles,
                                 SplitRange, FinishRange>>;
};
struct RefitTopDownTask {
  static constexpr CollisionTask kTask = CollisionTask::kRefitTopDown;
  using Stages =
      StageList<Stage<ArrangeLeaves, StepPhase::kBuild, Deal::kGrains, EachTriangle>,
                Stage<BoundVertices, StepPhase::kBuild, Deal::kGrains, EachVertexOrTriangle>,
                Stage<RefitNodes, StepPhase::kBuild, Deal::kGrains, EachTriangle>>;
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_METHODS_HIERARCHIES_TOP_DOWN_BUILD_H_
