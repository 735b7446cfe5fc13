// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/base/macros.h"
#include "core/device/cuda_backend.h"
#include "core/engine_device.h"
#include "core/model/persistent_megakernel.cuh"

namespace warpyard {

absl::StatusOr<EngineDevice> MakeCudaDevice(const EngineOptions& options) {
  WY_ASSIGN_OR_RETURN(std::unique_ptr<device::CudaBackend> backend,
                      device::CudaBackend::Create(0, options.memory_limit_bytes));
  WY_ASSIGN_OR_RETURN(std::unique_ptr<model::PersistentMegakernel<ccd::CollisionProgram>> model,
                      model::PersistentMegakernel<ccd::CollisionProgram>::Create(*backend));
  EngineDevice device;
  device.backend = std::move(backend);
  device.model = std::move(model);
  return device;
}

}  // namespace warpyard
