// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <thread>

#include "core/device/cpu_backend.h"
#include "core/engine_device.h"
#include "core/model/cpu_workers.h"

namespace warpyard {

EngineDevice MakeCpuDevice(const EngineOptions& options) {
  const int threads = options.threads > 0
                          ? options.threads
                          : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  EngineDevice device;
  device.backend = std::make_unique<device::CpuBackend>(threads, options.memory_limit_bytes);
  device.model = std::make_unique<model::CpuWorkers<ccd::CollisionProgram>>(threads);
  // Two, so that a short job need not wait for a long one: they share the workers.
  device.concurrent_jobs = 2;
  return device;
}

}  // namespace warpyard
