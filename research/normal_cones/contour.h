// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Whether the contour of a moving patch, seen along a direction, never crosses itself: the second
// condition of continuous normal cones. [Volino], [Tang]
//
// Suppose that all normals of a patch are on the direction's side and its contour is simple in
// projection. Then the patch covers each point of the plane at most once: the number of covers is
// the number of times that contours wind around the point, and that is at most one if contours
// neither cross nor lie in each other with the same orientation. Then features without a common
// vertex never touch.
#ifndef WARPYARD_RESEARCH_NORMAL_CONES_CONTOUR_H_
#define WARPYARD_RESEARCH_NORMAL_CONES_CONTOUR_H_

#include <array>
#include <cstdint>
#include <span>

#include "core/workload/geometry/vector3.h"

namespace warpyard::normal_cones {

using geometry::Vector3d;

/// An edge that belongs to only one triangle, in the direction that the triangle gives it.
using ContourEdge = std::array<std::uint32_t, 2>;

struct ContourResult {
  bool is_simple = false;
  /// Pairs of edges that were examined until one failed or no more were left, and how many of them
  /// have swept boxes in the plane that overlap.
  std::uint64_t pairs = 0;
  std::uint64_t near_pairs = 0;
};

/// Compares all edges with all. True is a proof. False may only mean that time was not subdivided
/// further.
/// @shape start, end: of all vertices; direction: of unit length, and all normals are on its side
ContourResult TestContour(std::span<const ContourEdge> contour, std::span<const Vector3d> start,
                          std::span<const Vector3d> end, const Vector3d& direction);

}  // namespace warpyard::normal_cones

#endif  // WARPYARD_RESEARCH_NORMAL_CONES_CONTOUR_H_
