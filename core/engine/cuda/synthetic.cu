// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The host's side of ProgramWithSynthetic on CUDA devices; its kernel is in
// synthetic_kernel.cu.
#include "core/engine/cuda/cuda_devices.cuh"
#include "core/programs.h"

extern template struct warpyard::model::MegakernelLaunch<
    warpyard::model::DeviceSpace<warpyard::ProgramWithSynthetic>>;

namespace warpyard {

absl::StatusOr<EngineDevices> MakeSyntheticCudaDevices(const EngineOptions& options) {
  return MakeCudaDevicesOf<ProgramWithSynthetic>(options);
}

}  // namespace warpyard
