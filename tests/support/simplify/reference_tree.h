// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The tree of components of a mesh, in the plainest way: the oracle of what workers build.
// [docs/adr/0035-mesh-simplification.md]
#ifndef WARPYARD_TESTS_SUPPORT_SIMPLIFY_REFERENCE_TREE_H_
#define WARPYARD_TESTS_SUPPORT_SIMPLIFY_REFERENCE_TREE_H_

#include <array>
#include <cstdint>
#include <vector>

#include "core/workload/simplify/quadric.h"

namespace warpyard::test_support {

using geometry::Vector3d;
using simplify::Quadric;
using Triangle = std::array<std::uint32_t, 3>;

struct SimpleMesh {
  std::vector<Vector3d> positions;
  std::vector<Triangle> triangles;  ///< indices of positions
};

inline constexpr std::uint32_t kNoNode = ~0u;
inline constexpr std::uint32_t kDeepest = 21;  ///< depth of the cells of a Morton code

/// Nodes: first the welded vertices in use, then inner nodes, children before parents.
/// Lengths are relative to the largest side of the mesh's box, and positions to its low corner.
struct ReferenceTree {
  Vector3d low{};
  double extent = 0;
  std::uint32_t leaves = 0;
  std::vector<std::uint32_t> parents;  ///< kNoNode: it has none
  /// As ModelView has them.
  std::vector<float> errors, distances;
  std::vector<Vector3d> positions;
  std::vector<Quadric> quadrics;
  std::vector<Triangle> triangles;     ///< of leaves
  std::vector<float> keys;             ///< of triangles: the error at which two corners become one
  std::vector<std::uint32_t> sources;  ///< of leaves: the first vertex of the mesh

  std::uint32_t Nodes() const { return static_cast<std::uint32_t>(parents.size()); }
};

/// The bits of a 21-bit number spread to every third bit, and the Morton code of a cell.
std::uint64_t WideMortonCode(std::uint32_t x, std::uint32_t y, std::uint32_t z);

/// @shape mesh: at least one triangle with three different positions; all finite. border_weight: of
///     the planes of borders, times the squared length of the edge
ReferenceTree BuildReference(const SimpleMesh& mesh, double border_weight = 2);

/// The lowest common ancestor; kNoNode if there is none.
std::uint32_t CommonAncestor(const ReferenceTree& tree, std::uint32_t a, std::uint32_t b);

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SUPPORT_SIMPLIFY_REFERENCE_TREE_H_
