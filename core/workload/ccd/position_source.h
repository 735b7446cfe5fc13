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
  double* to;                 ///< @shape [vertices][3]
  double low[3], spacing[3];  ///< kQuantized16 only, see Dequantized
};

/// From one place of a box to the next. @shape axis: 0 to 2
inline double SpacingOf(const QuantizationBox& box, int axis) {
  return (box.high[axis] - box.low[axis]) / 65535;
}

/// Place q of 65535 between low and high: low + ((high - low) / 65535) q, every operation rounded
/// to double, so that a client can compute the same bits. @shape spacing: as of SpacingOf
WY_HD inline double Dequantized(double low, double spacing, std::uint16_t q) {
  return low + spacing * static_cast<double>(q);
}

/// Writes the position of a vertex as doubles, where that is still to be done.
/// @shape rest, body_of: [vertices], for a pose
WY_HD inline void ConvertPosition(const PositionSource& source, const Vector3d* rest,
                                  const std::uint32_t* body_of, std::uint32_t vertex) {
  if (source.format == PositionFormat::kConverted) return;
  const std::size_t first = 3 * std::size_t{vertex};
  WY_ROLLED
  for (std::size_t axis = 0; axis < 3; ++axis) {
    double& to = source.to[first + axis];
    if (source.format == PositionFormat::kFloat32) {
      to = static_cast<const float*>(source.data)[first + axis];
    } else if (source.format == PositionFormat::kQuantized16) {
      to = Dequantized(source.low[axis], source.spacing[axis],
                       static_cast<const std::uint16_t*>(source.data)[first + axis]);
    } else {
      const auto* pose = static_cast<const geometry::RigidTransform*>(source.data);
      to = geometry::ApplyRow(pose[body_of[vertex]].rows[axis], rest[vertex]);
    }
  }
}

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_POSITION_SOURCE_H_
