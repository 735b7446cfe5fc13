// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The vector between the closest points of two features at one moment.
//
// Plain floating point, no guarantee: callers use it as a *choice* of direction, or with a
// tolerance. The regions of the triangle and the clamping of the segments are the textbook ones (C.
// Ericson, Real-Time Collision Detection, 5.1.5 and 5.1.9).
#ifndef WARPYARD_CORE_WORKLOAD_CCD_NARROW_CLOSEST_POINTS_H_
#define WARPYARD_CORE_WORKLOAD_CCD_NARROW_CLOSEST_POINTS_H_

#include <type_traits>

#include "core/base/macros.h"
#include "core/workload/ccd/job/moving_pair.h"
#include "core/workload/geometry/vector3.h"

namespace warpyard::ccd {

/// Vectors whose scalar type the caller must name, since it cannot be deduced; doubles by default.
template <class T>
using Vec = geometry::Vector3<std::type_identity_t<T>>;

template <class T>
WY_HD T Clamp01(T value) {
  return value < 0 ? 0 : value > 1 ? 1 : value;
}

/// Where the closest points lie in the interior of both features, the vector between them is
/// parallel to `normal`. The normal's direction has no cancellation, while the difference of two
/// close points has.
template <class T = double>
WY_HD Vec<T> AlongNormal(const Vec<T>& normal, const Vec<T>& offset) {
  const T squared = Dot(normal, normal);
  if (!(squared > 0)) return offset;
  return (Dot(offset, normal) / squared) * normal;
}

/// From the closest point of segment a b to point p.
template <class T = double>
WY_HD Vec<T> PointSegmentOffset(const Vec<T>& p, const Vec<T>& a, const Vec<T>& b) {
  const Vec<T> ab = b - a, ap = p - a;
  const T squared = Dot(ab, ab);
  return squared > 0 ? ap - Clamp01(Dot(ab, ap) / squared) * ab : ap;
}

/// The shortest offset from the sides of a triangle. It is for triangles without area, whose normal
/// is only rounding error.
template <class T = double>
WY_HD Vec<T> PointSidesOffset(const Vec<T>& p, const Vec<T>& a, const Vec<T>& b, const Vec<T>& c) {
  Vec<T> best = PointSegmentOffset<T>(p, a, b);
  const Vec<T> others[2] = {PointSegmentOffset<T>(p, b, c), PointSegmentOffset<T>(p, c, a)};
  for (const Vec<T>& other : others) {
    if (Dot(other, other) < Dot(best, best)) best = other;
  }
  return best;
}

/// From the closest point of triangle a, b, c to point p. The strict conditions are for triangles
/// with two corners in one place, whose edges of length zero have no region.
template <class T = double>
WY_HD Vec<T> PointTriangleOffset(const Vec<T>& p, const Vec<T>& a, const Vec<T>& b,
                                 const Vec<T>& c) {
  const Vec<T> ab = b - a, ac = c - a, ap = p - a;
  const T d1 = Dot(ab, ap), d2 = Dot(ac, ap);
  if (d1 <= 0 && d2 <= 0) return ap;
  const Vec<T> bp = p - b;
  const T d3 = Dot(ab, bp), d4 = Dot(ac, bp);
  if (d3 >= 0 && d4 <= d3) return bp;
  const T vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0 && d1 > d3) return ap - (d1 / (d1 - d3)) * ab;
  const Vec<T> cp = p - c;
  const T d5 = Dot(ab, cp), d6 = Dot(ac, cp);
  if (d6 >= 0 && d5 <= d6) return cp;
  const T vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0 && d2 > d6) return ap - (d2 / (d2 - d6)) * ac;
  const T va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0 && (d4 - d3) + (d5 - d6) > 0) {
    return bp - ((d4 - d3) / ((d4 - d3) + (d5 - d6))) * (c - b);
  }
  const Vec<T> normal = Cross(ab, ac);
  if (!(Dot(normal, normal) > static_cast<T>(1e-20) * Dot(ab, ab) * Dot(ac, ac)))
    return PointSidesOffset<T>(p, a, b, c);
  return AlongNormal<T>(normal, ap);
}

/// From the closest point of segment b0 b1 to the closest point of segment a0 a1.
template <class T = double>
WY_HD Vec<T> SegmentSegmentOffset(const Vec<T>& a0, const Vec<T>& a1, const Vec<T>& b0,
                                  const Vec<T>& b1) {
  const Vec<T> da = a1 - a0, db = b1 - b0, r = a0 - b0;
  const T a = Dot(da, da), e = Dot(db, db), f = Dot(db, r);
  if (!(a > 0)) {
    const T s = e > 0 ? Clamp01(f / e) : 0;
    return r - s * db;
  }
  const T c = Dot(da, r);
  if (!(e > 0)) return r + Clamp01(-c / a) * da;
  const T b = Dot(da, db);
  const T denominator = a * e - b * b;
  T s = denominator > 0 ? Clamp01((b * f - c * e) / denominator) : 0;
  const bool s_inside = s > 0 && s < 1;
  T t = (b * s + f) / e;
  if (t < 0 || t > 1) {
    t = Clamp01(t);
    s = Clamp01((t * b - c) / a);
  } else if (s_inside && denominator > static_cast<T>(1e-8) * a * e) {
    return AlongNormal<T>(Cross(da, db), r);
  }
  return r + s * da - t * db;
}

/// From the closest point of the second group of `pair` to the closest point of the first group, at
/// time `t`.
WY_HD inline Vector3d OffsetAt(const MovingPair& pair, double t) {
  const Vector3d p0 = pair.At(0, t), p1 = pair.At(1, t), p2 = pair.At(2, t), p3 = pair.At(3, t);
  return pair.kind == PairKind::kVertexFace ? PointTriangleOffset(p0, p1, p2, p3)
                                            : SegmentSegmentOffset(p0, p1, p2, p3);
}

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_NARROW_CLOSEST_POINTS_H_
