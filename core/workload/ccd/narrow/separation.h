// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Rigorous tests that two moving features stay apart.
//
// For any direction d the two groups of a pair are apart at time t if d . (x_i - y_j) > 0 for all
// points x_i of the first and y_j of the second, because then a plane with normal d lies between
// their hulls. Points move linearly, so each of these differences is linear in t: positive at both
// ends of an interval, it is positive throughout. That is an inclusion function of the pair's
// separation over (t, u, v) whose only error is rounding, and rounding is bounded below.
// Source: ours; the corner test with d along an axis is the inclusion test of Wang et al. 2021,
// with d from the features it takes the place of the non-penetration filter [SilvaThesis §2.3.2].
#ifndef WARPYARD_CORE_WORKLOAD_CCD_NARROW_SEPARATION_H_
#define WARPYARD_CORE_WORKLOAD_CCD_NARROW_SEPARATION_H_

#include "core/base/macros.h"
#include "core/exec/simd_float3.h"
#include "core/workload/ccd/job/moving_pair.h"

namespace warpyard::ccd {

WY_HD inline double Abs(double value) { return value < 0 ? -value : value; }
WY_HD inline double Max(double a, double b) { return a > b ? a : b; }
WY_HD inline double Min(double a, double b) { return a < b ? a : b; }

/// Whether one axis keeps the groups apart by more than `gap` for all t in [0, 1]. No margin is
/// needed: a rounded difference lies on the same side of any number as the exact one. @shape s, e:
/// a coordinate of the four points
WY_HD inline bool ApartOnAxis(PairKind kind, const double (&s)[4], const double (&e)[4],
                              double gap) {
  if (kind == PairKind::kVertexFace) {
    const double low0 = Min(Min(s[1], s[2]), s[3]), high0 = Max(Max(s[1], s[2]), s[3]);
    const double low1 = Min(Min(e[1], e[2]), e[3]), high1 = Max(Max(e[1], e[2]), e[3]);
    return ((low0 - s[0] > gap) & (low1 - e[0] > gap)) |
           ((s[0] - high0 > gap) & (e[0] - high1 > gap));
  }
  const bool below =
      (Min(s[2], s[3]) - Max(s[0], s[1]) > gap) & (Min(e[2], e[3]) - Max(e[0], e[1]) > gap);
  const bool above =
      (Min(s[0], s[1]) - Max(s[2], s[3]) > gap) & (Min(e[0], e[1]) - Max(e[2], e[3]) > gap);
  return below | above;
}

/// ApartOnAxis for x, y or z.
WY_HD inline bool ApartOnAnyAxis(const MovingPair& p, double gap = 0) {
  return ApartOnAxis(p.kind, {p.start[0].x, p.start[1].x, p.start[2].x, p.start[3].x},
                     {p.end[0].x, p.end[1].x, p.end[2].x, p.end[3].x}, gap) ||
         ApartOnAxis(p.kind, {p.start[0].y, p.start[1].y, p.start[2].y, p.start[3].y},
                     {p.end[0].y, p.end[1].y, p.end[2].y, p.end[3].y}, gap) ||
         ApartOnAxis(p.kind, {p.start[0].z, p.start[1].z, p.start[2].z, p.start[3].z},
                     {p.end[0].z, p.end[1].z, p.end[2].z, p.end[3].z}, gap);
}

/// The least and the largest coordinates of both groups of a pair at one time.
struct GroupExtents {
  exec::Float3 first_low, first_high, second_low, second_high;

