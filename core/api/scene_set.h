// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Sets of scenes on an engine: many worlds with one mesh, whose steps are one job.
//
// The functions trust the contents of their input, as those of collision.h do.
#ifndef WARPYARD_CORE_API_SCENE_SET_H_
#define WARPYARD_CORE_API_SCENE_SET_H_

#include <cstdint>
#include <functional>
#include <optional>

#include "absl/status/statusor.h"
#include "core/api/collision.h"
#include "core/base/ids.h"
#include "core/base/phase_times.h"
#include "core/engine/engine.h"
#include "core/workload/ccd/set_types.h"

namespace warpyard::collision {

/// A mesh to open as many worlds. All views must stay valid until the completion has run.
struct SetDescription {
  /// Of each world. Its positions order the triangles of all worlds, so those of a usual world are
  /// best. `build` is not used.
  SceneDescription mesh;
  std::uint32_t worlds = 1;
  /// Where the worlds are, one after the other; empty: where the mesh is. @shape vertices: worlds
  /// times those of the mesh that move
  std::optional<ccd::PositionsView> starts = std::nullopt;
};

struct SetInfo {
  ResidentId id;
  std::uint32_t edges = 0;   ///< of each world
  std::uint32_t bodies = 0;  ///< matrices in the pose of a world; as of SceneInfo
  PhaseTimes phases;
};

inline const PhaseTimes& PhasesOf(const SetInfo& info) { return info.phases; }

/// One step of a set. All views must stay valid until the completion has run.
struct SetStepDescription {
  ccd::SetStep step;
  /// `traversal` must be kClusters; `unsorted` and `rebuild_factor` have no effect.
  ccd::CollisionOptions options;
};

using OpenSetDone = std::function<void(absl::StatusOr<SetInfo>)>;
using SetStepDone = std::function<void(absl::StatusOr<ccd::SetResult>)>;

/// Uploads a mesh, builds its clusters of triangles, and gives them to all worlds. `done` gets the
/// set; Engine::Close frees it.
/// @errors as OpenScene, and INVALID_ARGUMENT (number of worlds, sizes)
JobId OpenSet(Engine& engine, const SetDescription& set, const JobOptions& job, OpenSetDone done);

/// Runs one step of some or all worlds; steps of one set run in the order of submission. The result
/// of each world is the one that a scene of its own would have.
/// @errors as Step, for the whole step; a world whose pairs find no room fails alone
JobId StepSet(Engine& engine, ResidentId set, const SetStepDescription& step, const JobOptions& job,
              SetStepDone done);

}  // namespace warpyard::collision

#endif  // WARPYARD_CORE_API_SCENE_SET_H_
