// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Checks of a mesh before it is built, and of options.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_MODEL_CHECK_INPUT_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_MODEL_CHECK_INPUT_H_

#include "absl/status/status.h"
#include "core/workload/simplify/simplify_types.h"

namespace warpyard::simplify {

/// Sizes and attributes; not indices, nor positions: kWeld finds whether they are valid.
/// @errors INVALID_ARGUMENT: sizes, or the first value of an attribute that is out of range
absl::Status CheckInput(const ModelInput& input);

/// The error of the first index without a vertex, else `status`: errors have this order, whatever
/// is checked first.
absl::Status IndexErrorOr(const ModelInput& input, absl::Status status);

/// @errors INVALID_ARGUMENT: not exactly one goal, or one that is out of range
absl::Status CheckOptions(const SimplifyOptions& options);

/// Checks the lists alone. @errors INVALID_ARGUMENT: goals in both or in none, or a goal that is
/// finer than the one before
absl::Status CheckLevels(const LevelOptions& levels);

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_MODEL_CHECK_INPUT_H_
