// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Quadric errors: weighted sums of squared distances to planes. [Garland & Heckbert 1997]
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_QUADRIC_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_QUADRIC_H_

#include <cmath>

#include "core/base/macros.h"
#include "core/workload/geometry/vector3.h"

namespace warpyard::simplify {

using geometry::Vector3d;

WY_HD inline double LengthOf(const Vector3d& v) { return std::sqrt(geometry::Dot(v, v)); }

/// The sum over planes of weight * (n . p + d)^2, as a symmetric matrix, a vector and a number.
struct Quadric {
  double xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0;  ///< of n n^T
  double x = 0, y = 0, z = 0;                             ///< of d n
  double constant = 0;                                    ///< of d^2
  double weight = 0;

  /// @shape normal: of length 1
  WY_HD void AddPlane(const Vector3d& normal, const Vector3d& point, double w) {
    AddSquare(normal, -geometry::Dot(normal, point), w);
    weight += w;
  }

  /// Adds w * (g . p + d)^2, but no weight: what is measured is no distance.
  WY_HD void AddSquare(const Vector3d& g, double d, double w) {
    xx += w * g.x * g.x;
    xy += w * g.x * g.y;
    xz += w * g.x * g.z;
    yy += w * g.y * g.y;
    yz += w * g.y * g.z;
    zz += w * g.z * g.z;
    x += w * d * g.x;
    y += w * d * g.y;
    z += w * d * g.z;
    constant += w * d * d;
  }

  WY_HD Quadric& operator+=(const Quadric& other) {
    xx += other.xx;
    xy += other.xy;
    xz += other.xz;
    yy += other.yy;
    yz += other.yz;
    zz += other.zz;
    x += other.x;
    y += other.y;
    z += other.z;
    constant += other.constant;
    weight += other.weight;
    return *this;
  }

  /// The weighted sum at a point; rounding does not make it negative.
  WY_HD double At(const Vector3d& p) const {
    const double value = p.x * (xx * p.x + 2 * (xy * p.y + xz * p.z + x)) +
                         p.y * (yy * p.y + 2 * (yz * p.z + y)) + p.z * (zz * p.z + 2 * z) +
                         constant;
    return value > 0 ? value : 0;
  }

  /// The point with the least sum of the quadric and `pull` times the squared distance to `centre`:
  /// there is exactly one if pull is more than 0. @shape pull: in units of weight
  WY_HD Vector3d Minimum(const Vector3d& centre, double pull) const {
    // Relative to the centre, so that little is lost by rounding.
    const double a = xx + pull, b = yy + pull, c = zz + pull;
    const double rx = -(xx * centre.x + xy * centre.y + xz * centre.z + x);
    const double ry = -(xy * centre.x + yy * centre.y + yz * centre.z + y);
    const double rz = -(xz * centre.x + yz * centre.y + zz * centre.z + z);
    const double m0 = b * c - yz * yz, m1 = xz * yz - xy * c, m2 = xy * yz - xz * b;
    const double determinant = a * m0 + xy * m1 + xz * m2;
    if (!(determinant > 0)) return centre;
    const double m4 = a * c - xz * xz, m5 = xy * xz - a * yz, m8 = a * b - xy * xy;
    const double s = 1 / determinant;
    return {centre.x + s * (m0 * rx + m1 * ry + m2 * rz),
            centre.y + s * (m1 * rx + m4 * ry + m5 * rz),
            centre.z + s * (m2 * rx + m5 * ry + m8 * rz)};
  }
};

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_QUADRIC_H_
