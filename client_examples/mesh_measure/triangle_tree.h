// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A hierarchy of boxes over the triangles of a mesh, for the triangle nearest to a point.
#ifndef WARPYARD_CLIENT_EXAMPLES_MESH_MEASURE_TRIANGLE_TREE_H_
#define WARPYARD_CLIENT_EXAMPLES_MESH_MEASURE_TRIANGLE_TREE_H_

#include <cstdint>
#include <vector>

#include "client_examples/mesh_measure/mesh_view.h"

namespace warpyard::mesh_measure {

/// A triangle, and the square of its distance from a point.
struct NearestTriangle {
  std::uint32_t triangle = 0;
  double squared_distance = 0;
};

/// A binary tree: each node halves its triangles along the longest side of their centroids' box.
/// Copies the corners, so it outlives the mesh. Queries may run in parallel.
class TriangleTree {
 public:
  /// @shape mesh: at least one triangle, and as CheckMesh demands
  explicit TriangleTree(const MeshView& mesh);

  /// The triangle nearest to a point; one of them if there are several. The distance is that of the
  /// closest point, rounded. A `hint` saves time if that triangle is near.
  NearestTriangle Nearest(const Vector3d& point, std::uint32_t hint = 0) const;

  /// @shape triangle: as in the mesh
  const Corners& CornersOf(std::uint32_t triangle) const { return corners_[slot_of_[triangle]]; }

 private:
  struct Box {
    Vector3d low, high;
  };
  /// An inner node (`count` 0) has its first child behind it.
  struct Node {
    Box box;
    std::uint32_t begin;  ///< inner node: the second child; leaf: its first slot
    std::uint32_t count;  ///< triangles of a leaf
  };

  static double SquaredDistance(const Box& box, const Vector3d& point);
  void Build(const std::vector<Vector3d>& centroids, std::uint32_t begin, std::uint32_t end);
  Box BoundsOf(std::uint32_t begin, std::uint32_t end) const;

  std::vector<Node> nodes_;
  std::vector<Corners> corners_;          ///< in the order of slots
  std::vector<std::uint32_t> triangles_;  ///< of each slot
  std::vector<std::uint32_t> slot_of_;    ///< of each triangle
};

}  // namespace warpyard::mesh_measure

#endif  // WARPYARD_CLIENT_EXAMPLES_MESH_MEASURE_TRIANGLE_TREE_H_
