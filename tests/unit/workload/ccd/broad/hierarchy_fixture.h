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
#include "core/workload/ccd/job/cluster.h"
#include "core/workload/ccd/job/collision_job.h"
#include "core/workload/ccd/methods/hierarchies/hierarchy_refit.h"
#include "core/workload/ccd/scene/topology.h"
#include "core/workload/geometry/bounds.h"
#include "tests/support/motion.h"

namespace warpyard::test_support {

class HostHierarchy {
 public:
  explicit HostHierarchy(const Motion& motion)
      : topology_(
            ccd::BuildTopology(motion.triangles, static_cast<std::uint32_t>(motion.Vertices()))),
        groups_(motion.vertex_groups) {
    const std::size_t n = motion.Triangles(), nodes = std::max<std::size_t>(n - 1, 1);
    for (std::size_t v = 0; v < motion.Vertices(); ++v) {
      start_.push_back({motion.start[3 * v], motion.start[3 * v + 1], motion.start[3 * v + 2]});
      end_.push_back({motion.end[3 * v], motion.end[3 * v + 1], motion.end[3 * v + 2]});
    }
    keys_.resize(n);
    leaves_.resize(n);
    nodes_.resize(nodes);
    leaf_parent_.resize(n);
    for (auto* list : {&node_parent_, &node_bound_, &visits_}) list->assign(nodes, 0xabababab);
    boxes_.resize(motion.Vertices());
    ccd::SceneView& scene = job.scene;
    scene.mesh.vertices = static_cast<std::uint32_t>(motion.Vertices());
    scene.mesh.edges = topology_.EdgeCount();
    scene.mesh.triangles = static_cast<std::uint32_t>(n);
    scene.mesh.triangle_records = topology_.triangles.data();
    scene.mesh.edge_vertices = topology_.edge_vertices.data();
    scene.order.ordered_bounds = bounds_;
    scene.order.keys = keys_.data();
    scene.order.leaves = leaves_.data();
    scene.hierarchy.nodes = nodes_.data();
    scene.hierarchy.root = &root_;
    scene.hierarchy.leaf_parent = leaf_parent_.data();
    scene.hierarchy.node_parent = node_parent_.data();
    scene.hierarchy.node_bound = node_bound_.data();
    scene.hierarchy.visits = visits_.data();
    scene.hierarchy.vertex_boxes = boxes_.data();
    scene.mesh.vertex_groups = groups_.empty() ? nullptr : groups_.data();
    GiveMemoryToClusters();
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

  /// Makes room for as many pairs of clusters, and a mark behind them.
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
    std::sort(keys_.begin(), keys_.end());
    run.template operator()<ccd::ArrangeLeaves>(n);
    run.template operator()<ccd::LinkNodes>(n);
    run.template operator()<ccd::BoundVertices>(std::max(n, vertices));
    run.template operator()<ccd::RefitNodes>(n);
  }

