// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Oriented bounding boxes: fitted to points or boxes by the axes of their covariance, and tested
// along 15 directions. [SilvaThesis §2.3.1], [Gottschalk]
//
// A box is the set {center + sum of t_i axis_i, |t_i| <= half_i} of exactly its floats. Its axes
// are rarely orthonormal to the last bit, and need not be: for any axes, the extent of the box
// along a direction is the sum of half_i |direction . axis_i|. Fitting enlarges the box for that.
// Deviates from [SilvaThesis §2.3.1]: extents come from projections, since eigenvalues bound
// nothing. Eigenvectors come from Jacobi's rotations, which need only + - * / and square roots, so
// that both backends compute the same bits.
#ifndef WARPYARD_CORE_WORKLOAD_GEOMETRY_ORIENTED_BOX_H_
#define WARPYARD_CORE_WORKLOAD_GEOMETRY_ORIENTED_BOX_H_

#include <cmath>

#include "core/base/macros.h"
#include "core/workload/geometry/bounds.h"
#include "core/workload/geometry/vector3.h"

namespace warpyard::geometry {

/// A closed box. @shape axis: rows, of length 1 but for rounding
struct alignas(64) OrientedBox {
  float center[3];
  float half[3];
  float axis[3][3];
  float unused;
};
static_assert(sizeof(OrientedBox) == 64);

namespace internal {

WY_HD inline double Abs(double value) { return value < 0 ? -value : value; }
WY_HD inline double Max(double a, double b) { return a > b ? a : b; }
WY_HD inline double Sum(const Vector3d& v) { return Abs(v.x) + Abs(v.y) + Abs(v.z); }
WY_HD inline Vector3d Row(const float (&v)[3]) { return {v[0], v[1], v[2]}; }

/// 64 roundings, more than any sum here has: the error of a sum is less than this fraction of the
/// sum of its terms' magnitudes.
inline constexpr double kRounding = 0x1p-46;

/// The reach of a box along a direction of any length.
WY_HD inline double Reach(const OrientedBox& box, const Vector3d& along) {
  double reach = 0;
  for (int i = 0; i < 3; ++i) {
    reach += static_cast<double>(box.half[i]) * Abs(Dot(along, Row(box.axis[i])));
  }
  return reach;
}

WY_HD inline double SumOfHalves(const OrientedBox& box) {
  return static_cast<double>(box.half[0]) + static_cast<double>(box.half[1]) +
         static_cast<double>(box.half[2]);
}

/// Two boxes, and the numbers that the tests of all directions need.
struct BoxPair {
  const OrientedBox& a;
  const OrientedBox& b;
  Vector3d between;
  double size;  ///< twice the most that a direction of length 1 can meet

  WY_HD BoxPair(const OrientedBox& first, const OrientedBox& second)
      : a(first), b(second), between(Row(second.center) - Row(first.center)) {
    size = Sum(between) + 2 * (SumOfHalves(a) + SumOfHalves(b));
  }

  /// Any direction is valid. Rounding a direction only makes it another direction, so only sums
  /// along it need a margin.
  WY_HD bool ApartAlong(const Vector3d& along) const {
    const double margin = kRounding * Sum(along) * size;
    return Abs(Dot(along, between)) > Reach(a, along) + Reach(b, along) + margin;
  }
};

/// Turns axes p and q so that m[p][q] becomes 0. @shape m symmetric; v: columns
WY_HD inline void Rotate(double (&m)[3][3], double (&v)[3][3], int p, int q) {
  const double off = m[p][q];
  if (off == 0) return;
  const double theta = (m[q][q] - m[p][p]) / (2 * off);
  const double t = (theta < 0 ? -1.0 : 1.0) / (Abs(theta) + sqrt(theta * theta + 1));
  const double c = 1 / sqrt(t * t + 1), s = t * c;
  const int r = 3 - p - q;
  const double rp = m[r][p], rq = m[r][q];
  m[p][p] -= t * off;
  m[q][q] += t * off;
  m[p][q] = m[q][p] = 0;
  m[r][p] = m[p][r] = c * rp - s * rq;
  m[r][q] = m[q][r] = s * rp + c * rq;
  for (int k = 0; k < 3; ++k) {
    const double kp = v[k][p], kq = v[k][q];
    v[k][p] = c * kp - s * kq;
    v[k][q] = s * kp + c * kq;
  }
}

/// Eigenvectors of a symmetric matrix as columns, by sweeps of Jacobi's rotations; four are enough
/// for doubles, two more cost little.
WY_HD inline void EigenVectors(double (&m)[3][3], double (&v)[3][3]) {
  WY_ROLLED
  for (int sweep = 0; sweep < 6; ++sweep) {
    Rotate(m, v, 0, 1);
    Rotate(m, v, 0, 2);
    Rotate(m, v, 1, 2);
  }
}

}  // namespace internal

/// Whether two boxes certainly have no common point. Returns false for boxes whose gap is within
/// rounding.
/// @shape components of axes at most 2
WY_HD inline bool Apart(const OrientedBox& a, const OrientedBox& b) {
  const internal::BoxPair pair(a, b);
  WY_ROLLED
  for (int i = 0; i < 3; ++i) {
    if (pair.ApartAlong(internal::Row(a.axis[i])) || pair.ApartAlong(internal::Row(b.axis[i]))) {
      return true;
    }
  }
  WY_ROLLED
  for (int i = 0; i < 9; ++i) {
    if (pair.ApartAlong(Cross(internal::Row(a.axis[i / 3]), internal::Row(b.axis[i % 3])))) {
      return true;
    }
  }
  return false;
}

/// A box that contains everything in any scene.
WY_HD inline OrientedBox BoxOfAll() {
  constexpr float kHuge = 3.402823466e38f;
  return {{0, 0, 0}, {kHuge, kHuge, kHuge}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, 0};
}

/// The input of a fit: points, or boxes by their centers and half their edges.
template <int kCount>
struct FitParts {
  Vector3d center[kCount];
  Vector3d arm[kCount][3];  ///< zeros for a point
};

/// Half the edges of a box. They are exact, since they are products of two floats.
WY_HD inline void ArmsOf(const OrientedBox& box, Vector3d (&arm)[3]) {
  for (int i = 0; i < 3; ++i) {
    arm[i] = static_cast<double>(box.half[i]) * internal::Row(box.axis[i]);
  }
}

namespace internal {

WY_HD inline void AddProduct(const Vector3d& v, double (&m)[3][3]) {
  const double x[3] = {v.x, v.y, v.z};
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) m[i][k] += x[i] * x[k];
  }
}

