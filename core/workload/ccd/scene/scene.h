// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A scene on a device: memory, build, steps. The host code of collision jobs starts here.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_SCENE_SCENE_H_
#define WARPYARD_CORE_WORKLOAD_CCD_SCENE_SCENE_H_

#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/base/task.h"
#include "core/device/backend.h"
#include "core/procedure/event_runner.h"
#include "core/workload/ccd/collision_types.h"
#include "core/workload/ccd/job/collision_runner.h"
#include "core/workload/ccd/scene/scene_input.h"
#include "core/workload/ccd/scene/scene_parts.h"

namespace warpyard::ccd {

/// Calls its parts in order: uploads positions, prepares the hierarchies, runs events until all
/// lists have room, reads the result. @scope one caller at a time
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
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  /// Runs one step. The first step by leaves builds their hierarchy. If the scene has changed much,
  /// the step first rebuilds all hierarchies (rebuild_rule.h). On success the end positions of this
  /// step become the start of the next one.
  /// @errors INVALID_ARGUMENT (number of vertices or bodies, CheckReach, CheckOptions), and as Open
  /// @shape all arguments outlive the task
  Task<absl::StatusOr<CollisionResult>> Step(CollisionRunner& runner, const StepInput& input,
                                             const CollisionOptions& options,
                                             const procedure::CancelToken& token);

  std::uint32_t VertexCount() const { return parts_.arrays.View().mesh.vertices; }
  std::uint32_t EdgeCount() const { return parts_.arrays.View().mesh.edges; }
  std::uint32_t TriangleCount() const { return parts_.arrays.View().mesh.triangles; }
  /// The number of bodies, as CountBodies gives it.
  std::uint32_t BodyCount() const { return parts_.upload.Bodies(); }

 private:
  Scene(device::Backend& backend, std::uint32_t workers) : parts_(backend, workers) {}

  absl::Status Allocate(const SceneInput& input, Topology topology);
  absl::Status Read(const CollisionJob& job, const CollisionOptions& options,
                    const StepCounters& counters, CollisionResult& result);

  SceneParts parts_;
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_SCENE_SCENE_H_
