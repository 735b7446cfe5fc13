// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Backend and execution model of the engine's device: the one place that chooses between backends.
#ifndef WARPYARD_CORE_ENGINE_DEVICE_H_
#define WARPYARD_CORE_ENGINE_DEVICE_H_

#include <memory>

#include "absl/status/statusor.h"
#include "core/device/backend.h"
#include "core/engine.h"
#include "core/model/execution_model.h"
#include "core/workload/ccd/collision_program.h"

namespace warpyard {

struct EngineDevice {
  std::unique_ptr<device::Backend> backend;
  std::unique_ptr<model::ExecutionModel<ccd::CollisionProgram>> model;
  int concurrent_jobs = 1;
};

/// CPU threads; always there.
EngineDevice MakeCpuDevice(const EngineOptions& options);

/// @errors UNAVAILABLE: no device answers, or this build has no CUDA
absl::StatusOr<EngineDevice> MakeCudaDevice(const EngineOptions& options);

}  // namespace warpyard

#endif  // WARPYARD_CORE_ENGINE_DEVICE_H_
