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
#include "core/memory/host_vector.h"
#include "core/workload/geometry/positions_view.h"
#include "core/workload/geometry/vector3.h"
#include "core/workload/simplify/limits.h"

namespace warpyard::simplify {

/// Numbers of a result, which a device may have written there.
template <class T>
using ResultList = memory::HostVector<T>;

/// Numbers that each vertex has. @shape values: [vertices][components]
struct AttributeInput {
  std::span<const float> values = {};
  std::uint32_t components = 0;  ///< 3 for normals
  /// An error of 1 counts as much as a distance of so many times the largest side of the box.
  float weight = 0;
  bool is_normal = false;  ///< a vector of length 1
};

/// What becomes of edges with one triangle.
enum class Borders {
  kWeighted,  ///< they keep their shape as the surface does
  kLocked,    ///< their vertices stay where they are
  kFree       ///< they move wherever the planes of the triangles let them
};

/// A mesh in the caller's memory. @shape triangles: 3 vertex indices each
struct ModelInput {
  geometry::PositionsView positions;
  std::span<const std::uint32_t> triangles;
  std::span<const AttributeInput> attributes = {};
  std::span<const std::uint32_t> groups = {};  ///< [vertices], what is kept apart; or empty
  std::span<const std::uint8_t> locked = {};   ///< [vertices], not 0: it stays; or empty
  Borders borders = Borders::kWeighted;
};

/// An eye and a screen. @units lengths: of the mesh's positions
struct View {
  geometry::Vector3d eye{0, 0, 0};
  geometry::Vector3d forward{0, 0, -1}, up{0, 1, 0};  ///< of any length; not parallel
  double vertical_field = 60;     ///< degrees from the lower side to the upper one
  double aspect = 1;              ///< width / height
  double height = 1080;           ///< pixels
  double near = 0;                ///< what is nearer counts as being there; more than 0
  double max_pixels = 1;          ///< the error that may be seen
  double outside_weight = 0;      ///< of errors outside the sides: 0 to 1
  double back_facing_weight = 1;  ///< of errors where the surface faces away: 0 to 1
};

/// A cut whose errors are small enough for all of some views.
struct ViewGoal {
  std::vector<View> views;
  /// What the view before asked for stays until its error is so many times less than allowed, and
  /// more comes when it is so many times greater. At least 1.
  double hysteresis = 1.25;
  /// SimplifiedMesh::state of the view before, or empty.
  ResultList<std::uint32_t> previous = {};
  bool returns_state = false;
  /// Whether the result has only what is new against the cut of `previous`: see CutDelta.
  bool returns_delta = false;
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
  std::optional<ViewGoal> views;       ///< only with Finish::kCut
  Finish finish = Finish::kCollapse;
  /// Ends collapses before this time; the result is the best one until then.
  absl::Time finish_by = absl::InfiniteFuture();
  /// Samples of each surface for SimplifyStatistics::distance; 0: it is not measured. Not for
  /// deltas.
  std::uint32_t distance_samples = 0;
  bool counts_edges = false;  ///< for SimplifyStatistics::edges. Not for deltas.
};

/// Why a result has more triangles than the goal.
enum class Shortfall {
  kNone,
  /// No edge may collapse without folding a triangle, changing the topology, tearing a seam or
  /// moving a locked vertex.
  kTopology,
  kTime,  ///< SimplifyOptions::finish_by came
};

/// Distances from samples of one surface to the nearest points of the other one.
/// @units of the input
struct OneWayDistance {
  double rms = 0;
  double max = 0;  ///< the greatest distance of a sample
};

/// How far a result is from its model. The Hausdorff distance is the greater `max`, from below: a
/// sample may miss the farthest point.
struct SurfaceDistance {
  std::uint32_t samples = 0;  ///< of each surface, even by area
  OneWayDistance from_model, from_result;
};

/// Edges of a result that do not have two triangles.
struct EdgeCounts {
  std::uint64_t border = 0;        ///< with one
  std::uint64_t non_manifold = 0;  ///< with three or more
};

struct SimplifyStatistics {
  std::uint32_t input_triangles = 0;  ///< without those that have a repeated corner
  std::uint32_t cut_triangles = 0;    ///< of the cut from which collapses began
  std::uint32_t passes = 0;           ///< of collapses
  std::uint32_t expanded = 0;         ///< nodes that were expanded since edges had three triangles
  Shortfall shortfall = Shortfall::kNone;
  /// Of the vertices: the greatest root of the mean squared distance to the planes that it stands
  /// for, errors of attributes included. @units of the input
  double max_error = 0;
  std::optional<SurfaceDistance> distance;
  std::optional<EdgeCounts> edges;
  PhaseTimes phases;
};

/// What a cut does not have any more of the cut before, by the ids of vertices. The mesh beside it
/// has the vertices and triangles that are new, and its triangles name ids, too.
struct CutDelta {
  std::vector<std::uint32_t> removed_vertices;
  std::vector<std::uint32_t> removed_triangles;  ///< [triangles][3]
};

/// @units positions: of the input
struct SimplifiedMesh {
  ResultList<float> positions;          ///< [vertices][3], relative to `origin`
  geometry::Vector3d origin{0, 0, 0};   ///< 0 where the input has floats
  ResultList<std::uint32_t> triangles;  ///< [triangles][3]
  ResultList<std::uint32_t> sources;    ///< [vertices], a vertex of the input nearby
  ResultList<float> attributes;         ///< [vertices], and for each all channels
  ResultList<std::uint32_t> groups;     ///< [vertices], if the input has groups
  ResultList<std::uint32_t> state;      ///< for ViewGoal::previous, if it asks for it
  /// Of the vertices of a cut for views: the same vertex has the same id in all cuts of a model.
  ResultList<std::uint32_t> ids;
  std::optional<CutDelta> delta;  ///< if ViewGoal asks for it
  SimplifyStatistics statistics;
};

/// A chain of meshes of one model. Exactly one of the lists has goals.
struct LevelOptions {
  std::vector<std::uint64_t> triangles =
      {};                               ///< at most so many in each mesh; none rises, at least 1
  std::vector<double> max_errors = {};  ///< SimplifyOptions::max_error of each mesh; none falls
  Finish finish = Finish::kCollapse;
  absl::Time finish_by = absl::InfiniteFuture();  ///< see SimplifyOptions
  /// Gets each mesh, in order, when it is ready. An error ends the chain.
  std::function<absl::Status(SimplifiedMesh)> take = {};
};

inline const PhaseTimes& PhasesOf(const SimplifiedMesh& mesh) { return mesh.statistics.phases; }

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_SIMPLIFY_TYPES_H_
