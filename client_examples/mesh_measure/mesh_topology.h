// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Counts that tell whether a mesh is a clean surface: borders, defects, parts.
#ifndef WARPYARD_CLIENT_EXAMPLES_MESH_MEASURE_MESH_TOPOLOGY_H_
#define WARPYARD_CLIENT_EXAMPLES_MESH_MEASURE_MESH_TOPOLOGY_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "client_examples/mesh_measure/mesh_view.h"

namespace warpyard::mesh_measure {

/// Vertices are told apart by their indices, not by their places: a seam of doubled vertices is a
/// border. A triangle with a repeated corner counts as such and for nothing else; all other
/// triangles are called proper.
struct MeshTopology {
  std::uint64_t triangles = 0;        ///< all
  std::uint64_t vertices = 0;         ///< that a proper triangle uses
  std::uint64_t unused_vertices = 0;  ///< the others
  std::uint64_t edges = 0;
  std::uint64_t border_edges = 0;        ///< with one triangle
  std::uint64_t non_manifold_edges = 0;  ///< with more than two
  std::uint64_t misoriented_edges = 0;   ///< with two that run along it in the same direction
  std::uint64_t repeated_corners = 0;    ///< triangles with less than three different vertices
  std::uint64_t zero_area = 0;           ///< proper triangles whose computed normal is exactly 0
  std::uint64_t duplicates = 0;  ///< triangles that repeat another one, with the same orientation
  std::uint64_t fins = 0;  ///< pairs of triangles on the same vertices, one of each orientation
  std::uint64_t components = 0;           ///< parts without a common vertex
  std::int64_t euler_characteristic = 0;  ///< vertices - edges + proper triangles

  /// Whether each edge has exactly two triangles. False for a mesh without triangles.
  bool Closed() const { return edges > 0 && border_edges == 0 && non_manifold_edges == 0; }
};

/// Counts in the time that sorting the edges takes, on the calling thread.
/// @errors INVALID_ARGUMENT: CheckMesh fails
absl::StatusOr<MeshTopology> CountTopology(const MeshView& mesh);

}  // namespace warpyard::mesh_measure

#endif  // WARPYARD_CLIENT_EXAMPLES_MESH_MEASURE_MESH_TOPOLOGY_H_
