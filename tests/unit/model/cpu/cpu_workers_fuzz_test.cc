// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Random events on CPU threads. WARPYARD_FUZZ_SEED says which seed comes first, to repeat one.

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "core/device/cpu_backend.h"
#include "core/model/cpu/cpu_workers.h"
#include "core/workload/synthetic/synthetic_program.h"
#include "tests/support/seed_count.h"
#include "tests/support/workers/batch_fuzz.h"
#include "tests/support/workers/fuzz.h"
#include "tests/support/workers/mark_and_load.h"

namespace warpyard::model {
namespace {

using LoadWorkers = CpuWorkers<synthetic::SyntheticProgram>;

TEST(CpuWorkersFuzz, ExecutesRandomEventsAsTheOracleSays) {
  const std::uint32_t first = test_support::FirstFuzzSeed(), seeds = test_support::SeedCount(80);
  test_support::HostFuzzResults results;
  for (std::uint32_t seed = first; seed < first + seeds; ++seed) {
    LoadWorkers workers(1 + static_cast<int>(seed % 4),
                        test_support::FuzzRandom(seed, 999).Policy());
    test_support::Fuzz<LoadWorkers, test_support::HostFuzzResults> fuzz(workers, results, {});
    ASSERT_EQ(fuzz.FindFault(seed), "");
  }
}

TEST(CpuWorkersFuzz, ExecutesRandomEventsOfMoreCallersThanThereAreSlots) {
  const std::uint32_t first = test_support::FirstFuzzSeed(), seeds = test_support::SeedCount(8);
  test_support::HostFuzzResults results;
  test_support::FuzzLimits limits;
  limits.callers = procedure::kEventBuckets + 10;
  limits.events = 3;
  limits.elements = 400;
  for (std::uint32_t seed = first; seed < first + seeds; ++seed) {
    LoadWorkers workers(3, test_support::FuzzRandom(seed, 999).Policy());
    test_support::Fuzz<LoadWorkers, test_support::HostFuzzResults> fuzz(workers, results, limits);
    ASSERT_EQ(fuzz.FindFault(seed), "");
  }
}

TEST(CpuWorkersFuzz, ExecutesRandomBatchesBesideRandomEvents) {
  using Workers = CpuWorkers<test_support::MarkAndLoadProgram>;
  const std::uint32_t first = test_support::FirstFuzzSeed(), seeds = test_support::SeedCount(80);
  device::CpuBackend backend(1, 0);
  const test_support::BatchFuzzLimits limits;
  std::vector<test_support::BatchFuzzMemory> memories;
  for (std::uint32_t i = 0; i < limits.callers; ++i) memories.emplace_back(backend, limits);
  test_support::HostFuzzResults results;
  test_support::FuzzLimits loads;
  loads.callers = 2;
  loads.events = 6;
  for (std::uint32_t seed = first; seed < first + seeds; ++seed) {
    Workers workers(1 + static_cast<int>(seed % 4), test_support::FuzzRandom(seed, 999).Policy());
    test_support::BatchFuzz<Workers, test_support::HostFuzzResults> fuzz(workers, backend, results,
                                                                         memories, limits);
    ASSERT_EQ(fuzz.FindFault(seed, loads), "");
  }
}

}  // namespace
}  // namespace warpyard::model
