// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include "tests/unit/engine/engine_driver.h"
#include "tests/unit/engine/steps_of_a_scene.h"
#include "tests/unit/engine/steps_of_many_scenes.h"

namespace warpyard::test_support {
namespace {

TEST(EngineSteps, AreThoseOfScenesOfTheirOwn) {
  EngineDriver engine(2);
  ASSERT_TRUE(engine.ok());
  ExpectStepsAsInScenesOfTheirOwn(engine);
}

TEST(EngineSteps, OfManyScenesAreThoseOfEachAlone) {
  EngineDriver engine(2);
  ASSERT_TRUE(engine.ok());
  ExpectStepsOfManyScenesAsAlone(engine, 40, 4);
  EXPECT_GT(BatchedJobs(engine.engine()), 20u);
}

TEST(EngineSteps, DoNotShareEventsWithoutBatching) {
  EngineOptions options;
  options.threads = 2;
  options.backend = BackendChoice::kCpu;
  options.batching = false;
  EngineDriver engine(options);
  ASSERT_TRUE(engine.ok());
  ExpectStepsOfManyScenesAsAlone(engine, 12, 2);
  EXPECT_EQ(BatchedJobs(engine.engine()), 0u);
}

}  // namespace
}  // namespace warpyard::test_support
