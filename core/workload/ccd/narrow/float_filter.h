// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Filters of feature pairs in single precision. A pair that they leave out stays further apart,
// throughout the step, than any pair that a root finder would report.
//
// So they change the amount of work and not the result, except for pairs that are only reported
// because their search is capped. There are four tests, cheapest first. Two of them compare the
// features along a direction: along the axes (separation.h, ApartOnAnyAxis) and along the line
// between the centres. The third proves that the four points are never coplanar, by the sign of the
// Bernstein coefficients of the volume that they span. [SilvaThesis §2.3.2: non-penetration
// filters; deviates from it: with margins for rounding, and in single precision.] The fourth is the
// first intervals of the conservative finder's walk (float_walk.h).
//
// Rounding. Let u = 2^-24 and M the largest coordinate. A point rounded to floats is off by u M a
// coordinate, a vector between two by d = 4 u M.
// - Along a direction whose absolute coordinates have the sum D: a product with a vector is off by
//   10 u M D, a difference of the least and the largest of them by 40 u M D, and that at a time
//   between both ends by 12 u M D more.
// - Triple products of vectors with coordinates of at most R, U, V: three of them, as a coefficient
//   has, are off by 18 d (UV + RV + RU), terms of second order apart, and computed with an error of
//   114 u RUV.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_NARROW_FLOAT_FILTER_H_
#define WARPYARD_CORE_WORKLOAD_CCD_NARROW_FLOAT_FILTER_H_

#include "core/base/macros.h"
#include "core/workload/ccd/job/moving_pair.h"
#include "core/workload/ccd/narrow/closest_points.h"
#include "core/workload/geometry/vector3.h"

namespace warpyard::ccd {

/// The margins by which floats must differ so that exact positions are apart.
struct FloatMargins {
  float rounding;  ///< four roundings of the largest coordinate; at least 1e-36
  float near;      ///< distance that may count as a contact

  /// The margin for a comparison of coordinates, which has fewer than three roundings.
  WY_HD float OfCoordinates() const { return rounding + near; }
};

/// The four points of a pair at one end of a step, as vectors between them. Vertex-face: from the
/// first corner of the face to the vertex, and to its other corners. Edge-edge: from the first edge
/// to the second one, and along both.
struct PairVectors {
  using Vector3f = geometry::Vector3<float>;
  Vector3f r, u, v;

  /// @shape x: of the four points
  WY_HD PairVectors(PairKind kind, const Vector3f (&x)[4]) {
    const bool face = kind == PairKind::kVertexFace;
    const Vector3f origin = face ? x[1] : x[0], to = face ? x[0] : x[2];
    r = to - origin;
    u = (face ? x[2] : x[1]) - origin;
    v = x[3] - (face ? origin : to);
  }

  /// Largest absolute coordinate of a vector at both ends.
  WY_HD static float Largest(const Vector3f& a, const Vector3f& b) {
    return Max(Max(Max(Abs(a.x), Abs(a.y)), Max(Abs(a.z), Abs(b.x))), Max(Abs(b.y), Abs(b.z)));
  }
  WY_HD static float Abs(float value) { return value < 0 ? -value : value; }
  WY_HD static float Max(float a, float b) { return a > b ? a : b; }
  WY_HD static float Min(float a, float b) { return a < b ? a : b; }
};

/// Above this margin, products could overflow.
inline constexpr float kLargestMargin = 1e30f;

/// Whether the features are apart along the line between their centres at both ends, and so
/// throughout.
WY_HD inline bool ApartAlongCentres(PairKind kind, const PairVectors& start, const PairVectors& end,
                                    const FloatMargins& margins) {
  using P = PairVectors;
  const bool face = kind == PairKind::kVertexFace;
  const P::Vector3f r = start.r + end.r, u = start.u + end.u, v = start.v + end.v;
  const P::Vector3f d = face ? 3.0f * r - u - v : 2.0f * r + v - u;
  const auto least = [&](const PairVectors& at) {
    const float along_u = Dot(d, at.u), along_v = Dot(d, at.v);
    const float beyond = P::Max(0, face ? P::Max(along_u, along_v) : along_u);
    return Dot(d, at.r) - beyond + (face ? 0 : P::Min(0, along_v));
  };
  const float sum = P::Abs(d.x) + P::Abs(d.y) + P::Abs(d.z);
  const float margin = sum * (16 * margins.rounding + margins.near) + 1e-36f;
  return (P::Min(least(start), least(end)) > margin) & (margin < kLargestMargin);
}

/// Whether the four points span a volume that keeps its sign throughout and is so large that the
/// features are not near each other. A volume is the length of u x v times a distance: that of a
/// point from a plane, or that of two lines.
WY_HD inline bool NeverCoplanar(const PairVectors& start, const PairVectors& end,
                                const FloatMargins& margins) {
  using P = PairVectors;
  const P::Vector3f n0 = Cross(start.u, start.v), n2 = Cross(end.u, end.v);
  const P::Vector3f n1 = Cross(start.u, end.v) + Cross(end.u, start.v);
  // Three times each coefficient.
  const float b0 = 3.0f * Dot(start.r, n0), b1 = Dot(end.r, n0) + Dot(start.r, n1);
  const float b2 = Dot(start.r, n2) + Dot(end.r, n1), b3 = 3.0f * Dot(end.r, n2);
  const float least = P::Min(P::Min(b0, b1), P::Min(b2, b3));
  const float largest = P::Max(P::Max(b0, b1), P::Max(b2, b3));
  const float slack = 2 * margins.rounding;  // stands for the terms of second order
  const float of_r = P::Largest(start.r, end.r) + slack, of_u = P::Largest(start.u, end.u) + slack;
  const float of_v = P::Largest(start.v, end.v) + slack, uv = of_u * of_v;
  const float margin = 32 * margins.rounding * (uv + of_r * (of_u + of_v)) +
                       0x1.4p-17f * of_r * uv + 9 * margins.near * uv + 1e-36f * (1 + of_r);
  return ((least > margin) | (largest < -margin)) & (margin < kLargestMargin);
}

/// Both tests in floats. @shape points: of the pair
WY_HD inline bool ApartInFloats(PairKind kind, const FloatPoint* const (&points)[4],
                                const FloatMargins& margins) {
  PairVectors::Vector3f starts[4], ends[4];
  for (int k = 0; k < 4; ++k) {
    const FloatPoint point = *points[k];
    starts[k] = {point.start[0], point.start[1], point.start[2]};
    ends[k] = {point.end[0], point.end[1], point.end[2]};
  }
  const PairVectors start(kind, starts), end(kind, ends);
  return ApartAlongCentres(kind, start, end, margins) | NeverCoplanar(start, end, margins);
}

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_NARROW_FLOAT_FILTER_H_
