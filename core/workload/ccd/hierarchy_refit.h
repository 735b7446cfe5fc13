// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Refitting a hierarchy to the swept boxes of a step. [SilvaThesis §2.3.1]
#ifndef WARPYARD_CORE_WORKLOAD_CCD_HIERARCHY_REFIT_H_
#define WARPYARD_CORE_WORKLOAD_CCD_HIERARCHY_REFIT_H_

#include <cstddef>
#include <cstdint>

#include "core/base/macros.h"
#include "core/procedure/procedure_concept.h"
#include "core/workload/ccd/collision_job.h"
#include "core/workload/geometry/bounds.h"

namespace warpyard::ccd {

using procedure::Context;
using procedure::Range;

/// Stage over vertices and nodes: the positions of each vertex as doubles, if they came in another
/// form, its box over the step as far as EndTime, with half the minimum separation around it,
/// rounded outward, its points in floats, and no arrival counted at any node yet (a step that was
/// cancelled half-way leaves counts behind). Nothing is listed yet, either: lists of a sample are
/// done with; and rows of collisions, where the step sorts, are empty.
struct BoundVertices {
  using Item = Range;
  static constexpr std::size_t kSharedBytes = 0;
  static constexpr const char* kName = "BoundVertices";
  static constexpr bool kUneven = true;
  static constexpr std::uint32_t kThreads = 32;
  static constexpr std::uint32_t kGrain = 128;
  static constexpr std::uint32_t kLeastGrain = 32;  // where there are few

  template <class Scope>
  WY_HD static void Execute(Context<Scope, CollisionJob>& context, const Range& range) {
    const CollisionJob& job = context.job;
    const ClusterTree& tree = job.scene.tree;
    const bool has_nodes = job.scene.visits != nullptr;
    const double end_time = EndTime<Scope>(job.step);
    // Where a sample has found a contact this is the second pass: positions are converted.
    const bool first_pass =
        Scope::Word(job.step.counters->earliest_bits).LoadRelaxed() == kNoContactBits;
    if (range.begin == 0 && context.scope.Rank() == 0) {
      StepCounters& counters = *job.step.counters;
      counters.meetings = counters.candidates[0] = counters.candidates[1] = 0;
      counters.survivors[0] = counters.survivors[1] = counters.left = 0;
    }
    for (std::uint32_t i = range.begin + context.scope.Rank(); i < range.end;
         i += context.scope.Size()) {
      if (i < job.scene.vertices) {
        if (first_pass) Convert(job, i);
        const Vector3d start = job.step.start[i], end = job.step.end[i];
        if (end_time < 1 || job.step.min_separation > 0) {
          BoundUntil(job, i, {start, end}, end_time);
        } else {
          job.scene.vertex_boxes[i] = geometry::SweptBox(start, end);
          job.scene.vertex_points[i] = RoundedPoint(start, end);
        }
        if (job.step.rows.ends != nullptr) job.step.rows.Clear(i);
      }
      if (has_nodes && i + 1 < job.scene.triangles) job.scene.visits[i] = 0;
      if (i < tree.first[tree.levels]) tree.arrivals[i] = 0;
    }
  }

 private:
  struct Path {
    Vector3d start;
    Vector3d end;
  };

  WY_HD static void Convert(const CollisionJob& job, std::uint32_t vertex) {
    WY_ROLLED
    for (const PositionSource& source : job.step.sources) {
      ConvertPosition(source, job.scene.rest, job.scene.vertex_groups, vertex);
    }
  }

  /// The box of a vertex from the start to `time`, with the tolerance around it, since root finders
  /// report what comes that near; but not beyond the box of the whole step. Of two features that
  /// come so near until then and whose boxes of the whole step overlap, these boxes overlap. Both
  /// have half the minimum separation around them: half of it in each box makes boxes overlap that
  /// are so near.
  WY_HD static void BoundUntil(const CollisionJob& job, std::uint32_t vertex, const Path& path,
                               double time) {
    const Vector3d at = (1.0 - time) * path.start + time * path.end;
    const double half = 0.5 * job.step.min_separation * (1 + 0x1p-50);  // for its own roundings
    const geometry::Box cut = BoxAround(path, at, job.step.tolerance + half);
    geometry::Box box =
        half > 0 ? BoxAround(path, path.end, half) : geometry::SweptBox(path.start, path.end);
    for (int k = 0; k < 3; ++k) {
      if (cut.low[k] > box.low[k]) box.low[k] = cut.low[k];
      if (cut.high[k] < box.high[k]) box.high[k] = cut.high[k];
    }
    job.scene.vertex_boxes[vertex] = box;
    job.scene.vertex_points[vertex] = RoundedPoint(path.start, at);
  }

  /// The box of what is within `near` of a path as far as `at`.
  WY_HD static geometry::Box BoxAround(const Path& path, const Vector3d& at, double near) {
    // `at` is a rounded place: less than four roundings of the sum of both magnitudes.
    const Vector3d margin{near + Margin(path.start.x, path.end.x),
                          near + Margin(path.start.y, path.end.y),
                          near + Margin(path.start.z, path.end.z)};
    return Union(geometry::SweptBox(path.start - margin, at - margin),
                 geometry::SweptBox(path.start + margin, at + margin));
  }

  WY_HD static double Margin(double start, double end) {
    const double size = (start < 0 ? -start : start) + (end < 0 ? -end : end);
    return size == 0 ? 0 : size * 0x1p-51 + 0x1p-1000;  // not 0 by underflow
  }
};

/// Stage over leaves: climbs from each leaf; the second child to arrive at a node goes on with the
/// union of both boxes.
struct RefitNodes {
  using Item = Range;
  static constexpr std::size_t kSharedBytes = 0;
  static constexpr const char* kName = "RefitNodes";
  static constexpr bool kUneven = true;
  static constexpr std::uint32_t kGrain = 1024;

  template <class Scope>
  WY_HD static void Execute(Context<Scope, CollisionJob>& context, const Range& range) {
    const SceneView& scene = context.job.scene;
    SizeSum size(scene.size_scale);
    for (std::uint32_t leaf = range.begin + context.scope.Rank(); leaf < range.end;
         leaf += context.scope.Size()) {
      Climb<Scope>(scene, leaf, size);
    }
    size.AddTo<Scope>(context.job.step.counters->sizes[static_cast<int>(HierarchyKind::kNodes)]);
  }

 private:
  template <class Scope>
  WY_HD static void Climb(const SceneView& scene, std::uint32_t leaf, SizeSum& size) {
    if (scene.triangles < 2) return;  // a single leaf has no node to keep its box
    const Triangle& triangle = scene.leaves[leaf];
    geometry::Box box = Union(
        scene.vertex_boxes[triangle.vertex[0]],
        Union(scene.vertex_boxes[triangle.vertex[1]], scene.vertex_boxes[triangle.vertex[2]]));
    size.AddTriangle(box, 1);
    for (std::uint32_t up = scene.leaf_parent[leaf]; up != kNoParent;
         up = scene.node_parent[up >> 1]) {
      Node& node = scene.nodes[up >> 1];
      NodeChild& own = node.child[up & 1];
      for (int k = 0; k < 3; ++k) {
        own.low[k] = box.low[k];
        own.high[k] = box.high[k];
      }
      if (Scope::Word(scene.visits[up >> 1]).FetchAddAcqRel(1) == 0) return;
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

#endif  // WARPYARD_CORE_WORKLOAD_CCD_HIERARCHY_REFIT_H_
