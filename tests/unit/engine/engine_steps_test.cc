// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include "tests/unit/engine/engine_driver.h"
#include "tests/unit/engine/steps_of_a_scene.h"

namespace warpyard::test_support {
namespace {

TEST(EngineSteps, AreThoseOfScenesOfTheirOwn) {
  EngineDriver engine(2);
  ASSERT_TRUE(engine.ok());
  ExpectStepsAsInScenesOfTheirOwn(engine);
}

}  // namespace
}  // namespace warpyard::test_support
