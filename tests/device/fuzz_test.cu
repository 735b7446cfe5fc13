// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Random events on the resident megakernel: the same as on CPU threads (cpu_workers_fuzz_test.cc),
// and larger ones. WARPYARD_FUZZ_SEED says which seed comes first, to repeat one.

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <utility>

#include "core/model/megakernel/resident_device.cuh"
#include "core/workload/synthetic/synthetic_program.h"
#include "tests/device/device_fuzz_results.cuh"
#include "tests/support/seed_count.h"
#include "tests/support/workers/fuzz.h"
#include "tests/support/workers/resident_fixture.cuh"

namespace warpyard::model {
namespace {

using test_support::DeviceFuzzResults;

class FuzzTest : public test_support::ResidentFixture<synthetic::SyntheticProgram> {
 protected:
  void RunSeeds(std::uint32_t seeds, const test_support::FuzzLimits& limits) {
    using Fuzz = test_support::Fuzz<Resident, DeviceFuzzResults>;
    const std::uint32_t first = test_support::FirstFuzzSeed();
    DeviceFuzzResults results(*backend_, limits.callers);
    for (std::uint32_t seed = first; seed < first + seeds; ++seed) {
      if (seed % 8 == 0) StartWith(seed);
      Fuzz fuzz(*model_, results, limits);
      ASSERT_EQ(fuzz.FindFault(seed), "");
    }
  }

  /// Another policy, and other habits of the kernel.
  void StartWith(std::uint32_t seed) {
    model_.reset();
    ResidentOptions options;
    options.policy = test_support::FuzzRandom(seed, 999).Policy();
    if (seed % 3 == 1) options.linger_ns = 0;
    if (seed % 5 == 2) options.most_blocks = 3;
    auto model = Resident::Create(*backend_, options);
    ASSERT_TRUE(model.ok()) << model.status();
    model_ = *std::move(model);
  }
};

TEST_F(FuzzTest, ExecutesRandomEventsAsTheOracleSays) {
  RunSeeds(test_support::SeedCount(200), {});
}

TEST_F(FuzzTest, ExecutesLargeRandomEventsOfManyCallers) {
  test_support::FuzzLimits limits;
  limits.callers = 40;
  limits.events = 8;
  limits.elements = 100'000;
  limits.most_fma = 400;
  RunSeeds(test_support::SeedCount(24), limits);
}

TEST_F(FuzzTest, ExecutesRandomEventsOfMoreCallersThanThereAreSlots) {
  test_support::FuzzLimits limits;
  limits.callers = procedure::kEventBuckets + 10;
  limits.events = 6;
  limits.elements = 1'000;
  RunSeeds(test_support::SeedCount(40), limits);
}

}  // namespace
}  // namespace warpyard::model
