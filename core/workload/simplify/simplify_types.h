// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Input, options and results of mesh simplification, as callers see them.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_SIMPLIFY_TYPES_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_SIMPLIFY_TYPES_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "core/base/phase_times.h"
#include "core/workload/geometry/positions_view.h"
#include "core/workload/geometry/vector3.h"

namespace warpyard::simplify {

/// The most vertices and triangles of a model.
inline constexpr std::uint64_t kMostVertices = std::uint64_t{1} << 28;
inline constexpr std::uint64_t kMostTriangles = std::uint64_t{1} << 28;

/// A mesh in the caller's memory. @shape triangles: 3 vertex indices each
struct ModelInput {
  geometry::PositionsView positions;
  std::span<const std::uint32_t> triangles;
};

/// How a coarser mesh is made.
enum class Finish {
  kCut,      ///< of the tree alone: fast, and rougher
  kCollapse  ///< and then by collapses of edges, which keep the topology
};

/// What a client asks for. Exactly one of the goals is set.
struct SimplifyOptions {
  std::optional<std::uint64_t> triangles;  ///< at most so many; at least 1
  std::optional<double> max_error;     ///< root of the mean squared distance to planes, scene units
  std::optional<std::uint32_t> level;  ///< of the octree, 0 to 21: cells have 2^-level of the side
  Finish finish = Finish::kCollapse;
  /// Ends collapses before this time; the result is the best one until then.
  absl::Time finish_by = absl::InfiniteFuture();
};

/// Why a result has more triangles than the goal.
enum class Shortfall {
  kNone,
  kTopology,  ///< no edge may collapse without folding a triangle or changing the topology
  kTime,      ///< SimplifyOptions::finish_by came
};

struct SimplifyStatistics {
  std::uint32_t input_triangles = 0;  ///< without those that have a repeated corner
  std::uint32_t cut_triangles = 0;    ///< of the cut from which collapses began
  std::uint32_t passes = 0;           ///< of collapses
  std::uint32_t expanded = 0;         ///< nodes that were expanded since edges had three triangles
  Shortfall shortfall = Shortfall::kNone;
  PhaseTimes phases;
};

/// @units positions: of the input
struct SimplifiedMesh {
  std::vector<float> positions;          ///< [vertices][3], relative to `origin`
  geometry::Vector3d origin{0, 0, 0};    ///< 0 where the input has floats
  std::vector<std::uint32_t> triangles;  ///< [triangles][3]
  std::vector<std::uint32_t> sources;    ///< [vertices], a vertex of the input nearby
  SimplifyStatistics statistics;
};

/// A chain of meshes of one model.
struct LevelOptions {
  std::vector<std::uint64_t> triangles;  ///< at most so many in each mesh; falling, at least 1
  Finish finish = Finish::kCollapse;
  absl::Time finish_by = absl::InfiniteFuture();  ///< see SimplifyOptions
  /// Gets each mesh, in order, when it is ready. An error ends the chain.
  std::function<absl::Status(SimplifiedMesh)> take = {};
};

inline const PhaseTimes& PhasesOf(const SimplifiedMesh& mesh) { return mesh.statistics.phases; }

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_SIMPLIFY_TYPES_H_
