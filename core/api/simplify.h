// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Mesh simplification on an engine: models, and coarser meshes of them.
//
// A model checks the sizes, indices and coordinates of its mesh, and the options of a result.
// server/simplify validates untrusted input first, so that errors name the fields of a request.
#ifndef WARPYARD_CORE_API_SIMPLIFY_H_
#define WARPYARD_CORE_API_SIMPLIFY_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/base/ids.h"
#include "core/base/phase_times.h"
#include "core/engine/engine.h"
#include "core/workload/simplify/simplify_types.h"

namespace warpyard::simplify {

/// The phases in the results of the jobs below. A result that is a cut alone has no "collapse", and
/// one without a distance no "measure".
inline constexpr std::string_view kOpenPhases[] = {"queue", "build"};
inline constexpr std::string_view kSimplifyPhases[] = {"queue", "cut", "collapse", "copy_out",
                                                       "measure"};

/// A mesh to open as a model. All views must stay valid until the completion has run.
struct ModelDescription {
  geometry::PositionsView positions;
  /// @shape 3 vertex indices a triangle
  std::span<const std::uint32_t> triangles;
  std::vector<AttributeInput> attributes = {};
  /// What is kept apart, of each vertex; or empty.
  std::span<const std::uint32_t> groups = {};
  /// Not 0: the vertex stays where it is. @shape one for each vertex, or empty
  std::span<const std::uint8_t> locked = {};
  Borders borders = Borders::kWeighted;
};

struct ModelInfo {
  ResidentId id;
  std::uint32_t vertices = 0;     ///< those at different positions
  std::uint32_t triangles = 0;    ///< those with three different positions
  std::uint32_t nodes = 0;        ///< of the tree
  std::uint64_t bytes = 0;        ///< of device memory that the model keeps
  std::uint64_t build_bytes = 0;  ///< of device memory that its build had at most
  PhaseTimes phases;
};

inline const PhaseTimes& PhasesOf(const ModelInfo& info) { return info.phases; }

/// What a result should be. Exactly one goal is set: `max_bytes`, or one of the options.
struct ResultDescription {
  SimplifyOptions options;
  /// The goal: positions and indices take at most so many bytes (byte_goal.h). At least
  /// kLeastBytes.
  std::optional<std::uint64_t> max_bytes;
  /// Whether collapses end in time for the job's deadline. Then `options.finish_by` is not used.
  bool best_effort = false;
};

/// The meshes of a chain, besides those that were taken.
struct LevelsInfo {
  std::size_t levels = 0;  ///< meshes that were taken
  PhaseTimes phases;       ///< sums over the meshes
};

inline const PhaseTimes& PhasesOf(const LevelsInfo& info) { return info.phases; }

/// What the meshes of a chain should be.
struct LevelsDescription {
  LevelOptions options;
  /// As in ResultDescription.
  bool best_effort = false;
};

using OpenDone = std::function<void(absl::StatusOr<ModelInfo>)>;
using SimplifyDone = std::function<void(absl::StatusOr<SimplifiedMesh>)>;
using LevelsDone = std::function<void(absl::StatusOr<LevelsInfo>)>;

/// When collapses must end, so that a job that starts now can copy its result before the deadline.
absl::Time FinishBy(absl::Time deadline, absl::Time now);

/// Uploads a mesh and builds its tree. `done` gets the model; Engine::Close frees it.
/// @errors as Engine::OpenResident and Model::Open
JobId OpenModel(Engine& engine, const ModelDescription& model, const JobOptions& job,
                OpenDone done);

/// Makes a coarser mesh of a model. Jobs of one model run at the same time.
/// @errors as Engine::Run and Model::Simplify, and INVALID_ARGUMENT (max_bytes, a resident that is
///     no model)
JobId Simplify(Engine& engine, ResidentId model, const ResultDescription& result,
               const JobOptions& job, SimplifyDone done);

/// Makes a chain of coarser and coarser meshes of a model. `options.take` gets each one on a thread
/// of the engine before `done` runs, and must not block: the job keeps its place on the device and
/// its arrays meanwhile.
/// @errors as Engine::Run and Model::SimplifyLevels, and INVALID_ARGUMENT (a resident that is no
///     model)
JobId SimplifyLevels(Engine& engine, ResidentId model, const LevelsDescription& levels,
                     const JobOptions& job, LevelsDone done);

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_API_SIMPLIFY_H_
