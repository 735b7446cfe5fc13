// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The cubic of coplanarity: the volume that the four points of a pair span, over time.
//
// Features touch only while the volume is zero, so an interval without a root is free of contact.
// [SilvaThesis §2.3.2] uses the roots; here the cubic also proves intervals free, by the convex
// hull of its Bernstein coefficients. Each feature lies in a plane across the normal u x v below.
// The distance of both planes is the volume divided by the length of the normal. So while the
// volume exceeds a distance times that length, the features are further apart than the distance.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_NARROW_COPLANARITY_H_
#define WARPYARD_CORE_WORKLOAD_CCD_NARROW_COPLANARITY_H_

#include <cmath>

#include "core/base/macros.h"
#include "core/workload/ccd/job/moving_pair.h"
#include "core/workload/geometry/vector3.h"

namespace warpyard::ccd {

/// The ends of the vectors r, u, v of a pair's volume r . (u x v). Vertex-face:
/// from a to p, to b and to c. Edge-edge: from a0 to b0, from a0 to a1, from b0 to b1.
struct VolumeSides {
  int r_from, r_to, u_from, u_to, v_from, v_to;

  WY_HD explicit VolumeSides(PairKind kind) {
    const bool face = kind == PairKind::kVertexFace;
    r_from = face ? 1 : 0;
    r_to = face ? 0 : 2;
    u_from = face ? 1 : 0;
    u_to = face ? 2 : 1;
    v_from = face ? 1 : 2;
    v_to = 3;
  }
};

/// Subtracts `distance` times a bound of the length of u x v on [begin, end] from the Bernstein
/// coefficients `b` of a cubic there. The three coefficients of u x v itself give the bound: the
/// length of a sum is at most the sum of the lengths. Squares of lengths below 1e-140 may
/// underflow. It is not inlined, so that walks without a distance do not keep registers for it.
WY_DEVICE_CALL WY_HD inline void TakeOffNormal(const MovingPair& pair, double distance,
                                               double begin, double end, double (&b)[4]) {
  const VolumeSides sides(pair.kind);
  const Vector3d u0 = pair.start[sides.u_to] - pair.start[sides.u_from];
  const Vector3d v0 = pair.start[sides.v_to] - pair.start[sides.v_from];
  const Vector3d u1 = pair.end[sides.u_to] - pair.end[sides.u_from];
  const Vector3d v1 = pair.end[sides.v_to] - pair.end[sides.v_from];
  const Vector3d u_begin = (1 - begin) * u0 + begin * u1, u_end = (1 - end) * u0 + end * u1;
  const Vector3d v_begin = (1 - begin) * v0 + begin * v1, v_end = (1 - end) * v0 + end * v1;
  const Vector3d n[3] = {Cross(u_begin, v_begin),
                         0.5 * (Cross(u_begin, v_end) + Cross(u_end, v_begin)),
                         Cross(u_end, v_end)};
  double reach[3];
  for (int i = 0; i < 3; ++i) reach[i] = distance * (sqrt(Dot(n[i], n[i])) + 1e-140);
  b[0] -= reach[0];
  b[1] -= (reach[0] + 2 * reach[1]) / 3;
  b[2] -= (2 * reach[1] + reach[2]) / 3;
  b[3] -= reach[2];
}

/// c[0] + c[1] t + c[2] t^2 + c[3] t^3, and a bound of the rounding errors in its values.
///
/// The volume is r . (u x v) with vectors r, u, v between points. Let R, U, V be the sums of their
/// lengths at t = 0 and t = 1, and e = 2^-53. The vectors at the start and their changes have
/// errors of at most 2 e R (and so on), a triple product of them 15 e R U V, a coefficient at most
/// 48 e R U V; a value or a Bernstein coefficient on a part of [0, 1] then at most 275 e R U V.
/// `noise` is 512 e R U V. The length of u x v has an error of at most 48 e U V; `normal_noise` is
/// 128 e U V.
struct CoplanarityCubic {
  double c[4];
  double noise;
  double normal_noise = 0;

  WY_HD double At(double t) const { return ((c[3] * t + c[2]) * t + c[1]) * t + c[0]; }
  WY_HD double SlopeAt(double t) const { return (3 * c[3] * t + 2 * c[2]) * t + c[1]; }

