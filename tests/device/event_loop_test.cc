// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Jobs of an event loop on a CUDA device that share events.

#include "core/engine/event_loop.h"

#include <gtest/gtest.h>

#include "core/engine/engine_device.h"
#include "tests/unit/engine/steps_that_overflow.h"

namespace warpyard::test_support {
namespace {

TEST(EventLoopOnCuda, LeavesEachStepTheResultThatItHasAloneWhenListsOverflow) {
  EngineOptions options;
  options.backend = BackendChoice::kCuda;
  auto made = MakeServiceCudaDevices(options);
  if (!made.ok()) GTEST_SKIP() << made.status();
  for (const OverflowCase& of : OverflowCases()) ExpectOverflowsAsAlone(made->devices.front(), of);
}

}  // namespace
}  // namespace warpyard::test_support
