// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Jobs of the engine that end early: which jobs are cancelled, and what stays unchanged.

#include <gtest/gtest.h>

#include <optional>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/api/collision.h"
#include "core/engine/engine.h"
#include "tests/unit/engine/busy_soups.h"
#include "tests/unit/engine/engine_driver.h"

namespace warpyard::test_support {
namespace {

using ccd::CollisionResult;
using ccd::Report;

TEST(EngineCancel, KeepsTheStartPositionsWhenAStepFails) {
  EngineDriver driver(2);
  const Motion motion = BusySoup(10);
  const auto expected = driver.Detect(motion, {});
  const auto scene = driver.Open(motion);
  ASSERT_TRUE(expected.ok() && scene.ok());
  const std::vector<double> elsewhere(motion.end.size(), 0.5);
  const Positions end(elsewhere, ccd::ScalarType::kFloat64);
  Completion<CollisionResult> late;
  collision::Step(driver.engine(), scene->id, {end.View(), std::nullopt, {}},
                  {Priority::kNormal, absl::Now() - absl::Seconds(1)}, late.Callback());
  EXPECT_TRUE(absl::IsDeadlineExceeded(late.Await().status()));
  EXPECT_FALSE(driver.Step(scene->id, {1, 2, 3}).ok());
  const auto result = driver.Step(scene->id, motion.end);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(Fingerprint(*result), Fingerprint(*expected));
}

TEST(EngineCancel, KeepsTheStartPositionsWhenARunningStepIsCancelled) {
  EngineDriver driver(2);
  LongStep step(driver);
  step.Start();
  while (driver.engine().Statistics().jobs_running == 0) std::this_thread::yield();
  step.Cancel();
  EXPECT_TRUE(absl::IsCancelled(step.End()));
  // From the rest positions to the rest positions: the cancelled step did not move them.
  const Motion motion = LongMotion();
  const auto still = driver.Step(step.scene(), motion.start, Reporting(Report::kEarliest));
  ASSERT_TRUE(still.ok());
  Motion resting = motion;
  resting.end = resting.start;
  const auto expected = driver.Detect(resting, Reporting(Report::kEarliest));
  ASSERT_TRUE(expected.ok());
  EXPECT_EQ(still->statistics.vertex_face_candidates, expected->statistics.vertex_face_candidates);
  EXPECT_EQ(still->statistics.edge_edge_candidates, expected->statistics.edge_edge_candidates);
}

TEST(EngineCancel, CancelsAWaitingStep) {
  EngineDriver driver(1);
  LongStep first(driver);
  first.Start();
  // Steps of one scene run one at a time.
  const Motion motion = LongMotion();
  const Positions end(motion.end, ccd::ScalarType::kFloat64);
  Completion<CollisionResult> second;
  const JobId id = collision::Step(driver.engine(), first.scene(), {end.View(), std::nullopt, {}},
                                   {}, second.Callback());
  driver.engine().Cancel(id);
  EXPECT_TRUE(absl::IsCancelled(second.Await().status()));
  first.Cancel();
  EXPECT_TRUE(absl::IsCancelled(first.End()));
}

TEST(EngineCancel, EndsARunningStepAtItsDeadline) {
  EngineDriver driver(1);
  LongStep step(driver);
  step.Start({Priority::kNormal, absl::Now() + absl::Milliseconds(5)});
  EXPECT_TRUE(absl::IsDeadlineExceeded(step.End()));
}

TEST(EngineCancel, IgnoresTheCancellationOfUnknownJobs) {
  EngineDriver driver(1);
  driver.engine().Cancel(JobId{});
  driver.engine().Cancel(JobId{12345});
  EXPECT_TRUE(driver.Detect(BusySoup(11, 20), {}).ok());
}

}  // namespace
}  // namespace warpyard::test_support
