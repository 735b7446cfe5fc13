// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Instantiates the resident kernel of ServiceProgram.
#include "core/engine/cuda_devices.cuh"
#include "core/programs.h"

namespace warpyard {

absl::StatusOr<EngineDevices> MakeServiceCudaDevices(const EngineOptions& options) {
  return MakeCudaDevicesOf<ServiceProgram>(options);
}

}  // namespace warpyard
