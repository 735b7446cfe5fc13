// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The engine on a CUDA device gives, bit for bit, what it gives on CPU threads.

#include "core/engine/engine.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/api/collision.h"
#include "core/api/synthetic.h"
#include "core/workload/synthetic/synthetic_oracle.h"
#include "tests/support/mesh_fixtures.h"
#include "tests/unit/api/worlds_of_a_set.h"
#include "tests/unit/engine/engine_driver.h"
#include "tests/unit/engine/position_forms.h"
#include "tests/unit/engine/steps_of_a_scene.h"
#include "tests/unit/engine/steps_of_many_scenes.h"

namespace warpyard::test_support {
namespace {

using ccd::CollisionOptions;
using ccd::CollisionResult;
using ccd::Report;
using ccd::RootFinder;
using ccd::ScalarType;
using ccd::Traversal;

/// All numbers of a result, to be compared exactly. With Report::kEarliest it leaves out counts of
/// examined pairs, because they depend on whether a sample pays on a backend.
std::vector<double> Numbers(const CollisionResult& result) {
  const auto& counts = result.statistics;
  std::vector<double> numbers;
  const auto add = [&numbers](auto value) { numbers.push_back(static_cast<double>(value)); };
  if (!result.vertex_face.empty() || !result.edge_edge.empty()) {
    add(counts.vertex_face_candidates);
    add(counts.edge_edge_candidates);
  }
  add(result.earliest_time.value_or(2));
  for (const auto& pair : result.vertex_face) {
    add(pair.vertex);
    add(pair.face);
    add(pair.time);
  }
  for (const auto& pair : result.edge_edge) {
    for (const std::uint32_t v : {pair.a0, pair.a1, pair.b0, pair.b1}) add(v);
    add(pair.time);
  }
  for (const auto& geometry : result.vertex_face_geometry) {
    for (const double value : geometry.weights) add(value);
    for (const double value : geometry.normal) add(value);
  }
  for (const auto& geometry : result.edge_edge_geometry) {
    for (const double value : geometry.parameters) add(value);
    for (const double value : geometry.normal) add(value);
  }
  return numbers;
}

std::vector<NamedMotion> Motions() {
  std::vector<NamedMotion> motions = DegenerateMotions();
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const std::string name = "_seed_" + std::to_string(seed);
    motions.push_back({"soup" + name, TriangleSoup(seed, {1000, 0.2, 0.3})});
    motions.push_back({"grid_soup" + name, TriangleSoup(seed, {200, 0.5, 0.5, 2})});
    motions.push_back({"cloth" + name, FoldingCloth(seed, 30, 40)});
    motions.push_back({"bodies" + name, Tetrahedra(seed, 100)});
  }
  motions.push_back({"large_soup", TriangleSoup(70, {60'000, 0.05, 0.05})});
  motions.push_back({"dense_soup", TriangleSoup(71, {4000, 0.5, 0.4})});
  return motions;
}

class CudaEngine : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!cuda_.ok()) GTEST_SKIP() << cuda_.status();
  }

  EngineDriver cuda_{0, BackendChoice::kCuda};
  /// With the same options on both.
  void ExpectSame(const NamedMotion& named, const CollisionOptions& options, ScalarType type);

  EngineDriver cpu_{0, BackendChoice::kCpu};
};

void CudaEngine::ExpectSame(const NamedMotion& named, const CollisionOptions& options,
                            ScalarType type) {
  const auto cuda = cuda_.Detect(named.motion, options, type);
  const auto cpu = cpu_.Detect(named.motion, options, type);
  ASSERT_TRUE(cuda.ok()) << named.name << ": " << cuda.status();
  ASSERT_TRUE(cpu.ok()) << named.name << ": " << cpu.status();
  EXPECT_EQ(Numbers(*cuda), Numbers(*cpu)) << named.name;
}

TEST_F(CudaEngine, FindsWhatTheCpuFindsBitForBit) {
  for (const NamedMotion& named : Motions()) {
    for (const Report report : {Report::kCollisions, Report::kEarliest, Report::kCandidates}) {
      for (const RootFinder finder : {RootFinder::kConservative, RootFinder::kCubic}) {
        for (const ScalarType type : {ScalarType::kFloat32, ScalarType::kFloat64}) {
          if (report == Report::kCandidates && finder == RootFinder::kCubic) continue;
          for (const Traversal traversal : {Traversal::kClusters, Traversal::kIndependent}) {
            CollisionOptions options;
            options.report = report;
            options.root_finder = finder;
            options.traversal = traversal;
            ExpectSame(named, options, type);
          }
        }
      }
    }
  }
}

TEST_F(CudaEngine, FindsTheSameWithinASeparationUntilATime) {
  for (const NamedMotion& named : Motions()) {
    for (const Report report : {Report::kCollisions, Report::kEarliest, Report::kCandidates}) {
      for (const Traversal traversal : {Traversal::kClusters, Traversal::kIndependent}) {
        CollisionOptions options;
        options.report = report;
        options.traversal = traversal;
        options.min_separation = 0.01;
        options.max_time = 0.6;
        options.with_geometry = true;
        ExpectSame(named, options, ScalarType::kFloat64);
      }
    }
  }
}

TEST_F(CudaEngine, FindsTheSameInAHierarchyThatIsBuiltTopDown) {
  cuda_.build = cpu_.build = ccd::HierarchyBuild::kTopDown;
  for (const NamedMotion& named : Motions()) {
    for (const Traversal traversal : {Traversal::kClusters, Traversal::kIndependent}) {
      CollisionOptions options;
      options.traversal = traversal;
      ExpectSame(named, options, ScalarType::kFloat64);
    }
  }
}

TEST_F(CudaEngine, FindsTheSameInEveryStepOfAScene) {
  const Motion motion = TriangleSoup(80, {2000, 0.2, 0.2});
  const auto on_cuda = cuda_.Open(motion), on_cpu = cpu_.Open(motion);
  ASSERT_TRUE(on_cuda.ok() && on_cpu.ok());
  for (std::uint64_t step = 0; step < 30; ++step) {
    const std::vector<double> end = TriangleSoup(80, {2000, 0.2, 0.02 * double(step)}).end;
    const auto cuda = cuda_.Step(on_cuda->id, end), cpu = cpu_.Step(on_cpu->id, end);
    ASSERT_TRUE(cuda.ok() && cpu.ok()) << cuda.status() << cpu.status();
    ASSERT_EQ(Numbers(*cuda), Numbers(*cpu)) << "step " << step;
  }
}

TEST_F(CudaEngine, StepsAreThoseOfScenesOfTheirOwn) { ExpectStepsAsInScenesOfTheirOwn(cuda_); }

TEST_F(CudaEngine, StepsOfManyScenesAreThoseOfEachAlone) {
  ExpectStepsOfManyScenesAsAlone(cuda_, 120, 40);
  EXPECT_GT(BatchedJobs(cuda_.engine()), 500u);
}

TEST_F(CudaEngine, GivesEachWorldOfASetTheAnswerOfASceneOfItsOwn) {
  ExpectWorldsAsScenes(cuda_, WorldsOfSoup(40, {300, 0.25, 0.3}));
  ExpectWorldsAsScenes(cuda_, WorldsOfSoup(3, {20, 0.6, 0.5}));
  ExpectWorldsAsScenes(cuda_, WorldsOfSoup(2, {9000, 0.05, 0.05}));
  ExpectWorldsAsScenes(cuda_, WorldsOfCloth(7, 30, 25));
  ExpectWorldsAsScenes(cuda_, WorldsOfManySpeeds());
}

TEST_F(CudaEngine, ConvertsPositionsOfEveryFormAsTheCpuDoes) {
  const Motion motion = Tetrahedra(87, 400);
  const auto on_cuda = cuda_.Open(motion), on_cpu = cpu_.Open(motion);
  ASSERT_TRUE(on_cuda.ok() && on_cpu.ok());
  Random random(88);
  for (int step = 0; step < 12; ++step) {
    const Pose pose = Pose::Random(random, 400, 0.3, 0.3);
    const std::vector<double> posed = pose.Doubles(motion.start, motion.vertex_groups);
    const QuantizedPositions quantized(posed);
    const Positions floats(posed, ScalarType::kFloat32);
    const ccd::StepPositions forms[] = {pose.View(), quantized.View(), floats.View()};
    CollisionOptions options;
    options.report = step < 6 ? Report::kCollisions : Report::kEarliest;
    Completion<CollisionResult> cuda, cpu;
    collision::Step(cuda_.engine(), on_cuda->id, {forms[step % 3], std::nullopt, options}, {},
                    cuda.Callback());
    collision::Step(cpu_.engine(), on_cpu->id, {forms[step % 3], std::nullopt, options}, {},
                    cpu.Callback());
    const auto from_cuda = cuda.Await(), from_cpu = cpu.Await();
    ASSERT_TRUE(from_cuda.ok() && from_cpu.ok()) << from_cuda.status() << from_cpu.status();
    ASSERT_EQ(Numbers(*from_cuda), Numbers(*from_cpu)) << "step " << step;
    EXPECT_EQ(from_cuda->path_deviation, from_cpu->path_deviation);
  }
}

TEST_F(CudaEngine, ServesManyCallersAtOnce) {
  const Motion motion = TriangleSoup(81, {1000, 0.2, 0.2});
  const auto expected = cpu_.Detect(motion, {});
  ASSERT_TRUE(expected.ok());
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 4; ++caller) {
    callers.emplace_back([&] {
      for (int i = 0; i < 10; ++i) {
        const auto result = cuda_.Detect(motion, {});
        ASSERT_TRUE(result.ok()) << result.status();
        ASSERT_EQ(Numbers(*result), Numbers(*expected));
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
}

TEST_F(CudaEngine, ReturnsTheMemoryOfClosedScenes) {
  const std::uint64_t before = cuda_.engine().Statistics().memory_used_bytes;
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(cuda_.Detect(TriangleSoup(82, {5000, 0.1, 0.1}), {}).ok());
  }
  // A job releases its memory shortly after its completion has run.
  for (int i = 0; i < 5000 && cuda_.engine().Statistics().memory_used_bytes != before; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_EQ(cuda_.engine().Statistics().memory_used_bytes, before);
}

// The step takes much longer than the deadline. It may be cancelled while it waits, is copied in or
// runs: it always ends as cancelled, and the next step is correct.
TEST_F(CudaEngine, EndsAStepThatIsCancelledOrLateAndGoesOn) {
  const Motion crowd = TriangleSoup(83, {30'000, 0.4, 0.3});
  const Motion small = TriangleSoup(84, {500, 0.2, 0.3});
  const auto expected = cpu_.Detect(small, {});
  const auto scene = cuda_.Open(crowd);
  ASSERT_TRUE(expected.ok() && scene.ok());
  const Positions end(crowd.end, ScalarType::kFloat64);
  for (int i = 0; i < 6; ++i) {
    Completion<CollisionResult> completion;
    JobOptions job;
    const bool late = i % 2 == 1;
    if (late) job.deadline = absl::Now() + absl::Milliseconds(5 * i);
    const JobId id = collision::Step(cuda_.engine(), scene->id, {end.View(), std::nullopt, {}}, job,
                                     completion.Callback());
    if (!late) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5 * i));
      cuda_.engine().Cancel(id);
    }
    const absl::Status status = completion.Await().status();
    EXPECT_TRUE(late ? absl::IsDeadlineExceeded(status) : absl::IsCancelled(status)) << status;
    const auto next = cuda_.Detect(small, {});
    ASSERT_TRUE(next.ok()) << next.status();
    ASSERT_EQ(Numbers(*next), Numbers(*expected));
  }
}

// The kernel that is prepared for an idle device must not keep the first job from starting.
TEST_F(CudaEngine, RunsItsFirstJobAfterATimeOfIdleness) {
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_TRUE(cuda_.Detect(TriangleSoup(85, {500, 0.2, 0.3}), {}).ok());
}

TEST_F(CudaEngine, ExecutesEveryElementOfALoadJob) {
  for (std::uint32_t kind = 0;
       kind <= static_cast<std::uint32_t>(synthetic::SyntheticKind::kFlatWarps); ++kind) {
    synthetic::SyntheticJob job;
    job.kind = static_cast<synthetic::SyntheticKind>(kind);
    job.elements = 2000;
    job.growth = synthetic::RecursiveGrowth();
    if (job.kind == synthetic::SyntheticKind::kPrioritised) job.total = 6000;
    Completion<synthetic::SyntheticResult> completion;
    synthetic::Run(cuda_.engine(), job, {}, completion.Callback());
    const auto result = completion.Await();
    ASSERT_TRUE(result.ok()) << result.status();
    const synthetic::SyntheticTotals expected = synthetic::CountNodes(job);
    EXPECT_EQ(result->executed, expected.executed) << kind;
    EXPECT_EQ(result->checksum, expected.checksum) << kind;
  }
}

TEST_F(CudaEngine, RunsAStepWithADeadlineBesideLongJobs) {
  // Submitted before the long jobs: without a deadline it would wait behind them for a runner.
  const Motion motion = TriangleSoup(86, {500, 0.2, 0.3});
  const auto scene = cuda_.Open(motion);
  ASSERT_TRUE(scene.ok()) << scene.status();
  synthetic::SyntheticJob load;
  load.elements = 100'000'000;
  load.work = {synthetic::WorkKind::kSpin, 100'000};
  std::vector<Completion<synthetic::SyntheticResult>> completions(24);
  std::vector<JobId> jobs;
  for (auto& completion : completions) {
    jobs.push_back(synthetic::Run(cuda_.engine(), load, {}, completion.Callback()));
  }
  const Positions end(motion.end, ScalarType::kFloat64);
  for (int step = 0; step < 20; ++step) {
    Completion<CollisionResult> completion;
    JobOptions timely;
    timely.deadline = absl::Now() + absl::Milliseconds(500);
    collision::Step(cuda_.engine(), scene->id, {end.View(), std::nullopt, {}}, timely,
                    completion.Callback());
    const absl::Status status = completion.Await().status();
    EXPECT_TRUE(status.ok()) << status;
  }
  for (const JobId job : jobs) cuda_.engine().Cancel(job);
  for (auto& completion : completions) {
    const absl::Status status = completion.Await().status();
    EXPECT_TRUE(absl::IsCancelled(status)) << status;
  }
}

}  // namespace
}  // namespace warpyard::test_support
