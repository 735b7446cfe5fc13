// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/engine/engine.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <future>
#include <optional>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "core/api/collision.h"
#include "tests/support/mesh_fixtures.h"
#include "tests/support/serial_sorts.h"
#include "tests/unit/engine/busy_soups.h"
#include "tests/unit/engine/engine_driver.h"

namespace warpyard::test_support {
namespace {

using ccd::CollisionResult;
using ccd::Report;

/// Waits until the engine's memory is back at `bytes`: a job releases its memory shortly after its
/// completion has run.
bool ReturnsToMemory(Engine& engine, std::uint64_t bytes) {
  for (int i = 0; i < 10'000 && engine.Statistics().memory_used_bytes != bytes; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return engine.Statistics().memory_used_bytes == bytes;
}

TEST(Engine, OpensStepsAndClosesAScene) {
  EngineDriver driver(2);
  const Motion motion = BusySoup(1);
  const auto scene = driver.Open(motion);
  ASSERT_TRUE(scene.ok()) << scene.status();
  EXPECT_EQ(scene->edges, 900u);
  EXPECT_NE(scene->id.value, 0u);
  const auto result = driver.Step(scene->id, motion.end);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_FALSE(result->vertex_face.empty());
  EXPECT_FALSE(result->edge_edge.empty());
  EXPECT_EQ(result->statistics.vertices, 900u);
  EXPECT_EQ(result->statistics.triangles, 300u);
  EXPECT_EQ(result->statistics.vertex_face_collisions, result->vertex_face.size());
  EXPECT_EQ(result->statistics.edge_edge_collisions, result->edge_edge.size());
  EXPECT_TRUE(driver.engine().Close(scene->id).ok());
}

TEST(Engine, DoesNotKnowScenesThatWereNeverOpenOrAreClosed) {
  EngineDriver driver(1);
  const Motion motion = BusySoup(1, 4);
  EXPECT_TRUE(absl::IsNotFound(driver.Step(ResidentId{77}, motion.end).status()));
  EXPECT_TRUE(absl::IsNotFound(driver.engine().Close(ResidentId{77})));
  const auto scene = driver.Open(motion);
  ASSERT_TRUE(scene.ok());
  EXPECT_TRUE(driver.engine().Close(scene->id).ok());
  EXPECT_TRUE(absl::IsNotFound(driver.engine().Close(scene->id)));
  EXPECT_TRUE(absl::IsNotFound(driver.Step(scene->id, motion.end).status()));
}

TEST(Engine, ReturnsTheMemoryOfClosedScenes) {
  EngineDriver driver(1);
  const std::uint64_t before = driver.engine().Statistics().memory_used_bytes;
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(driver.Detect(BusySoup(2), Reporting(Report::kCandidates)).ok());
  }
  EXPECT_TRUE(ReturnsToMemory(driver.engine(), before));
  EXPECT_EQ(driver.engine().Statistics().residents, 0u);
}

TEST(Engine, RefusesAKernelOfOneBlock) {
  EngineOptions options;
  options.backend = BackendChoice::kCpu;
  options.most_blocks = 1;
  EXPECT_TRUE(absl::IsInvalidArgument(Engine::Create(options).status()));
}

TEST(Engine, RefusesAStepWithAnotherNumberOfVertices) {
  EngineDriver driver(1);
  const Motion motion = BusySoup(3, 10);
  const auto scene = driver.Open(motion);
  ASSERT_TRUE(scene.ok());
  std::vector<double> short_end = motion.end;
  short_end.resize(short_end.size() - 3);
  EXPECT_TRUE(absl::IsInvalidArgument(driver.Step(scene->id, short_end).status()));
  EXPECT_TRUE(driver.Step(scene->id, motion.end).ok());
}

TEST(Engine, RefusesMoreScenesThanMayBeOpen) {
  EngineOptions options;
  options.backend = BackendChoice::kCpu;
  options.threads = 1;
  options.max_residents = 2;
  EngineDriver driver(options);
  const Motion motion = BusySoup(4, 4);
  const auto first = driver.Open(motion), second = driver.Open(motion);
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_TRUE(absl::IsResourceExhausted(driver.Open(motion).status()));
  EXPECT_TRUE(driver.engine().Close(first->id).ok());
  EXPECT_TRUE(driver.Open(motion).ok());
}

TEST(Engine, RefusesASceneThatNeedsMoreMemoryThanThereIs) {
  EngineOptions options;
  options.backend = BackendChoice::kCpu;
  options.threads = 1;
  options.memory_limit_bytes = 1 << 20;
  EngineDriver driver(options);
  EXPECT_TRUE(absl::IsResourceExhausted(driver.Open(BusySoup(5, 20'000)).status()));
  EXPECT_TRUE(ReturnsToMemory(driver.engine(), 0));
  EXPECT_EQ(driver.engine().Statistics().memory_limit_bytes, 1u << 20);
  const Motion small = BusySoup(5, 50);
  EXPECT_TRUE(driver.Detect(small, {}).ok());
}

TEST(Engine, FailsOnlyTheStepWhoseListsNeedMoreMemoryThanThereIs) {
  EngineOptions options;
  options.backend = BackendChoice::kCpu;
  options.threads = 1;
  options.memory_limit_bytes = 4 << 20;
  EngineDriver driver(options);
  // All triangles meet all others in the middle of one step, and none in the next.
  const Motion crowd = TriangleSoup(6, {700, 1.8, 0});
  Motion apart = crowd;
  for (std::size_t i = 0; i < apart.start.size(); ++i) {
    apart.start[i] += 100.0 * static_cast<double>(i / 9);
  }
  const auto scene = driver.Open(apart);
  ASSERT_TRUE(scene.ok()) << scene.status();
  const auto crowded = driver.Step(scene->id, crowd.end, Reporting(Report::kCandidates));
  EXPECT_TRUE(absl::IsResourceExhausted(crowded.status())) << crowded.status();
  const auto still = driver.Step(scene->id, apart.start, Reporting(Report::kCandidates));
  ASSERT_TRUE(still.ok()) << still.status();
  EXPECT_EQ(still->vertex_face.size(), 0u);
}

TEST(Engine, CompletesEveryJobBeforeItEnds) {
  std::vector<Completion<CollisionResult>> completions(8);
  const Motion motion = BusySoup(12, 2000);
  const Positions end(motion.end, ccd::ScalarType::kFloat64);
  {
    EngineDriver driver(1);
    const auto scene = driver.Open(motion);
    ASSERT_TRUE(scene.ok());
    for (auto& completion : completions) {
      collision::Step(driver.engine(), scene->id, {end.View(), std::nullopt, {}}, {},
                      completion.Callback());
    }
  }
  for (auto& completion : completions) {
    const absl::Status status = completion.Await().status();
    EXPECT_TRUE(status.ok() || absl::IsCancelled(status)) << status;
  }
}

TEST(Engine, NeverCompletesAJobOnTheThreadThatSubmitsIt) {
  EngineDriver driver(1);
  std::promise<std::thread::id> completed_on;
  const std::vector<double> end(9, 0);
  const Positions positions(end, ccd::ScalarType::kFloat64);
  collision::Step(driver.engine(), ResidentId{5}, {positions.View(), std::nullopt, {}}, {},
                  [&](const auto&) { completed_on.set_value(std::this_thread::get_id()); });
  EXPECT_NE(completed_on.get_future().get(), std::this_thread::get_id());
}

TEST(Engine, LetsAStepFinishWhoseSceneIsClosed) {
  EngineDriver driver(1);
  const Motion motion = BusySoup(13);
  const auto scene = driver.Open(motion);
  ASSERT_TRUE(scene.ok());
  const Positions end(motion.end, ccd::ScalarType::kFloat64);
  Completion<CollisionResult> completion;
  collision::Step(driver.engine(), scene->id, {end.View(), std::nullopt, {}}, {},
                  completion.Callback());
  EXPECT_TRUE(driver.engine().Close(scene->id).ok());
  EXPECT_TRUE(completion.Await().ok());
}

TEST(Engine, CountsWhatItDoes) {
  EngineDriver driver(2);
  const auto scene = driver.Open(BusySoup(15));
  ASSERT_TRUE(scene.ok());
  const EngineStatistics statistics = driver.engine().Statistics();
  EXPECT_EQ(statistics.residents, 1u);
  EXPECT_GT(statistics.memory_used_bytes, 0u);
  EXPECT_EQ(statistics.jobs_pending, 0u);
  EXPECT_EQ(statistics.max_jobs_pending, 1024u);
  ASSERT_EQ(statistics.devices.size(), 1u);
  const EngineStatistics::Device& device = statistics.devices[0];
  EXPECT_EQ(device.name, "cpu");
  EXPECT_EQ(device.workers, 2u);
  EXPECT_EQ(device.residents, 1u);
  EXPECT_FALSE(device.lost);
  EXPECT_FALSE(device.queues.empty());
  std::uint64_t executed = 0;
  for (const auto& procedure : device.procedures) executed += procedure.executed_items;
  EXPECT_GT(executed, 0u);
  EXPECT_EQ(driver.engine().BackendDescription(), "cpu, 2 threads");
}

TEST(Engine, ServesManyCallersAtOnce) {
  EngineDriver driver(2);
  std::vector<std::vector<double>> expected;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const auto result = driver.Detect(BusySoup(20 + seed, 100), {});
    ASSERT_TRUE(result.ok());
    expected.push_back(Fingerprint(*result));
  }
  std::vector<std::thread> callers;
  for (std::size_t caller = 0; caller < 4; ++caller) {
    callers.emplace_back([&, caller] {
      for (int i = 0; i < 6; ++i) {
        const auto result = driver.Detect(BusySoup(20 + caller, 100), {});
        ASSERT_TRUE(result.ok());
        ASSERT_EQ(Fingerprint(*result), expected[caller]);
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
}

}  // namespace
}  // namespace warpyard::test_support
