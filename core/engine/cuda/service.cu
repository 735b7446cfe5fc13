// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The host's side of ServiceProgram on CUDA devices; its kernel is in service_kernel.cu.
#include "core/engine/cuda/cuda_devices.cuh"
#include "core/programs.h"

extern template struct warpyard::model::MegakernelLaunch<
    warpyard::model::DeviceSpace<warpyard::ServiceProgram>>;

namespace warpyard {

absl::StatusOr<EngineDevices> MakeServiceCudaDevices(const EngineOptions& options) {
  return MakeCudaDevicesOf<ServiceProgram>(options);
}

}  // namespace warpyard
