// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A scene as plain pointers into backend memory, for collision procedures.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_JOB_SCENE_VIEW_H_
#define WARPYARD_CORE_WORKLOAD_CCD_JOB_SCENE_VIEW_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/base/no_index.h"
#include "core/workload/ccd/collision_types.h"
#include "core/workload/ccd/job/cluster.h"
#include "core/workload/ccd/job/moving_pair.h"
#include "core/workload/ccd/job/pair_ids.h"
#include "core/workload/geometry/bounds.h"
#include "core/workload/geometry/vector3.h"

namespace warpyard::ccd {

/// One triangle and the features that it owns. Exactly one triangle owns each vertex and each edge
/// of the mesh, and a pair of triangles tests only features that they own. So each pair of features
/// is tested once. [SilvaThesis §2.3.3 reaches the same by orphan sets]
struct Triangle {
  std::uint32_t vertex[3];
  std::uint32_t edge[3];  ///< edge k joins vertex[k] and vertex[(k + 1) % 3]
  std::uint32_t id;
  std::uint32_t owned;  ///< bits 0-2: vertices, bits 3-5: edges

  WY_HD bool OwnsVertex(int k) const { return (owned >> k & 1u) != 0; }
  WY_HD bool OwnsEdge(int k) const { return (owned >> (3 + k) & 1u) != 0; }
};
static_assert(sizeof(Triangle) == 32);

/// What a parent stores of a child: box, index, and the last leaf below it.
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

/// The mesh as the caller gave it.
struct MeshView {
  std::uint32_t vertices;
  std::uint32_t edges;
  std::uint32_t triangles;
  std::uint32_t static_vertices;   ///< the last ones of each world: they never move
  std::uint32_t static_triangles;  ///< of each world: those of static vertices
  GroupRule group_rule;
  const Triangle* triangle_records;    ///< @shape [triangles]
  const std::uint32_t* edge_vertices;  ///< @shape [edges][2]
  const std::uint32_t* vertex_groups;  ///< @shape [vertices], or null: one group
  const std::uint64_t* group_matrix;   ///< @shape [groups], for GroupRule::kMatrix
  const Vector3d* rest;  ///< @shape [vertices]: when opened; null unless the groups are bodies
};

/// The order of the triangles in all hierarchies of the scene, and the keys that make it. Triangles
/// that never move come last.
struct OrderView {
  /// @shape [kBoundWords]: low xyz, high xyz as OrderedBits, of what moves and of what never does;
  /// then the number of placed features.
  /// Used while building.
  std::uint32_t* ordered_bounds;
  std::uint64_t* keys;  ///< @shape [triangles]: see ComputeKeys
  Triangle* leaves;     ///< @shape [triangles]
  float size_scale;     ///< units of HierarchySize in a unit of length; a power of two
};

/// Number of words of OrderView::ordered_bounds, the first one of static vertices, and the one that
/// counts features.
inline constexpr std::uint32_t kBoundWords = 13, kStaticBounds = 6, kFeaturesPlaced = 12;
/// The words before a build.
struct EmptyBounds {
  std::uint32_t words[kBoundWords] = {~0u, ~0u, ~0u, 0, 0, 0, ~0u, ~0u, ~0u, 0, 0, 0, 0};
};

/// The binary hierarchy over single triangles, for traversals by leaves. A scene of n triangles has
/// n leaves in Morton order and n - 1 inner nodes; node i splits the leaves between i and i + 1.
/// All pointers are null until a step needs the hierarchy.
struct HierarchyView {
  Node* nodes;                  ///< @shape [triangles - 1]
  std::uint32_t* root;          ///< @shape [1]
  std::uint32_t* leaf_parent;   ///< @shape [triangles]: node << 1 | side
  std::uint32_t* node_parent;   ///< @shape [triangles - 1]: node << 1 | side; kNoIndex for the root
  std::uint32_t* node_bound;    ///< @shape [triangles - 1]: far end of the first child to arrive
  std::uint32_t* visits;        ///< @shape [triangles - 1]: arrivals of the refit
  geometry::Box* vertex_boxes;  ///< @shape [vertices]: swept boxes of this step
};

/// The clusters, and the tree above them.
struct ClusterView {
  FloatPoint* points;       ///< @shape [vertices]: of this step
  Feature* features;        ///< @shape [vertices + edges + triangles], cluster by cluster
  FeatureCorners* corners;  ///< @shape of `features`
  FeatureSpan* spans;       ///< @shape [clusters]
  std::uint32_t* vertices;  ///< @shape [clusters][kClusterVertices]
  ClusterTree tree;
};

/// The worlds of a set: instances of one mesh, which never meet each other. The features of the
/// mesh are numbered world by world. A scene of its own is all zeros.
struct WorldsView {
  std::uint32_t count;
  std::uint32_t vertices, edges, triangles;  ///< of each world

