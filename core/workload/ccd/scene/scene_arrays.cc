// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/scene/scene_arrays.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "core/base/macros.h"
#include "core/base/no_index.h"
#include "core/workload/ccd/scene/rigid_bodies.h"
#include "core/workload/ccd/static_vertices.h"

namespace warpyard::ccd {
namespace {

template <class T>
absl::Status Fill(device::Backend& backend, std::span<const T> from, memory::DeviceArray<T>& to) {
  WY_RETURN_IF_ERROR(to.Reserve(backend, from.size()));
  return backend.CopyIn(to.data(), from.data(), from.size_bytes());
}

/// The group of each vertex. Bodies are numbered world by world, so that each world has poses of
/// its own; groups that are no bodies are needed of the first world only, for its clusters. Nobody
/// reads those of static vertices in other worlds.
std::vector<std::uint32_t> GroupsOf(const SceneInput& input, std::uint32_t worlds) {
  const std::uint32_t bodies = CountBodies(MovingGroups(input));
  std::vector<std::uint32_t> groups;
  for (std::uint32_t world = 0; world < (bodies == 0 ? 1 : worlds); ++world) {
    for (const std::uint32_t group : input.vertex_groups) groups.push_back(group + world * bodies);
  }
  return groups;
}

/// Copies what the first world has to all other worlds, by way of the host: it happens once.
class Repeater {
 public:
  Repeater(device::Backend& backend, std::uint32_t worlds) : backend_(backend), worlds_(worlds) {}

  template <class T>
  absl::Status Read(const T* from, std::vector<T>& to) const {
    return backend_.CopyOut(to.data(), from, to.size() * sizeof(T));
  }

  /// @shape items: [worlds][first.size()]; shift(item, its place, its world)
  template <class T, class Shift>
  absl::Status Repeat(T* items, const std::vector<T>& first, Shift&& shift) const {
    constexpr std::size_t kItemsAtOnce = std::size_t{1} << 20;
    const std::size_t at_once = std::max<std::size_t>(1, kItemsAtOnce / first.size());
    std::vector<T> some;
    for (std::uint32_t world = 1; world < worlds_;) {
      T* const to = items + world * first.size();
      some.clear();
      for (std::size_t k = 0; k < at_once && world < worlds_; ++k, ++world) {
        for (std::size_t place = 0; place < first.size(); ++place) {
          some.push_back(first[place]);
          shift(some.back(), place, world);
        }
      }
      WY_RETURN_IF_ERROR(backend_.CopyIn(to, some.data(), some.size() * sizeof(T)));
    }
    return absl::OkStatus();
  }

