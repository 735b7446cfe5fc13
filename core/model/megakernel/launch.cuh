// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Launches the megakernel.
#ifndef WARPYARD_CORE_MODEL_MEGAKERNEL_HOST_LAUNCH_CUH_
#define WARPYARD_CORE_MODEL_MEGAKERNEL_HOST_LAUNCH_CUH_

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/base/macros.h"
#include "core/device/cuda_status.h"
#include "core/model/megakernel/host/host_side.cuh"
#include "core/model/megakernel/versatile_megakernel.cuh"

namespace warpyard::model {

/// As many blocks as the device holds at once, or as the options say. @errors UNAVAILABLE
template <class Space>
absl::StatusOr<unsigned> ChooseGrid(int device, const ResidentOptions& options) {
  using device::ToStatus;
  const auto kernel = reinterpret_cast<const void*>(&ResidentMegakernel<Space>);
  constexpr std::size_t kShared = MegakernelSharedBytes<Space>();
  WY_RETURN_IF_ERROR(ToStatus(cudaFuncSetAttribute(
      kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(kShared))));
  int fit = 0, processors = 0;
  WY_RETURN_IF_ERROR(ToStatus(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      &fit, kernel, kMegakernelThreads<Space>, kShared)));
  WY_RETURN_IF_ERROR(
      ToStatus(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device)));
  const int most = std::min(fit * processors, static_cast<int>(kMostBlocks<Space>));
  auto blocks = static_cast<unsigned>(most);
  if (options.most_blocks != 0) blocks = std::min(blocks, options.most_blocks);
  if (blocks < 2) return absl::UnavailableError("CUDA: the megakernel does not fit the device");
  return blocks;
}

/// Puts launch number `launch` into the kernel's stream. @errors UNAVAILABLE
template <class Space>
absl::Status EnqueueLaunch(HostSide<Space>& side, unsigned blocks, std::uint32_t launch) {
  WY_RETURN_IF_ERROR(side.backend.Use());
  const MegakernelArguments<Space> arguments{side.memory.space(),          side.memory.state(),
                                             side.memory.device_mailbox(), side.options.policy,
                                             side.options.linger_ns,       launch};
  // Not a cooperative launch, which costs some microseconds more: no block waits for a block that
  // may not have started (docs/adr/0014).
  ResidentMegakernel<Space><<<blocks, kMegakernelThreads<Space>, MegakernelSharedBytes<Space>(),
                              side.memory.stream().handle()>>>(arguments);
  return device::ToStatus(cudaGetLastError());
}

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_MEGAKERNEL_HOST_LAUNCH_CUH_
