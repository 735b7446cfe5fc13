// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Time of impact from the cubic of coplanarity: fast, in floating point, without a guarantee.
//
// Four points can only touch as vertex and face, or as two edges, when they are coplanar. The
// volume that they span is a cubic in t. The roots of its derivative divide [0, 1] into monotone
// pieces. Newton's method, with bisection as the safeguard, finds the root in each piece. The time
// of impact is the first root at which the features are within the tolerance. [SilvaThesis §2.3.2]
// Deviates from it: a piece whose end is zero within rounding counts as a root (a graze). A cubic
// that is zero within rounding throughout (planar motion), or flat around a root (a nearly triple
// one), goes to the conservative finder.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_NARROW_ROOT_CUBIC_H_
#define WARPYARD_CORE_WORKLOAD_CCD_NARROW_ROOT_CUBIC_H_

#include <cmath>

#include "core/base/macros.h"
#include "core/workload/ccd/job/moving_pair.h"
#include "core/workload/ccd/narrow/closest_points.h"
#include "core/workload/ccd/narrow/coplanarity.h"
#include "core/workload/ccd/narrow/root_conservative.h"
#include "core/workload/ccd/narrow/separation.h"

namespace warpyard::ccd {

/// A root of the cubic in [low, high], between whose ends it changes sign and is monotone.
WY_HD inline double RefineRoot(const CoplanarityCubic& cubic, double low, double high) {
  const bool rising = cubic.At(high) > 0;
  double t = 0.5 * (low + high);
  for (int round = 0; round < 64 && high - low > 1e-15; ++round) {
    const double value = cubic.At(t);
    if (value == 0) return t;
    ((value > 0) == rising ? high : low) = t;
    const double newton = t - value / cubic.SlopeAt(t);
    const double next = newton > low && newton < high ? newton : 0.5 * (low + high);
    if (next == t) break;
    t = next;
  }
  return t;
}

/// The ends of the monotone pieces of the cubic in [0, 1], ascending; returns their number (2 to
/// 4).
WY_HD inline int MonotonePieces(const CoplanarityCubic& cubic, double (&ends)[4]) {
  int count = 0;
  ends[count++] = 0;
  const double a = 3 * cubic.c[3], half_b = cubic.c[2], c = cubic.c[1];
  const double discriminant = half_b * half_b - a * c;
  if (discriminant >= 0) {
    const double q = -(half_b + (half_b < 0 ? -sqrt(discriminant) : sqrt(discriminant)));
    double first = q / a, second = c / q;  // inf or NaN where a root is missing
    if (!(first < second)) {
      const double swap = first;
      first = second;
      second = swap;
    }
    if (first > 0 && first < 1) ends[count++] = first;
    if (second > 0 && second < 1 && second != first) ends[count++] = second;
  }
  ends[count++] = 1;
  return count;
}

/// Whether rounding makes a root so uncertain that the features may move further than the tolerance
/// within the uncertainty: an error of `noise` in the value moves the root by noise / slope.
WY_HD inline bool IsVague(const MovingPair& pair, const CoplanarityCubic& cubic, double root,
                          double tolerance) {
  double longest = 0;
  for (int k = 0; k < 4; ++k) {
    const Vector3d displacement = pair.end[k] - pair.start[k];
    longest = Max(longest, sqrt(Dot(displacement, displacement)));
  }
  return Abs(cubic.SlopeAt(root)) * tolerance <= 2 * cubic.noise * longest;
}

/// Earliest contact of a pair before limits.end_time.
WY_HD inline Contact FindContactCubic(const MovingPair& pair, const RootLimits& limits) {
  const CoplanarityCubic cubic = MakeCoplanarityCubic(pair);
  const double size = Abs(cubic.c[0]) + Abs(cubic.c[1]) + Abs(cubic.c[2]) + Abs(cubic.c[3]);
  if (!(size > 4 * cubic.noise)) return FindContactConservative(pair, limits);
  double ends[4];
  const int count = MonotonePieces(cubic, ends);
  const auto touches = [&](double t) {
    const Vector3d offset = OffsetAt(pair, t);
    return !(sqrt(Dot(offset, offset)) > limits.tolerance);
  };
  // The end time only decides whether a contact counts. If it also decided which contact is found,
  // the earliest time of many pairs would depend on the order in which they are examined.
  const auto contact = [&](double t) {
    return limits.end_time < 1 && t >= limits.end_time ? Contact{} : Contact{true, false, t};
  };
  for (int piece = 0; piece < count; ++piece) {
    const double at_end = cubic.At(ends[piece]);
    if (Abs(at_end) <= cubic.noise && touches(ends[piece])) return contact(ends[piece]);
    if (piece + 1 == count) break;
    if ((at_end > 0) == (cubic.At(ends[piece + 1]) > 0)) continue;
    const double root = RefineRoot(cubic, ends[piece], ends[piece + 1]);
    if (touches(root)) return contact(root);
    if (IsVague(pair, cubic, root, limits.tolerance)) return FindContactConservative(pair, limits);
  }
  return {};
}

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_NARROW_ROOT_CUBIC_H_