/// Axes of the covariance of points, or of the corners of boxes, as floats. Returns the axes of the
/// coordinates if the result is degenerate, which rounding alone does not cause. Returns the
/// largest difference between products of the axes and those of orthonormal axes.
template <int kCount>
WY_HD double FitAxes(const FitParts<kCount>& parts, const Vector3d& mean, OrientedBox& box) {
  double m[3][3] = {}, v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int p = 0; p < kCount; ++p) {
    AddProduct(parts.center[p] - mean, m);
    for (int k = 0; k < 3; ++k) AddProduct(parts.arm[p][k], m);
  }
  EigenVectors(m, v);
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) box.axis[i][k] = static_cast<float>(v[k][i]);
  }
  double defect = 0;
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k <= i; ++k) {
      const double product = Dot(Row(box.axis[i]), Row(box.axis[k]));
      defect = Max(defect, Abs(product - (i == k ? 1 : 0)));
    }
  }
  if (defect <= 1e-3) return defect;
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) box.axis[i][k] = i == k ? 1 : 0;
  }
  return 0;
}

/// How far a part extends from its center along an axis.
WY_HD inline double ReachOfArms(const Vector3d (&arm)[3], const Vector3d& along) {
  return Abs(Dot(along, arm[0])) + Abs(Dot(along, arm[1])) + Abs(Dot(along, arm[2]));
}

/// The centre of the range that the parts cover along each axis, as a point.
template <int kCount>
WY_HD Vector3d MiddleOf(const FitParts<kCount>& parts, const Vector3d& mean,
                        const OrientedBox& box) {
  Vector3d middle = mean;
  for (int i = 0; i < 3; ++i) {
    const Vector3d axis = Row(box.axis[i]);
    double low = 1e300, high = -1e300;
    for (int p = 0; p < kCount; ++p) {
      const double at = Dot(axis, parts.center[p] - mean), reach = ReachOfArms(parts.arm[p], axis);
      low = at - reach < low ? at - reach : low;
      high = Max(high, at + reach);
    }
    middle = middle + (0.5 * (low + high)) * axis;
  }
  return middle;
}

}  // namespace internal

/// A box that contains all parts and whatever is within `pad` of them.
///
/// Be A the matrix of its axes, as rounded, and x a point with x - center = A^T t. What is computed
/// is t' = A (x - center) = (1 + E) t, where no element of E is larger than `defect`: t and t'
/// differ by less than 4 `defect` times the largest of t'.
template <int kCount>
WY_HD OrientedBox FitBox(const FitParts<kCount>& parts, double pad) {
  using internal::Max;
  OrientedBox box{};
  Vector3d mean{0, 0, 0};
  for (int p = 0; p < kCount; ++p) mean = mean + (1.0 / kCount) * parts.center[p];
  const double defect = internal::FitAxes(parts, mean, box);
  const Vector3d middle = internal::MiddleOf(parts, mean, box);
  if (!(internal::Sum(middle) < 1e37)) return BoxOfAll();
  box.center[0] = static_cast<float>(middle.x);
  box.center[1] = static_cast<float>(middle.y);
  box.center[2] = static_cast<float>(middle.z);
  double half[3] = {0, 0, 0}, size = 0;
  for (int p = 0; p < kCount; ++p) {
    const Vector3d from_center = parts.center[p] - internal::Row(box.center);
    for (int i = 0; i < 3; ++i) {
      const Vector3d axis = internal::Row(box.axis[i]);
      half[i] = Max(half[i], internal::Abs(Dot(axis, from_center)) +
                                 internal::ReachOfArms(parts.arm[p], axis));
    }
    size = Max(size, internal::Sum(from_center) + internal::Sum(parts.arm[p][0]) +
                         internal::Sum(parts.arm[p][1]) + internal::Sum(parts.arm[p][2]));
  }
  const double most = Max(Max(half[0], half[1]), half[2]) + 1.01 * pad;
  const double slack =
      1.01 * pad + 4 * (defect + internal::kRounding) * most + internal::kRounding * size;
  if (!(most + slack < 1e37)) return BoxOfAll();
  for (int i = 0; i < 3; ++i) box.half[i] = RoundUp(half[i] + slack);
  return box;
}

}  // namespace warpyard::geometry

#endif  // WARPYARD_CORE_WORKLOAD_GEOMETRY_ORIENTED_BOX_H_
