// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Input and output of a collision job, on the host.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_COLLISION_TYPES_H_
#define WARPYARD_CORE_WORKLOAD_CCD_COLLISION_TYPES_H_

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <variant>
#include <vector>

#include "core/base/phase_times.h"
#include "core/memory/host_vector.h"
#include "core/workload/geometry/positions_view.h"

namespace warpyard::ccd {

using geometry::PositionsView;
using geometry::QuantizationBox;
using geometry::ScalarType;

/// A pose of a scene's bodies in the caller's memory. The rigid transform of each body applies to
/// its rest position, the position when the scene was opened. The vertices of group b are body b.
struct PoseView {
  /// @shape geometry::RigidTransform a body: double[3][4], packed; need not be aligned
  const void* matrices = nullptr;
  std::size_t bodies = 0;
};

/// Where the vertices are at one end of a step.
using StepPositions = std::variant<PositionsView, PoseView>;

/// Which pairs of groups may collide; kMatrix: a matrix of bits decides (group_matrix.h).
enum class GroupRule : std::uint32_t { kAll, kDifferent, kSame, kMatrix };

/// What a step reports: all pairs with times, only the earliest time, or pairs whose boxes overlap.
enum class Report : std::uint32_t { kCollisions, kEarliest, kCandidates };

/// How the narrow phase finds times of impact; see root_conservative.h and root_cubic.h.
enum class RootFinder : std::uint32_t { kConservative, kCubic };

/// How a hierarchy is built: hierarchy_build.h, or top_down_build.h.
enum class HierarchyBuild : std::uint32_t { kMorton, kTopDown };

/// How the broad phase finds pairs; see traversal_method.h and the class of each. All find the same
/// pairs. The first is the fastest; the others are from the papers.
enum class Traversal : std::uint32_t {
  kClusters,
  kIndependent,
  kWorkQueue,
  kCompaction,
  kBalancing,
  kStealing,
  kFront
};
inline constexpr const char* kTraversalNames[] = {
    "clusters", "independent", "work_queue", "compaction", "balancing", "stealing", "front"};

/// A readable name of a traversal.
inline const char* NameOf(Traversal traversal) {
  const auto index = static_cast<std::size_t>(traversal);
  return index < std::size(kTraversalNames) ? kTraversalNames[index] : "an unknown traversal";
}

/// Boxes that prove to a traversal of pairs of nodes that two nodes are apart. Oriented boxes, used
/// after the axis-aligned ones, save visits and candidates. The features that they rule out come
/// neither within the tolerance nor within the minimum separation of each other.
enum class BoundingVolume : std::uint32_t { kBoxes, kOrientedBoxes };

/// Sizes of traversals of pairs of nodes, for measurements. No size changes a result.
struct TraversalTuning {
  std::uint32_t workers = 0;           ///< each has a stack or deque; 0: as many as run at once
  std::uint32_t worker_pairs = 16384;  ///< pairs of nodes in a stack or deque
  std::uint32_t shared_pairs = 1664;   ///< pairs of nodes in the shared memory of a block
  std::uint32_t spill_from = 0;       ///< shared pairs at which some move to the deque; 0: as batch
  std::uint32_t batch = 0;            ///< pairs stolen together; 0: by the threads of a block
  std::uint32_t queue_limit = 24576;  ///< pairs in the scheduler's queues
  std::uint64_t level_pairs = 0;      ///< first room of a level; 0: by the size of the scene
  std::uint64_t front_pairs = 0;      ///< first room of a front; 0: by the size of the scene
  /// A front is dropped if it has not grown by front_growth over front_reference steps. It is also
  /// dropped if it has grown by more than front_factor since the last start from the root.
  std::uint32_t front_reference = 16;
  double front_growth = 1.001;
  double front_factor = 2;
};

struct CollisionOptions {
  Report report = Report::kCollisions;
  RootFinder root_finder = RootFinder::kConservative;
  Traversal traversal = Traversal::kClusters;
  BoundingVolume bounding_volume = BoundingVolume::kBoxes;
  /// Leaves lists in the order in which pairs were found, which differs from run to run.
  bool unsorted = false;
  /// @units the length unit of the positions
  double tolerance = 1e-8;
  /// Limit of intervals, in doubles, for one pair; a pair that reaches it is reported as colliding.
  std::uint32_t max_intervals = 1'000'000;
  /// Pairs collide as soon as their distance falls to this value, or at time 0 if they start this
  /// close. Only RootFinder::kConservative supports it. @units the length unit of the positions; 0
  /// to 1e6
  double min_separation = 0;
  /// No collision after this time is reported. @shape in (0, 1]
  double max_time = 1;
  /// Whether CollisionResult has the geometry of its collisions.
  bool with_geometry = false;
  /// The hierarchy is rebuilt before a step when the size of its nodes, relative to its triangles,
  /// has grown by this factor (rebuild_rule.h); 0: never. A rebuild changes only counts that depend
  /// on the order of triangles.
  double rebuild_factor = 2;
  TraversalTuning tuning;
};

/// @shape `time` in [0, 1]; 0 and meaningless for candidates
struct VertexFaceCollision {
  std::uint32_t vertex;
  std::uint32_t face;
  double time;
};

/// Edges by their vertices: a0 < a1, b0 < b1, and (a1, a0) < (b1, b0): ascending edge ids.
struct EdgeEdgeCollision {
  std::uint32_t a0, a1;
  std::uint32_t b0, b1;
  double time;
};

/// Where a vertex and a face are closest at the time of their collision.
struct VertexFaceGeometry {
  double weights[3];  ///< of the face's corners, barycentric: at least 0, their sum is 1
  double normal[3];   ///< of length 1, from the vertex to the face; see contact_geometry.h
};

/// Where two edges are closest at the time of their collision.
struct EdgeEdgeGeometry {
  double parameters[2];  ///< in [0, 1]: of a from a0 to a1, and of b from b0 to b1
  double normal[3];      ///< of length 1, from edge a to edge b; see contact_geometry.h
};

/// What a traversal of pairs of nodes did; zeros for other traversals.
struct TraversalStatistics {
  std::uint64_t visited_pairs = 0;
  std::uint64_t triangle_pairs = 0;  ///< pairs of triangles that overlap
  std::uint64_t front_pairs = 0;     ///< pairs at which it ended; only with front tracking
  std::uint64_t steals = 0;          ///< stolen batches
  std::uint64_t rounds = 0;          ///< the host checks after every few rounds
  bool from_front = false;           ///< whether it started where the step before ended
};

/// How well the hierarchy still fits the scene.
struct HierarchyStatistics {
  double size = 0;             ///< of nodes, against that of triangles (hierarchy_size.h)
  double growth = 1;           ///< of nodes against triangles since the last build
  std::uint64_t rebuilds = 0;  ///< since the scene was opened
  bool rebuilt = false;        ///< before this step
};

struct CollisionStatistics {
  std::uint32_t vertices = 0;
  std::uint32_t edges = 0;
  std::uint32_t triangles = 0;
  /// Pairs whose boxes overlap. With Report::kEarliest or oriented boxes: only the pairs that the
  /// step had to examine.
  std::uint64_t vertex_face_candidates = 0;
  std::uint64_t edge_edge_candidates = 0;
  std::uint64_t vertex_face_collisions = 0;
  std::uint64_t edge_edge_collisions = 0;
  /// Pairs reported because they reached CollisionOptions::max_intervals.
  std::uint64_t capped_pairs = 0;
  TraversalStatistics traversal;
  HierarchyStatistics hierarchy;
  PhaseTimes phases;
};

/// Result of one step; lists are sorted by ids, unless CollisionOptions::unsorted.
struct CollisionResult {
  memory::HostVector<VertexFaceCollision> vertex_face;
  memory::HostVector<EdgeEdgeCollision> edge_edge;
  /// With CollisionOptions::with_geometry and Report::kCollisions, one entry for each pair of the
  /// lists above; else empty.
  std::vector<VertexFaceGeometry> vertex_face_geometry;
  std::vector<EdgeEdgeGeometry> edge_edge_geometry;
  /// Earliest time of impact, if anything touches (never set for Report::kCandidates).
  std::optional<double> earliest_time;
  /// Only for a step between two poses. Vertices move on straight lines here; this is the largest
  /// distance of a point from its place on the true path at the same time (PathDeviation in
  /// rigid_bodies.h).
  std::optional<double> path_deviation;
  CollisionStatistics statistics;
};

inline const PhaseTimes& PhasesOf(const CollisionResult& result) {
  return result.statistics.phases;
}

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_COLLISION_TYPES_H_
