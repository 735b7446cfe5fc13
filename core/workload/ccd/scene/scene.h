// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A scene on a device: memory, build, steps. The host entry of collision jobs.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_SCENE_SCENE_H_
#define WARPYARD_CORE_WORKLOAD_CCD_SCENE_SCENE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/device/backend.h"
#include "core/memory/device_array.h"
#include "core/memory/host_vector.h"
#include "core/procedure/event_runner.h"
#include "core/workload/ccd/collision_types.h"
#include "core/workload/ccd/contacts/result_lists.h"
#include "core/workload/ccd/job/collision_job.h"
#include "core/workload/ccd/methods/traversal_memory.h"
#include "core/workload/ccd/scene/rebuild_rule.h"
#include "core/workload/ccd/scene/rigid_bodies.h"
#include "core/workload/ccd/scene/sample_rule.h"
#include "core/workload/ccd/scene/topology.h"

namespace warpyard::ccd {

/// What Scene::Open needs beside a device.
struct SceneInput {
  PositionsView positions;
  std::span<const std::uint32_t> triangles;
  std::span<const std::uint32_t> vertex_groups;
  GroupRule group_rule = GroupRule::kAll;
  std::span<const std::uint64_t> group_matrix = {};  ///< see group_matrix.h
  HierarchyBuild build = HierarchyBuild::kMorton;
};

/// Ends of one step; `start` empty: the end of the last step.
struct StepInput {
  StepPositions end;
  std::optional<StepPositions> start;
};

/// Time in the phases of a step, over all runs that it took.
struct StepTimes {
  absl::Duration copy_in, refit, broad, narrow, sort, copy_out;
};

/// @scope one caller at a time
class Scene {
 public:
  /// Uploads a mesh and builds its clusters and the tree above them; appends the phases "copy_in"
  /// and "build".
  /// @errors RESOURCE_EXHAUSTED (memory), INVALID_ARGUMENT (sizes, groups), and those of
  ///     CollisionRunner::Run
  static absl::StatusOr<std::unique_ptr<Scene>> Open(device::Backend& backend,
                                                     CollisionRunner& runner,
                                                     const SceneInput& input,
                                                     const procedure::CancelToken& token,
                                                     PhaseTimes& phases);

  /// Runs one step; the first one by leaves builds their hierarchy, and one before which the scene
  /// has changed much builds it anew (rebuild_rule.h). On success its end positions become the
  /// start of the next.
  /// @errors INVALID_ARGUMENT (number of vertices or bodies, CheckReach, CheckOptions), and as Open
  absl::StatusOr<CollisionResult> Step(CollisionRunner& runner, const StepInput& input,
                                       const CollisionOptions& options,
                                       const procedure::CancelToken& token);

  std::uint32_t VertexCount() const { return view_.vertices; }
  std::uint32_t EdgeCount() const { return view_.edges; }
  std::uint32_t TriangleCount() const { return view_.triangles; }
  /// As of CountBodies.
  std::uint32_t BodyCount() const { return static_cast<std::uint32_t>(balls_.size()); }

 private:
  template <class T>
  using Array = memory::DeviceArray<T>;

  /// What a step brought for one of its ends.
  struct Incoming {
    Array<std::byte> bytes;                      // as they came, where they are to be converted
    std::vector<geometry::RigidTransform> pose;  // empty: positions
  };

  /// Lists of collisions that procedures write where the caller gets them, without a copy. They
  /// have room for more than the last ones had: where they run over, the step runs again.
  struct HostLists {
    static constexpr std::uint64_t kLeastRoom = 16384;
    memory::HostVector<VertexFaceCollision> vertex_face;
    memory::HostVector<EdgeEdgeCollision> edge_edge;
    std::optional<std::array<std::uint64_t, 2>> last;  // lengths of the last ones
    bool are_used = false;                             // by this step
  };

  explicit Scene(device::Backend& backend) : backend_(backend), traversal_(backend) {}

