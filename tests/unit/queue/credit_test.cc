// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/queue/credit.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "core/exec/thread_scope.h"
#include "tests/support/run_bodies.h"
#include "tests/support/scheduled_scope.h"

namespace warpyard::test_support {
namespace {

using exec::ThreadScope;

TEST(Credit, GivesWhatIsThereAndNoMore) {
  queue::Credit<ThreadScope> credit;
  credit.Reset(5);
  EXPECT_EQ(credit.Take(3), 3u);
  EXPECT_EQ(credit.Take(3), 2u);
  EXPECT_EQ(credit.Take(3), 0u);
  EXPECT_EQ(credit.Approximate(), 0u);
  credit.Give(4);
  EXPECT_EQ(credit.Approximate(), 4u);
  EXPECT_EQ(credit.Take(4), 4u);
}

TEST(Credit, LiesOnMemoryOfItsOwn) {
  EXPECT_EQ(sizeof(queue::Credit<ThreadScope>), ThreadScope::kContendedBytes);
}

/// Threads take up to three credits and give them back; records the largest number held at once.
/// @shape run: as RunOnThreads
template <class Scope, class Run>
void ExpectNeverTooMany(std::uint32_t credits, std::uint32_t rounds, Run run) {
  queue::Credit<Scope> credit;
  credit.Reset(credits);
  std::uint32_t held = 0, most = 0;
  Bodies bodies;
  for (std::uint32_t thread = 0; thread < 4; ++thread) {
    bodies.emplace_back([&, thread] {
      for (std::uint32_t round = 0; round < rounds; ++round) {
        const std::uint32_t taken = credit.Take(1 + (round + thread) % 3);
        const std::uint32_t now = Scope::Word(held).FetchAddRelaxed(taken) + taken;
        Scope::Word(most).FetchMaxRelaxed(now);
        Scope::Word(held).FetchSubRelaxed(taken);
        if (taken > 0) credit.Give(taken);
      }
    });
  }
  EXPECT_EQ(run(bodies), "");
  EXPECT_LE(most, credits);
  EXPECT_EQ(credit.Approximate(), credits) << "all were given back";
}

TEST(Credit, IsNeverHeldTwiceOnThreads) { ExpectNeverTooMany<ThreadScope>(3, 5'000, RunOnThreads); }

TEST(Credit, IsNeverHeldTwiceInSchedules) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    ExpectNeverTooMany<ScheduledScope>(
        3, 6, [seed](const Bodies& bodies) { return RunInSchedule(seed, bodies); });
  }
}

}  // namespace
}  // namespace warpyard::test_support
