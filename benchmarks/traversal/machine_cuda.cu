// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A CUDA device with a separate resident kernel that has all traversals.
#include <memory>
#include <utility>

#include "benchmarks/traversal/machine.h"
#include "core/base/macros.h"
#include "core/device/cuda_backend.h"
#include "core/model/megakernel/resident_device.cuh"

namespace warpyard::bench {

absl::StatusOr<std::unique_ptr<TraversalMachine>> CreateCudaTraversalMachine() {
  using Program = TraversalMachine::Program;
  WY_ASSIGN_OR_RETURN(auto backend, device::CudaBackend::Create(0, 0));
  WY_ASSIGN_OR_RETURN(auto model,
                      model::ResidentDevice<Program>::Create(*backend, model::ResidentOptions{}));
  return std::make_unique<TraversalMachine>(std::move(backend), std::move(model));
}

}  // namespace warpyard::bench
