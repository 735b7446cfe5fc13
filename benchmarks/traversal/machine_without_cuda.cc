// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/traversal/machine.h"

namespace warpyard::bench {

absl::StatusOr<std::unique_ptr<TraversalMachine>> CreateCudaTraversalMachine() {
  return absl::UnavailableError("built without CUDA");
}

}  // namespace warpyard::bench
