// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Positions of vertices in the caller's memory, in any form that a service accepts.
#ifndef WARPYARD_CORE_WORKLOAD_GEOMETRY_POSITIONS_VIEW_H_
#define WARPYARD_CORE_WORKLOAD_GEOMETRY_POSITIONS_VIEW_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/workload/geometry/vector3.h"

namespace warpyard::geometry {

/// kQuantized16: places in a box, see PositionAt.
enum class ScalarType { kFloat32, kFloat64, kQuantized16 };

/// The box of quantised positions. @shape low <= high, per axis
struct QuantizationBox {
  double low[3];
  double high[3];
};

/// Positions in the caller's memory.
struct PositionsView {
  ScalarType scalar_type = ScalarType::kFloat32;
  /// @shape x y z a vertex, packed, native byte order; need not be aligned
  const void* data = nullptr;
  std::size_t vertices = 0;
  QuantizationBox box = {};  ///< kQuantized16 only
};

namespace internal {

template <class Scalar>
double CoordinateAt(const PositionsView& positions, std::size_t index) {
  Scalar value;
  std::memcpy(&value, static_cast<const char*>(positions.data) + index * sizeof value,
              sizeof value);
  return static_cast<double>(value);
}

}  // namespace internal

/// One coordinate as a double. Place q of 65535 in a box is low + ((high - low) / 65535) q, every
/// operation rounded to double, so that a client can compute the same bits.
/// @shape axis: 0 to 2
inline double CoordinateOf(const PositionsView& positions, std::size_t vertex, std::size_t axis) {
  const std::size_t index = 3 * vertex + axis;
  switch (positions.scalar_type) {
    case ScalarType::kFloat32:
      return internal::CoordinateAt<float>(positions, index);
    case ScalarType::kFloat64:
      return internal::CoordinateAt<double>(positions, index);
    case ScalarType::kQuantized16:
      break;
  }
  const double low = positions.box.low[axis];
  const double spacing = (positions.box.high[axis] - low) / 65535;
  return low + spacing * internal::CoordinateAt<std::uint16_t>(positions, index);
}

/// The position of a vertex, on the host.
inline Vector3d PositionAt(const PositionsView& positions, std::size_t vertex) {
  return {CoordinateOf(positions, vertex, 0), CoordinateOf(positions, vertex, 1),
          CoordinateOf(positions, vertex, 2)};
}

}  // namespace warpyard::geometry

#endif  // WARPYARD_CORE_WORKLOAD_GEOMETRY_POSITIONS_VIEW_H_
