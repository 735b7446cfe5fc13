// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Claims of a block of workers, for tests that look at each of them.
#ifndef WARPYARD_TESTS_UNIT_MODEL_WORKER_STAGE_CLAIMS_FIXTURE_H_
#define WARPYARD_TESTS_UNIT_MODEL_WORKER_STAGE_CLAIMS_FIXTURE_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "core/model/worker/claim_counts.h"
#include "core/model/worker/stage_claims.h"
#include "core/model/worker/worker_counts.h"
#include "tests/support/workers/small_space.h"
#include "tests/support/workers/start_event.h"
#include "tests/unit/model/counting_program.h"
#include "tests/unit/model/worker/clock_scope.h"

namespace warpyard::test_support {

/// The second stage takes ranges of any length, the third one is of packages of two workers.
struct PackageStage : MarkStage<2> {
  static constexpr std::uint32_t kThreads = 64;
};
/// The first one is of single threads.
struct ItemStage : MarkStage<0> {
  static constexpr std::uint32_t kThreads = 1;
};
using ClaimedProgram = CountingProgramOf<ItemStage, ClaimStage<1>, PackageStage>;

/// @shape kGroup: lanes of each of four workers
template <std::uint32_t kGroup>
struct FourWorkers : SmallShape<kGroup> {
  static constexpr std::uint32_t kBlockWorkers = 4;
};

/// The claims of a block of four of eight workers, whose clock the test sets.
template <std::uint32_t kGroup>
class StageClaimsFixture : public ::testing::Test {
 protected:
  using Space = model::Workspace<ClockScope, ClaimedProgram, FourWorkers<kGroup>>;
  using Range = model::BlockRange<ClockScope>;
  using Tested = model::StageClaims<Space>;
  using TakenElements = model::TakenElements;
  static constexpr std::uint32_t kEvent = 6;
  static constexpr std::uint32_t kWorkers = 8;
  static constexpr std::uint32_t kBlockWorkers = 4;

  StageClaimsFixture() {
    ClockScope::step = 0;
    model::WorkerCounts<Space>::Reset(one_, *memory_.block);
  }

  void Start(std::uint32_t first, std::uint32_t second = 0, std::uint32_t third = 0,
             std::uint32_t grain = 1) {
    memory_.space->events[kEvent].job = CountingJob{{first, second, third}, grain, 0, nullptr, 0};
    EXPECT_FALSE(StartEvent(*memory_.space, kEvent));
  }
  /// @shape size: of the stage, as far as the worker knows
  TakenElements Claim(std::uint32_t size, std::uint32_t procedure = 0, std::uint32_t running = 1) {
    TakenElements taken{};
    Tested::Claim(*memory_.space, *memory_.block,
                  {kEvent, {size, procedure}, running, kWorkers, false, false, false, false, false},
                  taken);
    EXPECT_FALSE(taken.stuck);
    return taken;
  }
  /// A claim while events with a deadline run beside others. @shape urgent: of one of these
  TakenElements ClaimPressing(std::uint32_t size, std::uint32_t procedure = 0,
                              bool urgent = false) {
    TakenElements taken{};
    Tested::Claim(*memory_.space, *memory_.block,
                  {kEvent, {size, procedure}, 4, kWorkers, false, true, true, urgent, urgent},
                  taken);
    return taken;
  }
  TakenElements ClaimOnlyForBlock(std::uint32_t size, std::uint32_t procedure = 0) {
    TakenElements taken{};
    Tested::Claim(*memory_.space, *memory_.block,
                  {kEvent, {size, procedure}, 1, kWorkers, true, false, false, false, false},
                  taken);
    return taken;
  }
  /// All that is in the range of the block, by portions.
  std::vector<TakenElements> Drain() {
    std::vector<TakenElements> all;
    TakenElements taken{};
    for (Range::Take(range_, taken); taken.claim.count != 0; Range::Take(range_, taken)) {
      all.push_back(taken);
    }
    return all;
  }
  /// Elements of a claim, for the worker and for its block. All of them follow one another.
  std::uint32_t CountOf(const TakenElements& own) {
    std::uint32_t next = own.claim.first + own.claim.count;
    for (const TakenElements& taken : Drain()) {
      EXPECT_EQ(taken.event, kEvent);
      EXPECT_EQ(taken.claim.first, next);
      EXPECT_LE(taken.claim.count, taken.portion);
      next += taken.claim.count;
    }
    return next - own.claim.first;
  }
  void Learn(std::uint32_t elements, std::uint64_t cycles, std::uint32_t procedure = 0) {
    model::ClaimCounts<Space>::Learn(*memory_.block, procedure, elements, cycles);
  }
  /// Learns the same many times, so that it forgets what it knew.
  void LearnAnew(std::uint32_t elements, std::uint64_t cycles, std::uint32_t procedure = 0) {
    for (int i = 0; i < 200; ++i) Learn(elements, cycles, procedure);
  }
  std::uint32_t EventWithMore() { return model::EventWithMore<Space>(*memory_.block); }
  bool IsOpen() { return memory_.space->board.Read().IsOpen(kEvent); }

  ClockScope one_{nullptr};
  SmallMemory<Space> memory_;
  model::BlockRangeMemory& range_ = memory_.block->range;
};

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_UNIT_MODEL_WORKER_STAGE_CLAIMS_FIXTURE_H_
