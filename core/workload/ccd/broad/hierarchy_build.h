// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Builds a linear bounding volume hierarchy: Morton keys, then (after sorting) leaves and links.
//
// Keys are unique (code << 32
//  triangle). The height at which two neighbours in key order separate is the exclusive or of their
//  keys. Nodes are linked bottom-up in one pass: a subtree over leaves [first, last] joins the
//  neighbour from which it separates at the lower height. Of two siblings, the second one to arrive
//  continues with the parent. A node is named by the leaf after which it splits. Source: Morton
//  order [SilvaThesis §2.3.1], [Lauterbach §4.1]. Deviates from them: links are made from the
//  bottom up instead of from sorted split lists, so there is no second sort, and no node has a
//  single child that would have to be removed.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_BROAD_HIERARCHY_BUILD_H_
#define WARPYARD_CORE_WORKLOAD_CCD_BROAD_HIERARCHY_BUILD_H_

#include <cstddef>
#include <cstdint>

#include "core/base/macros.h"
#include "core/base/no_index.h"
#include "core/procedure/procedure_concept.h"
#include "core/workload/ccd/job/collision_job.h"
#include "core/workload/geometry/bounds.h"
#include "core/workload/geometry/morton.h"

namespace warpyard::ccd {

using procedure::Context;
using procedure::Range;

/// Stage over vertices: their bounds at the start of the step, apart for static vertices and
/// others.
struct BoundScene {
  using Item = Range;
  static constexpr std::size_t kSharedBytes = 0;
  static constexpr const char* kName = "BoundScene";
  static constexpr std::uint32_t kThreads = 32;
  static constexpr std::uint32_t kGrain = 1024;

  template <class Scope>
  WY_HD static void Execute(Context<Scope, CollisionJob>& context, const Range& range) {
    const MeshView& mesh = context.job.scene.mesh;
    const std::uint32_t moving = mesh.vertices - mesh.static_vertices;
    const std::uint32_t middle = range.begin > moving ? range.begin
                                 : range.end < moving ? range.end
                                                      : moving;
    std::uint32_t* const bounds = context.job.scene.order.ordered_bounds;
    Bound(context, {range.begin, middle}, bounds);
    Bound(context, {middle, range.end}, bounds + kStaticBounds);
  }

 private:
  template <class Scope>
  WY_HD static void Bound(Context<Scope, CollisionJob>& context, const Range& vertices,
                          std::uint32_t* bounds) {
    if (vertices.begin == vertices.end) return;
    const Vector3d* const at = context.job.step.start;
    geometry::Box box = geometry::EmptyBox();
    for (std::uint32_t v = vertices.begin + context.scope.Rank(); v < vertices.end;
         v += context.scope.Size()) {
      box = Union(box, geometry::SweptBox(at[v], at[v]));
    }
    for (int k = 0; k < 3; ++k) {
      Scope::Word(bounds[k]).FetchMinRelaxed(geometry::OrderedBits(box.low[k]));
      Scope::Word(bounds[3 + k]).FetchMaxRelaxed(geometry::OrderedBits(box.high[k]));
    }
  }
};

/// Stage over triangles: the sort key of each: kStaticKey, the Morton code << 32, the triangle.
/// Cells are cubes, as many as fit along the longest side of the scene. If a short side had as many
/// cells, the cells of a thin scene would be slices, and neighbours in the order could be far apart
/// in the scene. Static triangles have a grid of their own: one cell of a wide floor could hold all
/// that moves above it.
struct ComputeKeys {
  static constexpr std::uint64_t kStaticKey = std::uint64_t{1} << 63;  ///< codes have 30 bits

  using Item = Range;
  static constexpr std::size_t kSharedBytes = 0;
  static constexpr const char* kName = "ComputeKeys";
  static constexpr std::uint32_t kThreads = 32;
  static constexpr std::uint32_t kGrain = 256;

  template <class Scope>
  WY_HD static void Execute(Context<Scope, CollisionJob>& context, const Range& range) {
    const SceneView& scene = context.job.scene;
    const Grid moving = GridOf<Scope>(scene.order.ordered_bounds);
    const Grid fixed = scene.mesh.static_vertices == 0
                           ? moving
                           : GridOf<Scope>(scene.order.ordered_bounds + kStaticBounds);
    for (std::uint32_t t = range.begin + context.scope.Rank(); t < range.end;
         t += context.scope.Size()) {
      const Triangle& triangle = scene.mesh.triangle_records[t];
      const Vector3d* at = context.job.step.start;
      const Vector3d centre =
          (1.0 / 3.0) * (at[triangle.vertex[0]] + at[triangle.vertex[1]] + at[triangle.vertex[2]]);
      const bool is_static = IsStatic(scene.mesh, triangle);
      const std::uint64_t key =
          std::uint64_t{(is_static ? fixed : moving).CodeOf(centre)} << 32 | t;
      scene.order.keys[t] = is_static ? kStaticKey | key : key;
    }
  }

