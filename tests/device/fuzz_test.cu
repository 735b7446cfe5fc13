// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Random events on the resident megakernel: the same as on CPU threads (cpu_workers_fuzz_test.cc),
// and larger ones. WARPYARD_FUZZ_SEED says which seed comes first, to repeat one.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "core/memory/device_array.h"
#include "core/model/megakernel/resident_device.cuh"
#include "core/workload/synthetic/synthetic_program.h"
#include "tests/support/seed_count.h"
#include "tests/support/workers/fuzz.h"
#include "tests/support/workers/resident_fixture.cuh"

namespace warpyard::model {
namespace {

using synthetic::SyntheticResults;

/// Results in the memory of the device, all allocated at the beginning.
class DeviceFuzzResults {
 public:
  explicit DeviceFuzzResults(device::Backend& backend, std::uint32_t count) : backend_(backend) {
    auto memory = memory::DeviceArray<SyntheticResults>::Create(backend, count);
    if (!memory.ok()) std::abort();
    memory_ = *std::move(memory);
    for (std::uint32_t i = 0; i < count; ++i) free_.push_back(memory_.data() + i);
  }

  SyntheticResults* Make() {
    SyntheticResults* results = nullptr;
    {
      std::lock_guard lock(mutex_);
      if (free_.empty()) std::abort();
      results = free_.back();
      free_.pop_back();
    }
    const SyntheticResults zero{};
    if (!backend_.CopyIn(results, &zero, sizeof zero).ok()) std::abort();
    return results;
  }
  SyntheticResults Take(SyntheticResults* results) {
    SyntheticResults found;
    if (!backend_.CopyOut(&found, results, sizeof found).ok()) found = {};
    std::lock_guard lock(mutex_);
    free_.push_back(results);
    return found;
  }

 private:
  device::Backend& backend_;
  memory::DeviceArray<SyntheticResults> memory_;
  std::mutex mutex_;
  std::vector<SyntheticResults*> free_;
};

std::uint32_t FirstSeed() {
  const char* const text = std::getenv("WARPYARD_FUZZ_SEED");
  return text == nullptr ? 0 : static_cast<std::uint32_t>(std::strtoul(text, nullptr, 10));
}

class FuzzTest : public test_support::ResidentFixture<synthetic::SyntheticProgram> {
 protected:
  void RunSeeds(std::uint32_t seeds, const test_support::FuzzLimits& limits) {
    using Fuzz = test_support::Fuzz<Resident, DeviceFuzzResults>;
    const std::uint32_t first = FirstSeed();
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
