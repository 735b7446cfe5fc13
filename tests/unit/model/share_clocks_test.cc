// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/model/share_clocks.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "core/exec/thread_scope.h"
#include "core/policy/share.h"
#include "core/workload/synthetic/synthetic_program.h"

namespace warpyard::model {
namespace {

using exec::ThreadScope;
struct Shape {
  static constexpr std::uint32_t kThreads = 1;
  static constexpr std::uint32_t kBatchElements = 4;
  static constexpr std::uint32_t kSpawnElements = 64;
  static constexpr std::uint32_t kLocalElements = 128;
  static constexpr std::uint32_t kPages = 64;
};
using Space = Workspace<ThreadScope, synthetic::SyntheticProgram, Shape>;
using Clocks = ShareClocks<ThreadScope, Space>;

constexpr std::uint32_t kGroup = 1;

class ShareClocksTest : public ::testing::Test {
 protected:
  ShareClocksTest() {
    space_->buckets.Reset(0, 1);
    Clocks::Reset(one_, *memory_);
    constexpr std::uint32_t kPairs = Space::Buckets::kPairs;
    for (std::uint32_t pair = 0; pair < kPairs; ++pair) {
      space_->buckets.SetRanks(pair, pair, pair + kPairs);
    }
  }

  /// An event that has elements to draw.
  void Add(std::uint32_t event, const policy::Share& share) {
    space_->shares[event] = policy::PackShare(share);
    space_->buckets.SetHint(event, Space::Buckets::kRangeHint);
  }
  void Remove(std::uint32_t event) { space_->buckets.ClearHint(event, Space::Buckets::kRangeHint); }

  /// @shape own: event of the block's stack, or Own::kNone
  strategy::BestBucket Choose(std::uint32_t own = Own::kNone, std::uint32_t least_rank = 0) {
    const strategy::BestBucket best =
        space_->buckets.Look(one_, own == Own::kNone ? 0 : own, least_rank);
    return Clocks::Choose(one_, *space_, *memory_, best, {own, least_rank});
  }
  void Charge(std::uint32_t event, std::int64_t cycles) {
    Clocks::Charge(one_, *space_, *memory_, event, cycles);
  }

  /// Cycles that each event gets in `choices` choices; each choice takes the event's `lengths`.
  std::vector<double> Run(const std::vector<std::int64_t>& lengths, int choices) {
    std::vector<double> cycles(lengths.size());
    for (int i = 0; i < choices; ++i) {
      const std::uint32_t event = Choose().bucket;
      Charge(event, lengths[event]);
      cycles[event] += static_cast<double>(lengths[event]);
    }
    return cycles;
  }

