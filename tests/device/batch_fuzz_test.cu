// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Random events of several jobs on the resident megakernel: the same as on CPU threads
// (cpu_workers_fuzz_test.cc), and of more callers. WARPYARD_FUZZ_SEED says which seed comes first,
// to repeat one.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

#include "core/model/megakernel/resident_device.cuh"
#include "tests/device/device_fuzz_results.cuh"
#include "tests/support/seed_count.h"
#include "tests/support/workers/batch_fuzz.h"
#include "tests/support/workers/fuzz.h"
#include "tests/support/workers/mark_and_load.h"
#include "tests/support/workers/resident_fixture.cuh"

namespace warpyard::model {
namespace {

class BatchFuzzTest : public test_support::ResidentFixture<test_support::MarkAndLoadProgram> {
 protected:
  void RunSeeds(std::uint32_t seeds, const test_support::BatchFuzzLimits& limits) {
    using test_support::DeviceFuzzResults;
    const std::uint32_t first = test_support::FirstFuzzSeed();
    test_support::FuzzLimits loads;
    loads.callers = 3;
    loads.events = 6;
    DeviceFuzzResults results(*backend_, loads.callers);
    std::vector<test_support::BatchFuzzMemory> memories;
    for (std::uint32_t i = 0; i < limits.callers; ++i) memories.emplace_back(*backend_, limits);
    for (std::uint32_t seed = first; seed < first + seeds; ++seed) {
      if (seed % 8 == 0) StartWith(seed);
      test_support::BatchFuzz<Resident, DeviceFuzzResults> fuzz(*model_, *backend_, results,
                                                                memories, limits);
      ASSERT_EQ(fuzz.FindFault(seed, loads), "");
    }
  }

  /// Another policy.
  void StartWith(std::uint32_t seed) {
    model_.reset();
    ResidentOptions options;
    options.policy = test_support::FuzzRandom(seed, 999).Policy();
    if (seed % 3 == 1) options.linger_ns = 0;
    auto model = Resident::Create(*backend_, options);
    ASSERT_TRUE(model.ok()) << model.status();
    model_ = *std::move(model);
  }
};

TEST_F(BatchFuzzTest, ExecutesRandomBatchesBesideRandomEvents) {
  RunSeeds(test_support::SeedCount(200), {});
}

TEST_F(BatchFuzzTest, ExecutesRandomBatchesOfManyCallers) {
  test_support::BatchFuzzLimits limits;
  limits.callers = 30;
  RunSeeds(test_support::SeedCount(40), limits);
}

}  // namespace
}  // namespace warpyard::model
