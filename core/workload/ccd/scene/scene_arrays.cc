// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/scene/scene_arrays.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "core/base/macros.h"

namespace warpyard::ccd {
namespace {

template <class T>
absl::Status Fill(device::Backend& backend, std::span<const T> from, memory::DeviceArray<T>& to) {
  WY_RETURN_IF_ERROR(to.Reserve(backend, from.size()));
  return backend.CopyIn(to.data(), from.data(), from.size_bytes());
}

}  // namespace

absl::Status SceneArrays::Open(const SceneInput& input, const Topology& topology) {
  WY_RETURN_IF_ERROR(OpenMesh(input, topology));
  WY_RETURN_IF_ERROR(order_.ordered_bounds.Reserve(backend_, kBoundWords));
  WY_RETURN_IF_ERROR(order_.leaves.Reserve(backend_, topology.triangles.size()));
  view_.order = {.ordered_bounds = order_.ordered_bounds.data(),
                 .keys = nullptr,
                 .leaves = order_.leaves.data(),
                 .size_scale = 1};
  return OpenClusters();
}

absl::Status SceneArrays::OpenMesh(const SceneInput& input, const Topology& topology) {
  WY_RETURN_IF_ERROR(
      Fill(backend_, std::span<const Triangle>(topology.triangles), mesh_.triangle_records));
  WY_RETURN_IF_ERROR(
      Fill(backend_, std::span<const std::uint32_t>(topology.edge_vertices), mesh_.edge_vertices));
  if (!input.vertex_groups.empty()) {
    WY_RETURN_IF_ERROR(Fill(backend_, input.vertex_groups, mesh_.vertex_groups));
  }
  if (!input.group_matrix.empty()) {
    WY_RETURN_IF_ERROR(Fill(backend_, input.group_matrix, mesh_.group_matrix));
  }
  view_.mesh = {.vertices = static_cast<std::uint32_t>(input.positions.vertices),
                .edges = topology.EdgeCount(),
                .triangles = static_cast<std::uint32_t>(topology.triangles.size()),
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
  ClusterTree tree = ClusterTreeOf(view_.Clusters());
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
          .has_bodies = mesh.rest != nullptr};
}

}  // namespace warpyard::ccd
