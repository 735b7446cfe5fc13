// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The memory that a scene keeps on a device from step to step: mesh, order, clusters, hierarchy.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_SCENE_SCENE_ARRAYS_H_
#define WARPYARD_CORE_WORKLOAD_CCD_SCENE_SCENE_ARRAYS_H_

#include <cstdint>
#include <span>

#include "absl/status/status.h"
#include "core/device/backend.h"
#include "core/memory/device_array.h"
#include "core/workload/ccd/job/scene_view.h"
#include "core/workload/ccd/scene/scene_input.h"
#include "core/workload/ccd/scene/scene_memory.h"
#include "core/workload/ccd/scene/topology.h"

namespace warpyard::ccd {

/// @scope one caller at a time
class SceneArrays {
 public:
  template <class T>
  using Array = memory::DeviceArray<T>;

  explicit SceneArrays(device::Backend& backend) : backend_(backend) {}

  /// Copies the mesh to the device and allocates all arrays except those of the binary hierarchy.
  /// @shape input: of one world; topology: of all worlds, see InstancesOf
  /// @errors RESOURCE_EXHAUSTED
  absl::Status Open(const SceneInput& input, const Topology& topology, std::uint32_t worlds = 1);

  /// Keeps rest positions for poses. @shape rest: [vertices]
  absl::Status KeepRest(std::span<const Vector3d> rest);

  /// Allocates the arrays of the binary hierarchy unless they exist. It takes all of their memory
  /// or none, so that a step by clusters still finds room. @shape lists: bytes that the lists of a
  /// step still need
  /// @errors RESOURCE_EXHAUSTED
  absl::Status ReserveHierarchy(std::uint64_t lists);

  /// Zeroes the arrivals that are counted in the tree above the clusters.
  absl::Status ClearArrivals();

  /// Replaces the keys by those of a new order.
  void SetKeys(Array<std::uint64_t> keys);
  void SetSizeScale(float scale) { view_.order.size_scale = scale; }

  /// Gives the clusters of the first world, which a build has arranged, to all other worlds.
  absl::Status RepeatFirstWorld();

  const SceneView& View() const { return view_; }
  /// The first world as a scene of its own. A build puts its triangles in order, for all worlds.
  SceneView FirstWorld() const;
  SceneSize Size() const;

 private:
  struct MeshArrays {
    Array<Triangle> triangle_records;
    Array<std::uint32_t> edge_vertices, vertex_groups;
    Array<std::uint64_t> group_matrix;
    Array<Vector3d> rest;
  };
  struct OrderArrays {
    Array<std::uint32_t> ordered_bounds;
    Array<std::uint64_t> keys;
    Array<Triangle> leaves;
  };
  struct ClusterArrays {
    Array<FloatPoint> points;
    Array<Feature> features;
    Array<FeatureCorners> corners;
    Array<FeatureSpan> spans;
    Array<std::uint32_t> vertices, tree_arrivals;
    Array<geometry::Box> tree_boxes;
  };
  struct HierarchyArrays {
    Array<Node> nodes;
    Array<std::uint32_t> root, leaf_parent, node_parent, node_bound, visits;
    Array<geometry::Box> vertex_boxes;
  };

  absl::Status OpenMesh(const SceneInput& input, const Topology& topology, std::uint32_t worlds);
  absl::Status OpenClusters();

  device::Backend& backend_;
  SceneView view_{};
  MeshArrays mesh_;
  OrderArrays order_;
  ClusterArrays clusters_;
  HierarchyArrays hierarchy_;
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_SCENE_SCENE_ARRAYS_H_
