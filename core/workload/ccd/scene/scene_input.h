// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What a caller gives to open a scene, and to step it.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_SCENE_SCENE_INPUT_H_
#define WARPYARD_CORE_WORKLOAD_CCD_SCENE_SCENE_INPUT_H_

#include <cstdint>
#include <optional>
#include <span>

#include "core/workload/ccd/collision_types.h"

namespace warpyard::ccd {

/// What Scene::Open needs beside a device.
struct SceneInput {
  PositionsView positions;
  std::span<const std::uint32_t> triangles;
  std::span<const std::uint32_t> vertex_groups;
  GroupRule group_rule = GroupRule::kAll;
  std::span<const std::uint64_t> group_matrix = {};  ///< see group_matrix.h
  HierarchyBuild build = HierarchyBuild::kMorton;
};

/// Ends of one step; `start` empty: the end of the last step.
struct StepInput {
  StepPositions end;
  std::optional<StepPositions> start;
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_SCENE_SCENE_INPUT_H_
