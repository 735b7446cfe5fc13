// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// An engine whose workers have the example's program.
#ifndef WARPYARD_TESTS_EXAMPLE_CORE_ENGINE_EXAMPLE_ENGINE_H_
#define WARPYARD_TESTS_EXAMPLE_CORE_ENGINE_EXAMPLE_ENGINE_H_

#include <memory>

#include "core/engine/engine.h"

namespace warpyard::example {

/// An engine on CPU threads, for tests. A service needs no such function: Engine::Create makes its
/// engine.
std::unique_ptr<Engine> MakeCpuEngine(const EngineOptions& options);

}  // namespace warpyard::example

#endif  // WARPYARD_TESTS_EXAMPLE_CORE_ENGINE_EXAMPLE_ENGINE_H_
