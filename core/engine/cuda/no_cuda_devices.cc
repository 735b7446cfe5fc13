// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Replaces the CUDA devices in a build without nvcc.
#include "core/engine/engine_device.h"

namespace warpyard {
namespace {

absl::Status NoCuda() {
  return absl::UnavailableError("this build has no CUDA backend (no nvcc when it was configured)");
}

}  // namespace

absl::StatusOr<EngineDevices> MakeServiceCudaDevices(const EngineOptions&) { return NoCuda(); }
absl::StatusOr<EngineDevices> MakeSyntheticCudaDevices(const EngineOptions&) { return NoCuda(); }

}  // namespace warpyard