  /// Everything that must hold after that; empty when it does.
  std::string FindFault() const {
    const std::uint32_t n = job.scene.mesh.triangles;
    std::vector<bool> triangles(n, false);
    for (const ccd::Triangle& leaf : leaves_) {
      if (triangles[leaf.id]) return "a triangle has two leaves";
      triangles[leaf.id] = true;
    }
    std::vector<bool> reached(n, false);
    std::uint32_t next_leaf = 0;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> stack = {{root_, kNoIndex}};
    while (!stack.empty()) {
      const auto [self, up] = stack.back();
      stack.pop_back();
      const std::uint32_t last = LastLeaf(self);
      if (up != kNoIndex && Child(up).last_leaf != last) return "a last leaf is wrong";
      if ((self & ccd::kLeafBit) != 0) {
        // Left children come first, so leaves are met in order.
        if ((self & ~ccd::kLeafBit) != next_leaf++) return "leaves are out of order";
        if (n > 1 && leaf_parent_[self & ~ccd::kLeafBit] != up) return "a leaf's parent is wrong";
        continue;
      }
      if (node_parent_[self] != up) return "a node's parent is wrong";
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
  /// No arrivals in the tree, as when an event begins; the rest is garbage.
  void GiveMemoryToClusters() {
    ccd::SceneView& scene = job.scene;
    const std::uint32_t clusters = scene.Clusters();
    scene.clusters.tree = ccd::ClusterTreeOf(clusters);
    points_.resize(scene.mesh.vertices);
    features_.assign(std::size_t{scene.mesh.vertices} + scene.mesh.edges + scene.mesh.triangles,
                     {{0, 0, 0}, 0xabababab, {0, 0, 0}, 0xabababab});
    feature_corners_.assign(features_.size(), 0xabab);
    feature_spans_.assign(clusters, {0xabababab, 0xabababab});
    cluster_vertices_.assign(std::size_t{clusters} * ccd::kClusterVertices, 0xabababab);
    tree_boxes_.resize(scene.clusters.tree.first[scene.clusters.tree.levels]);
    tree_arrivals_.assign(tree_boxes_.size(), 0);
    scene.clusters.points = points_.data();
    scene.clusters.features = features_.data();
    scene.clusters.corners = feature_corners_.data();
    scene.clusters.spans = feature_spans_.data();
    scene.clusters.vertices = cluster_vertices_.data();
    scene.clusters.tree.boxes = tree_boxes_.data();
    scene.clusters.tree.arrivals = tree_arrivals_.data();
  }

  /// Six numbers: low, then high.
  using Extent = std::vector<float>;

  const ccd::NodeChild& Child(std::uint32_t up) const { return nodes_[up >> 1].child[up & 1]; }

  std::uint32_t LastLeaf(std::uint32_t self) const {
    while ((self & ccd::kLeafBit) == 0) self = nodes_[self].child[1].child;
    return self & ~ccd::kLeafBit;
  }

  static Extent Box(const ccd::NodeChild& child) {
    return {child.low[0], child.low[1], child.low[2], child.high[0], child.high[1], child.high[2]};
  }

  /// The box of a leaf, from its triangle; of a node, from its children as it sees them, which were
  /// or will be compared with what is below them.
  Extent BoxBelow(std::uint32_t self) const {
    if ((self & ccd::kLeafBit) == 0) {
      const Extent a = Box(nodes_[self].child[0]), b = Box(nodes_[self].child[1]);
      Extent joined(6);
      for (std::size_t k = 0; k < 3; ++k) joined[k] = std::min(a[k], b[k]);
      for (std::size_t k = 3; k < 6; ++k) joined[k] = std::max(a[k], b[k]);
      return joined;
    }
    geometry::Box box = geometry::EmptyBox();
    for (const std::uint32_t v : leaves_[self & ~ccd::kLeafBit].vertex) {
      box = geometry::Union(box, geometry::SweptBox(start_[v], end_[v]));
    }
    return {box.low[0], box.low[1], box.low[2], box.high[0], box.high[1], box.high[2]};
  }

  ccd::Topology topology_;
  std::vector<std::uint32_t> groups_;
  std::vector<geometry::Vector3d> start_, end_;
  std::uint32_t bounds_[ccd::kBoundWords] = {~0u, ~0u, ~0u, 0, 0, 0, 0};
  std::uint32_t root_ = 0;
  std::vector<std::uint64_t> keys_;
  std::vector<ccd::Triangle> leaves_;
  std::vector<ccd::Node> nodes_;
  std::vector<std::uint32_t> leaf_parent_, node_parent_, node_bound_, visits_;
  std::vector<geometry::Box> boxes_, tree_boxes_;
  std::vector<ccd::FloatPoint> points_;
  std::vector<ccd::Feature> features_;
  std::vector<ccd::FeatureCorners> feature_corners_;
  std::vector<ccd::FeatureSpan> feature_spans_;
  std::vector<std::uint32_t> cluster_vertices_, tree_arrivals_;
  std::vector<ccd::PairIds> meetings_;
  ccd::StepCounters counters_{};
};

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_UNIT_WORKLOAD_CCD_BROAD_HIERARCHY_FIXTURE_H_
