// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Turns a pair of triangles into the pairs of features that they own.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_METHODS_FEATURES_FEATURE_EXPANSION_H_
#define WARPYARD_CORE_WORKLOAD_CCD_METHODS_FEATURES_FEATURE_EXPANSION_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/workload/ccd/job/moving_pair.h"
#include "core/workload/ccd/job/scene_view.h"
#include "core/workload/geometry/bounds.h"

namespace warpyard::ccd {

/// A candidate: the ids of two features, with the kind in the top bit of the first.
struct TaggedPair {
  std::uint32_t tagged_a;
  std::uint32_t b;

  static constexpr std::uint32_t kEdgeEdgeBit = 0x80000000u;

  WY_HD PairKind Kind() const {
    return (tagged_a & kEdgeEdgeBit) != 0 ? PairKind::kEdgeEdge : PairKind::kVertexFace;
  }
  WY_HD PairIds Ids() const { return {tagged_a & ~kEdgeEdgeBit, b}; }
};

/// A triangle with the swept boxes of its features. Only the boxes of vertices are stored: the box
/// of an edge or a face is the union of the boxes of its vertices.
struct TriangleBoxes {
  Triangle triangle;
  geometry::Box vertex[3];
  geometry::Box edge[3];
  geometry::Box face;

  WY_HD void Load(const SceneView& scene, const Triangle& from) {
    triangle = from;
    for (int k = 0; k < 3; ++k) vertex[k] = scene.hierarchy.vertex_boxes[from.vertex[k]];
    for (int k = 0; k < 3; ++k) edge[k] = Union(vertex[k], vertex[(k + 1) % 3]);
    face = Union(edge[0], vertex[2]);
  }

  WY_HD bool HasVertex(std::uint32_t v) const {
    return triangle.vertex[0] == v || triangle.vertex[1] == v || triangle.vertex[2] == v;
  }
};

/// Calls emit(TaggedPair) for each vertex that `from` owns and whose box overlaps the face of `to`.
template <class Emit>
WY_HD void ExpandVertexFace(const TriangleBoxes& from, const TriangleBoxes& to, Emit&& emit) {
  for (int k = 0; k < 3; ++k) {
    if (!from.triangle.OwnsVertex(k) || !Overlap(from.vertex[k], to.face)) continue;
    if (to.HasVertex(from.triangle.vertex[k])) continue;
    emit(TaggedPair{from.triangle.vertex[k], to.triangle.id});
  }
}

/// Calls emit(TaggedPair) for each pair of edges that the triangles own and whose boxes overlap.
template <class Emit>
WY_HD void ExpandEdgeEdge(const TriangleBoxes& a, const TriangleBoxes& b, Emit&& emit) {
  for (int i = 0; i < 3; ++i) {
    if (!a.triangle.OwnsEdge(i) || !Overlap(a.edge[i], b.face)) continue;
    const std::uint32_t a0 = a.triangle.vertex[i], a1 = a.triangle.vertex[(i + 1) % 3];
    for (int j = 0; j < 3; ++j) {
      if (!b.triangle.OwnsEdge(j) || !Overlap(a.edge[i], b.edge[j])) continue;
      const std::uint32_t b0 = b.triangle.vertex[j], b1 = b.triangle.vertex[(j + 1) % 3];
      if (a0 == b0 || a0 == b1 || a1 == b0 || a1 == b1) continue;
      const std::uint32_t e = a.triangle.edge[i], f = b.triangle.edge[j];
      emit(TaggedPair{TaggedPair::kEdgeEdgeBit | (e < f ? e : f), e < f ? f : e});
    }
  }
}

/// All candidates of a pair of triangles.
template <class Emit>
WY_HD void ExpandTrianglePair(const TriangleBoxes& a, const TriangleBoxes& b, Emit&& emit) {
  ExpandVertexFace(a, b, emit);
  ExpandVertexFace(b, a, emit);
  ExpandEdgeEdge(a, b, emit);
}

/// The largest number of candidates of one pair of triangles.
inline constexpr std::uint32_t kMostCandidatesOfTrianglePair = 3 + 3 + 9;

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_METHODS_FEATURES_FEATURE_EXPANSION_H_
