// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/simplification/mesh_report.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace warpyard::simplification_bench {

std::string MeshReport::ToJsonMembers() const {
  std::string json = absl::StrFormat(
      "\"original_triangles\": %d, \"triangles\": %d, \"rms_percent\": %.6g, "
      "\"hausdorff_percent\": %.6g, \"flipped\": %d",
      original.triangles, simplified.triangles, distance.RmsPercent(), distance.HausdorffPercent(),
      distance.flipped);
  const MeshTopology& counts = simplified;
  absl::StrAppend(&json, ", \"non_manifold_edges\": ", counts.non_manifold_edges,
                  ", \"fins\": ", counts.fins, ", \"border_edges\": ", counts.border_edges,
                  ", \"original_border_edges\": ", original.border_edges,
                  ", \"misoriented_edges\": ", counts.misoriented_edges,
                  ", \"repeated_corners\": ", counts.repeated_corners,
                  ", \"zero_area\": ", counts.zero_area, ", \"duplicates\": ", counts.duplicates,
                  ", \"components\": ", counts.components,
                  ", \"original_components\": ", original.components,
                  ", \"euler_characteristic\": ", counts.euler_characteristic,
                  ", \"closed\": ", counts.Closed() ? "true" : "false");
  return json;
}

absl::StatusOr<MeshReport> MeasureMesh(const MeshView& original, const MeshView& simplified,
                                       const DistanceOptions& options) {
  const absl::StatusOr<SurfaceDistance> distance =
      mesh_measure::MeasureDistance(original, simplified, options);
  if (!distance.ok()) return distance.status();
  // The distance has checked both meshes.
  return MeshReport{*mesh_measure::CountTopology(original),
                    *mesh_measure::CountTopology(simplified), *distance};
}

}  // namespace warpyard::simplification_bench
