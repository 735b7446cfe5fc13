// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Jobs of an event loop that share an event, and that have to run again.

#include <gtest/gtest.h>

#include "core/engine/engine_device.h"
#include "tests/support/serial_sorts.h"
#include "tests/unit/engine/steps_that_overflow.h"

namespace warpyard::test_support {
namespace {

class OverflowInABatchTest : public ::testing::TestWithParam<OverflowCase> {};

TEST_P(OverflowInABatchTest, LeavesEachStepTheResultThatItHasAlone) {
  EngineOptions options;
  options.backend = BackendChoice::kCpu;
  options.threads = 2;
  EngineDevice device = MakeCpuDevice(options);
  ExpectOverflowsAsAlone(device, GetParam());
}

INSTANTIATE_TEST_SUITE_P(Lists, OverflowInABatchTest, ::testing::ValuesIn(OverflowCases()),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace warpyard::test_support
