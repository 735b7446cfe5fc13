// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The versatile megakernel: one resident kernel that runs all events of a device.
// [Steinberger §6.4, §3.4]
//
// It is launched when an event comes and no kernel is resident. It stays while there is work and
// for the linger time after, and leaves on request: running events go on with the next launch.
// Beside it nothing is launched and nothing is allocated; the host talks to it through the mailbox.
#ifndef WARPYARD_CORE_MODEL_VERSATILE_MEGAKERNEL_CUH_
#define WARPYARD_CORE_MODEL_VERSATILE_MEGAKERNEL_CUH_

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "core/exec/device_scope.cuh"
#include "core/model/controller_block.cuh"
#include "core/model/worker_block.cuh"
#include "core/model/workspace.h"

namespace warpyard::model {

/// Elements that a batch on a device may leave. The blocks' memory is taken from the first-level
/// cache, which procedures with many registers need; a program of light procedures sets more by
/// kLeftElements.
template <class Program>
constexpr std::uint32_t LeftElements() {
  if constexpr (requires { Program::kLeftElements; }) {
    return Program::kLeftElements;
  } else {
    return 256;
  }
}

/// Worker threads of a block, see MegakernelBlocks.
template <class Program>
constexpr std::uint32_t WorkerThreads() {
  if constexpr (requires { Program::kWorkerThreads; }) {
    return Program::kWorkerThreads;
  } else {
    return 224;
  }
}

template <class Program>
struct DeviceShape {
  static constexpr std::uint32_t kThreads = WorkerThreads<Program>();
  static constexpr std::uint32_t kBatchElements = kThreads;
  static constexpr std::uint32_t kSpawnElements = LeftElements<Program>();
  static constexpr std::uint32_t kLocalElements = 1024;
  static constexpr std::uint32_t kPages = 4096;
};

template <class Program>
using DeviceSpace = Workspace<exec::DeviceScope, Program, DeviceShape<Program>>;

/// A block's threads: a warp that schedules, then those of the groups.
template <class Space>
inline constexpr unsigned kMegakernelThreads = Space::Shape::kThreads + 32;

/// Blocks that a multiprocessor is to hold, which bounds the registers of a thread. Alone, the
/// hungriest procedure would take nearly all registers for a few warps. Measured on collision jobs,
/// 16 warps that spill a little are faster than fewer warps without spills, and than more warps
/// (docs/scheduler.md). Two blocks leave 14 of these to the workers; in each block one warp
/// schedules. A program of light procedures sets other numbers by kMegakernelBlocks and
/// kWorkerThreads.
template <class Program>
constexpr unsigned MegakernelBlocks() {
  if constexpr (requires { Program::kMegakernelBlocks; }) {
    return Program::kMegakernelBlocks;
  } else {
    return 2;
  }
}

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
  const bool schedules = threadIdx.x < 32;
  if (blockIdx.x == 0) {
    auto& memory = *reinterpret_cast<typename ControllerBlock<Space>::Memory*>(shared);
    if (threadIdx.x == 0) memory.leave = 0;
    __syncthreads();
    ControllerBlock<Space> controller(arguments, memory);
    if (schedules) {
      controller.TakeOrders();
    } else {
      controller.KeepOrder();
    }
    return;
  }
  auto& memory = *reinterpret_cast<WorkerBlockMemory<Space>*>(shared);
  WorkerBlock<Space> block(*arguments.space, memory);
  if (threadIdx.x == 0) block.Initialise();
  __syncthreads();
  const auto report = [&](std::uint32_t event) {
    ReportEvent(*arguments.space, *arguments.mailbox, event);
  };
  if (schedules) {
    block.Schedule(arguments.launch, report);
  } else {
    block.Execute(report);
  }
}

/// Empties a workspace that was zeroed.
template <class Space>
__global__ void ResetWorkspaceKernel(Space* space) {
  space->buckets.Reset(blockIdx.x * blockDim.x + threadIdx.x, gridDim.x * blockDim.x);
}

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_VERSATILE_MEGAKERNEL_CUH_
