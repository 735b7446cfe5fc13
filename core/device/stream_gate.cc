// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/device/stream_gate.h"

#include <cuda.h>
#include <cuda_runtime.h>

#include <atomic>

#include "absl/strings/str_cat.h"
#include "core/base/macros.h"
#include "core/device/cuda_status.h"

namespace warpyard::device {

StreamGate::~StreamGate() {
  if (word_ != nullptr) cudaFreeHost(word_);
}

absl::Status StreamGate::Create() {
  cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
  WY_RETURN_IF_ERROR(ToStatus(cudaGetDriverEntryPointByVersion("cuStreamWaitValue32", &wait_, 12000,
                                                               cudaEnableDefault, &found)));
  if (found != cudaDriverEntryPointSuccess) {
    return absl::UnavailableError("CUDA: streams cannot wait for words here");
  }
  WY_RETURN_IF_ERROR(ToStatus(
      cudaHostAlloc(reinterpret_cast<void**>(&word_), sizeof *word_, cudaHostAllocMapped)));
  *word_ = 0;
  void* mapped = nullptr;
  WY_RETURN_IF_ERROR(ToStatus(cudaHostGetDevicePointer(&mapped, word_, 0)));
  device_address_ = reinterpret_cast<std::uint64_t>(mapped);
  return absl::OkStatus();
}

absl::Status StreamGate::Close(CUstream_st* stream, std::uint32_t number) {
  const auto wait =
      reinterpret_cast<CUresult (*)(CUstream, CUdeviceptr, cuuint32_t, unsigned)>(wait_);
  const CUresult result = wait(stream, device_address_, number, CU_STREAM_WAIT_VALUE_GEQ);
  if (result == CUDA_SUCCESS) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat("CUDA: cuStreamWaitValue32: error ", result));
}

void StreamGate::Open(std::uint32_t number) {
  std::atomic_ref(*word_).store(number, std::memory_order_release);
}

}  // namespace warpyard::device
