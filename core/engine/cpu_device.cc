// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/engine/cpu_device.h"

#include "core/programs.h"

namespace warpyard {

EngineDevice MakeCpuDevice(const EngineOptions& options) {
  return options.synthetic_jobs ? MakeCpuDeviceOf<ProgramWithSynthetic>(options)
                                : MakeCpuDeviceOf<ServiceProgram>(options);
}

}  // namespace warpyard
