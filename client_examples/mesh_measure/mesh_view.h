// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A triangle mesh in the caller's memory, as the measures of simplification read it.
#ifndef WARPYARD_CLIENT_EXAMPLES_MESH_MEASURE_MESH_VIEW_H_
#define WARPYARD_CLIENT_EXAMPLES_MESH_MEASURE_MESH_VIEW_H_

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "core/workload/geometry/vector3.h"

namespace warpyard::mesh_measure {

using geometry::Vector3d;
using Corners = std::array<Vector3d, 3>;

/// An indexed triangle mesh.
struct MeshView {
  std::span<const double> positions;         ///< @shape x y z a vertex
  std::span<const std::uint32_t> triangles;  ///< @shape 3 vertex indices a triangle

  std::size_t Vertices() const { return positions.size() / 3; }
  std::size_t Triangles() const { return triangles.size() / 3; }

  Vector3d Position(std::size_t vertex) const {
    return {positions[3 * vertex], positions[3 * vertex + 1], positions[3 * vertex + 2]};
  }

  Corners CornersOf(std::size_t triangle) const {
    const std::uint32_t* corner = &triangles[3 * triangle];
    return {Position(corner[0]), Position(corner[1]), Position(corner[2])};
  }
};

/// Perpendicular to a triangle, and as long as twice its area.
inline Vector3d NormalOf(const Corners& corners) {
  return Cross(corners[1] - corners[0], corners[2] - corners[0]);
}

/// Checks what the measures need.
/// @errors INVALID_ARGUMENT: sizes that are no multiples of 3, an index without a vertex, a
///     coordinate that is not finite
inline absl::Status CheckMesh(const MeshView& mesh) {
  if (mesh.positions.size() % 3 != 0 || mesh.triangles.size() % 3 != 0) {
    return absl::InvalidArgumentError("a mesh has 3 coordinates a vertex and 3 indices a triangle");
  }
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    if (mesh.triangles[i] >= mesh.Vertices()) {
      return absl::InvalidArgumentError(
          absl::StrCat("triangle ", i / 3, ": there is no vertex ", mesh.triangles[i]));
    }
  }
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    if (!std::isfinite(mesh.positions[i])) {
      return absl::InvalidArgumentError(
          absl::StrCat("vertex ", i / 3, ": a coordinate is not finite"));
    }
  }
  return absl::OkStatus();
}

}  // namespace warpyard::mesh_measure

#endif  // WARPYARD_CLIENT_EXAMPLES_MESH_MEASURE_MESH_VIEW_H_
