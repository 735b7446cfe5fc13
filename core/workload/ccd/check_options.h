// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Checks the options of a collision step.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_CHECK_OPTIONS_H_
#define WARPYARD_CORE_WORKLOAD_CCD_CHECK_OPTIONS_H_

#include "absl/status/status.h"
#include "core/workload/ccd/collision_types.h"

namespace warpyard::ccd {

/// Largest CollisionOptions::min_separation.
inline constexpr double kLargestMinSeparation = 1e6;

/// Checks the options of a step.
/// @errors INVALID_ARGUMENT: out of range, or not supported by this root finder or traversal; names
/// field and value
absl::Status CheckOptions(const CollisionOptions& options);

/// CheckOptions for a step of a set, which goes by clusters.
absl::Status CheckSetOptions(const CollisionOptions& options);

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_CHECK_OPTIONS_H_
