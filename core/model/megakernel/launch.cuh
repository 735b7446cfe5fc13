// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// All host code that names the kernels of a program: the host's side of a resident kernel calls it
// and needs no kernel otherwise.
//
// A kernel takes minutes to compile. A file that says `extern template struct MegakernelLaunch`
// leaves the kernel to the file that instantiates it, so a change of the host's side does not
// compile kernels again.
#ifndef WARPYARD_CORE_MODEL_MEGAKERNEL_LAUNCH_CUH_
#define WARPYARD_CORE_MODEL_MEGAKERNEL_LAUNCH_CUH_

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/base/macros.h"
#include "core/device/cuda_status.h"
#include "core/model/megakernel/versatile_megakernel.cuh"

namespace warpyard::model {

/// @scope the program's device is in use @errors UNAVAILABLE
template <class Space>
struct MegakernelLaunch {
  /// As many blocks as the device holds at once. @shape most_blocks: no more than these; 0: no
  /// limit
  static absl::StatusOr<unsigned> ChooseGrid(int device, unsigned most_blocks);

  /// Puts a launch into a stream.
  static absl::Status Enqueue(const MegakernelArguments<Space>& arguments, unsigned blocks,
                              cudaStream_t stream);

  /// Puts a kernel into a stream that empties a workspace that was zeroed.
  static absl::Status EnqueueReset(Space* space, cudaStream_t stream);
};

// An inline function would be instantiated also where the kernel is left to another file.

template <class Space>
absl::StatusOr<unsigned> MegakernelLaunch<Space>::ChooseGrid(int device, unsigned most_blocks) {
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
  if (most_blocks != 0) blocks = std::min(blocks, most_blocks);
  if (blocks < 2) return absl::UnavailableError("CUDA: the megakernel does not fit the device");
  return blocks;
}

template <class Space>
absl::Status MegakernelLaunch<Space>::Enqueue(const MegakernelArguments<Space>& arguments,
                                              unsigned blocks, cudaStream_t stream) {
  // Not a cooperative launch, which costs some microseconds more: no block waits for a block that
  // may not have started (docs/adr/0014).
  ResidentMegakernel<Space>
      <<<blocks, kMegakernelThreads<Space>, MegakernelSharedBytes<Space>(), stream>>>(arguments);
  return device::ToStatus(cudaGetLastError());
}

template <class Space>
absl::Status MegakernelLaunch<Space>::EnqueueReset(Space* space, cudaStream_t stream) {
  ResetWorkspaceKernel<Space><<<64, 128, 0, stream>>>(space);
  return device::ToStatus(cudaGetLastError());
}

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_MEGAKERNEL_LAUNCH_CUH_
