// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Oriented boxes over the same tree as the axis-aligned ones, fitted anew each step.
// [SilvaThesis §2.3.1]
//
// The box of a leaf is fitted to its three vertices at both ends of the step, the box of a node to
// the corners of its children's boxes. Boxes also contain all points within half of NearOf of a
// feature. So features whose boxes are apart are further apart than NearOf, and root finders would
// not report them.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_METHODS_HIERARCHIES_ORIENTED_REFIT_H_
#define WARPYARD_CORE_WORKLOAD_CCD_METHODS_HIERARCHIES_ORIENTED_REFIT_H_

#include <cstddef>
#include <cstdint>

#include "core/base/macros.h"
#include "core/base/no_index.h"
#include "core/procedure/procedure_concept.h"
#include "core/workload/ccd/job/collision_job.h"
#include "core/workload/geometry/oriented_box.h"

namespace warpyard::ccd {

/// Stage over leaves after RefitNodes; it continues the counts of arrivals.
struct RefitOriented {
  using Item = procedure::Range;
  static constexpr std::size_t kSharedBytes = 0;
  static constexpr const char* kName = "RefitOriented";
  static constexpr std::uint32_t kThreads = 32;
  static constexpr std::uint32_t kGrain = 64;

  template <class Scope>
  WY_HD static void Execute(procedure::Context<Scope, CollisionJob>& context,
                            const procedure::Range& range) {
    for (std::uint32_t leaf = range.begin + context.scope.Rank(); leaf < range.end;
         leaf += context.scope.Size()) {
      Climb<Scope>(context.job, leaf);
    }
  }

 private:
  WY_HD static geometry::OrientedBox BoxOfLeaf(const CollisionJob& job, std::uint32_t leaf) {
    geometry::FitParts<6> parts{};
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t vertex = job.scene.order.leaves[leaf].vertex[k];
      parts.center[2 * k] = job.step.start[vertex];
      parts.center[2 * k + 1] = job.step.end[vertex];
    }
    return FitBox(parts, 0.5 * static_cast<double>(NearOf(job.step)));
  }

  WY_HD static geometry::OrientedBox BoxOfChildren(const geometry::OrientedBox* children) {
    geometry::FitParts<2> parts;
    for (int side = 0; side < 2; ++side) {
      const float(&center)[3] = children[side].center;
      parts.center[side] = {center[0], center[1], center[2]};
      geometry::ArmsOf(children[side], parts.arm[side]);
    }
    return FitBox(parts, 0);
  }

  template <class Scope>
  WY_HD static void Climb(const CollisionJob& job, std::uint32_t leaf) {
    const SceneView& scene = job.scene;
    if (scene.mesh.triangles < 2) return;
    geometry::OrientedBox* const boxes = job.step.work.oriented;
    geometry::OrientedBox box = BoxOfLeaf(job, leaf);
    std::uint32_t up = scene.hierarchy.leaf_parent[leaf];
    while (true) {
      boxes[up] = box;
      const std::uint32_t node = up >> 1;
      // RefitNodes has counted two arrivals.
      if (Scope::Word(scene.hierarchy.visits[node]).FetchAddAcqRel(1) == 2) return;
      if (scene.hierarchy.node_parent[node] == kNoIndex) return;  // no test reads the root's box
      box = BoxOfChildren(boxes + 2 * std::size_t{node});
      up = scene.hierarchy.node_parent[node];
    }
  }
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_METHODS_HIERARCHIES_ORIENTED_REFIT_H_