 private:
  struct Grid {
    float low[3], side;

    WY_HD std::uint32_t CodeOf(const Vector3d& at) const {
      return geometry::MortonCode(geometry::GridCell(static_cast<float>(at.x), low[0], side),
                                  geometry::GridCell(static_cast<float>(at.y), low[1], side),
                                  geometry::GridCell(static_cast<float>(at.z), low[2], side));
    }
  };

  template <class Scope>
  WY_HD static Grid GridOf(std::uint32_t* bounds) {
    Grid grid{};
    for (int k = 0; k < 3; ++k) {
      grid.low[k] = geometry::FromOrderedBits(Scope::Word(bounds[k]).LoadRelaxed());
      const float high = geometry::FromOrderedBits(Scope::Word(bounds[3 + k]).LoadRelaxed());
      const float extent = high - grid.low[k];
      grid.side = extent > grid.side ? extent : grid.side;
    }
    return grid;
  }
};

/// Stage over leaves after the sort of the keys: writes leaf records in key order, clears link
/// words where the scene has a binary hierarchy, and sets the count of placed features to zero.
struct ArrangeLeaves {
  using Item = Range;
  static constexpr std::size_t kSharedBytes = 0;
  static constexpr const char* kName = "ArrangeLeaves";
  static constexpr std::uint32_t kThreads = 32;
  static constexpr std::uint32_t kGrain = 256;

  template <class Scope>
  WY_HD static void Execute(Context<Scope, CollisionJob>& context, const Range& range) {
    const SceneView& scene = context.job.scene;
    if (range.begin == 0 && context.scope.Rank() == 0)
      scene.order.ordered_bounds[kFeaturesPlaced] = 0;
    for (std::uint32_t i = range.begin + context.scope.Rank(); i < range.end;
         i += context.scope.Size()) {
      scene.order.leaves[i] =
          scene.mesh.triangle_records[static_cast<std::uint32_t>(scene.order.keys[i])];
      if (i + 1 < scene.mesh.triangles && scene.hierarchy.node_bound != nullptr)
        scene.hierarchy.node_bound[i] = kNoIndex;
    }
  }
};

/// Stage over leaves: climbs from each leaf and links nodes whose children are complete.
struct LinkNodes {
  using Item = Range;
  static constexpr std::size_t kSharedBytes = 0;
  static constexpr const char* kName = "LinkNodes";
  static constexpr std::uint32_t kThreads = 32;
  static constexpr std::uint32_t kGrain = 256;

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
    return scene.order.keys[i] ^ scene.order.keys[i + 1];
  }

  template <class Scope>
  WY_HD static void Climb(const SceneView& scene, std::uint32_t leaf) {
    std::uint32_t first = leaf, last = leaf, self = kLeafBit | leaf;
    while (true) {
      const bool whole = first == 0 && last + 1 == scene.mesh.triangles;
      if (whole) {
        *scene.hierarchy.root = self;
        if ((self & kLeafBit) == 0) scene.hierarchy.node_parent[self] = kNoIndex;
        return;
      }
      const bool is_left = first == 0 || (last + 1 < scene.mesh.triangles &&
                                          Height(scene, last) < Height(scene, first - 1));
      const std::uint32_t parent = is_left ? last : first - 1;
      const std::uint32_t side = is_left ? 0 : 1;
      NodeChild& child = scene.hierarchy.nodes[parent].child[side];
      child.child = self;
      child.last_leaf = last;
      std::uint32_t& up = (self & kLeafBit) != 0 ? scene.hierarchy.leaf_parent[leaf]
                                                 : scene.hierarchy.node_parent[self];
      up = parent << 1 | side;
      const std::uint32_t other =
          Scope::Word(scene.hierarchy.node_bound[parent]).ExchangeAcqRel(is_left ? first : last);
      if (other == kNoIndex) return;  // the sibling will continue
      (is_left ? last : first) = other;
      self = parent;
    }
  }
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_BROAD_HIERARCHY_BUILD_H_
