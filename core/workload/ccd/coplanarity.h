// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The cubic of coplanarity: the volume that the four points of a pair span, over time.
//
// Features touch only while the volume is zero, so an interval without a root is free of contact.
// [SilvaThesis §2.3.2] uses the roots; here the cubic also proves intervals free, by the convex
// hull of its Bernstein coefficients.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_COPLANARITY_H_
#define WARPYARD_CORE_WORKLOAD_CCD_COPLANARITY_H_

#include <cmath>

#include "core/base/macros.h"
#include "core/workload/ccd/moving_pair.h"
#include "core/workload/geometry/vector3.h"

namespace warpyard::ccd {

/// c[0] + c[1] t + c[2] t^2 + c[3] t^3, and a bound of the rounding errors in its values.
///
/// The volume is r . (u x v) with vectors r, u, v between points. Let R, U, V be the sums of their
/// lengths at t = 0 and t = 1, and e = 2^-53. The vectors at the start and their changes have
/// errors of at most 2 e R (and so on), a triple product of them 15 e R U V, a coefficient at most
/// 48 e R U V; a value or a Bernstein coefficient on a part of [0, 1] then at most 275 e R U V.
/// `noise` is 512 e R U V.
struct CoplanarityCubic {
  double c[4];
  double noise;

  WY_HD double At(double t) const { return ((c[3] * t + c[2]) * t + c[1]) * t + c[0]; }
  WY_HD double SlopeAt(double t) const { return (3 * c[3] * t + 2 * c[2]) * t + c[1]; }

  /// A time in [begin, end] up to which the volume is proved not to be zero; `begin` if nothing can
  /// be proved. On [begin, end] the cubic lies above the lower convex hull of its four Bernstein
  /// coefficients, spread evenly; the hull's crossing of zero is the earliest among the lines from
  /// a coefficient above to a later one below.
  WY_HD double FreeUntil(double begin, double end) const {
    const double sign = At(begin) < 0 ? -1 : 1;
    const double width = end - begin, margin = 2 * noise;
    const double first = sign * At(begin) - margin, last = sign * At(end) - margin;
    const double b[4] = {first, first + sign * SlopeAt(begin) * (width / 3),
                         last - sign * SlopeAt(end) * (width / 3), last};
    if (!(noise > 1e-290) || !(b[0] > 0)) return begin;  // below, underflow exceeds the noise
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
    return until < end ? until : begin;  // rounded up to the end, which is not proved
  }

  /// FreeUntil for the rest of the step: from the whole rest, or from a part of it in which the
  /// cubic is close to straight, so that the result converges to a root like Newton's method.
  WY_HD double FreeFrom(double begin) const {
    const double all = FreeUntil(begin, 1);
    const double newton = -At(begin) / SlopeAt(begin);
    const double near_end = begin + 1.5 * newton;
    if (!(newton > 0 && near_end < 1)) return all;
    const double near_part = FreeUntil(begin, near_end);
    return near_part > all ? near_part : all;
  }
};

/// Vertex-face: p - a, b - a, c - a. Edge-edge: b0 - a0, a1 - a0, b1 - b0.
WY_HD inline CoplanarityCubic MakeCoplanarityCubic(const MovingPair& pair) {
  const bool face = pair.kind == PairKind::kVertexFace;
  const int r_from = face ? 1 : 0, r_to = face ? 0 : 2;
  const int u_from = face ? 1 : 0, u_to = face ? 2 : 1;
  const int v_from = face ? 1 : 2, v_to = 3;
  const Vector3d r0 = pair.start[r_to] - pair.start[r_from];
  const Vector3d u0 = pair.start[u_to] - pair.start[u_from];
  const Vector3d v0 = pair.start[v_to] - pair.start[v_from];
  const Vector3d r_end = pair.end[r_to] - pair.end[r_from];
  const Vector3d u_end = pair.end[u_to] - pair.end[u_from];
  const Vector3d v_end = pair.end[v_to] - pair.end[v_from];
  const Vector3d r1 = r_end - r0, u1 = u_end - u0, v1 = v_end - v0;
  const Vector3d n0 = Cross(u0, v0);
  const Vector3d n1 = Cross(u1, v0) + Cross(u0, v1);
  const Vector3d n2 = Cross(u1, v1);
  const double r = sqrt(Dot(r0, r0)) + sqrt(Dot(r_end, r_end));
  const double u = sqrt(Dot(u0, u0)) + sqrt(Dot(u_end, u_end));
  const double v = sqrt(Dot(v0, v0)) + sqrt(Dot(v_end, v_end));
  return {{Dot(r0, n0), Dot(r1, n0) + Dot(r0, n1), Dot(r1, n1) + Dot(r0, n2), Dot(r1, n2)},
          0x1p-44 * (r * u * v)};
}

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_COPLANARITY_H_
