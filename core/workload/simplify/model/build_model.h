// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Builds a model: welds its vertices and makes the tree of its components.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_MODEL_BUILD_MODEL_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_MODEL_BUILD_MODEL_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/workload/simplify/model/model_arrays.h"
#include "core/workload/simplify/model/task_run.h"
#include "core/workload/simplify/simplify_types.h"

namespace warpyard::simplify {

/// @errors INVALID_ARGUMENT (sizes, an index without a vertex, a coordinate that is not finite, no
///     triangle with three different corners), RESOURCE_EXHAUSTED (names what the model needs),
///     and those of SimplifyRunner::Run
absl::StatusOr<ModelArrays> BuildModel(TaskRun& run, const ModelInput& input);

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_MODEL_BUILD_MODEL_H_