  /// The Bernstein coefficients on [begin, end] of a function that is not positive where the volume
  /// may be zero, or where the planes of the features may be as near as `distance`.
  WY_HD void Bound(const MovingPair& pair, double distance, double begin, double end,
                   double (&b)[4]) const {
    const double sign = At(begin) < 0 ? -1 : 1;
    const double width = end - begin, margin = 2 * noise + distance * normal_noise;
    b[0] = sign * At(begin) - margin;
    b[3] = sign * At(end) - margin;
    b[1] = b[0] + sign * SlopeAt(begin) * (width / 3);
    b[2] = b[3] - sign * SlopeAt(end) * (width / 3);
    if (distance > 0) TakeOffNormal(pair, distance, begin, end, b);
  }

  /// A time in [begin, end] up to which the function of Bound is proved to be positive; `begin` if
  /// nothing can be proved. On [begin, end] the function lies above the lower convex hull of its
  /// four Bernstein coefficients, placed at equal distances. The hull crosses zero at the earliest
  /// crossing of the lines from a positive coefficient to a later one that is not.
  WY_HD double FreeUntil(const double (&b)[4], double begin, double end) const {
    const double width = end - begin;
    if (!(noise > 1e-290) || !(b[0] > 0)) return begin;  // below that, underflow exceeds the noise
    double crossing = 3;
    for (int i = 0; i < 3; ++i) {
      for (int j = i + 1; j < 4; ++j) {
        if (!(b[i] > 0) || b[j] > 0) continue;
        const double at = i + (j - i) * (b[i] / (b[i] - b[j]));
        if (!(at >= crossing)) crossing = at;
      }
    }
    if (crossing == 3) return end;
    const double until = begin + crossing / 3 * (1 - 0x1p-48) * width;
    return until < end ? until : begin;  // rounding gave the end, which is not proved
  }

  /// FreeUntil for the rest of the step. It uses the whole rest, or a part of it in which the cubic
  /// is nearly straight, so that the result converges to a root like Newton's method.
  WY_HD double FreeFrom(double begin, const MovingPair& pair, double distance) const {
    double free = begin, end = 1;
    WY_ROLLED
    for (int part = 0; part < 2; ++part) {
      double b[4];
      Bound(pair, distance, begin, end, b);
      const double until = FreeUntil(b, begin, end);
      if (until > free) free = until;
      if (part > 0) break;
      const double newton =
          distance > 0 ? b[0] / (b[0] - b[1]) * ((end - begin) / 3) : -At(begin) / SlopeAt(begin);
      end = begin + 1.5 * newton;
      if (!(newton > 0 && end < 1)) break;
    }
    return free;
  }
};

WY_HD inline CoplanarityCubic MakeCoplanarityCubic(const MovingPair& pair) {
  const VolumeSides sides(pair.kind);
  const Vector3d r0 = pair.start[sides.r_to] - pair.start[sides.r_from];
  const Vector3d u0 = pair.start[sides.u_to] - pair.start[sides.u_from];
  const Vector3d v0 = pair.start[sides.v_to] - pair.start[sides.v_from];
  const Vector3d r_end = pair.end[sides.r_to] - pair.end[sides.r_from];
  const Vector3d u_end = pair.end[sides.u_to] - pair.end[sides.u_from];
  const Vector3d v_end = pair.end[sides.v_to] - pair.end[sides.v_from];
  const Vector3d r1 = r_end - r0, u1 = u_end - u0, v1 = v_end - v0;
  const Vector3d n0 = Cross(u0, v0);
  const Vector3d n1 = Cross(u1, v0) + Cross(u0, v1);
  const Vector3d n2 = Cross(u1, v1);
  const double r = sqrt(Dot(r0, r0)) + sqrt(Dot(r_end, r_end));
  const double u = sqrt(Dot(u0, u0)) + sqrt(Dot(u_end, u_end));
  const double v = sqrt(Dot(v0, v0)) + sqrt(Dot(v_end, v_end));
  return {{Dot(r0, n0), Dot(r1, n0) + Dot(r0, n1), Dot(r1, n1) + Dot(r0, n2), Dot(r1, n2)},
          0x1p-44 * (r * u * v),
          0x1p-46 * (u * v)};
}

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_NARROW_COPLANARITY_H_
