// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Refitting a hierarchy to the swept boxes of a step. [SilvaThesis §2.3.1]
#ifndef WARPYARD_CORE_WORKLOAD_CCD_METHODS_HIERARCHIES_HIERARCHY_REFIT_H_
#define WARPYARD_CORE_WORKLOAD_CCD_METHODS_HIERARCHIES_HIERARCHY_REFIT_H_

#include <cstddef>
#include <cstdint>

#include "core/base/macros.h"
#include "core/base/no_index.h"
#include "core/procedure/procedure_concept.h"
#include "core/workload/ccd/broad/vertex_bounds.h"
#include "core/workload/ccd/job/collision_job.h"
#include "core/workload/geometry/bounds.h"

namespace warpyard::ccd {

using procedure::Context;
using procedure::Range;

/// Stage over vertices and nodes: bounds each vertex over the step up to EndTime and keeps what
/// later stages read of it (StepVertices::Keep). It also zeroes the arrivals at each node, since a
/// step that was cancelled half-way leaves counts behind.
struct BoundVertices {
  using Item = Range;
  static constexpr std::size_t kSharedBytes = 0;
  static constexpr const char* kName = "BoundVertices";
  static constexpr bool kUneven = true;
  static constexpr std::uint32_t kThreads = 32;
  static constexpr std::uint32_t kGrain = 128;

  template <class Scope>
  WY_HD static void Execute(Context<Scope, CollisionJob>& context, const Range& range) {
    const CollisionJob& job = context.job;
    const MeshView& mesh = job.scene.mesh;
    const StepVertices vertices(job, false, EndTime<Scope>(job.step));
    for (std::uint32_t i = range.begin + context.scope.Rank(); i < range.end;
         i += context.scope.Size()) {
      if (i < mesh.vertices) {
        const bool moves = i < mesh.vertices - mesh.static_vertices;
        job.scene.hierarchy.vertex_boxes[i] =
            vertices.BoxOf(moves ? vertices.Keep(i) : vertices.Stay(i));
      }
      if (i + 1 < mesh.triangles) job.scene.hierarchy.visits[i] = 0;
    }
  }
};

/// Stage over leaves: climbs from each leaf. The second child that arrives at a node continues with
/// the union of both boxes.
struct RefitNodes {
  using Item = Range;
  static constexpr std::size_t kSharedBytes = 0;
  static constexpr const char* kName = "RefitNodes";
  static constexpr bool kUneven = true;
  static constexpr std::uint32_t kGrain = 1024;

  template <class Scope>
  WY_HD static void Execute(Context<Scope, CollisionJob>& context, const Range& range) {
    const SceneView& scene = context.job.scene;
    SizeSum size(scene.order.size_scale);
    for (std::uint32_t leaf = range.begin + context.scope.Rank(); leaf < range.end;
         leaf += context.scope.Size()) {
      Climb<Scope>(scene, leaf, size);
    }
    size.AddTo<Scope>(context.job.step.counters->sizes[static_cast<int>(HierarchyKind::kNodes)]);
  }

 private:
  template <class Scope>
  WY_HD static void Climb(const SceneView& scene, std::uint32_t leaf, SizeSum& size) {
    if (scene.mesh.triangles < 2) return;  // a single leaf has no node that could hold its box
    const Triangle& triangle = scene.order.leaves[leaf];
    geometry::Box box = Union(scene.hierarchy.vertex_boxes[triangle.vertex[0]],
                              Union(scene.hierarchy.vertex_boxes[triangle.vertex[1]],
                                    scene.hierarchy.vertex_boxes[triangle.vertex[2]]));
    size.AddTriangle(box, 1);
    for (std::uint32_t up = scene.hierarchy.leaf_parent[leaf]; up != kNoIndex;
         up = scene.hierarchy.node_parent[up >> 1]) {
      Node& node = scene.hierarchy.nodes[up >> 1];
      NodeChild& own = node.child[up & 1];
      for (int k = 0; k < 3; ++k) {
        own.low[k] = box.low[k];
        own.high[k] = box.high[k];
      }
      if (Scope::Word(scene.hierarchy.visits[up >> 1]).FetchAddAcqRel(1) == 0) return;
      const NodeChild& other = node.child[1 - (up & 1)];
      for (int k = 0; k < 3; ++k) {
        box.low[k] = box.low[k] < other.low[k] ? box.low[k] : other.low[k];
        box.high[k] = box.high[k] > other.high[k] ? box.high[k] : other.high[k];
      }
      size.AddNode(box);
    }
  }
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_METHODS_HIERARCHIES_HIERARCHY_REFIT_H_
