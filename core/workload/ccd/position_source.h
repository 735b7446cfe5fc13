// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Positions as they came, in memory of the device, and how they become doubles there.
//
// A caller's bytes travel as they are: half or a quarter of the doubles, or of a pose only one
// matrix a body. The first stage of a step converts them on its way; everything after it reads
// doubles.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_POSITION_SOURCE_H_
#define WARPYARD_CORE_WORKLOAD_CCD_POSITION_SOURCE_H_

#include <cstddef>
#include <cstdint>

#include "core/base/macros.h"
#include "core/workload/ccd/collision_types.h"
#include "core/workload/geometry/rigid_transform.h"
#include "core/workload/geometry/vector3.h"

namespace warpyard::ccd {

using geometry::Vector3d;

/// kConverted: doubles are there, nothing is to be done.
enum class PositionFormat : std::uint32_t { kConverted, kFloat32, kQuantized16, kPose };

/// What a step brought for one of its ends.
struct PositionSource {
  PositionFormat format;
  /// @shape float[vertices][3], uint16[vertices][3] or geometry::RigidTransform[bodies]
  const void* data;
  Vector3d* to;         ///< @shape [vertices]
  QuantizationBox box;  ///< kQuantized16 only
};

/// Place q of 65535 between low and high: low + ((high - low) q) / 65535, every operation rounded
/// to double, so that a client can compute the same bits.
WY_HD inline double Dequantized(double low, double high, std::uint16_t q) {
  return low + (high - low) * static_cast<double>(q) / 65535.0;
}

/// @shape xyz: of one vertex
WY_HD inline Vector3d Dequantized(const QuantizationBox& box, const std::uint16_t* xyz) {
  return {Dequantized(box.low[0], box.high[0], xyz[0]),
          Dequantized(box.low[1], box.high[1], xyz[1]),
          Dequantized(box.low[2], box.high[2], xyz[2])};
}

/// @shape xyz: of one vertex
WY_HD inline Vector3d Widened(const float* xyz) {
  return {static_cast<double>(xyz[0]), static_cast<double>(xyz[1]), static_cast<double>(xyz[2])};
}

/// Writes the position of a vertex as doubles, where that is still to be done.
/// @shape rest, body_of: [vertices], for a pose
WY_HD inline void ConvertPosition(const PositionSource& source, const Vector3d* rest,
                                  const std::uint32_t* body_of, std::uint32_t vertex) {
  const std::size_t first = 3 * std::size_t{vertex};
  switch (source.format) {
    case PositionFormat::kConverted:
      break;
    case PositionFormat::kFloat32:
      source.to[vertex] = Widened(static_cast<const float*>(source.data) + first);
      break;
    case PositionFormat::kQuantized16:
      source.to[vertex] =
          Dequantized(source.box, static_cast<const std::uint16_t*>(source.data) + first);
      break;
    case PositionFormat::kPose:
      source.to[vertex] = geometry::Apply(
          static_cast<const geometry::RigidTransform*>(source.data)[body_of[vertex]], rest[vertex]);
      break;
  }
}

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_POSITION_SOURCE_H_
