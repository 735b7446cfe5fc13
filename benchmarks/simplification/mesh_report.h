// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// All measures of one simplified mesh, as JSON.
#ifndef WARPYARD_BENCHMARKS_SIMPLIFICATION_MESH_REPORT_H_
#define WARPYARD_BENCHMARKS_SIMPLIFICATION_MESH_REPORT_H_

#include <string>

#include "absl/status/statusor.h"
#include "benchmarks/simplification/mesh_topology.h"
#include "benchmarks/simplification/mesh_view.h"
#include "benchmarks/simplification/surface_distance.h"

namespace warpyard::simplification_bench {

struct MeshReport {
  MeshTopology original, simplified;
  SurfaceDistance distance;

  /// Members of a JSON object, without its braces: "rms_percent": 0.04, ...
  std::string ToJsonMembers() const;
};

/// @errors those of MeasureDistance
absl::StatusOr<MeshReport> MeasureMesh(const MeshView& original, const MeshView& simplified,
                                       const DistanceOptions& options = {});

}  // namespace warpyard::simplification_bench

#endif  // WARPYARD_BENCHMARKS_SIMPLIFICATION_MESH_REPORT_H_
