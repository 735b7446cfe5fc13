// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// How far a simplified mesh is from its original, and how many of its triangles face the wrong way.
#ifndef WARPYARD_CLIENT_EXAMPLES_MESH_MEASURE_SURFACE_DISTANCE_H_
#define WARPYARD_CLIENT_EXAMPLES_MESH_MEASURE_SURFACE_DISTANCE_H_

#include <algorithm>
#include <cstdint>

#include "absl/status/statusor.h"
#include "client_examples/mesh_measure/mesh_view.h"

namespace warpyard::mesh_measure {

struct DistanceOptions {
  std::uint64_t samples = 300'000;  ///< on each of the two surfaces
  std::uint64_t seed = 1;
  unsigned threads = 0;  ///< 0: all of the machine; the result does not depend on it
};

/// Distances from points of one surface to the nearest points of the other surface.
/// @units those of the positions
struct OneWayDistance {
  double rms = 0;  ///< root of the mean square over samples even by area
  double max = 0;  ///< over the same samples and all vertices that triangles use
};

struct SurfaceDistance {
  OneWayDistance from_original, from_simplified;
  /// Of the box of the original's vertices that triangles use. @units those of the positions
  double diagonal = 0;
  /// Triangles of the simplified mesh whose normal points away from that of the original triangle
  /// nearest to their centroid. Triangles without area do not count. Where sheets are close to each
  /// other, the nearest triangle may be one of the wrong sheet, so a few flips may be none.
  std::uint64_t flipped = 0;

  /// The mean of both ways: the symmetric RMS distance. @units percent of the diagonal
  double RmsPercent() const {
    return 100 * (from_original.rms + from_simplified.rms) / 2 / diagonal;
  }
  /// The greater of both ways: the Hausdorff distance, from below, because samples may miss the
  /// farthest point. @units percent of the diagonal
  double HausdorffPercent() const {
    return 100 * std::max(from_original.max, from_simplified.max) / diagonal;
  }
};

/// Measures both ways. The same arguments give the same bits, whatever the number of threads.
/// @errors INVALID_ARGUMENT: CheckMesh fails, a mesh has no triangle, the triangles of the original
///     are all in one point, or there are no samples; the message says which mesh
absl::StatusOr<SurfaceDistance> MeasureDistance(const MeshView& original,
                                                const MeshView& simplified,
                                                const DistanceOptions& options = {});

}  // namespace warpyard::mesh_measure

#endif  // WARPYARD_CLIENT_EXAMPLES_MESH_MEASURE_SURFACE_DISTANCE_H_
