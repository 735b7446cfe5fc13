// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Measures how far a result is from its model.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_RESULT_MEASURE_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_RESULT_MEASURE_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "core/workload/simplify/model/model_arrays.h"
#include "core/workload/simplify/model/task_run.h"
#include "core/workload/simplify/simplify_types.h"

namespace warpyard::simplify {

/// The most parts, not connected with each other, of a mesh that is measured: a search looks at
/// each.
inline constexpr std::uint32_t kMostParts = 16384;

/// Takes samples on both surfaces, even by area, and their distances from the other surface. The
/// same arguments give the same numbers.
/// @shape result: with triangles; samples: 1 to kMostSamples
/// @errors FAILED_PRECONDITION (more than kMostParts, a result without area), RESOURCE_EXHAUSTED,
///     and those of SimplifyRunner::Run
absl::StatusOr<SurfaceDistance> MeasureDistance(TaskRun& run, const ModelArrays& model,
                                                const SimplifiedMesh& result,
                                                std::uint32_t samples);

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_RESULT_MEASURE_H_
