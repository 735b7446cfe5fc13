// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A scene and a step of it as plain pointers into backend memory: what collision procedures see.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_JOB_SCENE_VIEW_H_
#define WARPYARD_CORE_WORKLOAD_CCD_JOB_SCENE_VIEW_H_

#include <cstdint>
#include <cstring>

#include "core/base/macros.h"
#include "core/workload/ccd/collision_types.h"
#include "core/workload/ccd/job/cluster.h"
#include "core/workload/ccd/job/contact_rows.h"
#include "core/workload/ccd/job/device_list.h"
#include "core/workload/ccd/job/hierarchy_size.h"
#include "core/workload/ccd/job/moving_pair.h"
#include "core/workload/ccd/job/position_source.h"
#include "core/workload/ccd/job/traversal_view.h"
#include "core/workload/geometry/bounds.h"
#include "core/workload/geometry/vector3.h"

namespace warpyard::ccd {

/// One triangle and what it owns. Each vertex and each edge of the mesh is owned by exactly one of
/// its triangles, and a pair of triangles tests only features that they own, so that each pair of
/// features is met once. [SilvaThesis §2.3.3 reaches the same by orphan sets]
struct Triangle {
  std::uint32_t vertex[3];
  std::uint32_t edge[3];  ///< edge k joins vertex[k] and vertex[(k + 1) % 3]
  std::uint32_t id;
  std::uint32_t owned;  ///< bits 0-2: vertices, bits 3-5: edges

  WY_HD bool OwnsVertex(int k) const { return (owned >> k & 1u) != 0; }
  WY_HD bool OwnsEdge(int k) const { return (owned >> (3 + k) & 1u) != 0; }
};
static_assert(sizeof(Triangle) == 32);

/// A child as its parent sees it: box, index, and the last leaf below it.
struct alignas(32) NodeChild {
  float low[3];
  std::uint32_t child;  ///< node index, or kLeafBit | leaf index
  float high[3];
  std::uint32_t last_leaf;
};

inline constexpr std::uint32_t kLeafBit = 0x80000000u;

/// An inner node holds the boxes of its children, so that a visit is one 64-byte read.
struct alignas(64) Node {
  NodeChild child[2];
};
static_assert(sizeof(Node) == 64);

/// A scene with n triangles has n leaves in Morton order and n - 1 inner nodes; node i splits the
/// leaves between i and i + 1.
struct SceneView {
  std::uint32_t vertices;
  std::uint32_t edges;
  std::uint32_t triangles;
  GroupRule group_rule;
  const Triangle* triangle_records;    ///< @shape [triangles]
  const std::uint32_t* vertex_groups;  ///< @shape [vertices], or null: one group
  const std::uint64_t* group_matrix;   ///< @shape [groups], for GroupRule::kMatrix
  const std::uint32_t* edge_vertices;  ///< @shape [edges][2]

  /// While building. @shape [kBoundWords]: low xyz, high xyz as OrderedBits; features placed
  std::uint32_t* ordered_bounds;
  std::uint64_t* keys;  ///< @shape [triangles]: Morton code << 32 | triangle
  Triangle* leaves;     ///< @shape [triangles]
  // The hierarchy, of traversals by leaves; null until a step needs it.
  Node* nodes;                 ///< @shape [triangles - 1]
  std::uint32_t* root;         ///< @shape [1]
  std::uint32_t* leaf_parent;  ///< @shape [triangles]: node << 1 | side
  std::uint32_t* node_parent;  ///< @shape [triangles - 1]: node << 1 | side; of the root: kNoParent
  std::uint32_t* node_bound;   ///< @shape [triangles - 1]: far end of the first child to arrive
  std::uint32_t* visits;       ///< @shape [triangles - 1]: arrivals of the refit
  geometry::Box* vertex_boxes;  ///< @shape [vertices]: swept boxes of this step

  FloatPoint* vertex_points;        ///< @shape [vertices]: of this step
  Feature* features;                ///< @shape [vertices + edges + triangles], cluster by cluster
  FeatureCorners* feature_corners;  ///< @shape of `features`
  FeatureSpan* feature_spans;       ///< @shape [clusters]
  std::uint32_t* cluster_vertices;  ///< @shape [clusters][kClusterVertices]
  ClusterTree tree;
  float size_scale;  ///< units of HierarchySize in one of length, a power of two

