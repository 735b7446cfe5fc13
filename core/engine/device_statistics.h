// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Reads the statistics of one device from its workers and its backend.
#ifndef WARPYARD_CORE_ENGINE_DEVICE_STATISTICS_H_
#define WARPYARD_CORE_ENGINE_DEVICE_STATISTICS_H_

#include "core/engine/engine_device.h"
#include "core/engine/statistics.h"

namespace warpyard {

/// All statistics except the counts of jobs and residents, which only the engine knows.
EngineStatistics::Device StatisticsOf(const EngineDevice& device);

}  // namespace warpyard

#endif  // WARPYARD_CORE_ENGINE_DEVICE_STATISTICS_H_
