// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Load jobs of the engine, jobs of several kinds at once, and several devices.

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/api/synthetic.h"
#include "core/engine/engine_device.h"
#include "core/workload/synthetic/synthetic_oracle.h"
#include "tests/support/mesh_fixtures.h"
#include "tests/support/serial_sorts.h"
#include "tests/unit/engine/engine_driver.h"

namespace warpyard::test_support {
namespace {

using synthetic::SyntheticJob;
using synthetic::SyntheticResult;

SyntheticJob Job(synthetic::SyntheticKind kind, std::uint32_t elements) {
  SyntheticJob job;
  job.kind = kind;
  job.seed = 5;
  job.elements = elements;
  job.growth = synthetic::RecursiveGrowth();
  if (kind == synthetic::SyntheticKind::kPrioritised) job.total = 3 * elements;
  return job;
}

/// A job that runs until it is cancelled; no test waits for its end.
SyntheticJob LongJob() {
  SyntheticJob job = Job(synthetic::SyntheticKind::kFlat, 1'000'000);
  job.work = {synthetic::WorkKind::kSpin, 1'000'000};
  return job;
}

absl::StatusOr<SyntheticResult> RunLoad(Engine& engine, const SyntheticJob& job,
                                        const JobOptions& options = {}) {
  Completion<SyntheticResult> completion;
  synthetic::Run(engine, job, options, completion.Callback());
  return completion.Await();
}

EngineOptions CpuOptions(int threads) {
  EngineOptions options;
  options.synthetic_jobs = true;
  options.backend = BackendChoice::kCpu;
  options.threads = threads;
  return options;
}

TEST(EngineLoad, ExecutesEveryElementOfEveryKind) {
  EngineDriver driver(2);
  for (std::uint32_t kind = 0;
       kind <= static_cast<std::uint32_t>(synthetic::SyntheticKind::kFlatWarps); ++kind) {
    const SyntheticJob job = Job(static_cast<synthetic::SyntheticKind>(kind), 200);
    const auto result = RunLoad(driver.engine(), job);
    ASSERT_TRUE(result.ok()) << result.status();
    const synthetic::SyntheticTotals expected = synthetic::CountNodes(job);
    EXPECT_EQ(result->executed, expected.executed) << kind;
    EXPECT_EQ(result->checksum, expected.checksum) << kind;
    EXPECT_GT(result->run, absl::ZeroDuration());
  }
}

TEST(EngineLoad, RunsAJobThatCountsNothingWithoutMemory) {
  EngineDriver driver(2);
  SyntheticJob job = Job(synthetic::SyntheticKind::kRecursiveItems, 200);
  job.counting = synthetic::Counting::kOff;
  const auto result = RunLoad(driver.engine(), job);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->executed, 0u);
  EXPECT_EQ(result->checksum, 0u);
  EXPECT_GT(result->run, absl::ZeroDuration());
}

/// Many callers, whose completions send the next job: all jobs share one thread of the host.
TEST(EngineLoad, CarriesManyShortJobsSideBySide) {
  EngineDriver driver(2);
  SyntheticJob job = Job(synthetic::SyntheticKind::kFlat, 3);
  constexpr int kClients = 40, kJobs = 50;
  std::atomic<int> done = 0;
  std::atomic<std::uint64_t> executed = 0;
  std::function<void(int)> send = [&](int left) {
    synthetic::Run(driver.engine(), job, {}, [&, left](const auto& result) {
      EXPECT_TRUE(result.ok()) << result.status();
      if (result.ok()) executed += result->executed;
      if (left > 1) send(left - 1);
      ++done;
    });
  };
  for (int client = 0; client < kClients; ++client) send(kJobs);
  while (done != kClients * kJobs) std::this_thread::yield();
  EXPECT_EQ(executed, 3u * kClients * kJobs);
}

TEST(EngineLoad, DoesTheWorkThatIsAskedFor) {
  EngineDriver driver(1);
  SyntheticJob job = Job(synthetic::SyntheticKind::kFlat, 40);
  job.work = {synthetic::WorkKind::kMemory, 1000, 500, 1 << 20};
  EXPECT_TRUE(RunLoad(driver.engine(), job).ok());
  job.work = {synthetic::WorkKind::kFma, 1000, 500};
  EXPECT_TRUE(RunLoad(driver.engine(), job).ok());
  job.work = {synthetic::WorkKind::kSpin, 1'000'000};
  const auto spun = RunLoad(driver.engine(), job);
  ASSERT_TRUE(spun.ok());
  EXPECT_GE(spun->run, absl::Milliseconds(38));
}

TEST(EngineLoad, RefusesFaultsAndTenantsThatDoNotExist) {
  EngineDriver driver(1);
  SyntheticJob job = Job(synthetic::SyntheticKind::kFlat, 1);
  JobOptions options;
  options.tenant = kMaxTenants;
  EXPECT_TRUE(absl::IsInvalidArgument(RunLoad(driver.engine(), job, options).status()));
  job.fault = synthetic::Fault::kNeverReturn;
  EXPECT_TRUE(absl::IsInvalidArgument(RunLoad(driver.engine(), job).status()));
}

TEST(EngineLoad, NeedsMemoryForItsLoads) {
  EngineOptions options = CpuOptions(1);
  options.memory_limit_bytes = 1 << 20;
  EngineDriver driver(options);
  SyntheticJob job = Job(synthetic::SyntheticKind::kFlat, 1);
  job.work = {synthetic::WorkKind::kMemory, 1, 0, 1 << 20};
  EXPECT_TRUE(absl::IsResourceExhausted(RunLoad(driver.engine(), job).status()));
}

TEST(EngineLoad, EndsWhenItIsCancelledLateOrTooLong) {
  EngineOptions options = CpuOptions(2);
  options.job_time_limit = absl::Milliseconds(300);
  EngineDriver driver(options);
  Completion<SyntheticResult> completion;
  const JobId id = synthetic::Run(driver.engine(), LongJob(), {}, completion.Callback());
  while (driver.engine().Statistics().jobs_running == 0) std::this_thread::yield();
  driver.engine().Cancel(id);
  EXPECT_TRUE(absl::IsCancelled(completion.Await().status()));
  JobOptions late;
  late.deadline = absl::Now() + absl::Milliseconds(20);
  EXPECT_TRUE(absl::IsDeadlineExceeded(RunLoad(driver.engine(), LongJob(), late).status()));
  const absl::Status too_long = RunLoad(driver.engine(), LongJob()).status();
  EXPECT_TRUE(absl::IsResourceExhausted(too_long)) << too_long;
}

TEST(EngineLoad, LetsAJobWithADeadlinePassLongOnes) {
  EngineDriver driver(2);
  std::vector<Completion<SyntheticResult>> completions(20);
  std::vector<JobId> jobs;
  for (auto& completion : completions) {
    jobs.push_back(synthetic::Run(driver.engine(), LongJob(), {}, completion.Callback()));
  }
  const Motion motion = TriangleSoup(1, {50, 0.4, 0.4});
  const Positions rest(motion.start, ccd::ScalarType::kFloat64);
  Completion<collision::SceneInfo> opened;
  JobOptions timely;
  timely.deadline = absl::Now() + absl::Seconds(30);
  collision::OpenScene(driver.engine(), {rest.View(), motion.triangles, {}, ccd::GroupRule::kAll},
                       timely, opened.Callback());
  EXPECT_TRUE(opened.Await().ok());
  for (const JobId job : jobs) driver.engine().Cancel(job);
  for (auto& completion : completions) {
    EXPECT_TRUE(absl::IsCancelled(completion.Await().status()));
  }
}

TEST(EngineLoad, RunsUnderEveryPolicy) {
  for (std::uint32_t kind = 0; kind <= static_cast<std::uint32_t>(policy::PolicyKind::kFifo);
       ++kind) {
    EngineOptions options = CpuOptions(2);
    options.policy.kind = static_cast<policy::PolicyKind>(kind);
    options.policy.weights[1] = 3;
    EngineDriver driver(options);
    std::vector<Completion<SyntheticResult>> completions(12);
    for (std::uint32_t i = 0; i < completions.size(); ++i) {
      JobOptions job;
      job.priority = static_cast<Priority>(i % 4);
      job.tenant = i % 3;
      if (i % 5 == 0) job.deadline = absl::Now() + absl::Seconds(60);
      synthetic::Run(driver.engine(), Job(synthetic::SyntheticKind::kRecursiveItems, 100), job,
                     completions[i].Callback());
    }
    for (auto& completion : completions) {
      const auto result = completion.Await();
      EXPECT_TRUE(result.ok()) << kind << ": " << result.status();
    }
  }
}

TEST(EngineDevices, IsHealthy) {
  EngineDriver driver(1);
  const std::vector<DeviceHealth> health = driver.engine().Health();
  ASSERT_EQ(health.size(), 1u);
  EXPECT_EQ(health[0].name, "cpu");
  EXPECT_TRUE(health[0].status.ok());
  EXPECT_EQ(driver.engine().StartNote(), "");
}

/// An engine with two devices, both of CPU threads.
std::unique_ptr<Engine> EngineOfTwo() {
  const EngineOptions options = CpuOptions(1);
  EngineDevices devices;
  for (const char* name : {"first", "second"}) {
    devices.devices.push_back(MakeCpuDevice(options));
    devices.devices.back().name = name;
  }
  return MakeEngine(std::move(devices), options);
}

TEST(EngineDevices, SpreadsScenesAndRunsStepsWhereTheyLive) {
  const std::unique_ptr<Engine> engine = EngineOfTwo();
  EXPECT_EQ(engine->BackendDescription(), "cpu, 1 thread; cpu, 1 thread");
  const Motion motion = TriangleSoup(2, {60, 0.4, 0.4});
  const Positions rest(motion.start, ccd::ScalarType::kFloat64);
  const Positions end(motion.end, ccd::ScalarType::kFloat64);
  std::vector<ResidentId> scenes;
  for (int i = 0; i < 6; ++i) {
    Completion<collision::SceneInfo> opened;
    collision::OpenScene(*engine, {rest.View(), motion.triangles, {}, ccd::GroupRule::kAll}, {},
                         opened.Callback());
    const auto scene = opened.Await();
    ASSERT_TRUE(scene.ok()) << scene.status();
    scenes.push_back(scene->id);
  }
  std::set<std::size_t> collisions;
  for (const ResidentId scene : scenes) {
    Completion<ccd::CollisionResult> stepped;
    collision::Step(*engine, scene, {end.View(), std::nullopt, {}}, {}, stepped.Callback());
    const auto result = stepped.Await();
    ASSERT_TRUE(result.ok()) << result.status();
    collisions.insert(result->vertex_face.size() + result->edge_edge.size());
  }
  EXPECT_EQ(collisions.size(), 1u);
  const EngineStatistics statistics = engine->Statistics();
  ASSERT_EQ(statistics.devices.size(), 2u);
  for (const auto& device : statistics.devices) {
    // A job may still count on its device when the next one is placed, so the number need not be
    // exactly three.
    EXPECT_GE(device.residents, 2u) << device.name;
    EXPECT_GT(device.memory_used_bytes, 0u);
  }
  EXPECT_EQ(statistics.residents, 6u);
  for (const ResidentId scene : scenes) EXPECT_TRUE(engine->Close(scene).ok());
}

}  // namespace
}  // namespace warpyard::test_support
