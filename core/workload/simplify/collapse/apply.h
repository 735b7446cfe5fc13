// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Collapses the chosen edges, and closes the gaps of the triangles that vanish.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_COLLAPSE_APPLY_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_COLLAPSE_APPLY_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/workload/simplify/collapse/choose.h"
#include "core/workload/simplify/job/stages.h"

namespace warpyard::simplify {

/// Collapses chosen edges of bins before the last one, and of the last one in the order of their
/// vertices, until the target is reached. Chosen edges have no triangle in common.
struct CollapseEdges : EachMeshVertex {
  static constexpr const char* kNames[] = {"SimplifyCountCollapses", "SimplifyCollapseEdges"};
  WY_HD static std::uint64_t Value(const SimplifyJob& job, std::uint32_t vertex) {
    const std::uint32_t place = job.collapse.chosen[vertex];
    if (place == kNone || BinOf(job.collapse.costs[place]) != job.counters->pass.last) return 0;
    return Edge::At(job, vertex, place).triangles;
  }
  template <class Scope>
  WY_HD static void Place(const SimplifyJob& job, std::uint32_t vertex, std::uint64_t value,
                          std::uint64_t before) {
    const std::uint32_t place = job.collapse.chosen[vertex];
    if (place == kNone || BinOf(job.collapse.costs[place]) > job.counters->pass.last) return;
    if (value != 0 && before >= job.counters->pass.last_room) return;
    const Edge edge = Edge::At(job, vertex, place);
    const Quadric quadric = QuadricOf(job, edge);
    const Vector3d at = PlaceOf(job, edge, quadric);
    const MeshView& mesh = job.mesh;
    const Vector3d from = mesh.positions[edge.from] - at, to = mesh.positions[edge.to] - at;
    const std::uint32_t locked = job.collapse.flags[edge.to] & VertexFlags::kLocked;
    const bool takes_to = locked != 0 || Dot(to, to) < Dot(from, from);
    if (takes_to) mesh.nodes[edge.from] = mesh.nodes[edge.to];
    if (job.model.wedges.leaves != 0) {
      const bool keeps = ((job.collapse.flags[edge.from] | locked) & VertexFlags::kLocked) != 0;
      JoinWedges(job, edge.from, edge.to, {takes_to, keeps});
    }
    mesh.positions[edge.from] = at;
    mesh.quadrics[edge.from] = quadric;
    job.collapse.moved[edge.to] = edge.from;
  }
  WY_HD static void End(const SimplifyJob&, std::uint64_t) {}
};

/// Lists the triangles that are left, with the vertices to which their corners moved.
struct MoveTriangles : EachMeshTriangle {
  static constexpr const char* kNames[] = {"SimplifyCountMoved", "SimplifyMoveTriangles"};
  WY_HD static std::uint64_t Value(const SimplifyJob& job, std::uint32_t triangle) {
    const std::uint32_t* const corners = MeshCorners(job, triangle);
    const std::uint32_t* const moved = job.collapse.moved;
    const std::uint32_t a = moved[corners[0]], b = moved[corners[1]], c = moved[corners[2]];
    return a != b && b != c && c != a ? 1 : 0;
  }
  template <class Scope>
  WY_HD static void Place(const SimplifyJob& job, std::uint32_t triangle, std::uint64_t value,
                          std::uint64_t before) {
    if (value == 0) return;
    const std::uint32_t* const corners = MeshCorners(job, triangle);
    for (std::uint64_t k = 0; k < 3; ++k) {
      job.collapse.next[3 * before + k] = job.collapse.moved[corners[k]];
      if (job.model.wedges.leaves == 0) continue;
      const std::uint32_t wedge = job.mesh.wedge_corners[3 * std::uint64_t{triangle} + k];
      job.collapse.wedge_next[3 * before + k] = job.collapse.wedge_moved[wedge];
    }
  }
  WY_HD static void End(const SimplifyJob& job, std::uint64_t total) {
    job.counters->triangles = static_cast<std::uint32_t>(total);
  }
};

using CollapseStages = JoinedStages<
    ListStages,
    Stages<EachRow<ListEdges, EachMeshVertex>, EachRow<KeepWedges, EachMeshWedge>,
           EachLastRow<FindCosts, EachMeshVertex, ChooseLimit>, Row<TestEdges, EachMeshVertex>>,
    ChoiceStages, ScanStages<CollapseEdges>, ScanStages<MoveTriangles>>;

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_COLLAPSE_APPLY_H_
