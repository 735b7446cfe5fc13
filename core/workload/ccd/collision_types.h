// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What a collision job takes and gives, on the host.
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

/// A pose of a scene's bodies in the caller's memory: where its rigid transform takes each body
/// from its rest position, which it had when the scene was opened. The vertices of group b are body
/// b.
struct PoseView {
  /// @shape geometry::RigidTransform a body: double[3][4], packed; need not be aligned
  const void* matrices = nullptr;
  std::size_t bodies = 0;
};

/// Where the vertices are at one end of a step.
using StepPositions = std::variant<PositionsView, PoseView>;

/// Which pairs of groups may collide; kMatrix: as a matrix of bits says (group_matrix.h).
enum class GroupRule : std::uint32_t { kAll, kDifferent, kSame, kMatrix };

/// What a step reports: all pairs with times, only the earliest time, or box-overlap pairs.
enum class Report : std::uint32_t { kCollisions, kEarliest, kCandidates };

/// How the narrow phase finds times of impact; see root_conservative.h and root_cubic.h.
enum class RootFinder : std::uint32_t { kConservative, kCubic };

/// How a hierarchy is built: hierarchy_build.h, or top_down_build.h.
enum class HierarchyBuild : std::uint32_t { kMorton, kTopDown };

/// How the broad phase finds pairs; see traversal_method.h and the class of each. All find the
/// same. The first is the fastest; the others are those of the papers.
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

/// A traversal's name, for people.
inline const char* NameOf(Traversal traversal) {
  const auto index = static_cast<std::size_t>(traversal);
  return index < std::size(kTraversalNames) ? kTraversalNames[index] : "an unknown traversal";
}

/// Boxes by which traversals of pairs of nodes tell that two nodes are apart. By oriented ones,
/// too, fewer pairs are visited and fewer candidates left: pairs of features in boxes that are
/// apart, none of which comes within the tolerance or the minimum separation of the other.
enum class BoundingVolume : std::uint32_t { kBoxes, kOrientedBoxes };

/// Sizes of traversals of pairs of nodes, and of root finding, for measurements: none changes what
/// is found.
struct TraversalTuning {
  std::uint32_t workers = 0;           ///< with a stack or deque each; 0: as many as run together
  std::uint32_t worker_pairs = 16384;  ///< pairs of nodes in each of these
  std::uint32_t shared_pairs = 1664;   ///< the same in the shared memory of a block
  std::uint32_t spill_from = 0;        ///< of these, that make some go to the deque; 0: as batch
  std::uint32_t batch = 0;             ///< pairs stolen together; 0: by the threads of a block
  std::uint32_t queue_limit = 24576;   ///< pairs in the scheduler's queues
  std::uint64_t level_pairs = 0;       ///< of a level, at first; 0: by the size of the scene
  std::uint64_t front_pairs = 0;       ///< of a front, at first; 0: by the size of the scene
  /// A front that has not grown by front_growth over front_reference steps is given up, and so is
  /// one that has grown by more than front_factor since the last start from the root.
  std::uint32_t front_reference = 16;
  double front_growth = 1.001;
  double front_factor = 2;
  /// Intervals of a pair that a work item of the conservative root finder examines before it spawns
  /// one for the rest (interval_items.h); 0: a pair is walked to its end where it was begun. The
  /// service has only that.
  std::uint32_t interval_items = 0;
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
  /// Intervals examined for one pair in doubles before it is reported as colliding.
  std::uint32_t max_intervals = 1'000'000;
  /// Pairs collide as soon as their distance falls to this, and at time 0 where it is no more then.
  /// Only RootFinder::kConservative can. @units the length unit of the positions; 0 to 1e6
  double min_separation = 0;
  /// Nothing after this time is reported. @shape in (0, 1]
  double max_time = 1;
  /// Whether CollisionResult has the geometry of its collisions.
  bool with_geometry = false;
  /// The hierarchy is built anew before a step when its nodes have grown so many times against its
  /// triangles (rebuild_rule.h); 0: never. It changes no result but counts that depend on order.
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

/// What a traversal of pairs of nodes did; zeros for others.
struct TraversalStatistics {
  std::uint64_t visited_pairs = 0;
  std::uint64_t triangle_pairs = 0;  ///< that overlap
  std::uint64_t front_pairs = 0;     ///< at which it ended; only with front tracking
  std::uint64_t steals = 0;          ///< batches
  std::uint64_t rounds = 0;          ///< with a look of the host after every few of them
  bool from_front = false;           ///< whether it started where the step before ended
};

/// How the hierarchy of the scene fares.
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
  /// Pairs whose boxes overlap; with Report::kEarliest or oriented boxes those that had to be
  /// looked at.
  std::uint64_t vertex_face_candidates = 0;
  std::uint64_t edge_edge_candidates = 0;
  std::uint64_t vertex_face_collisions = 0;
  std::uint64_t edge_edge_collisions = 0;
  /// Pairs reported because they reached CollisionOptions::max_intervals.
  std::uint64_t capped_pairs = 0;
  /// Work items that went on with intervals of a pair (TraversalTuning::interval_items).
  std::uint64_t continued_walks = 0;
  TraversalStatistics traversal;
  HierarchyStatistics hierarchy;
  PhaseTimes phases;
};

/// Result of one step; lists are sorted by ids, unless CollisionOptions::unsorted.
struct CollisionResult {
  memory::HostVector<VertexFaceCollision> vertex_face;
  memory::HostVector<EdgeEdgeCollision> edge_edge;
  /// With CollisionOptions::with_geometry and Report::kCollisions one a pair of the lists above,
  /// else empty.
  std::vector<VertexFaceGeometry> vertex_face_geometry;
  std::vector<EdgeEdgeGeometry> edge_edge_geometry;
  /// Earliest time of impact, if anything touches (never set for Report::kCandidates).
  std::optional<double> earliest_time;
  /// Of a step between two poses: how far any point can be from where it really is at the same
  /// time, since vertices move on straight lines; see PathDeviation in rigid_bodies.h.
  std::optional<double> path_deviation;
  CollisionStatistics statistics;
};

inline const PhaseTimes& PhasesOf(const CollisionResult& result) {
  return result.statistics.phases;
}

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_COLLISION_TYPES_H_
