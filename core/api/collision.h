// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Collision detection on an engine: scenes, steps, and one-shot checks.
//
// The functions trust the contents of their input (finite coordinates, indices in range, layouts as
// declared): server/collision validates untrusted input first. They check sizes and limits.
#ifndef WARPYARD_CORE_API_COLLISION_H_
#define WARPYARD_CORE_API_COLLISION_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "absl/status/statusor.h"
#include "core/base/ids.h"
#include "core/base/phase_times.h"
#include "core/engine/engine.h"
#include "core/workload/ccd/collision_types.h"

namespace warpyard::collision {

/// The phases in the results of the jobs below.
inline constexpr std::string_view kOpenPhases[] = {"queue", "copy_in", "build"};
inline constexpr std::string_view kStepPhases[] = {"queue", "build",  "copy_in", "refit",
                                                   "broad", "narrow", "copy_out"};

/// A mesh to open as a scene. All views must stay valid until the completion has run.
struct SceneDescription {
  ccd::PositionsView positions;
  /// @shape 3 vertex indices a triangle
  std::span<const std::uint32_t> triangles;
  /// The groups are also the bodies that a pose moves. @shape one group a vertex, or empty
  std::span<const std::uint32_t> vertex_groups;
  ccd::GroupRule group_rule = ccd::GroupRule::kAll;
  /// @shape one row a group, for ccd::GroupRule::kMatrix: see ccd::CheckGroupMatrix
  std::span<const std::uint64_t> group_matrix = {};
  ccd::HierarchyBuild build = ccd::HierarchyBuild::kMorton;
  /// The last vertices, which never move: see ccd::CheckStaticVertices. Steps bring positions of
  /// the others, or poses of their bodies. Pairs of static features are no pairs of a step.
  std::uint32_t static_vertices = 0;
};

struct SceneInfo {
  ResidentId id;
  std::uint32_t edges = 0;
  /// Number of matrices in a pose; 0: steps have positions instead, see ccd::CountBodies.
  std::uint32_t bodies = 0;
  PhaseTimes phases;
};

inline const PhaseTimes& PhasesOf(const SceneInfo& info) { return info.phases; }

/// One step of a scene. All views must stay valid until the completion has run.
struct StepDescription {
  ccd::StepPositions end;
  /// Empty: the end of the scene's last step, or its rest positions.
  std::optional<ccd::StepPositions> start;
  ccd::CollisionOptions options;
};

using OpenDone = std::function<void(absl::StatusOr<SceneInfo>)>;
using StepDone = std::function<void(absl::StatusOr<ccd::CollisionResult>)>;

/// Uploads a mesh and builds its clusters of triangles. `done` gets the scene; Engine::Close frees
/// it.
/// @errors as Engine::OpenResident, and INVALID_ARGUMENT (sizes, groups)
JobId OpenScene(Engine& engine, const SceneDescription& scene, const JobOptions& job,
                OpenDone done);

/// Runs one step; steps of one scene run in the order of submission.
/// @errors as Engine::Run, and INVALID_ARGUMENT (another number of vertices or bodies than the
///     scene has, a pose that takes a body too far away, ccd::CheckOptions, a resident that is no
///     scene)
JobId Step(Engine& engine, ResidentId scene, const StepDescription& step, const JobOptions& job,
           StepDone done);

/// Runs one step of a scene that lives for this job alone. The scene is no resident, and takes
/// memory only while the job runs. The phases are those of Step; "copy_in" and "build" include the
/// opening of the scene.
/// @errors as OpenScene and Step
JobId Detect(Engine& engine, const SceneDescription& scene, const StepDescription& step,
             const JobOptions& job, StepDone done);

}  // namespace warpyard::collision

#endif  // WARPYARD_CORE_API_COLLISION_H_
