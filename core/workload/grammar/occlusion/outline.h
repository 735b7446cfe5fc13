// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The outline of a box in a picture: what is in front of the eye, seen on a plane.
#ifndef WARPYARD_CORE_WORKLOAD_GRAMMAR_OCCLUSION_OUTLINE_H_
#define WARPYARD_CORE_WORKLOAD_GRAMMAR_OCCLUSION_OUTLINE_H_

#include <array>
#include <cstddef>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "core/workload/grammar/occlusion/world_box.h"

namespace warpyard::grammar {

struct Point2d {
  double x, y;
};

/// Points in a plane. The part of a box that is in front of the eye has at most 8 + 12 corners.
using Points2d = absl::InlinedVector<Point2d, 20>;

/// The corners of a box as seen from an eye that looks along an axis: x to the right, y up, z
/// ahead.
struct SeenCorners {
  std::array<Vector3d, WorldBox::kCorners> points;

  /// Whether all of them are beyond a side of the picture of a right angle, or behind the eye.
  bool AreOutside() const;
};

/// The corners of the part of a box that is ahead, on the plane z = 1. A box that reaches behind
/// the eye is cut off close before it. Empty: nothing is ahead.
Points2d PictureOf(const SeenCorners& corners);

/// The convex hull of points, counterclockwise. Fewer than 3 points: it has no area.
Points2d HullOf(Points2d points);

/// Where a horizontal line is in a convex polygon: [first, second]; first > second: nowhere.
std::pair<double, double> SectionOf(const Points2d& polygon, double y);

}  // namespace warpyard::grammar

#endif  // WARPYARD_CORE_WORKLOAD_GRAMMAR_OCCLUSION_OUTLINE_H_