  const Vector3d* rest;  ///< @shape [vertices]: when opened; null unless the groups are bodies

  WY_HD std::uint32_t Clusters() const { return (triangles - 1) / kClusterTriangles + 1; }
};

inline constexpr std::uint32_t kNoParent = 0xffffffffu;

/// Words of SceneView::ordered_bounds, and which of them counts features.
inline constexpr std::uint32_t kBoundWords = 7, kFeaturesPlaced = 6;

/// Ids of a pair of features: vertex and face, or two edges with the smaller first.
struct PairIds {
  std::uint32_t a;
  std::uint32_t b;
};

/// A pair of either kind: the top bit of the first id tells edges from a vertex and a face.
struct MarkedPair {
  PairIds ids;
  static constexpr std::uint32_t kEdges = 0x80000000u;

  WY_HD static MarkedPair Of(PairKind kind, PairIds ids) {
    return {{ids.a | (kind == PairKind::kEdgeEdge ? kEdges : 0), ids.b}};
  }
  WY_HD PairKind Kind() const {
    return (ids.a & kEdges) != 0 ? PairKind::kEdgeEdge : PairKind::kVertexFace;
  }
  WY_HD PairIds Ids() const { return {ids.a & ~kEdges, ids.b}; }
};

/// A pair that a walk in floats did not prove free of contact throughout.
struct LeftPair {
  MarkedPair pair;
  float free_until;  ///< but before this time it is
};

/// Counters of one step; zero, but for `earliest_bits`, before the step starts.
struct StepCounters {
  std::uint64_t meetings;       ///< pairs of clusters, or of triangles
  std::uint64_t candidates[2];  ///< by PairKind
  std::uint64_t survivors[2];   ///< pairs that the filters left (or candidates to report)
  std::uint64_t left;           ///< of these, by a walk in floats, where that is a stage
  std::uint64_t contacts[2];
  std::uint64_t listed_contacts[2];
  std::uint64_t capped_pairs;
  std::uint64_t continued_walks;  ///< items that went on with intervals of a pair
  std::uint64_t unranked;         ///< not 0: a row of the sort was too long (contact_sort.h)
  std::uint64_t sample_part;      ///< of a step with a sample: 0 before it, 1 in it, 2 behind it
  std::uint64_t sampled;          ///< candidates of the sample
  std::uint64_t earliest_bits;  ///< bits of the earliest time as double; order is that of the times
  std::uint64_t traverse_cycles;  ///< of all groups of workers in the traversal
  std::uint64_t filter_cycles;    ///< the part of them spent in the narrow phase's filters
  HierarchySize sizes[2];         ///< by HierarchyKind; of the boxes of the whole step
  TraversalCounters traversal;
};

/// One step of a scene.
struct StepView {
  const Vector3d* start;      ///< @shape [vertices]
  const Vector3d* end;        ///< @shape [vertices]
  PositionSource sources[2];  ///< of these
  Report report;
  bool samples;  ///< a sample of clusters tells how far the rest need be looked at; see StepStage
  Traversal traversal;
  BoundingVolume bounding_volume;
  RootFinder root_finder;
  double tolerance;
  std::uint32_t max_intervals;
  std::uint32_t interval_items;  ///< intervals that a work item examines (interval_items.h); or 0
  double min_separation;
  double end_time;               ///< nothing at or after it is of interest; 1: all of the step is
  bool resumed;                  ///< goes on with the rounds of an earlier event
  DeviceList<PairIds> meetings;  ///< clusters that overlap, or leaves
  DeviceList<PairIds> survivors[2];
  DeviceList<LeftPair> left;
  DeviceList<VertexFaceCollision> vertex_face;
  DeviceList<EdgeEdgeCollision> edge_edge;
  bool sorted;       ///< these two lists are wanted in the order of their ids
  ContactRows rows;  ///< for that; dealt out to where the survivors were
  TraversalView work;
  std::uint64_t* spare_keys;  ///< @shape [triangles]: of a build from the top
  double* walk_times;         ///< @shape [pairs to find roots of]: until when each is proved free
  StepCounters* counters;
  StepCounters* host_counters;  ///< where they go when all is done, in memory of the host; or null
};

/// End of what of a step has to be looked at: with Report::kEarliest the earliest time that is
/// known so far, since nothing later matters; else as the step says.
template <class Scope>
WY_HD double EndTime(const StepView& step) {
  if (step.report != Report::kEarliest) return step.end_time;
  const std::uint64_t bits = Scope::Word(step.counters->earliest_bits).LoadRelaxed();
  double time;
  memcpy(&time, &bits, sizeof time);
  return time < step.end_time ? time : step.end_time;
}

/// More than any distance at which root finders report a pair: the cubic one those within the
/// tolerance. The minimum separation is taken a little larger, for the roundings of the sum.
WY_HD inline float NearOf(const StepView& step) {
  return geometry::RoundUp(2 * step.tolerance + (1 + 0x1p-20) * step.min_separation);
}

/// Pairs that one step may examine: a stage counts its indices in 32 bits.
inline constexpr std::uint64_t kMostPairs = 0x7fffffffu;

/// Bits of 2.0: later than any time of impact.
inline constexpr std::uint64_t kNoContactBits = 0x4000000000000000ull;

/// Whether the group rule, which is not kAll, lets features of two groups meet.
WY_HD inline bool GroupsMayCollide(const SceneView& scene, std::uint32_t a, std::uint32_t b) {
  if (scene.group_rule == GroupRule::kMatrix) return (scene.group_matrix[a] >> b & 1u) != 0;
  return (a == b) == (scene.group_rule == GroupRule::kSame);
}

/// Whether the group rule lets features of two triangles meet.
WY_HD inline bool GroupsMayCollide(const SceneView& scene, const Triangle& a, const Triangle& b) {
  if (scene.vertex_groups == nullptr || scene.group_rule == GroupRule::kAll) return true;
  return GroupsMayCollide(scene, scene.vertex_groups[a.vertex[0]],
                          scene.vertex_groups[b.vertex[0]]);
}

/// Of a SceneView, what the points of a pair are found with.
struct PairTables {
  const Triangle* triangle_records;
  const std::uint32_t* edge_vertices;
  const FloatPoint* vertex_points;
};

/// The vertices of a pair, in the order of MovingPair's points.
/// @shape Tables: PairTables or SceneView
template <class Tables>
WY_HD void VerticesOf(const Tables& tables, PairKind kind, PairIds ids, std::uint32_t (&v)[4]) {
  if (kind == PairKind::kVertexFace) {
    v[0] = ids.a;
    for (int k = 0; k < 3; ++k) v[k + 1] = tables.triangle_records[ids.b].vertex[k];
  } else {
    for (int k = 0; k < 2; ++k) {
      v[k] = tables.edge_vertices[2 * std::uint64_t{ids.a} + static_cast<unsigned>(k)];
      v[k + 2] = tables.edge_vertices[2 * std::uint64_t{ids.b} + static_cast<unsigned>(k)];
    }
  }
}

/// The four points of a pair in floats.
struct PairPoints {
  const FloatPoint* of[4];
};
WY_HD inline PairPoints PointsOf(const PairTables& tables, const std::uint32_t (&vertices)[4]) {
  PairPoints points;
  for (int k = 0; k < 4; ++k) points.of[k] = tables.vertex_points + vertices[k];
  return points;
}

/// Whether the features of a pair meet at a vertex. @shape v: as of VerticesOf
WY_HD inline bool ShareVertex(PairKind kind, const std::uint32_t (&v)[4]) {
  if (kind == PairKind::kVertexFace) return (v[0] == v[1]) | (v[0] == v[2]) | (v[0] == v[3]);
  return (v[0] == v[2]) | (v[0] == v[3]) | (v[1] == v[2]) | (v[1] == v[3]);
}

/// Reads the eight points of a pair.
WY_HD inline MovingPair LoadPair(const SceneView& scene, const StepView& step, PairKind kind,
                                 PairIds ids) {
  std::uint32_t v[4];
  VerticesOf(scene, kind, ids, v);
  MovingPair pair;
  pair.kind = kind;
  for (int k = 0; k < 4; ++k) {
    pair.start[k] = step.start[v[k]];
    pair.end[k] = step.end[v[k]];
  }
  return pair;
}

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_JOB_SCENE_VIEW_H_
