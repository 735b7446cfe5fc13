// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A feature pair in motion: four points that move on straight lines while t goes from 0 to 1.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_JOB_MOVING_PAIR_H_
#define WARPYARD_CORE_WORKLOAD_CCD_JOB_MOVING_PAIR_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/workload/geometry/vector3.h"

namespace warpyard::ccd {

using geometry::Vector3d;

enum class PairKind : std::uint32_t { kVertexFace, kEdgeEdge };

/// A vertex at the start of a step and at the end of the examined part, as the nearest floats.
struct alignas(16) FloatPoint {
  float start[4];  ///< x y z, and an unused one
  float end[4];
};

WY_HD inline FloatPoint RoundedPoint(const Vector3d& start, const Vector3d& end) {
  return {
      {static_cast<float>(start.x), static_cast<float>(start.y), static_cast<float>(start.z), 0},
      {static_cast<float>(end.x), static_cast<float>(end.y), static_cast<float>(end.z), 0}};
}

/// Vertex-face: point 0 is the vertex, points 1-3 are the face. Edge-edge: points 0-1 and 2-3 are
/// the edges. In both cases the features are the convex hulls of two groups of points.
struct MovingPair {
  PairKind kind;
  Vector3d start[4];
  Vector3d end[4];

  /// Number of points in the first group; the other points are the second group.
  WY_HD int FirstGroup() const { return kind == PairKind::kVertexFace ? 1 : 2; }

  /// Position of point `k` at time `t`, rounded.
  WY_HD Vector3d At(int k, double t) const { return (1.0 - t) * start[k] + t * end[k]; }
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_JOB_MOVING_PAIR_H_
