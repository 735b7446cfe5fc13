// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Queues that are safe because of stages and barriers (the collector queue and the block-local
// queue) in seeded interleavings; and the same with each of these barriers left out once.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "tests/support/block_scopes.h"
#include "tests/support/queues/local_queue_rounds.h"
#include "tests/support/queues/queue_contract.h"
#include "tests/support/run_bodies.h"
#include "tests/support/seed_count.h"
#include "tests/support/workers/collector_stages.h"

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(QueueContract);

namespace warpyard::test_support {
namespace {

const std::uint32_t kSeeds = SeedCount(400);

/// What is wrong at the first seed that fails. @shape fault_at: takes a seed
template <class FaultAt>
std::string Search(FaultAt fault_at) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const std::string fault = fault_at(seed);
    if (!fault.empty()) return fault + ", seed " + std::to_string(seed);
  }
  return "";
}

template <StageBoundary kBoundary>
std::string FaultOfStages() {
  return Search([](std::uint64_t seed) {
    return RunTwoStages<ScheduledScope, kBoundary>(
        {2, 2, 7, 0}, [seed](const Bodies& bodies) { return RunInSchedule(seed, bodies); });
  });
}

TEST(CollectorQueueSchedules, FindNoFaultInTwoStages) {
  EXPECT_EQ(FaultOfStages<StageBoundary::kAwaited>(), "");
}

TEST(CollectorQueueSchedules, CatchAConsumerThatDoesNotWaitForTheStage) {
  EXPECT_NE(FaultOfStages<StageBoundary::kIgnored>(), "");
}

template <std::uint32_t kCapacity>
std::string FaultOfRounds(std::uint32_t skipped_barrier) {
  using Queue = queue::BlockLocalQueue<ScheduledBlockScope, ContractItem, kCapacity>;
  return Search([&](std::uint64_t seed) {
    const auto make = [&](ScheduledBlock& block, std::uint32_t rank) {
      return ScheduledBlockScope(block, rank, skipped_barrier);
    };
    return RunLocalRounds<ScheduledBlockScope, Queue>(
        3, 4, make, [seed](const Bodies& bodies) { return RunInSchedule(seed, bodies); });
  });
}

TEST(BlockLocalQueueSchedules, FindNoFaultInRoundsOfPushesAndPops) {
  constexpr std::uint32_t kNone = 3;
  EXPECT_EQ(FaultOfRounds<1>(kNone), "");
  EXPECT_EQ(FaultOfRounds<2>(kNone), "");
  EXPECT_EQ(FaultOfRounds<8>(kNone), "");
}

TEST(BlockLocalQueueSchedules, CatchAPopWithoutTheBarrierBeforeIt) {
  EXPECT_NE(FaultOfRounds<2>(0), "");
}

TEST(BlockLocalQueueSchedules, CatchAPopWithoutTheBarrierInIt) {
  EXPECT_NE(FaultOfRounds<2>(1), "");
}

TEST(BlockLocalQueueSchedules, CatchAPopWithoutTheBarrierAfterIt) {
  EXPECT_NE(FaultOfRounds<8>(2), "");
}

}  // namespace
}  // namespace warpyard::test_support
