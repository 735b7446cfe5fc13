// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Checks a mesh before it is built, and converts its positions.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_MODEL_CHECK_INPUT_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_MODEL_CHECK_INPUT_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/workload/simplify/job/simplify_job.h"
#include "core/workload/simplify/simplify_types.h"

namespace warpyard::simplify {

/// Positions as a device stores them.
struct StoredPoints {
  /// The vertices as FloatPoint, which need not be aligned: the input's own floats, or `converted`.
  const void* data;
  std::vector<FloatPoint> converted;
  Vector3d origin;  ///< 0 where the input has floats: they keep their bits
  Frame frame;      ///< of the points
};

/// @errors INVALID_ARGUMENT: sizes, the first index without a vertex, or an attribute out of range
absl::Status CheckInput(const ModelInput& input);

/// @shape positions: they live as long as the result
/// @errors INVALID_ARGUMENT: the first coordinate that is not finite; a box without an extent, or
///     one whose side is no finite float
absl::StatusOr<StoredPoints> StorePoints(const geometry::PositionsView& positions);

/// @errors INVALID_ARGUMENT: not exactly one goal, or one that is out of range
absl::Status CheckOptions(const SimplifyOptions& options);

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_MODEL_CHECK_INPUT_H_
