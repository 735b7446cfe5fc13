// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Views as clients state them, and as the device takes them.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_RESULT_FRUSTUM_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_RESULT_FRUSTUM_H_

#include "absl/status/status.h"
#include "core/workload/simplify/job/simplify_job.h"
#include "core/workload/simplify/model/model_arrays.h"
#include "core/workload/simplify/simplify_types.h"

namespace warpyard::simplify {

/// @errors INVALID_ARGUMENT: a number out of range, named by its field
absl::Status CheckViews(const ViewGoal& goal);

/// A view as the device takes it. @shape view: one that CheckViews takes
ViewFrustum FrustumOf(const View& view, const ModelArrays& model);

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_RESULT_FRUSTUM_H_
