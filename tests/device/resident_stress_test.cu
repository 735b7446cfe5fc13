// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The resident kernel under the load of a service: many callers, cancels, quiet points, repeated
// launches, urgent work among long work. Counts come from the load workload's oracle.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "core/device/cuda_backend.h"
#include "core/memory/device_array.h"
#include "core/model/megakernel/resident_device.cuh"
#include "core/workload/synthetic/synthetic_oracle.h"
#include "core/workload/synthetic/synthetic_program.h"

namespace warpyard::model {
namespace {

using Clock = std::chrono::steady_clock;
using procedure::CancelToken;
using synthetic::SyntheticJob;
using synthetic::SyntheticKind;
using synthetic::WorkKind;
using Resident = ResidentDevice<synthetic::SyntheticProgram>;

/// A job and its results on the device.
class DeviceJob {
 public:
  DeviceJob(device::Backend& backend, const SyntheticJob& job) : backend_(backend), job_(job) {
    auto results = memory::DeviceArray<synthetic::SyntheticResults>::Create(backend, 1);
    if (!results.ok()) std::abort();
    results_ = *std::move(results);
    const synthetic::SyntheticResults zero{};
    if (!backend.CopyIn(results_.data(), &zero, sizeof zero).ok()) std::abort();
    job_.results = results_.data();
  }
  const SyntheticJob& job() const { return job_; }
  std::uint64_t Executed() const {
    synthetic::SyntheticResults results;
    if (!backend_.CopyOut(&results, results_.data(), sizeof results).ok()) return ~0ull;
    return synthetic::TotalOf(results).executed;
  }

 private:
  device::Backend& backend_;
  SyntheticJob job_;
  memory::DeviceArray<synthetic::SyntheticResults> results_;
};

SyntheticJob Flat(std::uint32_t packages, std::uint32_t spin_ns) {
  SyntheticJob job;
  job.kind = SyntheticKind::kFlat;
  job.elements = packages;
  job.stages = 1;
  job.work = {WorkKind::kSpin, spin_ns};
  return job;
}

SyntheticJob Mixed(std::uint32_t number) {
  SyntheticJob job;
  job.seed = number;
  job.stages = 1 + number % 3;
  job.elements = 1 + number * 37 % 500;
  job.growth = synthetic::RecursiveGrowth();
  job.work = {WorkKind::kFma, number * 13 % 300};
  job.kind = static_cast<SyntheticKind>(number % 7);
  if (job.kind == SyntheticKind::kTree) {
    job.elements = 1 + number % 5;
    job.growth = synthetic::FullTreeGrowth(6 + number % 8, synthetic::kEvenPermille);
  }
  if (job.kind == SyntheticKind::kPrioritised) {
    job.total = 4 * job.elements;
    job.levels = 1 + number * 17 % 192;
  }
  return job;
}

class ResidentStressTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (device::CudaBackend::Count() == 0) GTEST_SKIP() << "no CUDA device";
    auto backend = device::CudaBackend::Create(0, 0);
    ASSERT_TRUE(backend.ok()) << backend.status();
    backend_ = *std::move(backend);
  }
  void TearDown() override {
    if (backend_ != nullptr) backend_->SetQuietRunner(nullptr);
    model_.reset();
  }

  void Start(const ResidentOptions& options = {}) {
    model_.reset();
    auto model = Resident::Create(*backend_, options);
    ASSERT_TRUE(model.ok()) << model.status();
    model_ = *std::move(model);
    backend_->SetQuietRunner(
        [this](const std::function<absl::Status()>& work) { return model_->RunQuietly(work); });
  }

  /// Runs one job and compares its count with the oracle's.
  void RunAndCheck(const SyntheticJob& job, const policy::EventAttributes& attributes = {}) {
    const DeviceJob own(*backend_, job);
    const auto times = model_->Run(own.job(), attributes, CancelToken());
    ASSERT_TRUE(times.ok()) << times.status();
    EXPECT_EQ(own.Executed(), synthetic::CountNodes(own.job()).executed)
        << "kind " << static_cast<int>(job.kind) << ", seed " << job.seed;
  }

  std::unique_ptr<device::CudaBackend> backend_;
  std::unique_ptr<Resident> model_;
};

TEST_F(ResidentStressTest, RunsJobsOfAllKindsFromManyCallersAtOnce) {
  Start();
  std::vector<std::thread> callers;
  for (std::uint32_t caller = 0; caller < 48; ++caller) {
    callers.emplace_back([this, caller] {
      for (std::uint32_t i = 0; i < 25; ++i) RunAndCheck(Mixed(caller * 25 + i), {});
    });
  }
  for (std::thread& caller : callers) caller.join();
}

TEST_F(ResidentStressTest, SurvivesAThousandLaunches) {
  ResidentOptions options;
  options.linger_ns = 0;
  Start(options);
  for (std::uint32_t i = 0; i < 1000; ++i) RunAndCheck(Mixed(i), {});
  EXPECT_GE(model_->Statistics().launches, 1000u);
}

/// Jobs without elements end in the warp that takes their order. So the kernel is about to leave
/// all the time, while all of these warps have orders.
TEST_F(ResidentStressTest, LeavesAndComesWhileAllTakersHaveOrders) {
  ResidentOptions options;
  options.linger_ns = 0;
  Start(options);
  synthetic::SyntheticJob empty;
  empty.elements = 0;
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 8; ++caller) {
    callers.emplace_back([&] {
      for (int i = 0; i < 3000; ++i) {
        const auto times = model_->Run(empty, {}, procedure::CancelToken());
        ASSERT_TRUE(times.ok()) << times.status();
      }
    });
  }
  for (int i = 0; i < 100; ++i) {
    EXPECT_TRUE(model_->RunQuietly([] { return absl::OkStatus(); }).ok());
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_TRUE(model_->Health().ok()) << model_->Health();
}

