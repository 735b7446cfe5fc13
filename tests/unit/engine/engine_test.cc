// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/engine/engine.h"

#include <gtest/gtest.h>
#include <oneapi/tbb/global_control.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <future>
#include <optional>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/api/collision.h"
#include "tests/support/mesh_fixtures.h"
#include "tests/unit/engine/engine_driver.h"

namespace warpyard::test_support {
namespace {

// Sorts run on one thread here: ThreadSanitizer does not see how oneTBB hands work to others.
const tbb::global_control kSerialSorts(tbb::global_control::max_allowed_parallelism, 1);

using ccd::CollisionResult;
using ccd::GroupRule;
using ccd::Report;

ccd::CollisionOptions Reporting(Report report) {
  ccd::CollisionOptions options;
  options.report = report;
  return options;
}

/// Times and ids of all collisions, to compare results.
std::vector<double> Fingerprint(const CollisionResult& result) {
  std::vector<double> numbers;
  for (const auto& pair : result.vertex_face) {
    numbers.insert(numbers.end(), {double(pair.vertex), double(pair.face), pair.time});
  }
  for (const auto& pair : result.edge_edge) {
    numbers.insert(numbers.end(),
                   {double(pair.a0), double(pair.a1), double(pair.b0), double(pair.b1), pair.time});
  }
  return numbers;
}

/// A soup in which much collides.
Motion BusySoup(std::uint64_t seed, std::uint32_t triangles = 300) {
  return TriangleSoup(seed, {triangles, 0.4, 0.4});
}

/// Nearly all features may meet nearly all others: a step of it takes long.
Motion LongMotion() { return TriangleSoup(99, {1200, 1.5, 1.5}); }

/// A step that brings both of its ends.
absl::StatusOr<CollisionResult> StepOf(EngineDriver& driver, ResidentId scene, const Motion& motion,
                                       const ccd::CollisionOptions& options = {}) {
  const Positions start(motion.start, ccd::ScalarType::kFloat64);
  const Positions end(motion.end, ccd::ScalarType::kFloat64);
  Completion<CollisionResult> completion;
  collision::Step(driver.engine(), scene, {end.View(), start.View(), options}, {},
                  completion.Callback());
  return completion.Await();
}

/// Waits for the engine's memory to be what it was: a job gives back what it holds after its
/// completion has run.
bool ReturnsToMemory(Engine& engine, std::uint64_t bytes) {
  for (int i = 0; i < 10'000 && engine.Statistics().memory_used_bytes != bytes; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return engine.Statistics().memory_used_bytes == bytes;
}

/// A job that takes long, and can be cancelled.
class LongStep {
 public:
  explicit LongStep(EngineDriver& driver) : driver_(driver) {
    const auto scene = driver.Open(motion_);
    EXPECT_TRUE(scene.ok()) << scene.status();
    if (scene.ok()) scene_ = scene->id;
  }
  void Start(const JobOptions& options = {}) {
    id_ = collision::Step(driver_.engine(), scene_, {end_.View(), std::nullopt, {}}, options,
                          completion_.Callback());
  }
  void Cancel() { driver_.engine().Cancel(id_); }
  absl::Status End() { return completion_.Await().status(); }
  ResidentId scene() const { return scene_; }

 private:
  EngineDriver& driver_;
  const Motion motion_ = LongMotion();
  const Positions end_{motion_.end, ccd::ScalarType::kFloat64};
  ResidentId scene_;
  JobId id_;
  Completion<CollisionResult> completion_;
};

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

TEST(Engine, RunsStepsOfASceneInOrder) {
  EngineDriver driver(2);
  const Motion motion = BusySoup(7, 60);
  std::vector<std::vector<double>> frames = {motion.start};
  for (int step = 1; step <= 6; ++step) frames.push_back(BusySoup(7 + 100 * step, 60).end);
  std::vector<std::vector<double>> expected;
  for (std::size_t step = 0; step + 1 < frames.size(); ++step) {
    Motion alone = motion;
    alone.start = frames[step];
    alone.end = frames[step + 1];
    const auto result = driver.Detect(alone, {});
    ASSERT_TRUE(result.ok());
    expected.push_back(Fingerprint(*result));
  }
  const auto scene = driver.Open(motion);
  ASSERT_TRUE(scene.ok());
  std::vector<Positions> ends;
  std::vector<Completion<CollisionResult>> completions(expected.size());
  for (const auto& frame : frames) ends.emplace_back(frame, ccd::ScalarType::kFloat64);
  for (std::size_t step = 0; step < expected.size(); ++step) {
    collision::Step(driver.engine(), scene->id, {ends[step + 1].View(), std::nullopt, {}}, {},
                    completions[step].Callback());
  }
  for (std::size_t step = 0; step < expected.size(); ++step) {
    const auto result = completions[step].Await();
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(Fingerprint(*result), expected[step]) << "step " << step;
  }
}

TEST(Engine, DoesAJobOnALentThreadWithinTheCall) {
  EngineDriver driver(2);
  const Motion motion = BusySoup(8);
  const auto expected = driver.Detect(motion, {});
  const auto scene = driver.Open(motion);
  ASSERT_TRUE(expected.ok() && scene.ok());
  const Positions end(motion.end, ccd::ScalarType::kFloat64);
  JobOptions lending;
  lending.lend_thread = true;
  std::vector<double> found;
  collision::Step(driver.engine(), scene->id, {end.View(), std::nullopt, {}}, lending,
                  [&](auto result) {
                    EXPECT_TRUE(result.ok()) << result.status();
                    if (result.ok()) found = Fingerprint(*result);
                  });
  EXPECT_EQ(found, Fingerprint(*expected));
  LongStep late(driver);
  lending.deadline = absl::Now() + absl::Milliseconds(50);
  late.Start(lending);
  EXPECT_TRUE(absl::IsDeadlineExceeded(late.End()));
}

TEST(Engine, TakesTheStartOfAStepWhereItIsGiven) {
  EngineDriver driver(1);
  const Motion motion = BusySoup(8), other = BusySoup(9);
  const auto expected = driver.Detect(motion, {});
  ASSERT_TRUE(expected.ok());
  const auto scene = driver.Open(other);
  ASSERT_TRUE(scene.ok());
  const auto result = StepOf(driver, scene->id, motion);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(Fingerprint(*result), Fingerprint(*expected));
}

/// Short lists come with the counters, if those of the step before were short.
TEST(Engine, ListsTheSameWhateverTheStepBeforeListed) {
  EngineDriver driver(2);
  const Motion motion = BusySoup(12);
  const auto scene = driver.Open(motion);
  ASSERT_TRUE(scene.ok());
  std::size_t least = ~std::size_t{0}, most = 0;
  for (const double max_time : {1.0, 0.002, 1e-9, 0.02, 1.0, 0.05, 0.002, 0.02, 0.1}) {
    for (const Report report : {Report::kCollisions, Report::kEarliest, Report::kCollisions}) {
      ccd::CollisionOptions options = Reporting(report);
      options.max_time = max_time;
      const auto expected = driver.Detect(motion, options);
      ASSERT_TRUE(expected.ok()) << expected.status();
      const auto result = StepOf(driver, scene->id, motion, options);
      ASSERT_TRUE(result.ok()) << result.status();
      EXPECT_EQ(Fingerprint(*result), Fingerprint(*expected)) << "until " << max_time;
      if (report != Report::kCollisions) continue;
      least = std::min({least, result->vertex_face.size(), result->edge_edge.size()});
      most = std::max({most, result->vertex_face.size(), result->edge_edge.size()});
    }
  }
  EXPECT_LT(least, 256u);
  EXPECT_GT(most, 256u);
}

TEST(Engine, KeepsTheStartPositionsWhenAStepFails) {
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

TEST(Engine, KeepsTheStartPositionsWhenARunningStepIsCancelled) {
  EngineDriver driver(2);
  LongStep step(driver);
  step.Start();
  while (driver.engine().Statistics().jobs_running == 0) std::this_thread::yield();
  step.Cancel();
  EXPECT_TRUE(absl::IsCancelled(step.End()));
  // From the rest positions to the rest positions: the step did not move them.
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

TEST(Engine, CancelsAWaitingStep) {
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

TEST(Engine, EndsARunningStepAtItsDeadline) {
  EngineDriver driver(1);
  LongStep step(driver);
  step.Start({Priority::kNormal, absl::Now() + absl::Milliseconds(5)});
  EXPECT_TRUE(absl::IsDeadlineExceeded(step.End()));
}

TEST(Engine, IgnoresTheCancellationOfUnknownJobs) {
  EngineDriver driver(1);
  driver.engine().Cancel(JobId{});
  driver.engine().Cancel(JobId{12345});
  EXPECT_TRUE(driver.Detect(BusySoup(11, 20), {}).ok());
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

TEST(Engine, FindsNothingInASingleTriangle) {
  EngineDriver driver(2);
  const Motion motion = DegenerateMotions().front().motion;
  for (const Report report : {Report::kCollisions, Report::kEarliest, Report::kCandidates}) {
    const auto result = driver.Detect(motion, Reporting(report));
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_TRUE(result->vertex_face.empty());
    EXPECT_TRUE(result->edge_edge.empty());
    EXPECT_FALSE(result->earliest_time.has_value());
  }
}

TEST(Engine, ReportsOnlyWhatWasAskedFor) {
  EngineDriver driver(2);
  const Motion motion = BusySoup(14);
  const auto earliest = driver.Detect(motion, Reporting(Report::kEarliest));
  const auto candidates = driver.Detect(motion, Reporting(Report::kCandidates));
  ASSERT_TRUE(earliest.ok() && candidates.ok());
  EXPECT_TRUE(earliest->vertex_face.empty() && earliest->edge_edge.empty());
  EXPECT_TRUE(earliest->earliest_time.has_value());
  EXPECT_FALSE(candidates->earliest_time.has_value());
  EXPECT_EQ(candidates->vertex_face.size(), candidates->statistics.vertex_face_candidates);
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