 private:
  device::Backend& backend_;
  const std::uint32_t worlds_;
};

}  // namespace

absl::Status SceneArrays::Open(const SceneInput& input, const Topology& topology,
                               std::uint32_t worlds) {
  WY_RETURN_IF_ERROR(OpenMesh(input, topology, worlds));
  WY_RETURN_IF_ERROR(order_.ordered_bounds.Reserve(backend_, kBoundWords));
  WY_RETURN_IF_ERROR(order_.leaves.Reserve(backend_, view_.worlds.triangles));
  view_.order = {.ordered_bounds = order_.ordered_bounds.data(),
                 .keys = nullptr,
                 .leaves = order_.leaves.data(),
                 .size_scale = 1};
  return OpenClusters();
}

absl::Status SceneArrays::OpenMesh(const SceneInput& input, const Topology& topology,
                                   std::uint32_t worlds) {
  WY_RETURN_IF_ERROR(
      Fill(backend_, std::span<const Triangle>(topology.triangles), mesh_.triangle_records));
  WY_RETURN_IF_ERROR(
      Fill(backend_, std::span<const std::uint32_t>(topology.edge_vertices), mesh_.edge_vertices));
  if (!input.vertex_groups.empty()) {
    WY_RETURN_IF_ERROR(Fill(backend_, std::span<const std::uint32_t>(GroupsOf(input, worlds)),
                            mesh_.vertex_groups));
  }
  if (!input.group_matrix.empty()) {
    WY_RETURN_IF_ERROR(Fill(backend_, input.group_matrix, mesh_.group_matrix));
  }
  view_.worlds = {.count = worlds,
                  .vertices = static_cast<std::uint32_t>(input.positions.vertices),
                  .edges = topology.EdgeCount() / worlds,
                  .triangles = static_cast<std::uint32_t>(topology.triangles.size()) / worlds};
  view_.mesh = {.vertices = view_.worlds.vertices * worlds,
                .edges = topology.EdgeCount(),
                .triangles = static_cast<std::uint32_t>(topology.triangles.size()),
                .static_vertices = input.static_vertices,
                .static_triangles = CountStaticTriangles(
                    {input.positions.vertices, input.static_vertices}, input.triangles),
                .group_rule = input.group_rule,
                .triangle_records = mesh_.triangle_records.data(),
                .edge_vertices = mesh_.edge_vertices.data(),
                .vertex_groups = mesh_.vertex_groups.data(),
                .group_matrix = mesh_.group_matrix.data(),
                .rest = nullptr};
  return absl::OkStatus();
}

absl::Status SceneArrays::OpenClusters() {
  const MeshView& mesh = view_.mesh;
  const std::size_t clusters = view_.Clusters();
  const std::size_t features = std::size_t{mesh.vertices} + mesh.edges + mesh.triangles;
  ClusterTree tree =
      ClusterTreeOf(ClustersOf(view_.worlds.triangles, mesh.static_triangles), view_.worlds.count);
  tree.static_clusters = mesh.static_triangles == 0 ? 0 : ClustersOf(mesh.static_triangles);
  WY_RETURN_IF_ERROR(clusters_.points.Reserve(backend_, mesh.vertices));
  WY_RETURN_IF_ERROR(clusters_.features.Reserve(backend_, features));
  WY_RETURN_IF_ERROR(clusters_.corners.Reserve(backend_, features));
  WY_RETURN_IF_ERROR(clusters_.spans.Reserve(backend_, clusters));
  WY_RETURN_IF_ERROR(clusters_.vertices.Reserve(backend_, clusters * kClusterVertices));
  WY_RETURN_IF_ERROR(clusters_.tree_boxes.Reserve(backend_, tree.first[tree.levels]));
  WY_RETURN_IF_ERROR(clusters_.tree_arrivals.Reserve(backend_, tree.first[tree.levels]));
  tree.boxes = clusters_.tree_boxes.data();
  tree.arrivals = clusters_.tree_arrivals.data();
  view_.clusters = {.points = clusters_.points.data(),
                    .features = clusters_.features.data(),
                    .corners = clusters_.corners.data(),
                    .spans = clusters_.spans.data(),
                    .vertices = clusters_.vertices.data(),
                    .tree = tree};
  return absl::OkStatus();
}

SceneView SceneArrays::FirstWorld() const {
  SceneView first = view_;
  if (!view_.worlds.AreSeveral()) return first;
  first.mesh.vertices = view_.worlds.vertices;
  first.mesh.edges = view_.worlds.edges;
  first.mesh.triangles = view_.worlds.triangles;
  first.worlds = {};
  first.clusters.tree = ClusterTreeOf(view_.clusters.tree.clusters);
  first.clusters.tree.static_clusters = view_.clusters.tree.static_clusters;
  first.clusters.tree.boxes = view_.clusters.tree.boxes;
  first.clusters.tree.arrivals = view_.clusters.tree.arrivals;
  return first;
}

absl::Status SceneArrays::RepeatFirstWorld() {
  const WorldsView& of = view_.worlds;
  const std::uint32_t clusters = view_.clusters.tree.clusters;
  const std::uint32_t features = of.vertices + of.edges + of.triangles;
  const Repeater repeater(backend_, of.count);
  std::vector<FeatureSpan> spans(clusters);
  WY_RETURN_IF_ERROR(repeater.Read(view_.clusters.spans, spans));
  // Which features are faces, edges and vertices: each kind has its own numbers.
  std::vector<std::uint32_t> numbers(features, 0);
  for (const FeatureSpan& span : spans) {
    const FeatureCounts counts = UnpackCounts(span.counts);
    std::uint32_t* next = numbers.data() + span.first;
    next = std::fill_n(next, counts.faces, of.triangles);
    next = std::fill_n(next, counts.edges, of.edges);
    std::fill_n(next, counts.vertices, of.vertices);
  }
  WY_RETURN_IF_ERROR(repeater.Repeat(view_.clusters.spans, spans,
                                     [&](FeatureSpan& span, std::size_t, std::uint32_t world) {
                                       span.first += world * features;
                                     }));
  std::vector<Feature> first(features);
  WY_RETURN_IF_ERROR(repeater.Read(view_.clusters.features, first));
  WY_RETURN_IF_ERROR(repeater.Repeat(view_.clusters.features, first,
                                     [&](Feature& feature, std::size_t place, std::uint32_t world) {
                                       feature.id += world * numbers[place];
                                     }));
  std::vector<FeatureCorners> corners(features);
  WY_RETURN_IF_ERROR(repeater.Read(view_.clusters.corners, corners));
  WY_RETURN_IF_ERROR(repeater.Repeat(view_.clusters.corners, corners,
                                     [](FeatureCorners&, std::size_t, std::uint32_t) {}));
  std::vector<std::uint32_t> vertices(std::size_t{clusters} * kClusterVertices);
  WY_RETURN_IF_ERROR(repeater.Read(view_.clusters.vertices, vertices));
  return repeater.Repeat(view_.clusters.vertices, vertices,
                         [&](std::uint32_t& vertex, std::size_t, std::uint32_t world) {
                           if (vertex != kNoIndex) vertex += world * of.vertices;
                         });
}

absl::Status SceneArrays::KeepRest(std::span<const Vector3d> rest) {
  WY_RETURN_IF_ERROR(Fill(backend_, rest, mesh_.rest));
  view_.mesh.rest = mesh_.rest.data();
  return absl::OkStatus();
}

absl::Status SceneArrays::ReserveHierarchy(std::uint64_t lists) {
  if (view_.hierarchy.nodes != nullptr) return absl::OkStatus();
  const std::size_t triangles = view_.mesh.triangles;
  const std::size_t nodes = std::max<std::size_t>(triangles - 1, 1);
  WY_RETURN_IF_ERROR(CheckFits(backend_, Size(), BytesOf(Size()).hierarchy + lists));
  WY_RETURN_IF_ERROR(hierarchy_.nodes.Reserve(backend_, nodes));
  WY_RETURN_IF_ERROR(hierarchy_.root.Reserve(backend_, 1));
  WY_RETURN_IF_ERROR(hierarchy_.leaf_parent.Reserve(backend_, triangles));
  WY_RETURN_IF_ERROR(hierarchy_.node_parent.Reserve(backend_, nodes));
  WY_RETURN_IF_ERROR(hierarchy_.node_bound.Reserve(backend_, nodes));
  WY_RETURN_IF_ERROR(hierarchy_.visits.Reserve(backend_, nodes));
  WY_RETURN_IF_ERROR(hierarchy_.vertex_boxes.Reserve(backend_, view_.mesh.vertices));
  view_.hierarchy = {.nodes = hierarchy_.nodes.data(),
                     .root = hierarchy_.root.data(),
                     .leaf_parent = hierarchy_.leaf_parent.data(),
                     .node_parent = hierarchy_.node_parent.data(),
                     .node_bound = hierarchy_.node_bound.data(),
                     .visits = hierarchy_.visits.data(),
                     .vertex_boxes = hierarchy_.vertex_boxes.data()};
  return absl::OkStatus();
}

absl::Status SceneArrays::ClearArrivals() {
  const std::vector<std::uint32_t> zeros(clusters_.tree_arrivals.size(), 0);
  return backend_.CopyIn(clusters_.tree_arrivals.data(), zeros.data(),
                         zeros.size() * sizeof zeros[0]);
}

void SceneArrays::SetKeys(Array<std::uint64_t> keys) {
  order_.keys = std::move(keys);
  view_.order.keys = order_.keys.data();
}

SceneSize SceneArrays::Size() const {
  const MeshView& mesh = view_.mesh;
  return {.vertices = mesh.vertices,
          .edges = mesh.edges,
          .triangles = mesh.triangles,
          .has_groups = mesh.vertex_groups != nullptr,
          .has_bodies = mesh.rest != nullptr,
          .worlds = view_.worlds.count,
          .static_triangles = mesh.static_triangles};
}

}  // namespace warpyard::ccd