TEST_F(ResidentStressTest, GoesOnAfterAHundredQuietPointsUnderLoad) {
  Start();
  std::atomic<bool> stop{false};
  std::atomic<std::uint32_t> jobs{0};
  std::vector<std::thread> callers;
  for (std::uint32_t caller = 0; caller < 8; ++caller) {
    callers.emplace_back([&, caller] {
      for (std::uint32_t i = 0; !stop; ++i, ++jobs) RunAndCheck(Mixed(caller * 1000 + i), {});
    });
  }
  for (int i = 0; i < 100; ++i) {
    bool quiet = false;
    const absl::Status status = model_->RunQuietly([&] {
      quiet = !model_->Statistics().resident;
      return absl::OkStatus();
    });
    EXPECT_TRUE(status.ok()) << status;
    EXPECT_TRUE(quiet);
    std::this_thread::sleep_for(std::chrono::microseconds(300));  // jobs run meanwhile
  }
  stop = true;
  for (std::thread& caller : callers) caller.join();
  EXPECT_GT(jobs, 8u);
}

TEST_F(ResidentStressTest, EndsACancelledEventWithinMillisecondsAHundredTimes) {
  Start();
  std::vector<double> waits_ms;
  for (std::uint32_t i = 0; i < 100; ++i) {
    SyntheticJob job = Flat(2'000'000'000, 10'000);
    if (i % 2 == 1) {
      job.kind = SyntheticKind::kRecursivePackages;
      job.elements = 20'000;
      job.growth = {2'000'000'000, {1000, 0}};
    }
    const DeviceJob own(*backend_, job);
    CancelToken token;
    Clock::time_point cancelled;
    std::thread canceller([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(3));
      cancelled = Clock::now();
      token.Cancel();
    });
    const auto times = model_->Run(own.job(), {}, token);
    const Clock::time_point end = Clock::now();
    canceller.join();
    EXPECT_TRUE(absl::IsCancelled(times.status())) << times.status();
    const std::uint64_t executed = own.Executed();
    EXPECT_GT(executed, 0u);
    waits_ms.push_back(std::chrono::duration<double, std::milli>(end - cancelled).count());
  }
  std::sort(waits_ms.begin(), waits_ms.end());
  RecordProperty("median_ms", std::to_string(waits_ms[50]));
  EXPECT_LT(waits_ms.back(), 20);
  RunAndCheck(Mixed(3));
}

TEST_F(ResidentStressTest, PutsAnUrgentJobBeforeLongOnes) {
  Start();
  CancelToken token;
  std::vector<std::thread> background;
  for (int i = 0; i < 4; ++i) {
    background.emplace_back([this, &token] {
      const DeviceJob own(*backend_, Flat(1'000'000'000, 100'000));
      EXPECT_TRUE(absl::IsCancelled(model_->Run(own.job(), {}, token).status()));
    });
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  for (int i = 0; i < 50; ++i) {
    policy::EventAttributes urgent;
    urgent.deadline_ns = static_cast<std::uint64_t>(
        std::chrono::nanoseconds(Clock::now().time_since_epoch()).count() + 5'000'000);
    const Clock::time_point begin = Clock::now();
    RunAndCheck(Flat(100, 20'000), urgent);
    EXPECT_LT(Clock::now() - begin, std::chrono::milliseconds(20));
  }
  token.Cancel();
  for (std::thread& thread : background) thread.join();
}

TEST_F(ResidentStressTest, ReportsAFailedProcedureForItsJobAlone) {
  Start();
  SyntheticJob job = Mixed(8);
  job.kind = SyntheticKind::kRecursivePackages;
  job.fault = synthetic::Fault::kFail;
  job.fault_at = 0;
  const DeviceJob own(*backend_, job);
  EXPECT_TRUE(absl::IsAborted(model_->Run(own.job(), {}, CancelToken()).status()));
  RunAndCheck(Mixed(8));
  EXPECT_TRUE(model_->Health().ok());
}

TEST_F(ResidentStressTest, PublishesWhatItDid) {
  Start();
  RunAndCheck(Mixed(2));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));  // enough to leave and publish
  const ModelStatistics statistics = model_->Statistics();
  std::uint64_t executed = 0;
  for (const ProcedureCounters& counters : statistics.procedures) executed += counters.executed;
  EXPECT_GE(executed, synthetic::CountNodes(Mixed(2)).executed);
  EXPECT_FALSE(statistics.resident);
}

/// This test runs last, because it makes the device unusable.
TEST_F(ResidentStressTest, ZNamesTheProcedureThatDoesNotReturn) {
  ResidentOptions options;
  options.event_limit_ns = 500'000'000;
  Start(options);
  SyntheticJob job = Flat(1, 0);
  job.fault = synthetic::Fault::kNeverReturn;
  job.fault_at = 0;
  const DeviceJob own(*backend_, job);
  const absl::Status status = model_->Run(own.job(), {}, CancelToken()).status();
  EXPECT_TRUE(absl::IsUnavailable(status)) << status;
  EXPECT_NE(status.message().find("RunPackages"), std::string::npos) << status;
  EXPECT_FALSE(model_->Health().ok());
  const DeviceJob other(*backend_, Flat(1, 0));
  EXPECT_TRUE(absl::IsUnavailable(model_->Run(other.job(), {}, CancelToken()).status()));
}

}  // namespace
}  // namespace warpyard::model
