// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The host side of area counts: a mesh in device memory, and jobs on it.
#ifndef WARPYARD_TESTS_EXAMPLE_CORE_WORKLOAD_AREAS_AREAS_MESH_H_
#define WARPYARD_TESTS_EXAMPLE_CORE_WORKLOAD_AREAS_AREAS_MESH_H_

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/base/phase_times.h"
#include "core/device/backend.h"
#include "core/memory/device_array.h"
#include "core/procedure/event_runner.h"
#include "core/workload/geometry/positions_view.h"
#include "core/workload/geometry/vector3.h"
#include "tests/example/core/workload/areas/areas_job.h"

namespace warpyard::areas {

using AreasRunner = procedure::EventRunner<AreasJob>;

/// A mesh in the caller's memory. @shape triangles: 3 vertex indices each
struct MeshInput {
  geometry::PositionsView positions;
  std::span<const std::uint32_t> triangles;
};

/// @units area: the length unit of the positions, squared
struct AreasResult {
  std::vector<std::uint64_t> counts;  ///< one a class
  double total_area = 0;              ///< the same bits on every backend
  PhaseTimes phases;
};

inline const PhaseTimes& PhasesOf(const AreasResult& result) { return result.phases; }

/// @errors INVALID_ARGUMENT names the first bad limit: too many, negative, not finite, not
/// ascending
absl::Status CheckLimits(std::span<const double> limits);

/// A mesh on a device, with the memory that its jobs need. One job at a time.
class AreasMesh {
 public:
  /// Allocates all memory that jobs need, and uploads the mesh.
  /// @errors RESOURCE_EXHAUSTED (memory), INVALID_ARGUMENT (too many triangles), UNAVAILABLE
  static absl::StatusOr<std::unique_ptr<AreasMesh>> Open(device::Backend& backend,
                                                         const MeshInput& input);

  /// Counts the triangles between limits. @shape limits: as CheckLimits allows
  /// @errors those of AreasRunner::Run
  absl::StatusOr<AreasResult> Count(AreasRunner& runner, std::span<const double> limits,
                                    const procedure::CancelToken& token);

  std::uint32_t triangles() const { return job_.triangles; }

 private:
  explicit AreasMesh(device::Backend& backend) : backend_(backend) {}

  absl::Status Allocate(const MeshInput& input);
  absl::Status Upload(const MeshInput& input);

  device::Backend& backend_;
  memory::DeviceArray<geometry::Vector3d> positions_;
  memory::DeviceArray<std::uint32_t> corners_;
  memory::DeviceArray<double> areas_;
  memory::DeviceArray<std::uint32_t> counts_;
  memory::DeviceArray<double> sums_;
  AreasJob job_{};  // everything except the limits
};

}  // namespace warpyard::areas

#endif  // WARPYARD_TESTS_EXAMPLE_CORE_WORKLOAD_AREAS_AREAS_MESH_H_
