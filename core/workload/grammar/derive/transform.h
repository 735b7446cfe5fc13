// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Moves the scope of a symbol.
#ifndef WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVE_TRANSFORM_H_
#define WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVE_TRANSFORM_H_

#include <cmath>
#include <cstdint>

#include "core/base/macros.h"
#include "core/workload/grammar/code/arithmetic.h"
#include "core/workload/grammar/job/frame.h"

namespace warpyard::grammar {

WY_HD constexpr float& At(Vector3f& v, std::uint32_t axis) {
  return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}
WY_HD constexpr float At(const Vector3f& v, std::uint32_t axis) {
  return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}
WY_HD constexpr Vector3f Product(const Vector3f& a, const Vector3f& b) {
  return {a.x * b.x, a.y * b.y, a.z * b.z};
}

WY_HD inline Vector3f Rotate(const Rotation& q, const Vector3f& v) {
  const Vector3f axis{q.x, q.y, q.z};
  const Vector3f t = 2.0f * geometry::Cross(axis, v);
  return v + q.w * t + geometry::Cross(axis, t);
}
WY_HD inline Rotation Conjugate(const Rotation& q) { return {-q.x, -q.y, -q.z, q.w}; }

/// The rotation that applies b and then a.
WY_HD inline Rotation Product(const Rotation& a, const Rotation& b) {
  return {
      a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
      a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

/// Rounding must not add up over many rotations.
WY_HD inline Rotation Normalized(const Rotation& q) {
  const float length = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
  return {q.x / length, q.y / length, q.z / length, q.w / length};
}

/// A vector along the axes of the symbol's scope as one of the parcel.
WY_HD inline Vector3f ToParcel(const Symbol& symbol, Vector3f v) {
  if (symbol.mirrored != 0) v.x = -v.x;
  return Rotate(symbol.scope.rotation, v);
}

/// Moves the least corner. @shape v: metres along the axes of the scope
WY_DEVICE_CALL WY_HD inline void Translate(Symbol& symbol, const Vector3f v) {
  symbol.scope.position = symbol.scope.position + ToParcel(symbol, v);
}

/// Turns the axes, but leaves the least corner. @shape turn: relative to the axes
WY_DEVICE_CALL WY_HD inline void TurnAxes(Symbol& symbol, Rotation turn) {
  // With a mirrored x axis, turns about the other axes go the other way round.
  if (symbol.mirrored != 0) {
    turn.y = -turn.y;
    turn.z = -turn.z;
  }
  symbol.scope.rotation = Normalized(Product(symbol.scope.rotation, turn));
}

/// The point that rotations leave where it is, from the least corner.
WY_HD inline Vector3f PivotOf(const Symbol& symbol) {
  const auto fraction = [&](std::uint32_t axis) {
    return 0.5f * static_cast<float>(symbol.pivot >> (2 * axis) & 3);
  };
  return Product(symbol.scope.size, Vector3f{fraction(0), fraction(1), fraction(2)});
}

/// Turns the scope about its pivot.
WY_HD inline void Turn(Symbol& symbol, const Rotation& turn) {
  const Vector3f pivot = PivotOf(symbol);
  Translate(symbol, pivot);
  TurnAxes(symbol, turn);
  Translate(symbol, Vector3f{-pivot.x, -pivot.y, -pivot.z});
}

/// A turn about one of the axes.
WY_HD inline Rotation TurnOf(std::uint32_t axis, float degrees) {
  const SineCosine half = SineCosineOf(degrees / 2);
  return {axis == 0 ? half.sine : 0, axis == 1 ? half.sine : 0, axis == 2 ? half.sine : 0,
          half.cosine};
}

/// Looks at the same box from its other end along an axis.
WY_DEVICE_CALL WY_HD inline void Mirror(Symbol& symbol, std::uint32_t axis) {
  Vector3f v{0, 0, 0};
  At(v, axis) = At(symbol.scope.size, axis);
  Translate(symbol, v);
  // Half a turn about a third axis makes the mirrored axis the x axis.
  if (axis != 0) TurnAxes(symbol, {0, axis == 2 ? 1.0f : 0.0f, axis == 1 ? 1.0f : 0.0f, 0});
  symbol.mirrored ^= 1;
}

/// Turns the scope about its least corner so that its y axis points up.
WY_HD inline void Align(Symbol& symbol) {
  const Vector3f up = Rotate(symbol.scope.rotation, Vector3f{0, 1, 0});
  // The least turn from `up` to (0, 1, 0); half a turn about z where they are opposite.
  Rotation turn{-up.z, 0, up.x, 1 + up.y};
  if (1 + up.y < 1e-6f) turn = {0, 0, 1, 0};
  symbol.scope.rotation = Normalized(Product(Normalized(turn), symbol.scope.rotation));
}

/// The middle of the scope, from the parcel's corner.
WY_HD inline Vector3f CenterOf(const Symbol& symbol) {
  return symbol.scope.position + ToParcel(symbol, 0.5f * symbol.scope.size);
}

/// Moves the scope so that its middle along some axes is that of another scope with the same axes.
/// @shape axes: a bit each
WY_HD inline void MoveToCenter(Symbol& symbol, const Vector3f& center, std::uint32_t axes) {
  Vector3f v = Rotate(Conjugate(symbol.scope.rotation), center - CenterOf(symbol));
  if (symbol.mirrored != 0) v.x = -v.x;
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    if ((axes >> axis & 1) == 0) At(v, axis) = 0;
  }
  Translate(symbol, v);
}

/// Gives a flat scope a thickness: along z, or along y if it lies on the ground.
WY_HD inline void Extrude(Symbol& symbol, float height) {
  Vector3f& size = symbol.scope.size;
  (size.y <= kLeastSize && size.z > kLeastSize ? size.y : size.z) = height;
}

/// Whether a scope can be seen: finite, not too far away, and thin along one axis at most.
WY_HD inline bool IsSolid(const Scope& scope) {
  const auto finite = [](float x) { return std::fabs(x) <= kMostCoordinate; };
  const Vector3f& p = scope.position;
  const Vector3f& s = scope.size;
  const Rotation& q = scope.rotation;
  if (!finite(p.x) || !finite(p.y) || !finite(p.z)) return false;
  if (!finite(s.x) || !finite(s.y) || !finite(s.z)) return false;
  if (!finite(q.x) || !finite(q.y) || !finite(q.z) || !finite(q.w)) return false;
  if (s.x < 0 || s.y < 0 || s.z < 0) return false;
  return (s.x < kLeastSize) + (s.y < kLeastSize) + (s.z < kLeastSize) <= 1;
}

}  // namespace warpyard::grammar

#endif  // WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVE_TRANSFORM_H_
