// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Conservative time of impact of a feature pair: never late, never missed.
//
// The search walks forward in time and leaves behind only intervals that it has proved free of
// contact. At the time t reached so far it takes the direction between the closest points, in which
// the features are furthest apart; the separation along a direction is linear in time per corner,
// so the time at which it would fall to a small level is one division away, and everything before
// it is free (separation.h). Near a contact the direction turns little, so the walk converges like
// Newton's method: typically 3 to 8 intervals, where bisection of time needs 20 and bisection of
// (t, u, v) hundreds. The walk ends at the first time at which the features are closer than the
// tolerance, which is reported, or at the end of the step.
//
// Guarantee: [0, result) is free of contact in exact arithmetic, by the rounding bound of
// SeparationOverTime; the direction needs no accuracy. A pair without contact whose distance falls
// below the tolerance is reported too, and so is a pair that takes more than `max_intervals`.
// Source: ours, in the class of inclusion-based root finders [ccd-peers: Wang et al. 2021].
#ifndef WARPYARD_CORE_WORKLOAD_CCD_ROOT_CONSERVATIVE_H_
#define WARPYARD_CORE_WORKLOAD_CCD_ROOT_CONSERVATIVE_H_

#include <cmath>
#include <cstdint>

#include "core/base/macros.h"
#include "core/workload/ccd/closest_points.h"
#include "core/workload/ccd/moving_pair.h"
#include "core/workload/ccd/separation.h"

namespace warpyard::ccd {

/// Result of a root finder. @units `time` in [0, 1]
struct Contact {
  bool touches = false;
  bool capped = false;  ///< reported because the limit of intervals was reached
  double time = 0;
};

struct RootLimits {
  double tolerance;             ///< distance that counts as contact
  std::uint32_t max_intervals;  ///< intervals examined for one pair
  double end_time;              ///< contacts at or after this time are of no interest; at most 1
};

/// The walk ends at this share of the tolerance. Near a contact it converges like Newton's method,
/// so the last six bits cost an interval or two, and pairs that pass each other within the
/// tolerance (most false positives of a coarser end) are told from pairs that touch.
inline constexpr double kContactShare = 1.0 / 64;

/// One interval of the walk.
enum class WalkStep { kAdvanced, kContact, kFree };

/// Proves an interval that starts at `time` free of contact and moves `time` to its end, or finds
/// the features within the tolerance there, or finds the rest of the step free.
WY_HD inline WalkStep WalkForward(const MovingPair& pair, const Vector3d& largest,
                                  const RootLimits& limits, double& time) {
  const Vector3d direction = OffsetAt(pair, time);
  const double length = sqrt(Dot(direction, direction));
  const SeparationOverTime separation(pair, direction, largest);
  const double floor = Max(kContactShare * limits.tolerance * length, 8 * separation.Margin());
  // Written so that a NaN is a contact, not a gap.
  if (!separation.Usable() || !(separation.LeastAt(time) > floor)) return WalkStep::kContact;
  if (time >= 1) return WalkStep::kFree;
  const double next = separation.TimeAtLevel(0.25 * floor);
  if (next > 1 ? separation.ApartAt(1) : next >= limits.end_time && separation.ApartAt(next)) {
    return WalkStep::kFree;
  }
  const double reached = Min(next, 1);
  if (!(reached > time) || !separation.ApartAt(reached)) return WalkStep::kContact;
  time = reached;
  return WalkStep::kAdvanced;
}

/// Earliest contact of a pair before limits.end_time.
WY_HD inline Contact FindContactConservative(const MovingPair& pair, const RootLimits& limits) {
  const Vector3d largest = LargestCoordinates(pair);
  double time = 0;
  for (std::uint32_t interval = 0; interval < limits.max_intervals; ++interval) {
    switch (WalkForward(pair, largest, limits, time)) {
      case WalkStep::kContact:
        return {true, false, time};
      case WalkStep::kFree:
        return {};
      case WalkStep::kAdvanced:
        break;
    }
    if (time >= limits.end_time && limits.end_time < 1) return {};
  }
  return {true, true, time};
}

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_ROOT_CONSERVATIVE_H_
