// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Meshes and positions from the wire: validated, and viewed in place, without a copy.
#ifndef WARPYARD_SERVER_CONVERT_MESH_H_
#define WARPYARD_SERVER_CONVERT_MESH_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/workload/geometry/positions_view.h"
#include "warpyard/v1/mesh.pb.h"

namespace warpyard::server {

/// Largest magnitude of a coordinate: squares and products of differences stay finite in double.
inline constexpr double kMaxCoordinate = 1e38;

/// Checks positions and returns a view into the message, which must outlive it.
///
/// `field` is the path in error messages. If `expected_vertices` is given, any other number is an
/// error.
/// @errors INVALID_ARGUMENT
absl::StatusOr<geometry::PositionsView> ToPositions(const v1::Positions& positions,
                                                    absl::string_view field,
                                                    std::optional<std::size_t> expected_vertices);

/// Positions of several rows, one row after the other.
struct RowsShape {
  std::size_t vertices = 0;  ///< of each row
  std::size_t rows = 0;
};

/// ToPositions for rows that are used apart from each other. A row with a bad coordinate gets an
/// error of its own, unless it has one; then it must not be used.
/// @shape errors: one a row
/// @errors INVALID_ARGUMENT: what concerns all rows
absl::StatusOr<geometry::PositionsView> ToPositionRows(const v1::Positions& positions,
                                                       absl::string_view field,
                                                       const RowsShape& shape,
                                                       std::span<absl::Status> errors);

/// A mesh in a message.
struct MeshView {
  geometry::PositionsView positions;
  std::span<const std::uint32_t> triangles;      ///< @shape 3 vertex indices a triangle
  std::span<const std::uint32_t> vertex_groups;  ///< @shape one group a vertex, or empty
};

/// Checks a mesh and returns views into the message, which must outlive them.
/// @errors INVALID_ARGUMENT
absl::StatusOr<MeshView> ToMesh(const v1::TriangleMesh& mesh);

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_CONVERT_MESH_H_
