// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <thread>

#include "core/device/cpu_backend.h"
#include "core/engine/engine_device.h"
#include "core/model/cpu_workers.h"

namespace warpyard {
namespace {

/// Runners cost a sleeping thread each. The workers are the limit of what runs; jobs beyond that
/// wait where the policy sees them.
constexpr dispatch::RunnerLimits kCpuRunners = {16, 4, 4};

}  // namespace

EngineDevice MakeCpuDevice(const EngineOptions& options) {
  const int threads = options.threads > 0
                          ? options.threads
                          : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  EngineDevice device;
  device.name = "cpu";
  device.backend = std::make_unique<device::CpuBackend>(threads, options.memory_limit_bytes);
  device.model = std::make_unique<model::CpuWorkers<ServiceProgram>>(threads, options.policy);
  device.runners = kCpuRunners;
  device.ConnectQuietRunner();
  return device;
}

}  // namespace warpyard
