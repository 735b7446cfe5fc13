// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Memory on the host for the clusters and the nodes of a scene. At first all of it is garbage,
// except words that must be zero when an event begins.
#ifndef WARPYARD_TESTS_UNIT_WORKLOAD_CCD_BROAD_HOST_MEMORY_H_
#define WARPYARD_TESTS_UNIT_WORKLOAD_CCD_BROAD_HOST_MEMORY_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/workload/ccd/job/cluster.h"
#include "core/workload/ccd/job/scene_view.h"
#include "core/workload/geometry/bounds.h"

namespace warpyard::test_support {

struct ClusterMemory {
  /// @shape scene: knows the size of its mesh
  void GiveTo(ccd::SceneView& scene) {
    const std::uint32_t count = scene.Clusters();
    ccd::ClusterView& clusters = scene.clusters;
    clusters.tree = ccd::ClusterTreeOf(count);
    points.resize(scene.mesh.vertices);
    features.assign(std::size_t{scene.mesh.vertices} + scene.mesh.edges + scene.mesh.triangles,
                    {{0, 0, 0}, 0xabababab, {0, 0, 0}, 0xabababab});
    corners.assign(features.size(), 0xabab);
    spans.assign(count, {0xabababab, 0xabababab});
    vertices.assign(std::size_t{count} * ccd::kClusterVertices, 0xabababab);
    boxes.resize(clusters.tree.first[clusters.tree.levels]);
    arrivals.assign(boxes.size(), 0);
    clusters.points = points.data();
    clusters.features = features.data();
    clusters.corners = corners.data();
    clusters.spans = spans.data();
    clusters.vertices = vertices.data();
    clusters.tree.boxes = boxes.data();
    clusters.tree.arrivals = arrivals.data();
  }

  std::vector<ccd::FloatPoint> points;
  std::vector<ccd::Feature> features;
  std::vector<ccd::FeatureCorners> corners;
  std::vector<ccd::FeatureSpan> spans;
  std::vector<std::uint32_t> vertices, arrivals;
  std::vector<geometry::Box> boxes;
};

/// Memory for the order of triangles, and for the nodes above them.
struct NodeMemory {
  /// @shape scene: knows the size of its mesh
  void GiveTo(ccd::SceneView& scene) {
    const std::size_t triangles = scene.mesh.triangles;
    const std::size_t count = std::max<std::size_t>(triangles - 1, 1);
    keys.resize(triangles);
    leaves.resize(triangles);
    nodes.resize(count);
    leaf_parent.resize(triangles);
    for (auto* list : {&node_parent, &node_bound, &visits}) list->assign(count, 0xabababab);
    vertex_boxes.resize(scene.mesh.vertices);
    scene.order.ordered_bounds = bounds.words;
    scene.order.keys = keys.data();
    scene.order.leaves = leaves.data();
    scene.hierarchy.nodes = nodes.data();
    scene.hierarchy.root = &root;
    scene.hierarchy.leaf_parent = leaf_parent.data();
    scene.hierarchy.node_parent = node_parent.data();
    scene.hierarchy.node_bound = node_bound.data();
    scene.hierarchy.visits = visits.data();
    scene.hierarchy.vertex_boxes = vertex_boxes.data();
  }

  ccd::EmptyBounds bounds;
  std::uint32_t root = 0;
  std::vector<std::uint64_t> keys;
  std::vector<ccd::Triangle> leaves;
  std::vector<ccd::Node> nodes;
  std::vector<std::uint32_t> leaf_parent, node_parent, node_bound, visits;
  std::vector<geometry::Box> vertex_boxes;
};

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_UNIT_WORKLOAD_CCD_BROAD_HOST_MEMORY_H_
