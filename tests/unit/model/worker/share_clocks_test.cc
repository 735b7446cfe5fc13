// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/model/worker/share_clocks.h"

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

struct ClockShape {
  static constexpr std::uint32_t kLanes = 1;
  static constexpr std::uint32_t kBlockWorkers = 1;
  static constexpr std::uint32_t kWorkers = 4;
  static constexpr std::uint32_t kStackElements = 66;
  static constexpr std::uint32_t kReserveElements = 256;
  static constexpr std::uint32_t kPages = 64;
  static constexpr std::uint32_t kNewestCycles = 0;
};
using Space = Workspace<ThreadScope, synthetic::SyntheticProgram, ClockShape>;
using Clocks = ShareClocks<ThreadScope, Space>;

constexpr std::uint32_t kGroup = 1;

class ShareClocksTest : public ::testing::Test {
 protected:
  ShareClocksTest() {
    for (std::uint32_t event = 0; event <= Choice::kLevels; ++event) {
      space_->board.SetRank(event, event);
    }
  }

  /// An event that has elements to draw.
  void Add(std::uint32_t event, const policy::Share& share) {
    space_->board.SetShare(event, policy::PackShare(share));
    space_->board.Toggle(event);
  }
  void Remove(std::uint32_t event) { space_->board.Toggle(event); }

  /// As a worker chooses. @shape own: event of its newest element, or kNoEvent; it serves that one
  Choice Choose(std::uint32_t own = kNoEvent) {
    const Sight seen{space_->board.Read(), space_->board.ReadOrder(one_), own, kNoEvent, own, 2};
    Choice first = space_->board.First(one_, seen.news, seen.order);
    if (own != kNoEvent && space_->board.RankOf(own) <= first.rank) {
      first = {space_->board.RankOf(own), own};
    }
    shares_ = Clocks::Choose(one_, *space_, block_->clocks, seen, first);
    return first;
  }
  void Charge(std::uint32_t event, std::int64_t cycles) {
    Clocks::Charge(*space_, *block_, event, cycles);
  }

  /// Cycles that each event gets in `choices` choices; each choice takes the event's `lengths`.
  std::vector<double> Run(const std::vector<std::int64_t>& lengths, int choices) {
    std::vector<double> cycles(lengths.size());
    for (int i = 0; i < choices; ++i) {
      const std::uint32_t event = Choose().event;
      Charge(event, lengths[event]);
      cycles[event] += static_cast<double>(lengths[event]);
    }
    return cycles;
  }

  ThreadScope one_{nullptr};
  std::unique_ptr<Space> space_{new Space()};
  std::unique_ptr<BlockMemory<Space>> block_{new BlockMemory<Space>()};
  bool shares_ = false;  // of the last choice
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
    const std::uint32_t event = Choose().event;
    Charge(event, 90'000);  // an estimate
    const std::int64_t took = event == 0 ? 10'000 : 50'000;
    Charge(event, took - 90'000);
    cycles[event] += static_cast<double>(took);
  }
  EXPECT_NEAR(cycles[0] / cycles[1], 1, 0.02);
}

TEST_F(ShareClocksTest, ChargeNoAccountForAnEventThatIsNotJudged) {
  Add(0, {kGroup, 0, policy::kStrideUnit});
  Charge(0, 600'000);
  const std::uint32_t base = block_->clocks.base, clock = block_->clocks.clocks[0];
  Add(1, {policy::kUnjudgedGroup, 0, 0});
  Charge(1, 100'000);
  EXPECT_EQ(block_->clocks.base, base);
  EXPECT_EQ(block_->clocks.clocks[0], clock);
}

TEST_F(ShareClocksTest, EventsOfOneAccountComeInTheOrderOfTheirRanks) {
  Add(3, {kGroup, 7, policy::kStrideUnit});
  Add(2, {kGroup, 7, policy::kStrideUnit});
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(Choose().event, 2u);
    EXPECT_EQ(Choose(3).event, 2u) << "though the worker has something of the other";
    Charge(2, 30'000);
  }
}

TEST_F(ShareClocksTest, StayWithTheOwnEventForASlice) {
  Add(0, {kGroup, 0, policy::kStrideUnit});
  Add(1, {kGroup, 1, policy::kStrideUnit});
  Charge(1, 10'000);
  EXPECT_EQ(Choose(1).event, 1u) << "not yet worth a change";
  EXPECT_EQ(Choose().event, 0u) << "a worker that serves neither takes what is behind";
  Charge(1, 20'000);
  EXPECT_EQ(Choose(1).event, 0u);
}

TEST_F(ShareClocksTest, LeaveAloneWhatDoesNotShare) {
  Add(0, {0, 0, policy::kStrideUnit});
  Add(1, {kGroup, 1, policy::kStrideUnit});
  Charge(0, 1'000'000);
  EXPECT_EQ(Choose().event, 0u) << "a deadline, say: the first rank";
  Remove(0);
  Add(2, {kGroup + 1, 2, policy::kStrideUnit});
  Charge(1, 1'000'000);
  EXPECT_EQ(Choose().event, 1u) << "the other is of another priority";
}

TEST_F(ShareClocksTest, ChargeNobodyForWhatDoesNotShare) {
  Add(0, {0, 0, policy::kStrideUnit});  // a deadline, whose account means nothing
  Add(1, {kGroup, 0, policy::kStrideUnit});
  Add(2, {kGroup, 1, policy::kStrideUnit});
  Charge(0, 2'000'000);
  Remove(0);
  EXPECT_EQ(Choose().event, 1u) << "its tenant has spent no more than the other";
}

TEST_F(ShareClocksTest, PassOverEventsWithNothingToDraw) {
  Add(0, {kGroup, 0, policy::kStrideUnit});
  Add(1, {kGroup, 1, policy::kStrideUnit});
  Charge(1, 500'000);
  EXPECT_EQ(Choose().event, 0u);
  Remove(0);
  EXPECT_EQ(Choose().event, 1u);
  EXPECT_EQ(Choose(0).event, 0u) << "but not the event of the worker's own elements";
}

TEST_F(ShareClocksTest, SayWhetherTheFirstEventShares) {
  Add(0, {0, 0, policy::kStrideUnit});
  Add(1, {kGroup, 1, policy::kStrideUnit});
  Choose();
  EXPECT_FALSE(shares_);
  Remove(0);
  Choose();
  EXPECT_FALSE(shares_) << "it is the only account of its group";
  space_->board.SetShare(2, policy::PackShare({kGroup, 2, policy::kStrideUnit}));
  Choose();
  EXPECT_TRUE(shares_) << "though the other has nothing to draw";
  space_->board.SetRank(Choice::kLevels, 0);
  space_->board.SetWaiting(0);
  EXPECT_EQ(Choose().event, Choice::kLevels);
  EXPECT_FALSE(shares_) << "levels are nobody's";
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
  EXPECT_EQ(Choose().event, 1u) << "it still has less";
}

TEST_F(ShareClocksTest, SayNothingWhereNothingWaits) {
  EXPECT_EQ(Choose().rank, kNoRank);
  EXPECT_FALSE(shares_);
}

}  // namespace
}  // namespace warpyard::model
