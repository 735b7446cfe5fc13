// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A CUDA device with a resident kernel of its own that has all traversals.
#include "benchmarks/traversal/create_machine.cuh"

namespace warpyard::bench {

template <>
absl::StatusOr<std::unique_ptr<TraversalMachine<ccd::CollisionProgram>>>
CreateCudaTraversalMachine() {
  return CreateResidentMachine<ccd::CollisionProgram>();
}

}  // namespace warpyard::bench
