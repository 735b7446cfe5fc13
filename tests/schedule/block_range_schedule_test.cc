// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Workers of one block that fill their range and take of it, in seeded interleavings: every element
// is taken once. The schedules find ranges that are nearly right.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "core/exec/bits.h"
#include "core/model/worker/block_range.h"
#include "tests/schedule/broken_block_range.h"
#include "tests/support/run_bodies.h"
#include "tests/support/scheduled_scope.h"
#include "tests/support/seed_count.h"

namespace warpyard::test_support {
namespace {

using model::BlockRangeMemory;
using model::TakenElements;

/// Workers that share the elements of a few claims. @shape Tested: BlockRange, or a broken one
/// @shape kChoose: a worker chooses before it draws, and the others wait for its choice
template <class Tested, bool kChoose>
class RangeRun {
 public:
  explicit RangeRun(std::uint32_t seed) : seed_(seed), times_(kElements, 0) {}

  /// What went wrong; empty when nothing did.
  std::string Run(std::uint32_t workers) {
    Tested::Reset(range_);
    Bodies bodies;
    for (std::uint32_t w = 0; w < workers; ++w) bodies.emplace_back([this, w] { Work(w); });
    const std::string stopped = RunInSchedule(seed_, bodies);
    if (!stopped.empty()) return stopped;
    if (!wrong_.empty()) return wrong_;
    for (std::uint32_t i = 0; i < kElements; ++i) {
      if (times_[i] == 1) continue;
      return "element " + std::to_string(i) + " was taken " + std::to_string(times_[i]) + " times";
    }
    return Tested::HasMore(range_) ? "the range has something after the end" : "";
  }

 private:
  static constexpr std::uint32_t kElements = 60;
  static constexpr std::uint32_t kClaims = 64;

  void Work(std::uint32_t worker) {
    TakenElements taken{};
    while (ScheduledScope::Word(executed_).LoadAcquire() < kElements) {
      if (kChoose) {
        Tested::TakeOrChoose(range_, taken, worker);
      } else {
        Tested::Take(range_, taken);
      }
      if (taken.claim.count == 0) Draw(worker, taken);
      if (kChoose) Tested::EndChoice(range_, worker);
      if (taken.claim.count == 0) {
        ScheduledScope::Pause(0);
      } else {
        Execute(taken);
      }
    }
  }

  /// As StageClaims does.
  void Draw(std::uint32_t worker, TakenElements& taken) {
    if (!Tested::Lock(range_)) return;
    taken = Claim(worker);
    if (taken.claim.count > taken.portion) {
      if (!Tested::Fill(range_, taken, taken.portion)) Schedule::Fail("no place for a claim");
      taken.claim.count = taken.portion;
    }
    Tested::Unlock(range_);
  }

  /// Some of the elements that are left. The number of a claim stands for its event.
  TakenElements Claim(std::uint32_t worker) {
    const std::uint32_t wanted = 1 + (seed_ + 5 * worker + 3 * next_) % 11;
    const std::uint32_t first = ScheduledScope::Word(next_).FetchAddRelaxed(wanted);
    TakenElements claim{};
    if (first >= kElements) return claim;
    claim.claim.first = first;
    claim.claim.count = exec::Least(wanted, kElements - first);
    claim.event = ScheduledScope::Word(claims_).FetchAddRelaxed(1) % kClaims;
    claim.portion = 1 + (seed_ / 3 + claim.event) % 3;
    ends_[claim.event] = first + claim.claim.count;
    begins_[claim.event] = first;
    portions_[claim.event] = claim.portion;
    return claim;
  }

  void Execute(const TakenElements& taken) {
    const std::uint32_t first = taken.claim.first, end = first + taken.claim.count;
    const bool whole = first >= begins_[taken.event] && end <= ends_[taken.event] &&
                       taken.portion == portions_[taken.event];
    if (!whole) wrong_ = "a portion is not of the claim that it names";
    for (std::uint32_t i = first; i < end && i < kElements; ++i) ++times_[i];
    ScheduledScope::Word(executed_).FetchAddAcqRel(taken.claim.count);
  }

  const std::uint32_t seed_;
  BlockRangeMemory range_{};
  std::uint32_t next_ = 0;
  std::uint32_t claims_ = 0;
  std::uint32_t executed_ = 0;
  std::uint32_t begins_[kClaims] = {}, ends_[kClaims] = {}, portions_[kClaims] = {};
  std::vector<std::uint32_t> times_;
  std::string wrong_;
};

/// What goes wrong at the first seed at which anything does.
template <class Tested, bool kChoose = false>
std::string Fault(std::uint32_t seeds, std::uint32_t workers) {
  for (std::uint32_t seed = 0; seed < seeds; ++seed) {
    const std::string fault = RangeRun<Tested, kChoose>(seed).Run(workers);
    if (!fault.empty()) return fault + ", seed " + std::to_string(seed);
  }
  return "";
}

/// 4000 of each crowd are 12,000 together.
constexpr std::uint32_t kSeeds = 4'000;

TEST(BlockRangeSchedules, GiveEveryElementToOneWorkerOfTheBlock) {
  const std::uint32_t seeds = SeedCount("WARPYARD_SCHEDULER_SEEDS", kSeeds);
  using Right = model::BlockRange<ScheduledScope>;
  for (const std::uint32_t workers : {2u, 3u, 6u}) EXPECT_EQ(Fault<Right>(seeds, workers), "");
}

TEST(BlockRangeSchedules, GiveEveryElementToOneWorkerWhereOthersWaitForItsChoice) {
  const std::uint32_t seeds = SeedCount("WARPYARD_SCHEDULER_SEEDS", kSeeds);
  using Right = model::BlockRange<ScheduledScope>;
  for (const std::uint32_t workers : {2u, 3u, 6u}) {
    EXPECT_EQ((Fault<Right, true>(seeds, workers)), "");
  }
}

template <RangeFault kFault>
void ExpectFound() {
  EXPECT_NE(Fault<BrokenBlockRange<kFault>>(kSeeds, 3), "");
}

TEST(BlockRangeSchedules, BlameTheFaultAndNotTheFrameOfABrokenRange) {
  EXPECT_EQ(Fault<BrokenBlockRange<RangeFault::kNone>>(1'000, 3), "");
}

TEST(BlockRangeSchedules, CatchAPartThatIsWrittenBeforeItWasRead) {
  ExpectFound<RangeFault::kWrittenBeforeRead>();
}

TEST(BlockRangeSchedules, CatchARangeThatIsFilledTwice) { ExpectFound<RangeFault::kFilledTwice>(); }

TEST(BlockRangeSchedules, CatchARangeThatIsShownBeforeItIsDescribed) {
  ExpectFound<RangeFault::kShownBeforeDescribed>();
}

TEST(BlockRangeSchedules, CatchAPortionThatIsTakenByTwoSteps) {
  ExpectFound<RangeFault::kTakenByTwoSteps>();
}

}  // namespace
}  // namespace warpyard::test_support
