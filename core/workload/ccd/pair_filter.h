// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Cheap rigorous tests before root finding: do the features stay apart for the whole step?
#ifndef WARPYARD_CORE_WORKLOAD_CCD_PAIR_FILTER_H_
#define WARPYARD_CORE_WORKLOAD_CCD_PAIR_FILTER_H_

#include "core/base/macros.h"
#include "core/workload/ccd/closest_points.h"
#include "core/workload/ccd/moving_pair.h"
#include "core/workload/ccd/separation.h"

namespace warpyard::ccd {

/// Whether a pair needs root finding. False is proof that it never touches: the features are apart
/// along an axis, or along the direction between their closest points at half time, from t = 0 to
/// t = 1.
WY_HD inline bool SurvivesFilters(const MovingPair& pair) {
  if (ApartOnAnyAxis(pair)) return false;
  const SeparationOverTime separation(pair, OffsetAt(pair, 0.5), LargestCoordinates(pair));
  return !separation.ApartThroughout();
}

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_PAIR_FILTER_H_
