// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Cones of normals in one word: an axis, and the cosine of the greatest angle to it. All directions
// of a surface are within its cone, and within the cone of whatever the surface is part of.
//
// The axis is the projection of a unit vector to an octahedron. [Meyer et al. 2010, On
// Floating-Point Normal Vectors] Angles are sums of angles by their cosines: roots give the same
// bits everywhere.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_VIEWS_CONE_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_VIEWS_CONE_H_

#include <cmath>
#include <cstdint>

#include "core/base/macros.h"
#include "core/workload/simplify/quadric.h"

namespace warpyard::simplify {

/// An angle of 0 to 180 degrees.
struct Angle {
  double cosine, sine;

  WY_HD static Angle OfCosine(double cosine) {
    const double square = 1 - cosine * cosine;
    return {cosine, square > 0 ? sqrt(square) : 0};
  }
  /// The sum; it must not be more than 180 degrees.
  WY_HD Angle operator+(const Angle& other) const {
    return {cosine * other.cosine - sine * other.sine, sine * other.cosine + cosine * other.sine};
  }
};

struct Cone {
  /// A cone of all directions.
  static constexpr std::uint32_t kAll = 0;

  Vector3d axis;
  Angle angle;  ///< less than 90 degrees

  /// @shape word: not kAll
  WY_HD static Cone Of(std::uint32_t word) {
    const double x = (word >> 8 & 0xfffu) / 2047.5 - 1, y = (word >> 20) / 2047.5 - 1;
    const double z = 1 - fabs(x) - fabs(y);
    const double fold = z < 0 ? -z : 0;  // the lower half is folded outwards
    const Vector3d axis{x - (x < 0 ? -fold : fold), y - (y < 0 ? -fold : fold), z};
    return {(1 / LengthOf(axis)) * axis, Angle::OfCosine((word & 0xffu) / 255.0)};
  }

  /// A word for an axis, with no angle yet. @shape vector: not 0
  WY_HD static std::uint32_t AxisWord(const Vector3d& vector) {
    const double sum = fabs(vector.x) + fabs(vector.y) + fabs(vector.z);
    double x = vector.x / sum, y = vector.y / sum;
    if (vector.z < 0) {
      const double folded = (1 - fabs(y)) * (x < 0 ? -1 : 1);
      y = (1 - fabs(x)) * (y < 0 ? -1 : 1);
      x = folded;
    }
    return Coordinate(x) << 8 | Coordinate(y) << 20;
  }
  /// The word of an axis with the angle of a cosine, or a little more.
  WY_HD static std::uint32_t Word(std::uint32_t axis, double cosine) {
    if (!(cosine > 0)) return kAll;
    const auto steps = static_cast<std::uint32_t>(cosine * 255);
    return steps == 0 ? kAll : axis | (steps < 255 ? steps : 255);
  }

 private:
  WY_HD static std::uint32_t Coordinate(double value) {
    const double steps = (value + 1) * 2047.5 + 0.5;
    return steps < 4095 ? static_cast<std::uint32_t>(steps) : 4095;
  }
};

/// The cone around an axis that has some others. Add each of them.
class ConeSum {
 public:
  /// @shape axis: the sum of their axes
  WY_HD explicit ConeSum(const Vector3d& axis) {
    const double length = LengthOf(axis);
    is_all_ = !(length > 1e-9);
    if (is_all_) return;
    word_ = Cone::AxisWord(axis);
    axis_ = Cone::Of(word_ | 1).axis;
  }
  /// @shape direction: of length 1
  WY_HD void Add(const Vector3d& direction, const Angle& angle) {
    if (is_all_) return;
    const double along = Dot(direction, axis_);
    const Angle sum = Angle::OfCosine(along < 1 ? along : 1) + angle;
    // An angle of more than 180 degrees cannot be: both are less than 90.
    if (!(along > 0) || sum.cosine < least_) least_ = along > 0 ? sum.cosine : 0;
  }
  WY_HD std::uint32_t Word() const {
    // A little less, for what rounding took.
    return is_all_ ? Cone::kAll : Cone::Word(word_, least_ - 1e-9);
  }

 private:
  bool is_all_;
  std::uint32_t word_ = 0;
  Vector3d axis_{0, 0, 1};
  double least_ = 1;
};

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_VIEWS_CONE_H_
