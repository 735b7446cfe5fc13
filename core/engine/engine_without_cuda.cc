// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/engine/engine_device.h"

namespace warpyard {

absl::StatusOr<EngineDevices> MakeCudaDevices(const EngineOptions&) {
  return absl::UnavailableError("this build has no CUDA backend (no nvcc when it was configured)");
}

}  // namespace warpyard
