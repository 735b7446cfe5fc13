// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Groups of all sizes in the blocks of the resident megakernel: procedures spawn one another, and
// blocks continue with the spawned elements. Counts come from the program's own oracle.

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "core/device/cuda_backend.h"
#include "core/memory/device_array.h"
#include "core/model/resident_device.cuh"
#include "tests/support/workers/mixed_program.h"
#include "tests/support/workers/resident_fixture.cuh"

namespace warpyard::model {
namespace {

using procedure::CancelToken;
using test_support::HostMixed;
using test_support::MixedCounts;
using test_support::MixedJob;
using test_support::MixedJobOf;
using test_support::MixedProgram;

class BatchRunTest : public test_support::ResidentFixture<MixedProgram> {
 protected:
  /// Runs an event with its memory on the device. Returns what is wrong; empty when nothing is.
  std::string FindFault(const MixedJob& wish) {
    HostMixed mixed(wish);
    const absl::Status status = Run(mixed);
    return status.ok() ? mixed.FindFault(WorkerThreads<MixedProgram>())
                       : std::string(status.message());
  }

  absl::Status Run(HostMixed& mixed) {
    auto memory = memory::DeviceArray<std::uint32_t>::Create(*backend_, mixed.job.Words());
    if (!memory.ok()) return memory.status();
    const std::size_t bytes = mixed.job.Words() * sizeof(std::uint32_t);
    WY_RETURN_IF_ERROR(backend_->CopyIn(memory->data(), mixed.job.words, bytes));
    MixedJob job = mixed.job;
    job.words = memory->data();
    const auto times = model_->Run(job, {}, CancelToken());
    WY_RETURN_IF_ERROR(backend_->CopyOut(mixed.job.words, memory->data(), bytes));
    return times.status();
  }

  std::uint64_t SpawnedInAll(const ModelStatistics& statistics) {
    std::uint64_t spawned = 0;
    for (const ProcedureCounters& counters : statistics.procedures) spawned += counters.spawned;
    return spawned;
  }

  /// Compares the sums of the model, which arrive a little late, with the sums of all jobs.
  void ExpectSums(const std::vector<MixedJob>& wishes) {
    std::vector<std::uint64_t> executed(MixedProgram::Procedures::kCount);
    std::uint64_t spawned = 0;
    for (const MixedJob& wish : wishes) {
      const HostMixed mixed(wish);
      const MixedCounts counts(mixed.job, WorkerThreads<MixedProgram>());
      for (std::size_t p = 0; p < executed.size(); ++p) executed[p] += counts.executed[p];
      spawned += counts.spawned;
    }
    ModelStatistics statistics = model_->Statistics();
    for (int i = 0; i < 100 && SpawnedInAll(statistics) != spawned; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      statistics = model_->Statistics();
    }
    for (std::size_t p = 0; p < executed.size(); ++p) {
      EXPECT_EQ(statistics.procedures[p].executed, executed[p])
          << MixedProgram::Procedures::kNames[p];
    }
    EXPECT_EQ(SpawnedInAll(statistics), spawned);
  }
};

TEST_F(BatchRunTest, ExecutesEachNodeOnceByAllThreadsOfItsGroup) {
  std::vector<MixedJob> jobs;
  for (std::uint32_t number = 0; number < 54; ++number) {
    jobs.push_back(MixedJobOf(number));
    ASSERT_EQ(FindFault(jobs.back()), "") << "job " << number;
  }
  ExpectSums(jobs);
}

TEST_F(BatchRunTest, ExecutesEachNodeOnceForEachKindOfItsOwn) {
  std::vector<MixedJob> jobs;
  for (std::uint32_t kinds = 1; kinds <= MixedJob::kKinds; ++kinds) {
    MixedJob job;
    job.seed = kinds;
    job.roots = 500;
    job.arity = 3;
    job.depths = 9;
    job.child_permille = 500;
    job.kinds = kinds;
    jobs.push_back(job);
    ASSERT_EQ(FindFault(job), "") << kinds << " kinds";
  }
  ExpectSums(jobs);
}

TEST_F(BatchRunTest, ExecutesALongChainAndABroadTree) {
  MixedJob chain;
  chain.arity = 1;
  chain.depths = 255;
  EXPECT_EQ(FindFault(chain), "");
  MixedJob tree;
  tree.roots = 20;
  tree.arity = 2;
  tree.depths = 14;
  tree.kinds = 3;  // each spawns two or three elements
  EXPECT_EQ(FindFault(tree), "");
  ExpectSums({chain, tree});
}

TEST_F(BatchRunTest, ExecutesEachNodeOnceInEventsThatRunTogether) {
  constexpr std::uint32_t kCallers = 12, kEach = 6;
  std::vector<MixedJob> jobs;
  for (std::uint32_t number = 0; number < kCallers * kEach; ++number) {
    jobs.push_back(MixedJobOf(number));
  }
  std::vector<std::thread> callers;
  for (std::uint32_t caller = 0; caller < kCallers; ++caller) {
    callers.emplace_back([&, caller] {
      for (std::uint32_t i = 0; i < kEach; ++i) {
        const std::uint32_t number = i * kCallers + caller;
        ASSERT_EQ(FindFault(jobs[number]), "") << "job " << number;
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  ExpectSums(jobs);
}

}  // namespace
}  // namespace warpyard::model
