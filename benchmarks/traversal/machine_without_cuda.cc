// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/traversal/machine.h"

namespace warpyard::bench {

template <>
absl::StatusOr<std::unique_ptr<TraversalMachine<ccd::CollisionProgram>>>
CreateCudaTraversalMachine() {
  return absl::UnavailableError("built without CUDA");
}

}  // namespace warpyard::bench
