// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/scene/check_input.h"

#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "core/base/macros.h"
#include "core/workload/ccd/group_matrix.h"
#include "core/workload/ccd/scene/rigid_bodies.h"
#include "core/workload/ccd/scene/scene_memory.h"
#include "core/workload/ccd/static_vertices.h"

namespace warpyard::ccd {
namespace {

/// A scene is opened only if its first step has room, too.
absl::Status CheckOpenFits(const device::Backend& backend, const SceneSize& size) {
  const SceneBytes bytes = BytesOf(size);
  return CheckFits(backend, size, bytes.scene + bytes.lists);
}

/// Indices of vertices, edges and nodes must leave their top bits free for marks (kLeafBit and
/// others). Indices of features have 32 bits, and a triangle owns up to 7 features.
absl::Status CheckSizes(const SceneInput& input, std::uint64_t worlds) {
  constexpr std::uint64_t kMostVertices = 0x7fffffff, kMostTriangles = 0xffffffff / 7;
  const std::uint64_t vertices = input.positions.vertices, triangles = input.triangles.size() / 3;
  // Divisions, because products of what a caller says may not fit 64 bits.
  if (worlds != 0 && vertices != 0 && vertices <= kMostVertices / worlds && triangles != 0 &&
      triangles <= kMostTriangles / worlds && input.triangles.size() % 3 == 0) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("a scene has 1 to ", kMostVertices, " vertices and 1 to ", kMostTriangles,
                   " triangles in all of its worlds, this one ", vertices, " and ", triangles,
                   worlds == 1 ? std::string() : absl::StrCat(" in each of ", worlds)));
}

}  // namespace

absl::StatusOr<Topology> CheckedTopology(const device::Backend& backend, const SceneInput& input,
                                         std::uint32_t worlds) {
  WY_RETURN_IF_ERROR(CheckSizes(input, worlds));
  WY_RETURN_IF_ERROR(CheckGroupMatrix(input.group_rule, input.vertex_groups, input.group_matrix));
  const VertexNumbers numbers = {input.positions.vertices, input.static_vertices};
  WY_RETURN_IF_ERROR(CheckStaticVertices(numbers, input.triangles, input.build));
  SceneSize size{.vertices = worlds * input.positions.vertices,
                 .edges = 0,
                 .triangles = worlds * (input.triangles.size() / 3),
                 .has_groups = !input.vertex_groups.empty(),
                 .has_bodies = CountBodies(MovingGroups(input)) != 0,
                 .worlds = worlds,
                 .static_triangles = CountStaticTriangles(numbers, input.triangles)};
  WY_RETURN_IF_ERROR(CheckOpenFits(backend, size));
  const auto vertices = static_cast<std::uint32_t>(input.positions.vertices);
  Topology topology = BuildTopology(input.triangles, vertices);
  size.edges = std::uint64_t{worlds} * topology.EdgeCount();
  WY_RETURN_IF_ERROR(CheckOpenFits(backend, size));
  if (worlds == 1) return topology;
  return InstancesOf(topology, vertices, worlds);
}

}  // namespace warpyard::ccd
