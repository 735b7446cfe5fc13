// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Conservative time of impact of a feature pair: never late, never missed.
//
// The search walks forward in time and leaves behind only intervals that it has proved free of
// contact, in one of three ways. At the time t reached so far it takes the direction between the
// closest points, in which the features are furthest apart. The separation along a direction is
// linear in time per corner. So one division gives the time at which it would fall to a small
// level, and everything before that time is free (separation.h). Where features rotate, corners
// come close in a fixed direction while the features do not, and steps get short. There the cubic
// of coplanarity, which turns with the features, proves the interval up to its next root free
// (coplanarity.h). Both converge to a contact like Newton's method. Where features slide and turn
// near each other for long, neither proof gets far; the third proof is a plane that turns with
// them. The walk ends at the end of the step, or at the first time at which the features are closer
// than the tolerance. It reports that time.
//
// With a minimum separation, features touch when they are no further apart than that distance. The
// walk is the same, with directions and volumes that must leave so much room.
//
// Guarantee: [0, result) is free of contact in exact arithmetic, by the rounding bounds of
// SeparationOverTime and CoplanarityCubic (and of floats before RootLimits::free_until); the
// direction needs no accuracy. A pair without contact may be reported too if its distance falls
// below the tolerance (and the minimum separation). A pair that takes more than `max_intervals` is
// always reported. Source: ours, in the class of inclusion-based root finders (docs/adr/0008).
#ifndef WARPYARD_CORE_WORKLOAD_CCD_NARROW_ROOT_CONSERVATIVE_H_
#define WARPYARD_CORE_WORKLOAD_CCD_NARROW_ROOT_CONSERVATIVE_H_

#include <cmath>
#include <cstdint>

#include "core/base/macros.h"
#include "core/workload/ccd/job/moving_pair.h"
#include "core/workload/ccd/narrow/closest_points.h"
#include "core/workload/ccd/narrow/coplanarity.h"
#include "core/workload/ccd/narrow/separation.h"

namespace warpyard::ccd {

/// Result of a root finder. @units `time` in [0, 1]
struct Contact {
  bool touches = false;
  bool capped = false;  ///< reported because the limit of intervals was reached
  double time = 0;
};

struct RootLimits {
  double tolerance;             ///< distance that counts as contact
  std::uint32_t max_intervals;  ///< examined for one pair, without intervals in floats
  double end_time;              ///< contacts at or after this time are of no interest; at most 1
  double min_separation = 0;    ///< distance up to which features touch
  double free_until = 0;        ///< no contact is before this time
};

/// The walk ends at this fraction of the tolerance. Near a contact the walk converges like Newton's
/// method, so the last six bits cost only one or two intervals. In return it distinguishes pairs
/// that touch from pairs that pass each other within the tolerance; the latter are most of the
/// false positives of a coarser end.
inline constexpr double kContactShare = 1.0 / 64;

/// A time that a walk has reached, with the separation along the line between the closest points at
/// that time.
struct WalkPoint {
  WY_HD WalkPoint(const MovingPair& pair, const RootLimits& limits, const Vector3d& largest,
                  double at)
      : WalkPoint(pair, limits, largest, at, OffsetAt(pair, at)) {}

  /// Whether the features are within the tolerance. It is written so that NaN counts as a contact.
  WY_HD bool Touches() const { return !separation.Usable() || !(separation.LeastAt(time) > floor); }

  /// The time up to which this direction keeps the features apart; at least `time`.
  WY_HD double Reach() const {
    const double reached = Min(separation.TimeAtLevel(0.25 * floor), 1);
    return separation.ApartAt(reached) ? reached : time;
  }

  /// The distance at `time`, in units of the floor.
  WY_HD double Distance() const { return separation.LeastAt(time) / floor; }

  double time;
  SeparationOverTime separation;
  double floor;  ///< a smaller separation is a contact

 private:
  WY_HD WalkPoint(const MovingPair& pair, const RootLimits& limits, const Vector3d& largest,
                  double at, const Vector3d& direction)
      : time(at),
        separation(pair, direction, largest, GapAlong(LengthOf(direction), limits.min_separation)),
        floor(
            Max(kContactShare * limits.tolerance * LengthOf(direction), 8 * separation.Margin())) {}

  WY_HD static double LengthOf(const Vector3d& direction) {
    return sqrt(Dot(direction, direction));
  }
};

/// One interval of the walk.
enum class WalkStep { kAdvanced, kContact, kFree };

/// The walk of one pair.
class Walk {
 public:
  WY_HD Walk(const MovingPair& pair, const RootLimits& limits)
      : pair_(pair),
        limits_(limits),
        largest_(LargestCoordinates(pair)),
        time_(limits.free_until) {}

