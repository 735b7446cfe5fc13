// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The input of opening a scene, and of a step.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_SCENE_SCENE_INPUT_H_
#define WARPYARD_CORE_WORKLOAD_CCD_SCENE_SCENE_INPUT_H_

#include <cstdint>
#include <optional>
#include <span>

#include "core/workload/ccd/collision_types.h"

namespace warpyard::ccd {

/// The input of Scene::Open, beside a device.
struct SceneInput {
  PositionsView positions;
  std::span<const std::uint32_t> triangles;
  std::span<const std::uint32_t> vertex_groups;
  GroupRule group_rule = GroupRule::kAll;
  std::span<const std::uint64_t> group_matrix = {};  ///< see group_matrix.h
  HierarchyBuild build = HierarchyBuild::kMorton;
  std::uint32_t static_vertices = 0;  ///< the last ones, see static_vertices.h
};

/// The groups of the vertices that move, which are also their bodies (CountBodies).
inline std::span<const std::uint32_t> MovingGroups(const SceneInput& input) {
  if (input.vertex_groups.empty()) return {};
  return input.vertex_groups.first(input.positions.vertices - input.static_vertices);
}

/// The ends of one step: positions of the vertices that move, or poses of their bodies. An empty
/// `start` means the end of the last step.
struct StepInput {
  StepPositions end;
  std::optional<StepPositions> start;
  /// For a set whose positions are not those of all worlds: the world of each row of positions, or
  /// kNoIndex for a row that is not used.
  std::span<const std::uint32_t> rows = {};
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_SCENE_SCENE_INPUT_H_
