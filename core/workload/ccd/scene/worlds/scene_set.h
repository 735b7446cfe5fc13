// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A set on a device: many worlds with one mesh, whose steps run in one event.
//
// For the stages a set is one scene: its features are numbered world by world, so each stage runs
// over all worlds at the cost of one large scene. A world has its own clusters and its own tree
// above them, all in the order that the first world's rest positions give; a cluster searches the
// tree of its own world, so features of two worlds never meet (docs/adr/0047).
#ifndef WARPYARD_CORE_WORKLOAD_CCD_SCENE_WORLDS_SCENE_SET_H_
#define WARPYARD_CORE_WORKLOAD_CCD_SCENE_WORLDS_SCENE_SET_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/device/backend.h"
#include "core/procedure/event_runner.h"
#include "core/workload/ccd/job/collision_runner.h"
#include "core/workload/ccd/scene/scene_input.h"
#include "core/workload/ccd/scene/scene_parts.h"
#include "core/workload/ccd/scene/step/step_times.h"
#include "core/workload/ccd/scene/worlds/world_memory.h"
#include "core/workload/ccd/set_types.h"

namespace warpyard::ccd {

/// The input of SceneSet::Open, beside a device.
struct SetInput {
  SceneInput mesh;  ///< of each world; its positions order the triangles
  std::uint32_t worlds = 1;
  /// Where the worlds are, one after the other: the vertices that move. Empty: all are where the
  /// mesh is.
  std::optional<PositionsView> starts = std::nullopt;
};

/// @scope one caller at a time
class SceneSet {
 public:
  /// Uploads a mesh, builds its clusters and gives them to all worlds; appends the phases "copy_in"
  /// and "build".
  /// @errors as Scene::Open
  static absl::StatusOr<std::unique_ptr<SceneSet>> Open(device::Backend& backend,
                                                        CollisionRunner& runner,
                                                        const SetInput& input,
                                                        const procedure::CancelToken& token,
                                                        PhaseTimes& phases);
  SceneSet(const SceneSet&) = delete;
  SceneSet& operator=(const SceneSet&) = delete;

  /// Runs one step, as one event if its lists find room. If they do not, halves of the worlds have
  /// a turn each, down to single worlds. A world that finds no room alone fails alone. On success
  /// the end positions of all other worlds of the step are the start of their next steps.
  /// @errors INVALID_ARGUMENT (numbers of vertices, rows, CheckSetOptions), and as Scene::Open
  absl::StatusOr<SetResult> Step(CollisionRunner& runner, const SetStep& step,
                                 const CollisionOptions& options,
                                 const procedure::CancelToken& token);

  std::uint32_t WorldCount() const { return parts_.arrays.View().worlds.count; }
  /// Of each world.
  std::uint32_t VertexCount() const { return parts_.arrays.View().worlds.vertices; }
  std::uint32_t EdgeCount() const { return parts_.arrays.View().worlds.edges; }
  /// Number of matrices in the pose of a world, as CountBodies gives it.
  std::uint32_t BodyCount() const { return parts_.upload.Bodies(); }

 private:
  /// One step while it runs.
  struct Running {
    const JobRun& run;
    const CollisionOptions& options;
    CollisionJob job;
    StepInput input;
    std::vector<std::uint32_t> input_rows;  ///< StepInput::rows
    std::vector<std::uint32_t> moving;      ///< ascending
    std::vector<std::size_t> rows;          ///< of the moving worlds
    std::vector<std::uint32_t> failed;      ///< whose pairs found no room; ascending
    StepTimes times;
    SetResult result;
  };

  SceneSet(device::Backend& backend, std::uint32_t workers)
      : parts_(backend, workers), memory_(backend) {}

  absl::Status Allocate(const SetInput& input, Topology topology);
  absl::Status CheckRows(std::span<const std::uint32_t> rows) const;
  void TakeRows(const SetStep& step, Running& running) const;
  absl::Status Commit(const Running& step);
  absl::Status RunTurns(Running& step);
  absl::Status RunTurn(Running& step, std::size_t first, std::size_t count);
  absl::Status ReadTurn(Running& step, const StepCounters& counters, std::size_t first,
                        std::size_t count);

  SceneParts parts_;
  WorldMemory memory_;
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_SCENE_WORLDS_SCENE_SET_H_
