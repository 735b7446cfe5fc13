// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Which options of a collision step make sense.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_CHECK_OPTIONS_H_
#define WARPYARD_CORE_WORKLOAD_CCD_CHECK_OPTIONS_H_

#include "absl/status/status.h"
#include "core/workload/ccd/collision_types.h"

namespace warpyard::ccd {

/// Largest CollisionOptions::min_separation.
inline constexpr double kLargestMinSeparation = 1e6;

/// Checks what a step looks for, and how.
/// @errors INVALID_ARGUMENT: out of range, or not for this root finder or traversal; names field
///     and value
absl::Status CheckOptions(const CollisionOptions& options);

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_CHECK_OPTIONS_H_