  /// @shape x: of the four points
  WY_HD GroupExtents(PairKind kind, const exec::Float3 (&x)[4]) {
    using exec::Max3;
    using exec::Min3;
    second_low = Min3(x[2], x[3]);
    second_high = Max3(x[2], x[3]);
    if (kind == PairKind::kVertexFace) {
      first_low = first_high = x[0];
      second_low = Min3(second_low, x[1]);
      second_high = Max3(second_high, x[1]);
    } else {
      first_low = Min3(x[0], x[1]);
      first_high = Max3(x[0], x[1]);
    }
  }
};

/// ApartOnAnyAxis of points that were rounded to floats: true only if the exact points are apart.
/// @shape points: the four points of the pair; margin: at least four roundings of the largest
/// coordinate,
///     and the gap
WY_HD inline bool ApartOnAnyAxis(PairKind kind, const FloatPoint* const (&points)[4],
                                 float margin) {
  exec::Float3 start[4], end[4];
  for (int k = 0; k < 4; ++k) {
    start[k] = exec::Load3(points[k]->start);
    end[k] = exec::Load3(points[k]->end);
  }
  const GroupExtents s(kind, start), e(kind, end);
  return exec::AnyBothAbove3(s.second_low, s.first_high, e.second_low, e.first_high, margin) |
         exec::AnyBothAbove3(s.first_low, s.second_high, e.first_low, e.second_high, margin);
}

/// Largest magnitude of each coordinate among the eight points of a pair.
WY_HD inline Vector3d LargestCoordinates(const MovingPair& pair) {
  Vector3d largest{0, 0, 0};
  for (int k = 0; k < 4; ++k) {
    largest.x = Max(largest.x, Max(Abs(pair.start[k].x), Abs(pair.end[k].x)));
    largest.y = Max(largest.y, Max(Abs(pair.start[k].y), Abs(pair.end[k].y)));
    largest.z = Max(largest.z, Max(Abs(pair.start[k].z), Abs(pair.end[k].z)));
  }
  return largest;
}

/// The number that d . (x - y) must exceed so that x and y are further apart than `distance`,
/// without the margin of SeparationOverTime. @shape `length`: of d, rounded; for a short d, squares
/// may have underflowed
WY_HD inline double GapAlong(double length, double distance) {
  return distance * (length + 1e-140);
}

/// The differences d . (x_i - y_j) - gap of one direction as linear functions of time, with a bound
/// of the rounding errors in their values. "Apart" is further apart than the distance of the gap.
///
/// With S = sum |d_k| largest_k, G the gap and e = 2^-53: a projection d . x has an error of at
/// most 3 e S, a difference of two 8 e S, less the gap 10 e S + 5 e G, its linear interpolation at
/// a rounded time 16 e S + 8 e G. `margin` is 32 e (S + G), so a computed value above `margin`
/// proves that the exact one is positive. Underflow is ruled out by `Usable`.
class SeparationOverTime {
 public:
  /// @shape `largest`: LargestCoordinates(pair); `gap`: 0, or GapAlong the direction
  WY_HD SeparationOverTime(const MovingPair& pair, const Vector3d& direction,
                           const Vector3d& largest, double gap = 0) {
    const double scale =
        Abs(direction.x) * largest.x + Abs(direction.y) * largest.y + Abs(direction.z) * largest.z;
    margin_ = (scale + gap) * 0x1p-48;
    double at_start[4], at_end[4];
    for (int k = 0; k < 4; ++k) {
      at_start[k] = Dot(direction, pair.start[k]);
      at_end[k] = Dot(direction, pair.end[k]);
    }
    for (int i = 0; i < 4; ++i) {
      const int first = pair.kind == PairKind::kVertexFace ? 0 : i / 2;
      const int second = pair.kind == PairKind::kVertexFace ? (i < 3 ? i + 1 : 3) : 2 + i % 2;
      start_[i] = at_start[first] - at_start[second] - gap;
      end_[i] = at_end[first] - at_end[second] - gap;
    }
  }

  /// False where numbers are so small that underflow could exceed the margin.
  WY_HD bool Usable() const { return margin_ > 1e-290; }

  WY_HD double Margin() const { return margin_; }

  /// Least difference at time `t`, rounded.
  WY_HD double LeastAt(double t) const {
    double least = At(0, t);
    for (int i = 1; i < 4; ++i) least = Min(least, At(i, t));
    return least;
  }

  /// Whether the groups are apart at `t`; apart at two times means apart between them too.
  WY_HD bool ApartAt(double t) const { return Usable() && LeastAt(t) > margin_; }

  /// Whether a turning plane keeps the groups apart from `begin` to `end`: its normal changes
  /// linearly from this direction to the direction of `other`. The difference of two points along
  /// the normal is a quadratic of time, with the Bernstein coefficients f(begin), (f(end) +
  /// g(begin)) / 2 and g(end) for the differences f and g along both directions. The interpolated
  /// gap is for a normal at least as long as the real one, so it is large enough.
  WY_HD bool ApartWhileTurning(double begin, const SeparationOverTime& other, double end) const {
    double between = At(0, end) + other.At(0, begin);
    for (int i = 1; i < 4; ++i) between = Min(between, At(i, end) + other.At(i, begin));
    return ApartAt(begin) && other.ApartAt(end) && between > margin_ + other.margin_;
  }

  /// Whether the groups are apart for all t in [0, 1].
  WY_HD bool ApartThroughout() const {
    const double least = Min(Min(Min(start_[0], start_[1]), Min(start_[2], start_[3])),
                             Min(Min(end_[0], end_[1]), Min(end_[2], end_[3])));
    return Usable() && least > margin_;
  }

  /// First time in (0, 1] at which a difference falls to `level`, or 2 if none does. The time is
  /// rounded: check it with ApartAt. @units `level` below LeastAt of the time from which the caller
  /// looks ahead
  WY_HD double TimeAtLevel(double level) const {
    double first = 2;
    for (int i = 0; i < 4; ++i) {
      if (end_[i] < level) first = Min(first, (start_[i] - level) / (start_[i] - end_[i]));
    }
    return first;
  }

 private:
  WY_HD double At(int i, double t) const { return (1.0 - t) * start_[i] + t * end_[i]; }

  double margin_;
  double start_[4];  // for a vertex-face pair the fourth repeats the third
  double end_[4];
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_NARROW_SEPARATION_H_
