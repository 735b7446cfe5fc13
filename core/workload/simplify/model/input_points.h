// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The positions of a model's input: their box, and how they go to a device.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_MODEL_INPUT_POINTS_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_MODEL_INPUT_POINTS_H_

#include <algorithm>
#include <limits>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/device/backend.h"
#include "core/workload/geometry/positions_view.h"
#include "core/workload/simplify/job/counters.h"
#include "core/workload/simplify/job/model_view.h"

namespace warpyard::simplify {

/// The box of all positions.
struct PointBox {
  static constexpr double kHuge = std::numeric_limits<double>::infinity();
  Vector3d low{kHuge, kHuge, kHuge}, high{-kHuge, -kHuge, -kHuge};

  void Add(const PointBox& other) {
    low = {std::min(low.x, other.low.x), std::min(low.y, other.low.y),
           std::min(low.z, other.low.z)};
    high = {std::max(high.x, other.high.x), std::max(high.y, other.high.y),
            std::max(high.z, other.high.z)};
  }
};

/// Whether positions are stored on a device as they are, with origin 0; others are stored relative
/// to the corner of their box.
inline bool AreStored(const geometry::PositionsView& positions) {
  return positions.scalar_type == geometry::ScalarType::kFloat32;
}

/// @errors INVALID_ARGUMENT: the first coordinate that is not finite
absl::StatusOr<PointBox> FindBox(const geometry::PositionsView& positions);

/// The box that kWeld found.
PointBox BoxOf(const InputCounters& counters);

/// @errors INVALID_ARGUMENT: the box has no extent, or one that is no finite float
absl::StatusOr<Frame> FrameOf(const PointBox& box, const Vector3d& origin);

/// Stores positions relative to an origin. @shape to: on the device, as many
/// @errors UNAVAILABLE: the device is lost
absl::Status UploadPoints(device::Backend& backend, const geometry::PositionsView& positions,
                          const Vector3d& origin, FloatPoint* to);

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_MODEL_INPUT_POINTS_H_
