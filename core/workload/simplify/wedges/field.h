// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Attributes as fields: an attribute of a wedge is a linear function of the position.
//
// A triangle has such a function for each channel: the one that has the values of its corners. The
// field of several triangles is the mean of theirs, weighted by area: of all fields, it has the
// least weighted sum of squared errors at every position. When two fields become one, that sum
// grows by a1 a2 / (a1 + a2) times the squared difference of the two, which is the square of a
// linear function and so a term of a quadric. A wedge therefore keeps a weight and a mean, and no
// sum of squares, from whose differences little would be left.
// [Hoppe 1999 has the quadrics; docs/adr/0037-attributes.md]
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_WEDGES_FIELD_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_WEDGES_FIELD_H_

#include <cmath>
#include <cstdint>

#include "core/base/macros.h"
#include "core/workload/simplify/job/simplify_job.h"
#include "core/workload/simplify/quadric.h"

namespace warpyard::simplify {

/// A weight, and for each channel the gradient and the value at the frame's origin.
WY_HD constexpr std::uint32_t FieldWords(std::uint32_t channels) { return 1 + 4 * channels; }

WY_HD inline float* FieldOf(float* fields, std::uint32_t channels, std::uint32_t i) {
  return fields + std::uint64_t{FieldWords(channels)} * i;
}

/// A channel of a field.
struct LinearFunction {
  Vector3d gradient;
  double at_origin;

  WY_HD static LinearFunction Of(const float* field, std::uint32_t channel) {
    const float* const words = field + 1 + 4 * channel;
    return {{words[0], words[1], words[2]}, words[3]};
  }
  WY_HD void Store(float* field, std::uint32_t channel) const {
    float* const words = field + 1 + 4 * channel;
    words[0] = static_cast<float>(gradient.x);
    words[1] = static_cast<float>(gradient.y);
    words[2] = static_cast<float>(gradient.z);
    words[3] = static_cast<float>(at_origin);
  }
  WY_HD double At(const Vector3d& p) const { return Dot(gradient, p) + at_origin; }
  WY_HD LinearFunction operator-(const LinearFunction& other) const {
    return {gradient - other.gradient, at_origin - other.at_origin};
  }
};

WY_HD inline void CopyField(const float* from, std::uint32_t channels, float* to) {
  for (std::uint32_t i = 0; i < FieldWords(channels); ++i) to[i] = from[i];
}

/// Adds to a quadric by how much errors grow when two fields become one.
WY_HD inline void AddDifference(const WedgeView& wedges, const float* a, const float* b,
                                Quadric& quadric) {
  const double weight = double{a[0]} + b[0];
  if (!(weight > 0)) return;
  const double harmonic = double{a[0]} * b[0] / weight;
  for (std::uint32_t k = 0; k < wedges.channels; ++k) {
    const LinearFunction apart = LinearFunction::Of(a, k) - LinearFunction::Of(b, k);
    const double scale = wedges.rules[k].weight;
    quadric.AddSquare(apart.gradient, apart.at_origin, harmonic * scale * scale);
  }
}

/// Makes a field part of another one.
WY_HD inline void MergeField(const WedgeView& wedges, const float* from, float* into) {
  const double weight = double{into[0]} + from[0];
  if (!(from[0] > 0)) return;
  if (!(into[0] > 0)) return CopyField(from, wedges.channels, into);
  const double part = from[0] / weight;
  for (std::uint32_t k = 0; k < wedges.channels; ++k) {
    const LinearFunction own = LinearFunction::Of(into, k);
    const LinearFunction step = LinearFunction::Of(from, k) - own;
    LinearFunction{own.gradient + part * step.gradient, own.at_origin + part * step.at_origin}
        .Store(into, k);
  }
  into[0] = static_cast<float>(weight);
}

/// A triangle as fields are made of it.
struct FieldTriangle {
  Vector3d corner;    ///< the first one
  Vector3d basis[2];  ///< the gradients of the barycentric coordinates of the other corners
  double area;
  bool is_thin;  ///< then there are no gradients that mean anything

  /// @shape at: relative positions
  WY_HD static FieldTriangle Of(const Vector3d (&at)[3]) {
    const Vector3d u = at[1] - at[0], v = at[2] - at[0];
    const Vector3d normal = Cross(u, v);
    const double squared = Dot(normal, normal);
    constexpr double kThin = 1e-12;  // squared height over length
    const double longest = Dot(u, u) > Dot(v, v) ? Dot(u, u) : Dot(v, v);
    const double area = sqrt(squared) / 2;
    constexpr double kLeastArea = 1e-30;  // of which single precision has all digits
    if (!(area > kLeastArea && squared > kThin * longest * longest)) return {at[0], {}, 0, true};
    const double scale = 1 / squared;
    return {at[0], {scale * Cross(v, normal), scale * Cross(normal, u)}, area, false};
  }

  /// @shape values: a channel at the corners
  WY_HD LinearFunction Through(const float (&values)[3]) const {
    if (is_thin) return {{0, 0, 0}, (double{values[0]} + values[1] + values[2]) / 3};
    const Vector3d gradient =
        (double{values[1]} - values[0]) * basis[0] + (double{values[2]} - values[0]) * basis[1];
    return {gradient, values[0] - Dot(gradient, corner)};
  }
};

/// The values of a field at a position, as results have them.
WY_HD inline void EvaluateField(const WedgeView& wedges, const float* field, const Vector3d& at,
                                float* out) {
  for (std::uint32_t k = 0; k < wedges.channels; ++k) {
    const Channel& rule = wedges.rules[k];
    const auto value = static_cast<float>(LinearFunction::Of(field, k).At(at));
    out[k] = value > rule.low ? (value < rule.high ? value : rule.high) : rule.low;
  }
  for (std::uint32_t k = 0; k < wedges.channels; ++k) {
    if (wedges.rules[k].begins_normal == 0) continue;
    const Vector3d vector{out[k], out[k + 1], out[k + 2]};
    const double length = LengthOf(vector);
    // Opposite normals cancel each other: any direction is as good.
    const bool is_null = !(length > 1e-12);
    const Vector3d unit = is_null ? Vector3d{0, 0, 1} : (1 / length) * vector;
    out[k] = static_cast<float>(unit.x);
    out[k + 1] = static_cast<float>(unit.y);
    out[k + 2] = static_cast<float>(unit.z);
  }
}

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_WEDGES_FIELD_H_
