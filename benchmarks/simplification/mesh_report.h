// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// All measures of one simplified mesh, as JSON.
#ifndef WARPYARD_BENCHMARKS_SIMPLIFICATION_MESH_REPORT_H_
#define WARPYARD_BENCHMARKS_SIMPLIFICATION_MESH_REPORT_H_

#include <string>

#include "absl/status/statusor.h"
#include "client_examples/mesh_measure/mesh_topology.h"
#include "client_examples/mesh_measure/mesh_view.h"
#include "client_examples/mesh_measure/surface_distance.h"

namespace warpyard::simplification_bench {

using mesh_measure::DistanceOptions;
using mesh_measure::MeshTopology;
using mesh_measure::MeshView;
using mesh_measure::SurfaceDistance;

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
