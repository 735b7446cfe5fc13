// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "tests/example/core/engine/example_engine.h"

#include <utility>

#include "core/engine/cpu_device.h"
#include "tests/example/core/programs.h"

namespace warpyard::example {

std::unique_ptr<Engine> MakeCpuEngine(const EngineOptions& options) {
  EngineDevices devices;
  devices.devices.push_back(MakeCpuDeviceOf<Program>(options));
  return MakeEngine(std::move(devices), options);
}

}  // namespace warpyard::example
