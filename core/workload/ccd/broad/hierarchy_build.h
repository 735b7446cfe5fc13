// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Building a linear bounding volume hierarchy: Morton keys, then (after sorting) leaves and links.
//
// Keys are unique (code << 32 | triangle), and the height at which two neighbours in key order part
// is the exclusive or of their keys. Nodes are linked bottom-up in one pass: a subtree over leaves
// [first, last] belongs to the neighbour from whom it parts lower, and the second of two siblings
// to arrive goes on with the parent. A node is named by the leaf after which it splits. Source:
// Morton order [SilvaThesis §2.3.1], [Lauterbach §4.1]. Deviates from them: bottom-up links in
// place of sorted split lists, which need no second sort and no removal of single-child nodes.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_BROAD_HIERARCHY_BUILD_H_
#define WARPYARD_CORE_WORKLOAD_CCD_BROAD_HIERARCHY_BUILD_H_

#include <cstddef>
#include <cstdint>

#include "core/base/macros.h"
#include "core/procedure/procedure_concept.h"
#include "core/workload/ccd/job/collision_job.h"
#include "core/workload/geometry/bounds.h"
#include "core/workload/geometry/morton.h"

namespace warpyard::ccd {

using procedure::Context;
using procedure::Range;

/// Stage over vertices: the bounds of the scene at the start of the step.
struct BoundScene {
  using Item = Range;
  static constexpr std::size_t kSharedBytes = 0;
  static constexpr const char* kName = "BoundScene";
  static constexpr std::uint32_t kGrain = 4096;

  template <class Scope>
  WY_HD static void Execute(Context<Scope, CollisionJob>& context, const Range& range) {
    const CollisionJob& job = context.job;
    geometry::Box box = geometry::EmptyBox();
    for (std::uint32_t v = range.begin + context.scope.Rank(); v < range.end;
         v += context.scope.Size()) {
      box = Union(box, geometry::SweptBox(job.step.start[v], job.step.start[v]));
    }
    for (int k = 0; k < 3; ++k) {
      Scope::Word(job.scene.ordered_bounds[k]).FetchMinRelaxed(geometry::OrderedBits(box.low[k]));
      Scope::Word(job.scene.ordered_bounds[3 + k])
          .FetchMaxRelaxed(geometry::OrderedBits(box.high[k]));
    }
  }
};

/// Stage over triangles: the sort key of each. Cells are cubes, as many as fit along the longest
/// side of the scene: on a grid that is as fine along a short side, those of a thin scene are
/// slices, and what lies together in their order does not lie together in the scene.
struct ComputeKeys {
  using Item = Range;
  static constexpr std::size_t kSharedBytes = 0;
  static constexpr const char* kName = "ComputeKeys";
  static constexpr std::uint32_t kGrain = 2048;

  template <class Scope>
  WY_HD static void Execute(Context<Scope, CollisionJob>& context, const Range& range) {
    const SceneView& scene = context.job.scene;
    float low[3], side = 0;
    for (int k = 0; k < 3; ++k) {
      low[k] = geometry::FromOrderedBits(Scope::Word(scene.ordered_bounds[k]).LoadRelaxed());
      const float extent =
          geometry::FromOrderedBits(Scope::Word(scene.ordered_bounds[3 + k]).LoadRelaxed()) -
          low[k];
      side = extent > side ? extent : side;
    }
    for (std::uint32_t t = range.begin + context.scope.Rank(); t < range.end;
         t += context.scope.Size()) {
      const Triangle& triangle = scene.triangle_records[t];
      const Vector3d* at = context.job.step.start;
      const Vector3d centre =
          (1.0 / 3.0) * (at[triangle.vertex[0]] + at[triangle.vertex[1]] + at[triangle.vertex[2]]);
      const std::uint32_t code =
          geometry::MortonCode(geometry::GridCell(static_cast<float>(centre.x), low[0], side),
                               geometry::GridCell(static_cast<float>(centre.y), low[1], side),
                               geometry::GridCell(static_cast<float>(centre.z), low[2], side));
      scene.keys[t] = std::uint64_t{code} << 32 | t;
    }
  }
};

/// Stage over leaves, keys sorted: leaf records in key order, and clean link words where there is
/// to be a hierarchy; no feature placed yet.
struct ArrangeLeaves {
  using Item = Range;
  static constexpr std::size_t kSharedBytes = 0;
  static constexpr const char* kName = "ArrangeLeaves";
  static constexpr std::uint32_t kGrain = 2048;
  static constexpr std::uint32_t kUnset = 0xffffffffu;

  template <class Scope>
  WY_HD static void Execute(Context<Scope, CollisionJob>& context, const Range& range) {
    const SceneView& scene = context.job.scene;
    if (range.begin == 0 && context.scope.Rank() == 0) scene.ordered_bounds[kFeaturesPlaced] = 0;
    for (std::uint32_t i = range.begin + context.scope.Rank(); i < range.end;
         i += context.scope.Size()) {
      scene.leaves[i] = scene.triangle_records[static_cast<std::uint32_t>(scene.keys[i])];
      if (i + 1 < scene.triangles && scene.node_bound != nullptr) scene.node_bound[i] = kUnset;
    }
  }
};

/// Stage over leaves: climbs from each leaf and links the nodes that it completes.
struct LinkNodes {
  using Item = Range;
  static constexpr std::size_t kSharedBytes = 0;
  static constexpr const char* kName = "LinkNodes";
  static constexpr std::uint32_t kGrain = 2048;

  template <class Scope>
  WY_HD static void Execute(Context<Scope, CollisionJob>& context, const Range& range) {
    for (std::uint32_t leaf = range.begin + context.scope.Rank(); leaf < range.end;
         leaf += context.scope.Size()) {
      Climb<Scope>(context.job.scene, leaf);
    }
  }

 private:
  /// Exclusive or of the keys on both sides of the gap after leaf `i`.
  WY_HD static std::uint64_t Height(const SceneView& scene, std::uint32_t i) {
    return scene.keys[i] ^ scene.keys[i + 1];
  }

  template <class Scope>
  WY_HD static void Climb(const SceneView& scene, std::uint32_t leaf) {
    std::uint32_t first = leaf, last = leaf, self = kLeafBit | leaf;
    while (true) {
      const bool whole = first == 0 && last + 1 == scene.triangles;
      if (whole) {
        *scene.root = self;
        if ((self & kLeafBit) == 0) scene.node_parent[self] = kNoParent;
        return;
      }
      const bool is_left = first == 0 || (last + 1 < scene.triangles &&
                                          Height(scene, last) < Height(scene, first - 1));
      const std::uint32_t parent = is_left ? last : first - 1;
      const std::uint32_t side = is_left ? 0 : 1;
      NodeChild& child = scene.nodes[parent].child[side];
      child.child = self;
      child.last_leaf = last;
      std::uint32_t& up =
          (self & kLeafBit) != 0 ? scene.leaf_parent[leaf] : scene.node_parent[self];
      up = parent << 1 | side;
      const std::uint32_t other =
          Scope::Word(scene.node_bound[parent]).ExchangeAcqRel(is_left ? first : last);
      if (other == ArrangeLeaves::kUnset) return;  // the sibling will go on
      (is_left ? last : first) = other;
      self = parent;
    }
  }
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_BROAD_HIERARCHY_BUILD_H_
