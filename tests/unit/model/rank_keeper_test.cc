// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/model/rank_keeper.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <set>

#include "core/exec/thread_scope.h"
#include "core/model/cpu_workers.h"
#include "core/workload/synthetic/synthetic_program.h"

namespace warpyard::model {
namespace {

using procedure::kBuckets;
using procedure::kEventBuckets;
using procedure::kLevels;

class RankKeeperTest : public ::testing::Test {
 protected:
  using Space = Workspace<exec::ThreadScope, synthetic::SyntheticProgram, CpuShape>;

  RankKeeperTest() { space_->buckets.Reset(0, 1); }

  /// An event that runs, and arrived `age_ns` ago.
  void Run(std::uint32_t slot, const policy::EventAttributes& attributes, std::uint64_t age_ns) {
    auto& event = space_->events[slot];
    event.view = ViewOf(attributes, exec::ThreadScope::NowNs() - age_ns);
    event.served_ns = event.view.arrival_ns;
    event.executed_ns = 0;
    event.state = static_cast<std::uint32_t>(EventState::kRunning);
  }

  void End(std::uint32_t slot) {
    space_->events[slot].state = static_cast<std::uint32_t>(EventState::kFree);
  }

  void Execute(std::uint32_t slot, std::uint64_t ns) { space_->events[slot].executed_ns += ns; }

  void Update() { RankKeeper<Space>::Update(scope_, *space_, memory_, options_); }

  /// The rank that workers see.
  std::uint32_t RankOf(std::uint32_t bucket) {
    return space_->buckets.Look(scope_, bucket, 0).own_rank;
  }
  std::uint32_t LevelsRank() { return RankOf(kEventBuckets); }

  void ExpectSound() {
    std::set<std::uint32_t> ranks;
    for (std::uint32_t bucket = 0; bucket < kBuckets; ++bucket) ranks.insert(RankOf(bucket));
    EXPECT_EQ(ranks.size(), kBuckets) << "ranks are unique";
    EXPECT_EQ(*ranks.rbegin(), kBuckets - 1);
    for (std::uint32_t level = 0; level < kLevels; ++level) {
      EXPECT_EQ(RankOf(kEventBuckets + level), LevelsRank() + level) << "levels lie together";
    }
  }