  WY_HD bool AreSeveral() const { return count > 1; }
  /// The world of a pair of features.
  WY_HD std::uint32_t WorldOf(PairKind kind, PairIds ids) const {
    if (!AreSeveral()) return 0;
    return ids.a / (kind == PairKind::kVertexFace ? vertices : edges);
  }
};

struct SceneView {
  MeshView mesh;
  WorldsView worlds;
  OrderView order;
  ClusterView clusters;
  HierarchyView hierarchy;

  WY_HD std::uint32_t Clusters() const {
    return worlds.AreSeveral() ? worlds.count * ClustersOf(worlds.triangles, mesh.static_triangles)
                               : ClustersOf(mesh.triangles, mesh.static_triangles);
  }
  /// Clusters that a step bounds and searches with, of one world. A set has those of all worlds
  /// among its clusters.
  WY_HD std::uint32_t StepClusters() const {
    return worlds.AreSeveral() ? Clusters() : clusters.tree.MovingClusters();
  }
  /// Of all worlds.
  WY_HD std::uint32_t MovingTriangles() const {
    const std::uint32_t count = worlds.AreSeveral() ? worlds.count : 1;
    return mesh.triangles - count * mesh.static_triangles;
  }
  WY_HD std::uint32_t VerticesOfWorld() const {
    return worlds.AreSeveral() ? worlds.vertices : mesh.vertices;
  }
};

/// Whether the group rule, which is not kAll, lets features of two groups meet.
WY_HD inline bool GroupsMayCollide(const MeshView& mesh, std::uint32_t a, std::uint32_t b) {
  if (mesh.group_rule == GroupRule::kMatrix) return (mesh.group_matrix[a] >> b & 1u) != 0;
  return (a == b) == (mesh.group_rule == GroupRule::kSame);
}

/// Whether a triangle of a scene, which is one world, never moves.
WY_HD inline bool IsStatic(const MeshView& mesh, const Triangle& triangle) {
  return triangle.vertex[0] >= mesh.vertices - mesh.static_vertices;
}

/// Whether features of two triangles of a scene may meet: the group rule lets them, and one of them
/// moves.
WY_HD inline bool MayCollide(const MeshView& mesh, const Triangle& a, const Triangle& b) {
  if (IsStatic(mesh, a) && IsStatic(mesh, b)) return false;
  if (mesh.vertex_groups == nullptr || mesh.group_rule == GroupRule::kAll) return true;
  return GroupsMayCollide(mesh, mesh.vertex_groups[a.vertex[0]], mesh.vertex_groups[b.vertex[0]]);
}

/// The tables that give the points of a pair.
struct PairTables {
  const Triangle* triangle_records;
  const std::uint32_t* edge_vertices;
  const FloatPoint* points;
};

/// The vertices of a pair, in the order of MovingPair's points.
/// @shape Tables: PairTables or MeshView
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
  for (int k = 0; k < 4; ++k) points.of[k] = tables.points + vertices[k];
  return points;
}

/// Whether the features of a pair share a vertex. @shape v: as of VerticesOf
WY_HD inline bool ShareVertex(PairKind kind, const std::uint32_t (&v)[4]) {
  if (kind == PairKind::kVertexFace) return (v[0] == v[1]) | (v[0] == v[2]) | (v[0] == v[3]);
  return (v[0] == v[2]) | (v[0] == v[3]) | (v[1] == v[2]) | (v[1] == v[3]);
}

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_JOB_SCENE_VIEW_H_
