// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Vertices that never move: the last ones of a mesh. A floor or the walls of a cell are made of
// them. Steps do not bring their positions, and do not bound their triangles (docs/adr/0053).
#ifndef WARPYARD_CORE_WORKLOAD_CCD_STATIC_VERTICES_H_
#define WARPYARD_CORE_WORKLOAD_CCD_STATIC_VERTICES_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "absl/status/status.h"
#include "core/workload/ccd/collision_types.h"

namespace warpyard::ccd {

/// The vertices of a mesh, and how many of them never move.
struct VertexNumbers {
  std::size_t all;
  std::size_t never_move;
};

/// Checks that a mesh may have static vertices. A triangle has only static vertices or none, at
/// least one triangle moves, and the build is HierarchyBuild::kMorton.
/// @shape triangles: indices below vertices.all @errors INVALID_ARGUMENT
absl::Status CheckStaticVertices(const VertexNumbers& vertices,
                                 std::span<const std::uint32_t> triangles, HierarchyBuild build);

/// The number of triangles that never move. @shape triangles: as checked
std::uint32_t CountStaticTriangles(const VertexNumbers& vertices,
                                   std::span<const std::uint32_t> triangles);

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_STATIC_VERTICES_H_
