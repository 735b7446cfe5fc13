// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// CPU threads as a device of an engine.
#ifndef WARPYARD_CORE_ENGINE_CPU_DEVICE_H_
#define WARPYARD_CORE_ENGINE_CPU_DEVICE_H_

#include <algorithm>
#include <memory>
#include <thread>

#include "core/device/cpu_backend.h"
#include "core/engine/engine_device.h"
#include "core/model/cpu/cpu_workers.h"

namespace warpyard {

/// @shape Program: a model::CombinedProgram
template <class Program>
EngineDevice MakeCpuDeviceOf(const EngineOptions& options) {
  // Each runner costs a sleeping thread. There are more runners than workers usually: the jobs that
  // no worker serves wait as events, and the policy orders them.
  constexpr dispatch::RunnerLimits kRunners = {16, 4, 4, 1};
  const int threads = options.threads > 0
                          ? options.threads
                          : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  EngineDevice device;
  device.name = "cpu";
  device.backend = std::make_unique<device::CpuBackend>(threads, options.memory_limit_bytes);
  device.workers = std::make_unique<ModelWorkers<Program>>(
      std::make_unique<model::CpuWorkers<Program>>(threads, options.policy));
  device.runners = kRunners;
  device.ConnectQuietRunner();
  return device;
}

}  // namespace warpyard

#endif  // WARPYARD_CORE_ENGINE_CPU_DEVICE_H_
