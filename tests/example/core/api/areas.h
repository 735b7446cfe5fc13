// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Area counts on an engine: meshes, and how many of their triangles have which size.
//
// The functions trust the contents of a mesh (finite coordinates, indices in range): server/areas
// validates untrusted input first. They check sizes and limits.
#ifndef WARPYARD_TESTS_EXAMPLE_CORE_API_AREAS_H_
#define WARPYARD_TESTS_EXAMPLE_CORE_API_AREAS_H_

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "core/base/ids.h"
#include "core/base/phase_times.h"
#include "core/engine/engine.h"
#include "tests/example/core/workload/areas/areas_mesh.h"

namespace warpyard::areas {

/// The phases in the results of the jobs below.
inline constexpr std::string_view kOpenPhases[] = {"queue", "copy_in"};
inline constexpr std::string_view kCountPhases[] = {"queue", "run", "copy_out"};

struct MeshInfo {
  ResidentId id;
  std::uint32_t triangles = 0;
  PhaseTimes phases;
};

inline const PhaseTimes& PhasesOf(const MeshInfo& info) { return info.phases; }

using OpenDone = std::function<void(absl::StatusOr<MeshInfo>)>;
using CountDone = std::function<void(absl::StatusOr<AreasResult>)>;

/// Uploads a mesh; its views must stay valid until the completion has run. Engine::Close frees it.
/// @errors as Engine::OpenResident and AreasMesh::Open
JobId OpenMesh(Engine& engine, const MeshInput& mesh, const JobOptions& job, OpenDone done);

/// Counts the triangles of a mesh between limits.
/// @errors as Engine::Run, and INVALID_ARGUMENT (CheckLimits, a resident that is no mesh);
///     UNIMPLEMENTED: the workers' program lacks area counts
JobId Count(Engine& engine, ResidentId mesh, std::vector<double> limits, const JobOptions& job,
            CountDone done);

}  // namespace warpyard::areas

#endif  // WARPYARD_TESTS_EXAMPLE_CORE_API_AREAS_H_