  absl::Status Allocate(const SceneInput& input, const Topology& topology);
  absl::Status Build(CollisionRunner& runner, const procedure::CancelToken& token);
  absl::Status AllocateHierarchy();
  absl::Status LinkHierarchy(CollisionRunner& runner, const procedure::CancelToken& token);
  absl::StatusOr<CollisionJob> FirstOfBuild();
  absl::StatusOr<bool> RebuildIfDue(CollisionRunner& runner, const procedure::CancelToken& token,
                                    double factor);
  absl::Status ReadyHierarchy(CollisionRunner& runner, const procedure::CancelToken& token,
                              const CollisionOptions& options, CollisionStatistics& statistics);
  absl::Status PlaceAtRest(const SceneInput& input);
  absl::Status CheckSize(const StepPositions& given) const;
  absl::Status Upload(const StepPositions& given, Incoming& incoming, PositionSource& source);
  absl::Status UploadPose(const PoseView& given, Incoming& incoming, PositionSource& source);
  std::optional<double> DeviationOf(const StepInput& input) const;
  void LearnOfSample(const StepView& step, const StepCounters& counters);
  absl::Status Reserve(StepView& step, const StepCounters& needed);
  absl::Status ReserveRows(StepView& step);
  absl::Status RunUntilListsFit(CollisionRunner& runner, const procedure::CancelToken& token,
                                CollisionJob& job, StepCounters& counters, StepTimes& times);
  absl::StatusOr<procedure::StageTimes> RunFromNoArrivals(CollisionRunner& runner,
                                                          const procedure::CancelToken& token,
                                                          const CollisionJob& job);
  absl::Status RunOnce(CollisionRunner& runner, const procedure::CancelToken& token,
                       CollisionJob& job, StepCounters& counters, StepTimes& times);
  void PlaceHostLists(CollisionRunner& runner, StepView& step);
  void DropHostLists();
  void LearnLengths(const StepView& step, const StepCounters& counters, bool fits);
  absl::Status ReadCounters(const StepView& step, StepCounters& counters);
  template <class T>
  absl::Status MakeRoom(std::uint64_t count, std::size_t each, memory::HostVector<T>& items) const;
  absl::Status ReadCollisions(const StepView& step, const StepCounters& counters,
                              CollisionResult& result);
  absl::Status CheckHostBytes(std::uint64_t pairs, std::size_t needed) const;
  absl::Status ReadResult(const CollisionJob& job, const CollisionOptions& options,
                          const StepCounters& counters, CollisionResult& result);
  absl::Status ReadCandidates(const StepView& step, const StepCounters& counters,
                              CollisionResult& result);
  absl::Status AddGeometry(const StepView& step, const procedure::CancelToken& token,
                           CollisionResult& result);

  device::Backend& backend_;
  SceneView view_{};
  HierarchyBuild build_ = HierarchyBuild::kMorton;
  bool has_hierarchy_ = false;
  bool built_ = false;         // a build that was cancelled leaves half a hierarchy behind
  bool has_arrivals_ = true;   // maybe, counted in the tree: its memory is new, or an event failed
  std::uint32_t workers_ = 1;  // of the runner
  RebuildRule rebuild_rule_;
  SampleRule sample_rule_;
  std::vector<std::uint32_t> edge_vertices_;  // host copy, to name edges by their vertices
  std::vector<BodyBall> balls_;               // of bodies
  SortBuffers sort_buffers_;

  Array<Triangle> triangle_records_, leaves_;
  Array<std::uint32_t> device_edge_vertices_, vertex_groups_;
  Array<std::uint32_t> ordered_bounds_, root_, leaf_parent_, node_parent_, node_bound_, visits_;
  Array<std::uint64_t> keys_, group_matrix_;
  Array<Node> nodes_;
  Array<geometry::Box> vertex_boxes_, tree_boxes_;
  Array<FloatPoint> vertex_points_;
  Array<Feature> features_;
  Array<FeatureCorners> feature_corners_;
  Array<FeatureSpan> feature_spans_;
  Array<std::uint32_t> cluster_vertices_, tree_arrivals_;
  std::array<Array<Vector3d>, 3> positions_;  // committed start, incoming end, incoming start
  std::size_t committed_ = 0;
  std::vector<geometry::RigidTransform> committed_pose_;  // empty: positions were committed
  std::array<Incoming, 2> incoming_;                      // start, end
  std::vector<device::HostCopy> uploads_;                 // of the step, to be made together
  HostLists host_lists_;
  memory::HostVector<StepCounters> host_counters_;  // one of them
  Array<Vector3d> rest_;
  Array<StepCounters> counters_;
  TraversalMemory traversal_;
  Array<PairIds> meetings_;
  std::array<Array<PairIds>, 2> survivors_;
  Array<LeftPair> left_;
  Array<VertexFaceCollision> vertex_face_;
  Array<EdgeEdgeCollision> edge_edge_;
  Array<std::uint32_t> row_words_;
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_SCENE_SCENE_H_