  ThreadScope one_{nullptr};
  std::unique_ptr<Space> space_{new Space()};
  std::unique_ptr<BlockMemory<Space>> memory_{new BlockMemory<Space>()};
};

TEST_F(ShareClocksTest, ShareByWeightWhateverTheLengthOfPackages) {
  const std::vector<double> weights = {10, 20, 30, 40};
  for (std::uint32_t event = 0; event < 4; ++event) {
    const auto stride =
        static_cast<std::uint32_t>(policy::kStrideUnit * weights[3] / weights[event]);
    Add(event, {kGroup, event, stride});
  }
  const std::vector<double> cycles = Run({5'000, 15'000, 7'500, 12'500}, 10'000);
  double sum = 0;
  for (const double one : cycles) sum += one;
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(100 * cycles[i] / sum, weights[i], 0.5) << i;
}

TEST_F(ShareClocksTest, TakeBackWhatWasChargedTooMuch) {
  Add(0, {kGroup, 0, policy::kStrideUnit});
  Add(1, {kGroup, 1, policy::kStrideUnit});
  std::vector<double> cycles(2);
  for (int i = 0; i < 1000; ++i) {
    const std::uint32_t event = Choose().bucket;
    Charge(event, 90'000);  // an estimate
    const std::int64_t took = event == 0 ? 10'000 : 50'000;
    Charge(event, took - 90'000);
    cycles[event] += static_cast<double>(took);
  }
  EXPECT_NEAR(cycles[0] / cycles[1], 1, 0.02);
}

TEST_F(ShareClocksTest, EventsOfOneAccountComeInTheOrderOfTheirRanks) {
  Add(3, {kGroup, 7, policy::kStrideUnit});
  Add(2, {kGroup, 7, policy::kStrideUnit});
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(Choose().bucket, 2u);
    EXPECT_EQ(Choose(3).bucket, 2u) << "though the block has something of the other";
    Charge(2, 30'000);
  }
}

TEST_F(ShareClocksTest, StayWithTheOwnEventForASlice) {
  Add(0, {kGroup, 0, policy::kStrideUnit});
  Add(1, {kGroup, 1, policy::kStrideUnit});
  Charge(1, 10'000);
  EXPECT_LT(Choose(1).own_rank, Choose(1).rank) << "not yet worth a change";
  Charge(1, 20'000);
  EXPECT_EQ(Choose(1).bucket, 0u);
  EXPECT_GT(Choose(1).own_rank, Choose(1).rank);
}

TEST_F(ShareClocksTest, LeaveAloneWhatDoesNotShare) {
  Add(0, {0, 0, policy::kStrideUnit});
  Add(1, {kGroup, 1, policy::kStrideUnit});
  Charge(0, 1'000'000);
  EXPECT_EQ(Choose().bucket, 0u) << "a deadline, say: the first rank";
  Remove(0);
  Add(2, {kGroup + 1, 2, policy::kStrideUnit});
  Charge(1, 1'000'000);
  EXPECT_EQ(Choose().bucket, 1u) << "the other is of another priority";
}

TEST_F(ShareClocksTest, ChargeNobodyForWhatDoesNotShare) {
  Add(0, {0, 0, policy::kStrideUnit});  // a deadline, whose account means nothing
  Add(1, {kGroup, 0, policy::kStrideUnit});
  Add(2, {kGroup, 1, policy::kStrideUnit});
  Charge(0, 2'000'000);
  Remove(0);
  EXPECT_EQ(Choose().bucket, 1u) << "its tenant has spent no more than the other";
}

TEST_F(ShareClocksTest, PassOverWhatWasFoundEmpty) {
  Add(0, {kGroup, 0, policy::kStrideUnit});
  Add(1, {kGroup, 1, policy::kStrideUnit});
  Charge(1, 500'000);
  EXPECT_EQ(Choose(Own::kNone, 0).bucket, 0u);
  EXPECT_EQ(Choose(Own::kNone, 1).bucket, 1u);
}

TEST_F(ShareClocksTest, GiveNobodyMoreThanALittleForTheTimeItWasAway) {
  Add(0, {kGroup, 0, policy::kStrideUnit});
  for (const int charges : {10'000, 30'000, 40'000, 100'000}) {  // to beyond the clock's wrap
    for (int i = 0; i < charges; ++i) Charge(0, 100'000);
    Add(1, {kGroup, 1, policy::kStrideUnit});
    const std::vector<double> cycles = Run({100'000, 100'000}, 100);
    EXPECT_LE(cycles[1] - cycles[0], 1.2e6) << charges;
    EXPECT_GE(cycles[1] - cycles[0], 0) << charges;
    Remove(1);
  }
}

TEST_F(ShareClocksTest, KeepDebtsThroughALargeOverestimate) {
  Add(0, {kGroup, 0, policy::kStrideUnit});
  Add(1, {kGroup, 1, policy::kStrideUnit});
  Charge(0, 300'000);
  Charge(1, 100'000);
  Charge(1, 4'000'000);
  Charge(1, -4'000'000);
  EXPECT_EQ(Choose().bucket, 1u) << "it still has less";
}

TEST_F(ShareClocksTest, SayNothingWhereNothingWaits) {
  EXPECT_EQ(Choose().rank, strategy::kNoRank);
}

}  // namespace
}  // namespace warpyard::model
