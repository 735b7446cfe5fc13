// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A CUDA device with the resident kernel of a program.
#ifndef WARPYARD_BENCHMARKS_GRAMMAR_BY_HAND_CUDA_MACHINE_CUH_
#define WARPYARD_BENCHMARKS_GRAMMAR_BY_HAND_CUDA_MACHINE_CUH_

#include <memory>
#include <utility>

#include "benchmarks/grammar/by_hand/machine.h"
#include "core/base/macros.h"
#include "core/device/cuda_backend.h"
#include "core/model/megakernel/resident_device.cuh"

namespace warpyard::grammar_by_hand {

/// Instantiates the kernel.
template <class Program>
absl::StatusOr<std::unique_ptr<Machine<Program>>> CreateMachineOf() {
  WY_ASSIGN_OR_RETURN(auto backend, device::CudaBackend::Create(0, 0));
  WY_ASSIGN_OR_RETURN(auto model,
                      model::ResidentDevice<Program>::Create(*backend, model::ResidentOptions{}));
  return std::make_unique<Machine<Program>>(std::move(backend), std::move(model));
}

}  // namespace warpyard::grammar_by_hand

#endif  // WARPYARD_BENCHMARKS_GRAMMAR_BY_HAND_CUDA_MACHINE_CUH_
