// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// How much memory of the backend the build of a model needs.
//
// How many vertices have different positions, and so how large the tree is, is known once they are
// welded. A file may have a vertex for each corner of each triangle, six times as many.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_MODEL_BUILD_BYTES_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_MODEL_BUILD_BYTES_H_

#include <cstdint>

#include "absl/status/status.h"
#include "core/device/backend.h"
#include "core/workload/simplify/simplify_types.h"

namespace warpyard::simplify {

/// What is left of an input when its vertices are welded.
struct WeldedCounts {
  std::uint64_t leaves;  ///< different positions
  std::uint64_t wedges;  ///< 0: the input has neither attributes nor groups
  std::uint64_t triangles;
};

/// At most, until the vertices are welded; and after that, with what the build keeps of the input.
std::uint64_t WeldBytes(const ModelInput& input);
std::uint64_t TreeBytes(const ModelInput& input, const WeldedCounts& counts);
/// Of TreeBytes: what the build has already when the tree of wedges begins.
std::uint64_t HeldBytes(const ModelInput& input, const WeldedCounts& counts);

/// @shape bytes: that are needed in all, of which the build has `held` already
/// @errors RESOURCE_EXHAUSTED: names what the model needs
absl::Status CheckFits(const device::Backend& backend, const ModelInput& input, std::uint64_t bytes,
                       std::uint64_t held);

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_MODEL_BUILD_BYTES_H_
