// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The bounding volume test tree: pairs of nodes of the hierarchy, from the pair of the root with
// itself down to pairs of leaves. [SilvaThesis §2.3.3, Alg. 2.1]
//
// A node is named by its place, which is one side of its parent. The parent holds the node's box
// and the names of its children there, so a test reads only two places.
// Deviates from [SilvaThesis Alg. 2.1]: the node with the larger sum of extents is descended, since
// flat boxes have no volume; and a leaf is never descended, although line 28 of the listing does
// so.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_METHODS_TRAVERSALS_BVTT_H_
#define WARPYARD_CORE_WORKLOAD_CCD_METHODS_TRAVERSALS_BVTT_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/base/no_index.h"
#include "core/workload/ccd/job/scene_view.h"
#include "core/workload/ccd/job/traversal_view.h"
#include "core/workload/geometry/bounds.h"

namespace warpyard::ccd {

/// Stands for the root, which has no parent.
inline constexpr std::uint32_t kRootPlace = kNoIndex;
WY_HD constexpr NodePair RootPair() { return {kRootPlace, kRootPlace}; }
inline constexpr std::uint32_t kMostChildPairs = 3;

/// Free places in a stack that suffice to traverse any pair depth-first to its end. A path of the
/// hierarchy has at most 62 nodes (one for each bit in which keys differ), and each level leaves
/// two pairs in the stack.
inline constexpr std::uint32_t kDepthRoom = 128;

/// Two leaves by their places in Morton order, the first one first.
struct LeafPair {
  std::uint32_t a;
  std::uint32_t b;
};

/// What is below a pair of nodes.
struct Expansion {
  NodePair children[kMostChildPairs];
  std::uint32_t count = 0;
  bool ends = false;   ///< the traversal ends here: boxes are apart, or both nodes are leaves
  bool meets = false;  ///< both are leaves and overlap
  LeafPair leaves{};   ///< if `meets`
};

WY_HD inline const NodeChild& AtPlace(const SceneView& scene, std::uint32_t place) {
  return scene.hierarchy.nodes[place >> 1].child[place & 1u];
}

WY_HD inline bool IsLeaf(const NodeChild& node) { return (node.child & kLeafBit) != 0; }

WY_HD inline float SumOfExtents(const NodeChild& node) {
  return (node.high[0] - node.low[0]) + (node.high[1] - node.low[1]) + (node.high[2] - node.low[2]);
}

/// Expands a node paired with itself: its children with each other, and each with itself.
WY_HD inline Expansion ExpandSelf(const SceneView& scene, std::uint32_t place) {
  const std::uint32_t node =
      place == kRootPlace ? *scene.hierarchy.root : AtPlace(scene, place).child;
  const std::uint32_t left = node << 1, right = left | 1u;
  Expansion result;
  result.children[result.count++] = {left, right};
  if (!IsLeaf(AtPlace(scene, left))) result.children[result.count++] = {left, left};
  if (!IsLeaf(AtPlace(scene, right))) result.children[result.count++] = {right, right};
  return result;
}

/// Whether the boxes of two nodes are apart: the axis-aligned boxes, or the oriented ones if there
/// are any.
WY_HD inline bool AreApart(const SceneView& scene, const TraversalView& work,
                           const NodePair& pair) {
  if (!geometry::Overlap(AtPlace(scene, pair.a), AtPlace(scene, pair.b))) return true;
  return work.oriented != nullptr && Apart(work.oriented[pair.a], work.oriented[pair.b]);
}

/// @shape scene: of two triangles or more
WY_HD inline Expansion ExpandPair(const SceneView& scene, const TraversalView& work,
                                  const NodePair& pair) {
  if (pair.a == pair.b) return ExpandSelf(scene, pair.a);
  const NodeChild a = AtPlace(scene, pair.a), b = AtPlace(scene, pair.b);
  Expansion result;
  result.ends = AreApart(scene, work, pair);
  if (result.ends) return result;
  if (IsLeaf(a) && IsLeaf(b)) {
    const std::uint32_t i = a.child & ~kLeafBit, j = b.child & ~kLeafBit;
    result.ends = result.meets = true;
    result.leaves = {i < j ? i : j, i < j ? j : i};
    return result;
  }
  const bool descend_a = IsLeaf(b) || (!IsLeaf(a) && SumOfExtents(a) >= SumOfExtents(b));
  const std::uint32_t below = (descend_a ? a.child : b.child) << 1;
  const std::uint32_t other = descend_a ? pair.b : pair.a;
  result.children[0] = {below, other};
  result.children[1] = {below | 1u, other};
  result.count = 2;
  return result;
}

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_METHODS_TRAVERSALS_BVTT_H_
