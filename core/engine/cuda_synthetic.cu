// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Instantiates the resident kernel of ProgramWithSynthetic.
#include "core/engine/cuda_devices.cuh"
#include "core/programs.h"

namespace warpyard {

absl::StatusOr<EngineDevices> MakeSyntheticCudaDevices(const EngineOptions& options) {
  return MakeCudaDevicesOf<ProgramWithSynthetic>(options);
}

}  // namespace warpyard
