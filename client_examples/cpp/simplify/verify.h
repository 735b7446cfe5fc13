// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// How far a simplified file is from its original, measured after it was written.
#ifndef WARPYARD_CLIENT_EXAMPLES_CPP_SIMPLIFY_VERIFY_H_
#define WARPYARD_CLIENT_EXAMPLES_CPP_SIMPLIFY_VERIFY_H_

#include <algorithm>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "client_examples/mesh_io/model.h"
#include "client_examples/mesh_measure/mesh_topology.h"
#include "client_examples/mesh_measure/surface_distance.h"

namespace warpyard::cli {

/// Points on each of the two surfaces whose distance from the other one is measured.
inline constexpr std::uint64_t kVerifySamples = 100'000;

struct Verification {
  mesh_measure::SurfaceDistance distance;
  /// Of the meshes with equal positions made one vertex: a seam is no border.
  mesh_measure::MeshTopology input, result;

  double Rms() const { return (distance.from_original.rms + distance.from_simplified.rms) / 2; }
  double Max() const { return std::max(distance.from_original.max, distance.from_simplified.max); }
  std::uint64_t Degenerate() const { return result.repeated_corners + result.zero_area; }
};

/// Measures two models in their scenes, all meshes as one.
/// @errors INVALID_ARGUMENT: those of mesh_io::JoinPrimitives and mesh_measure::MeasureDistance
absl::StatusOr<Verification> Verify(const mesh_io::Model& input, const mesh_io::Model& result);

/// The measures in one line.
std::string TextOf(const Verification& verification);

}  // namespace warpyard::cli

#endif  // WARPYARD_CLIENT_EXAMPLES_CPP_SIMPLIFY_VERIFY_H_
