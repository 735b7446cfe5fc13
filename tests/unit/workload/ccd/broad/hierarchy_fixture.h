// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A scene's memory on the host, and its hierarchy built and refitted by calling the procedures.
#ifndef WARPYARD_TESTS_UNIT_WORKLOAD_CCD_BROAD_HIERARCHY_FIXTURE_H_
#define WARPYARD_TESTS_UNIT_WORKLOAD_CCD_BROAD_HIERARCHY_FIXTURE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/procedure/procedure_concept.h"
#include "core/workload/ccd/broad/hierarchy_build.h"
#include "core/workload/ccd/job/collision_job.h"
#include "core/workload/ccd/methods/hierarchies/hierarchy_refit.h"
#include "core/workload/ccd/scene/topology.h"
#include "core/workload/geometry/bounds.h"
#include "tests/support/motion.h"
#include "tests/unit/workload/ccd/broad/host_memory.h"

namespace warpyard::test_support {

class HostHierarchy {
 public:
  explicit HostHierarchy(const Motion& motion)
      : topology_(
            ccd::BuildTopology(motion.triangles, static_cast<std::uint32_t>(motion.Vertices()))),
        groups_(motion.vertex_groups) {
    for (std::size_t v = 0; v < motion.Vertices(); ++v) {
      start_.push_back({motion.start[3 * v], motion.start[3 * v + 1], motion.start[3 * v + 2]});
      end_.push_back({motion.end[3 * v], motion.end[3 * v + 1], motion.end[3 * v + 2]});
    }
    ccd::SceneView& scene = job.scene;
    scene.mesh.vertices = static_cast<std::uint32_t>(motion.Vertices());
    scene.mesh.edges = topology_.EdgeCount();
    scene.mesh.triangles = static_cast<std::uint32_t>(motion.Triangles());
    scene.mesh.triangle_records = topology_.triangles.data();
    scene.mesh.edge_vertices = topology_.edge_vertices.data();
    scene.mesh.vertex_groups = groups_.empty() ? nullptr : groups_.data();
    tree_.GiveTo(scene);
    clusters_.GiveTo(scene);
    job.shares = ccd::SharesOf(1);
    job.step.start = start_.data();
    job.step.end = end_.data();
    job.step.sources[0].to = &start_.data()->x;
    job.step.sources[1].to = &end_.data()->x;
    job.step.asked.end_time = 1;
    job.step.counters = &counters_;
    counters_.earliest_bits = ccd::kNoContactBits;
    ReserveMeetings(0);
  }
  HostHierarchy(const HostHierarchy&) = delete;
  HostHierarchy& operator=(const HostHierarchy&) = delete;

  /// Makes room for this many pairs of clusters, and puts a mark behind them.
  void ReserveMeetings(std::size_t capacity) {
    meetings_.assign(capacity + 1, kUnused);
    job.step.lists.meetings = {meetings_.data(), capacity, &counters_.meetings};
  }
  static constexpr ccd::PairIds kUnused{0xcdcdcdcd, 0xcdcdcdcd};

  /// Calls run.template operator()<Procedure>(count) for each stage in order, and sorts between.
  template <class Run>
  void BuildAndRefit(Run run) {
    const std::uint32_t n = job.scene.mesh.triangles, vertices = job.scene.mesh.vertices;
    run.template operator()<ccd::BoundScene>(vertices);
    run.template operator()<ccd::ComputeKeys>(n);
    std::sort(tree_.keys.begin(), tree_.keys.end());
    run.template operator()<ccd::ArrangeLeaves>(n);
    run.template operator()<ccd::LinkNodes>(n);
    run.template operator()<ccd::BoundVertices>(std::max(n, vertices));
    run.template operator()<ccd::RefitNodes>(n);
  }

  /// Everything that must hold after Run; empty when it does.
  std::string FindFault() const {
    const std::uint32_t n = job.scene.mesh.triangles;
    std::vector<bool> triangles(n, false);
    for (const ccd::Triangle& leaf : tree_.leaves) {
      if (triangles[leaf.id]) return "a triangle has two leaves";
      triangles[leaf.id] = true;
    }
    std::vector<bool> reached(n, false);
    std::uint32_t next_leaf = 0;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> stack = {{tree_.root, kNoIndex}};
    while (!stack.empty()) {
      const auto [self, up] = stack.back();
      stack.pop_back();
      const std::uint32_t last = LastLeaf(self);
      if (up != kNoIndex && Child(up).last_leaf != last) return "a last leaf is wrong";
      if ((self & ccd::kLeafBit) != 0) {
        // Left children come first, so the walk meets leaves in order.
        if ((self & ~ccd::kLeafBit) != next_leaf++) return "leaves are out of order";
        if (n > 1 && tree_.leaf_parent[self & ~ccd::kLeafBit] != up)
          return "a leaf's parent is wrong";
        continue;
      }
      if (tree_.node_parent[self] != up) return "a node's parent is wrong";
      if (reached[self]) return "a node is reached twice";
      reached[self] = true;
      for (const std::uint32_t side : {1u, 0u}) {
        const std::uint32_t down = self << 1 | side;
        if (!(BoxBelow(Child(down).child) == Box(Child(down)))) return "a box does not fit";
        stack.push_back({Child(down).child, down});
      }
    }
    return next_leaf == n ? "" : "a leaf is not reached";
  }

  ccd::CollisionJob job{};

 private:
  /// Six numbers: low, then high.
  using Extent = std::vector<float>;

  const ccd::NodeChild& Child(std::uint32_t up) const { return tree_.nodes[up >> 1].child[up & 1]; }

  std::uint32_t LastLeaf(std::uint32_t self) const {
    while ((self & ccd::kLeafBit) == 0) self = tree_.nodes[self].child[1].child;
    return self & ~ccd::kLeafBit;
  }

  static Extent Box(const ccd::NodeChild& child) {
    return {child.low[0], child.low[1], child.low[2], child.high[0], child.high[1], child.high[2]};
  }

  /// The box of a leaf comes from its triangle. The box of a node comes from its children's boxes
  /// as the node stores them, which are compared elsewhere with the boxes below them.
  Extent BoxBelow(std::uint32_t self) const {
    if ((self & ccd::kLeafBit) == 0) {
      const Extent a = Box(tree_.nodes[self].child[0]), b = Box(tree_.nodes[self].child[1]);
      Extent joined(6);
      for (std::size_t k = 0; k < 3; ++k) joined[k] = std::min(a[k], b[k]);
      for (std::size_t k = 3; k < 6; ++k) joined[k] = std::max(a[k], b[k]);
      return joined;
    }
    geometry::Box box = geometry::EmptyBox();
    for (const std::uint32_t v : tree_.leaves[self & ~ccd::kLeafBit].vertex) {
      box = geometry::Union(box, geometry::SweptBox(start_[v], end_[v]));
    }
    return {box.low[0], box.low[1], box.low[2], box.high[0], box.high[1], box.high[2]};
  }

  ccd::Topology topology_;
  std::vector<std::uint32_t> groups_;
  std::vector<geometry::Vector3d> start_, end_;
  NodeMemory tree_;
  ClusterMemory clusters_;
  std::vector<ccd::PairIds> meetings_;
  ccd::StepCounters counters_{};
};

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_UNIT_WORKLOAD_CCD_BROAD_HIERARCHY_FIXTURE_H_