  exec::ThreadScope scope_{nullptr};
  std::unique_ptr<Space> space_ = std::make_unique<Space>();
  RankMemory memory_{};
  policy::PolicyOptions options_;
};

policy::EventAttributes Of(std::uint64_t deadline_ns, std::uint32_t priority,
                           std::uint32_t tenant) {
  policy::EventAttributes attributes;
  attributes.deadline_ns = deadline_ns;
  attributes.priority = priority;
  attributes.tenant = tenant;
  return attributes;
}

TEST_F(RankKeeperTest, RanksFreeSlotsFirst) {
  Run(0, Of(1, 3, 0), 0);
  Run(7, Of(policy::kNoDeadline, 1, 0), 1'000'000'000);
  Update();
  ExpectSound();
  for (std::uint32_t slot = 0; slot < kEventBuckets; ++slot) {
    if (slot == 0 || slot == 7) continue;
    EXPECT_LT(RankOf(slot), RankOf(0));
    EXPECT_LT(RankOf(slot), RankOf(7));
  }
}

TEST_F(RankKeeperTest, RanksAllLevelsWhereAnEventOfNormalPriorityWouldBe) {
  Run(1, Of(5, 0, 0), 0);
  Run(2, Of(policy::kNoDeadline, 2, 0), 0);
  Run(3, Of(policy::kNoDeadline, 0, 0), 0);
  Update();
  ExpectSound();
  EXPECT_LT(RankOf(1), RankOf(2));
  EXPECT_LT(RankOf(2), LevelsRank());
  EXPECT_EQ(RankOf(3), LevelsRank() + kLevels);
}

TEST_F(RankKeeperTest, KeepsRanksUniqueWithAllSlotsRunningAlike) {
  for (std::uint32_t slot = 0; slot < kEventBuckets; ++slot) {
    Run(slot, Of(policy::kNoDeadline, 1, slot % policy::kMaxTenants), 0);
  }
  for (const auto kind : {policy::PolicyKind::kService, policy::PolicyKind::kPriority,
                          policy::PolicyKind::kEarliestDeadline, policy::PolicyKind::kQuota,
                          policy::PolicyKind::kFairShare, policy::PolicyKind::kShortestJob,
                          policy::PolicyKind::kFifo}) {
    options_.kind = kind;
    Update();
    ExpectSound();
  }
}

TEST_F(RankKeeperTest, SaysWhatEventsShareButForThoseThatAreToEnd) {
  options_.kind = policy::PolicyKind::kQuota;
  Run(3, {}, 100);
  Run(4, {}, 100);
  space_->events[4].cancel = 1;
  Update();
  EXPECT_NE(policy::UnpackShare(space_->shares[3]).group, 0u);
  EXPECT_EQ(space_->shares[4], 0u) << "first by its rank, whatever its tenant has spent";
  EXPECT_LT(RankOf(4), RankOf(3));
  EXPECT_EQ(space_->shares[5], 0u) << "no event";
}

TEST_F(RankKeeperTest, ChargesTenantsWithWhatTheirEventsExecuted) {
  options_.weights[1] = 1;
  options_.weights[2] = 4;
  Run(4, Of(policy::kNoDeadline, 1, 1), 0);
  Run(5, Of(policy::kNoDeadline, 1, 2), 0);
  Execute(4, 1'000'000);
  Execute(5, 2'000'000);
  Update();
  Update();
  EXPECT_EQ(memory_.tenants.executed_ns[1], 1'000'000u) << "once";
  EXPECT_EQ(memory_.tenants.executed_ns[2], 2'000'000u);
}

TEST_F(RankKeeperTest, RanksTheTenantFirstThatExecutedLessForItsWeight) {
  options_.weights[1] = 1;
  options_.weights[2] = 4;
  Run(4, Of(policy::kNoDeadline, 1, 1), 0);
  Run(5, Of(policy::kNoDeadline, 1, 2), 0);
  Update();
  Execute(4, 1'000'000);
  Execute(5, 3'900'000);
  Update();
  EXPECT_LT(RankOf(5), RankOf(4));
  Execute(5, 200'000);
  Update();
  EXPECT_GT(RankOf(5), RankOf(4));
}

TEST_F(RankKeeperTest, DoesNotChargeAnEventWithWhatTheOneBeforeInItsSlotExecuted) {
  Run(4, Of(policy::kNoDeadline, 1, 1), 0);
  Execute(4, 1'000'000);
  Update();
  End(4);
  Run(4, Of(policy::kNoDeadline, 1, 2), 0);  // not seen as free in between
  Execute(4, 300'000);
  Update();
  EXPECT_EQ(memory_.tenants.executed_ns[1], 1'000'000u);
  EXPECT_EQ(memory_.tenants.executed_ns[2], 300'000u);
}

TEST_F(RankKeeperTest, LetsATenantThatComesGoOnWithTheOthers) {
  Run(4, Of(policy::kNoDeadline, 1, 1), 0);
  Update();
  Execute(4, 5'000'000);
  Update();
  Run(5, Of(policy::kNoDeadline, 1, 2), 0);
  Update();
  EXPECT_EQ(memory_.tenants.virtual_ns[2], memory_.tenants.virtual_ns[1]);
}

TEST_F(RankKeeperTest, LetsANewcomerShareFairlyWithAnOldEventAlsoInItsSlot) {
  options_.kind = policy::PolicyKind::kFairShare;
  Run(4, Of(policy::kNoDeadline, 1, 1), 1'000'000'000);
  Update();
  Execute(4, 5'000'000);
  Run(5, Of(policy::kNoDeadline, 1, 1), 1'000);
  Update();
  Execute(5, 2'000);
  Update();
  EXPECT_LT(RankOf(4), RankOf(5));
  Execute(4, 3'000);
  Update();
  EXPECT_LT(RankOf(5), RankOf(4));
  Run(5, Of(policy::kNoDeadline, 1, 1), 0);  // another one, at the least of the others
  Update();
  Execute(5, 1'000);
  Update();
  EXPECT_LT(RankOf(4), RankOf(5));
  EXPECT_LT(RankOf(4), LevelsRank());
  ExpectSound();
}

}  // namespace
}  // namespace warpyard::model
