// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Input and output of a step of a set, on the host. A set is many worlds with one mesh, each with
// positions of its own; worlds never meet each other.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_SET_TYPES_H_
#define WARPYARD_CORE_WORKLOAD_CCD_SET_TYPES_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "core/workload/ccd/collision_types.h"

namespace warpyard::ccd {

/// One step of some worlds of a set. The other worlds stay where they are.
struct SetStep {
  /// Rows of positions or of poses, one world after the other. @shape vertices or bodies: rows
  /// times those of a world
  StepPositions end;
  /// Empty: each world starts where its last step ended. @shape as `end`
  std::optional<StepPositions> start = std::nullopt;
  /// The world of each row, ascending, or kNoIndex for a row to skip. Empty: all worlds in order.
  std::span<const std::uint32_t> rows = {};
};

/// What one row of a step gave.
struct WorldResult {
  /// Not OK: the world's pairs found no room, or its pose takes a body too far away (CheckReach).
  /// The world stays where it was.
  absl::Status status;
  std::optional<double> earliest_time = std::nullopt;  ///< as of CollisionResult
  std::uint64_t vertex_faces = 0;                      ///< its part of SetResult::all.vertex_face
  std::uint64_t edge_edges = 0;
  std::optional<double> path_deviation = std::nullopt;  ///< as of CollisionResult
};

struct SetResult {
  /// The lists of all worlds, one world after the other, by the ids of the mesh; sorted within each
  /// world. The rest is of all worlds together.
  CollisionResult all;
  std::vector<WorldResult> worlds;  ///< @shape one a row
};

inline const PhaseTimes& PhasesOf(const SetResult& result) { return PhasesOf(result.all); }

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_SET_TYPES_H_
