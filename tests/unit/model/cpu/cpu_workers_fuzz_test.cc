// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Random events on CPU threads. WARPYARD_FUZZ_SEED says which seed comes first, to repeat one.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>

#include "core/model/cpu/cpu_workers.h"
#include "core/workload/synthetic/synthetic_program.h"
#include "tests/support/seed_count.h"
#include "tests/support/workers/fuzz.h"

namespace warpyard::model {
namespace {

using LoadWorkers = CpuWorkers<synthetic::SyntheticProgram>;

std::uint32_t FirstSeed() {
  const char* const text = std::getenv("WARPYARD_FUZZ_SEED");
  return text == nullptr ? 0 : static_cast<std::uint32_t>(std::strtoul(text, nullptr, 10));
}

TEST(CpuWorkersFuzz, ExecutesRandomEventsAsTheOracleSays) {
  const std::uint32_t first = FirstSeed(), seeds = test_support::SeedCount(80);
  test_support::HostFuzzResults results;
  for (std::uint32_t seed = first; seed < first + seeds; ++seed) {
    LoadWorkers workers(1 + static_cast<int>(seed % 4),
                        test_support::FuzzRandom(seed, 999).Policy());
    test_support::Fuzz<LoadWorkers, test_support::HostFuzzResults> fuzz(workers, results, {});
    ASSERT_EQ(fuzz.FindFault(seed), "");
  }
}

TEST(CpuWorkersFuzz, ExecutesRandomEventsOfMoreCallersThanThereAreSlots) {
  const std::uint32_t first = FirstSeed(), seeds = test_support::SeedCount(8);
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

}  // namespace
}  // namespace warpyard::model
