// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Cheap rigorous tests before root finding: do the features stay apart for the whole step?
#ifndef WARPYARD_CORE_WORKLOAD_CCD_NARROW_PAIR_FILTER_H_
#define WARPYARD_CORE_WORKLOAD_CCD_NARROW_PAIR_FILTER_H_

#include <cmath>

#include "core/base/macros.h"
#include "core/workload/ccd/job/moving_pair.h"
#include "core/workload/ccd/narrow/closest_points.h"
#include "core/workload/ccd/narrow/separation.h"

namespace warpyard::ccd {

/// Whether a pair needs root finding. False proves that the features never come as near as
/// `min_separation`: from t = 0 to t = 1 they are further apart along an axis, or along the
/// direction between their closest points at half time.
WY_HD inline bool SurvivesFilters(const MovingPair& pair, double min_separation = 0) {
  if (ApartOnAnyAxis(pair, min_separation)) return false;
  const Vector3d direction = OffsetAt(pair, 0.5);
  double gap = 0;
  if (min_separation > 0) gap = GapAlong(sqrt(Dot(direction, direction)), min_separation);
  const SeparationOverTime separation(pair, direction, LargestCoordinates(pair), gap);
  return !separation.ApartThroughout();
}

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_NARROW_PAIR_FILTER_H_
