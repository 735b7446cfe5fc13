// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// How much work of a step continuous normal cones could save: a traversal of pairs of nodes counts
// the work inside patches that are proved not to touch themselves.
//
// A method that leaves out such patches has to test patches, and failed tests are wasted. `net`
// includes these costs for the best choice of patches in hindsight. No traversal can know this
// choice, so `net` is an upper bound for all of them.
#ifndef WARPYARD_RESEARCH_NORMAL_CONES_STUDY_H_
#define WARPYARD_RESEARCH_NORMAL_CONES_STUDY_H_

#include <cstdint>
#include <vector>

#include "research/normal_cones/patch.h"

namespace warpyard::normal_cones {

/// Which sets of triangles are leaves.
enum class Leaves {
  kClusters,   ///< kClusterTriangles in order, and aligned groups of two of them, and so on
  kTriangles,  ///< one triangle; in Morton order in the tree that the keys give
};

/// Work of a step.
struct Work {
  std::uint64_t visits = 0;  ///< pairs of nodes
  std::uint64_t leaf_pairs =
      0;  ///< pairs of leaves whose boxes overlap, and leaves with themselves
  std::uint64_t candidates = 0;  ///< pairs of features whose boxes overlap
  std::uint64_t near = 0;        ///< candidates that the first filter, along the axes, left
  std::uint64_t survivors = 0;   ///< candidates that the filters in single precision left
  /// For comparison: pairs of leaves that the first filter could leave out as a whole, and the
  /// candidates in them. Their boxes at the start, and their boxes at the end, are apart along the
  /// same axis in the same direction.
  std::uint64_t apart_leaf_pairs = 0;
  std::uint64_t apart_candidates = 0;
};

/// Work that could be saved if single nodes are tested, or also pairs of nodes that touch.
struct Savings {
  Work by_cones;  ///< savings if contours cost nothing and were always simple
  Work proved;    ///< work inside patches whose contours are simple
  /// Candidates minus the pairs of contour edges that must be examined to leave the candidates out,
  /// for the best choice of patches; and the same if only near pairs had a cost (see
  /// ContourResult).
  std::uint64_t net = 0;
  std::uint64_t net_of_near_pairs = 0;
  /// The simple way, from the root: every patch is tested that is not inside a patch that has
  /// passed.
  std::uint64_t patches = 0;             ///< patches whose normals are examined
  std::uint64_t contours = 0;            ///< patches with a direction, and connected
  std::uint64_t simple = 0;              ///< of these, with a simple contour
  std::uint64_t contour_pairs = 0;       ///< see ContourResult
  std::uint64_t near_contour_pairs = 0;  ///< see ContourResult
};

/// Nodes of a size: more than half of this many triangles.
struct Level {
  std::uint32_t most_triangles = 0;
  std::uint64_t nodes = 0;
  std::uint64_t connected = 0;
  std::uint64_t cones = 0;   ///< connected, and with a direction
  std::uint64_t simple = 0;  ///< of these, with a simple contour
};

struct StudyResult {
  Work all;
  Savings by_nodes;
  Savings by_pairs;
  std::vector<Level> levels;
};

/// @shape near: distance that may count as a contact
StudyResult StudyStep(const OrderedMesh& mesh, Leaves leaves, float near);

}  // namespace warpyard::normal_cones

#endif  // WARPYARD_RESEARCH_NORMAL_CONES_STUDY_H_
