// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Axis-aligned bounding boxes in single precision that contain every double given to them.
#ifndef WARPYARD_CORE_WORKLOAD_GEOMETRY_BOUNDS_H_
#define WARPYARD_CORE_WORKLOAD_GEOMETRY_BOUNDS_H_

#include <cstdint>
#include <cstring>

#include "core/base/macros.h"
#include "core/exec/simd_float3.h"
#include "core/workload/geometry/vector3.h"

namespace warpyard::geometry {

/// The next float above (`up`) or below `value`, which must be finite.
WY_HD inline float NextFloat(float value, bool up) {
  std::int32_t bits;
  memcpy(&bits, &value, sizeof bits);
  // Maps sign and magnitude to consecutive integers: -0 and +0 both become 0.
  std::int32_t line =
      bits >= 0 ? bits : static_cast<std::int32_t>(0x80000000u - static_cast<std::uint32_t>(bits));
  line += up ? 1 : -1;
  bits =
      line >= 0 ? line : static_cast<std::int32_t>(0x80000000u - static_cast<std::uint32_t>(line));
  memcpy(&value, &bits, sizeof bits);
  return value;
}

/// Greatest float that is not above `value`. @units |value| at most 1e38
WY_HD inline float RoundDown(double value) {
  const float nearest = static_cast<float>(value);
  return static_cast<double>(nearest) > value ? NextFloat(nearest, false) : nearest;
}

/// Least float that is not below `value`. @units |value| at most 1e38
WY_HD inline float RoundUp(double value) {
  const float nearest = static_cast<float>(value);
  return static_cast<double>(nearest) < value ? NextFloat(nearest, true) : nearest;
}

/// A closed box. A corner has four floats, so that it is one 16-byte load. The fourth float is free
/// for the owner (hierarchy nodes keep child indices there); no operation here reads it.
struct alignas(16) Box {
  float low[4];
  float high[4];
};

/// The empty box: it contains no point.
constexpr Box EmptyBox() {
  constexpr float kHuge = 3.402823466e38f;
  return {{kHuge, kHuge, kHuge, 0}, {-kHuge, -kHuge, -kHuge, 0}};
}

constexpr Box Union(const Box& a, const Box& b) {
  Box result{};
  for (int k = 0; k < 3; ++k) {
    result.low[k] = a.low[k] < b.low[k] ? a.low[k] : b.low[k];
    result.high[k] = a.high[k] > b.high[k] ? a.high[k] : b.high[k];
  }
  return result;
}

/// Whether two closed boxes share a point. @shape any types with aligned `low` and `high` like a
/// Box
template <class A, class B>
WY_HD inline bool Overlap(const A& a, const B& b) {
  return exec::AllLessEqual3(a.low, b.high, b.low, a.high);
}

/// The smallest box of floats around the segment from `start` to `end`: a point swept along a step.
WY_HD inline Box SweptBox(const Vector3d& start, const Vector3d& end) {
  return {
      {RoundDown(start.x < end.x ? start.x : end.x), RoundDown(start.y < end.y ? start.y : end.y),
       RoundDown(start.z < end.z ? start.z : end.z), 0},
      {RoundUp(start.x > end.x ? start.x : end.x), RoundUp(start.y > end.y ? start.y : end.y),
       RoundUp(start.z > end.z ? start.z : end.z), 0}};
}

/// Maps floats to unsigned integers in the same order, for atomic minimum and maximum.
WY_HD inline std::uint32_t OrderedBits(float value) {
  std::uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

/// Inverse of OrderedBits.
WY_HD inline float FromOrderedBits(std::uint32_t ordered) {
  const std::uint32_t bits = ordered & 0x80000000u ? ordered & 0x7fffffffu : ~ordered;
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

}  // namespace warpyard::geometry

#endif  // WARPYARD_CORE_WORKLOAD_GEOMETRY_BOUNDS_H_