  /// Resumes a walk that reached limits.free_until after `interval` intervals; its result is the
  /// same.
  WY_HD Walk(const MovingPair& pair, const RootLimits& limits, std::uint32_t interval)
      : Walk(pair, limits) {
    if (interval > kIntervalsWithoutCubic) cubic_ = MakeCoplanarityCubic(pair_);
  }

  /// Everything before this time is free of contact.
  WY_HD double Time() const { return time_; }

  /// Proves one more interval free of contact, or finds the features within the tolerance, or finds
  /// the rest of the step free. @shape interval: number of intervals before this one
  WY_HD WalkStep Advance(std::uint32_t interval) {
    const WalkPoint at(pair_, limits_, largest_, time_);
    if (at.Touches()) return WalkStep::kContact;
    if (time_ >= 1) return WalkStep::kFree;
    double reached = at.Reach();
    if (reached < 1 && interval >= kIntervalsWithoutCubic) {
      if (interval == kIntervalsWithoutCubic) cubic_ = MakeCoplanarityCubic(pair_);
      reached = Max(reached, cubic_.FreeFrom(time_, pair_, limits_.min_separation));
    }
    if (!(reached > time_)) return WalkStep::kContact;
    time_ = reached;
    return time_ >= limits_.end_time ? WalkStep::kFree : WalkStep::kAdvanced;
  }

 private:
  /// Most pairs end before computing the cubic would pay.
  static constexpr std::uint32_t kIntervalsWithoutCubic = 2;

  const MovingPair& pair_;
  const RootLimits& limits_;
  const Vector3d largest_;
  CoplanarityCubic cubic_{};
  double time_;
};

/// Number of intervals after which FindContactTurning takes over from a Walk.
inline constexpr std::uint32_t kManyIntervals = 12;

/// Resumes a walk that has taken many intervals. It tries planes that turn, over times that get
/// longer as long as the planes keep the features apart; where they fail, it takes an interval of
/// the other kinds. It is not inlined: few pairs get here, and the other pairs need the registers.
/// @shape limits: free_until is the time that the walk has reached; interval: number of intervals
/// before
WY_DEVICE_CALL WY_HD inline Contact FindContactTurning(const MovingPair& pair,
                                                       const RootLimits& limits,
                                                       std::uint32_t interval) {
  const Vector3d largest = LargestCoordinates(pair);
  const CoplanarityCubic cubic = MakeCoplanarityCubic(pair);
  WalkPoint at(pair, limits, largest, limits.free_until);
  double factor = 4, nearest = at.Distance();
  WY_ROLLED
  while (at.time < limits.end_time) {
    if (at.Touches()) return {true, false, at.time};
    if (interval++ >= limits.max_intervals) return {true, true, at.time};
    double reached = at.Reach();
    if (reached < 1) reached = Max(reached, cubic.FreeFrom(at.time, pair, limits.min_separation));
    if (!(reached > at.time)) return {true, false, at.time};
    // Where the features approach each other fast, a turning plane would fail and the other proofs
    // converge.
    if (factor >= 2 && at.Distance() > 0.5 * nearest) {
      const WalkPoint ahead(pair, limits, largest, Min(at.time + factor * (reached - at.time), 1));
      if (ahead.time > reached && !ahead.Touches() &&
          at.separation.ApartWhileTurning(at.time, ahead.separation, ahead.time)) {
        nearest = at.Distance();
        at = ahead;
        factor *= 2;
        continue;
      }
      factor *= 0.5;
    } else {
      factor *= 1.5;
    }
    nearest = at.Distance();
    at = WalkPoint(pair, limits, largest, reached);
  }
  return {};
}

/// Earliest contact of a pair before limits.end_time. If the end time is 1, a contact at time 1
/// counts.
WY_HD inline Contact FindContactConservative(const MovingPair& pair, const RootLimits& limits) {
  Walk walk(pair, limits);
  const std::uint32_t most =
      limits.max_intervals < kManyIntervals ? limits.max_intervals : kManyIntervals;
  for (std::uint32_t interval = 0; interval < most; ++interval) {
    switch (walk.Advance(interval)) {
      case WalkStep::kContact:
        return {true, false, walk.Time()};
      case WalkStep::kFree:
        return {};
      case WalkStep::kAdvanced:
        break;
    }
  }
  if (limits.max_intervals <= kManyIntervals) return {true, true, walk.Time()};
  RootLimits rest = limits;
  rest.free_until = walk.Time();
  return FindContactTurning(pair, rest, kManyIntervals);
}

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_NARROW_ROOT_CONSERVATIVE_H_
