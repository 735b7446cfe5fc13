// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What an execution model and a backend count, as the engine tells it.
#ifndef WARPYARD_CORE_ENGINE_ENGINE_STATISTICS_H_
#define WARPYARD_CORE_ENGINE_ENGINE_STATISTICS_H_

#include "core/engine/engine.h"
#include "core/engine/engine_device.h"

namespace warpyard {

/// All but what only the engine knows: jobs and scenes.
EngineStatistics::Device StatisticsOf(const EngineDevice& device);

}  // namespace warpyard

#endif  // WARPYARD_CORE_ENGINE_ENGINE_STATISTICS_H_
