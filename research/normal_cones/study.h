// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What continuous normal cones could take off the work of a step: a traversal of pairs of nodes
// that counts what lies in patches of which they prove that they do not touch themselves.
//
// Who leaves such patches out has to test them, and tests that fail are for nothing. `net` has
// neither: of all ways to choose patches it is the best one in hindsight, which no traversal can
// know. It is a bound for all of them.
#ifndef WARPYARD_RESEARCH_NORMAL_CONES_STUDY_H_
#define WARPYARD_RESEARCH_NORMAL_CONES_STUDY_H_

#include <cstdint>
#include <vector>

#include "research/normal_cones/patch.h"

namespace warpyard::normal_cones {

/// Which triangles are a patch.
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
  std::uint64_t near = 0;        ///< of these, what is not apart along an axis, by the first filter
  std::uint64_t survivors = 0;   ///< of these, what the filters in single precision leave
  /// For comparison, pairs of leaves that the first filter could leave out as a whole, and what is
  /// in them: boxes at the start, and those at the end, are apart along an axis the same way.
  std::uint64_t apart_leaf_pairs = 0;
  std::uint64_t apart_candidates = 0;
};

/// What could be left out where single nodes are tested, or pairs of nodes that touch, too.
struct Savings {
  Work by_cones;  ///< if contours cost nothing and were always simple
  Work proved;    ///< what is in patches whose contours are simple
  /// Candidates less the pairs of contour edges that must be looked at to leave them out, by the
  /// best choice of patches; and if only near pairs had a cost (see ContourResult).
  std::uint64_t net = 0;
  std::uint64_t net_of_near_pairs = 0;
  /// The plain way, from the root: all patches are tested that are not within one that has passed.
  std::uint64_t patches = 0;             ///< whose normals are looked at
  std::uint64_t contours = 0;            ///< with a direction, and connected
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
