// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A CUDA device with a resident kernel of its own.
#ifndef WARPYARD_BENCHMARKS_TRAVERSAL_CREATE_MACHINE_CUH_
#define WARPYARD_BENCHMARKS_TRAVERSAL_CREATE_MACHINE_CUH_

#include <memory>
#include <utility>

#include "benchmarks/traversal/machine.h"
#include "core/base/macros.h"
#include "core/device/cuda_backend.h"
#include "core/model/resident_device.cuh"

namespace warpyard::bench {

template <class CcdProgram>
absl::StatusOr<std::unique_ptr<TraversalMachine<CcdProgram>>> CreateResidentMachine() {
  using Machine = TraversalMachine<CcdProgram>;
  WY_ASSIGN_OR_RETURN(auto backend, device::CudaBackend::Create(0, 0));
  WY_ASSIGN_OR_RETURN(auto model, model::ResidentDevice<typename Machine::Program>::Create(
                                      *backend, model::ResidentOptions{}));
  return std::make_unique<Machine>(std::move(backend), std::move(model));
}

}  // namespace warpyard::bench

#endif  // WARPYARD_BENCHMARKS_TRAVERSAL_CREATE_MACHINE_CUH_
