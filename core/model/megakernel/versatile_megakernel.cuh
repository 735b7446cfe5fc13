// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The versatile megakernel: one resident kernel that runs all events of a device.
// [Steinberger §6.4, §3.4]
//
// It is launched when an event comes and no kernel is resident. It stays while there is work and
// for the linger time after, and leaves on request: running events go on with the next launch.
// Beside it nothing is launched and nothing is allocated; the host talks to it through the mailbox.
#ifndef WARPYARD_CORE_MODEL_MEGAKERNEL_VERSATILE_MEGAKERNEL_CUH_
#define WARPYARD_CORE_MODEL_MEGAKERNEL_VERSATILE_MEGAKERNEL_CUH_

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "core/exec/device_scope.cuh"
#include "core/model/megakernel/controller_block.cuh"
#include "core/model/megakernel/device_shape.h"
#include "core/model/megakernel/worker_block.cuh"
#include "core/model/worker/workspace.h"

namespace warpyard::model {

template <class Program>
using DeviceSpace = Workspace<exec::DeviceScope, Program, DeviceShape<Program>>;

template <class Space>
inline constexpr unsigned kMegakernelThreads = 32 * Space::Shape::kBlockWorkers;

/// Blocks that the device's memory has room for: one that controls, and those of the workers.
template <class Space>
inline constexpr unsigned kMostBlocks = Space::Shape::kWorkers / Space::Shape::kBlockWorkers + 1;

/// Shared memory of a block: a worker's or the controller's.
template <class Space>
constexpr std::size_t MegakernelSharedBytes() {
  constexpr std::size_t kWorker = sizeof(WorkerBlockMemory<Space>);
  constexpr std::size_t kController = sizeof(typename ControllerBlock<Space>::Memory);
  return (kWorker > kController ? kWorker : kController) + 16;
}

/// Block 0 controls, the others work.
template <class Space>
__global__ void __launch_bounds__(kMegakernelThreads<Space>,
                                  MegakernelBlocks<typename Space::Program>())
    ResidentMegakernel(const __grid_constant__ MegakernelArguments<Space> arguments) {
  extern __shared__ __align__(16) std::byte shared[];
  if (blockIdx.x == 0) {
    auto& memory = *reinterpret_cast<typename ControllerBlock<Space>::Memory*>(shared);
    ControllerBlock<Space> controller(arguments, memory);
    if (threadIdx.x == 0) controller.Begin();
    __syncthreads();
    const unsigned warp = threadIdx.x / 32;
    if (warp == 0) {
      controller.LeadTakers();
    } else if (warp < ControllerBlock<Space>::kTakers) {
      controller.TakeOrders(warp);
    } else {
      controller.KeepOrder();
    }
    return;
  }
  WorkerBlock<Space> block(*arguments.space, *reinterpret_cast<WorkerBlockMemory<Space>*>(shared));
  block.Initialise();
  __syncthreads();
  block.Work(arguments.launch, [&](std::uint32_t event) {
    ReportEvent(*arguments.space, *arguments.mailbox, event);
  });
}

/// Empties a workspace that was zeroed.
template <class Space>
__global__ void ResetWorkspaceKernel(Space* space) {
  space->Reset(blockIdx.x * blockDim.x + threadIdx.x, gridDim.x * blockDim.x);
}

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_MEGAKERNEL_VERSATILE_MEGAKERNEL_CUH_
