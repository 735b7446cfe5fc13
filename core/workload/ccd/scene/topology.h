// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Edges of a mesh, and the owner of each feature among the triangles.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_SCENE_TOPOLOGY_H_
#define WARPYARD_CORE_WORKLOAD_CCD_SCENE_TOPOLOGY_H_

#include <cstdint>
#include <span>
#include <vector>

#include "core/workload/ccd/job/scene_view.h"

namespace warpyard::ccd {

struct Topology {
  std::vector<Triangle> triangles;
  /// @shape [edges][2], smaller vertex first; edges ascend by (larger vertex, smaller vertex)
  std::vector<std::uint32_t> edge_vertices;

  std::uint32_t EdgeCount() const { return static_cast<std::uint32_t>(edge_vertices.size() / 2); }
};

/// Numbers the unique undirected edges and gives each vertex and edge to the first triangle that
/// uses it. @shape `triangles`: 3 indices each, all below `vertices`
Topology BuildTopology(std::span<const std::uint32_t> triangles, std::uint32_t vertices);

/// The topology of several worlds with the same mesh: features are numbered world by world.
/// @shape vertices: of each world
Topology InstancesOf(const Topology& world, std::uint32_t vertices, std::uint32_t worlds);

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_SCENE_TOPOLOGY_H_
