// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Whether the contour of a moving patch, seen along a direction, never crosses itself: the second
// condition of continuous normal cones. [Volino], [Tang]
//
// If all normals of a patch are on the direction's side and its contour is simple in projection,
// each point of the plane is covered once at most: it is as often as contours wind around it, and
// where contours neither cross nor lie in each other with the same sense, that is once. Then
// features without a common vertex never touch.
#ifndef WARPYARD_RESEARCH_NORMAL_CONES_CONTOUR_H_
#define WARPYARD_RESEARCH_NORMAL_CONES_CONTOUR_H_

#include <array>
#include <cstdint>
#include <span>

#include "core/workload/geometry/vector3.h"

namespace warpyard::normal_cones {

using geometry::Vector3d;

/// An edge of one triangle only, in the sense in which that triangle has it.
using ContourEdge = std::array<std::uint32_t, 2>;

struct ContourResult {
  bool is_simple = false;
  /// Pairs of edges that were looked at until one failed or there were no more, and those of them
  /// whose swept boxes in the plane overlap.
  std::uint64_t pairs = 0;
  std::uint64_t near_pairs = 0;
};

/// Compares all edges with all. True is proof; false may be for want of subdivisions of time.
/// @shape start, end: of all vertices; direction: of unit length, and all normals are on its side
ContourResult TestContour(std::span<const ContourEdge> contour, std::span<const Vector3d> start,
                          std::span<const Vector3d> end, const Vector3d& direction);

}  // namespace warpyard::normal_cones

#endif  // WARPYARD_RESEARCH_NORMAL_CONES_CONTOUR_H_
