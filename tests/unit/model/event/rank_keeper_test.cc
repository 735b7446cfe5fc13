// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/model/event/rank_keeper.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <set>

#include "core/exec/thread_scope.h"
#include "core/model/cpu/cpu_workers.h"
#include "core/workload/synthetic/synthetic_program.h"

namespace warpyard::model {
namespace {

using procedure::kEventBuckets;

policy::EventAttributes Of(std::uint64_t deadline_ns, std::uint32_t priority,
                           std::uint32_t tenant) {
  policy::EventAttributes attributes;
  attributes.deadline_ns = deadline_ns;
  attributes.priority = priority;
  attributes.tenant = tenant;
  return attributes;
}

class RankKeeperTest : public ::testing::Test {
 protected:
  using Space = Workspace<exec::ThreadScope, synthetic::SyntheticProgram, CpuShape>;

  RankKeeperTest() { space_->Reset(0, 1); }

  /// An event of one element that runs, and has come `age_ns` ago.
  void Run(std::uint32_t slot, const policy::EventAttributes& attributes, std::uint64_t age_ns) {
    auto& event = space_->events[slot];
    event.job.elements = 1;
    event.view = ViewOf(attributes, exec::ThreadScope::NowNs() - age_ns);
    space_->events.Start(slot, space_->board);
  }

  /// Ends an event, and tells of its time.
  void Finish(std::uint32_t slot, std::uint32_t us) {
    ASSERT_TRUE(space_->events.CountOut(slot, 1, us, space_->board).done);
    End(slot);
  }

  void End(std::uint32_t slot) {
    space_->events[slot].state = static_cast<std::uint32_t>(EventState::kFree);
  }

  /// @shape ns: whole microseconds
  void Execute(std::uint32_t slot, std::uint64_t ns) {
    space_->events.CountIn(slot, 0, static_cast<std::uint32_t>(ns / 1000));
  }

  void Update() { RankKeeper<Space>::Update(scope_, *space_, memory_, options_); }

  /// Lets an event press: for some milliseconds, which may be over before the update.
  bool HoldsBeside(std::uint32_t slot) {
    constexpr std::uint64_t kUsedNs = 1'000'000;
    for (int tries = 0; tries < 100; ++tries) {
      const std::uint64_t left_ns = (options_.hold_part - 1) * kUsedNs;
      Run(slot, Of(exec::ThreadScope::NowNs() + left_ns, 1, 0), kUsedNs);
      Update();
      if (space_->board.Read().HasHeld()) return true;
      End(slot);
    }
    return false;
  }

  /// As workers see it.
  std::uint32_t RankOf(std::uint32_t event) { return space_->board.RankOf(event); }
  std::uint32_t LevelsRank() { return RankOf(Choice::kLevels); }

  void ExpectSound() {
    std::set<std::uint32_t> ranks;
    for (std::uint32_t event = 0; event <= kEventBuckets; ++event) ranks.insert(RankOf(event));
    EXPECT_EQ(ranks.size(), kEventBuckets + 1) << "ranks are unique";
    EXPECT_EQ(*ranks.rbegin(), kEventBuckets);
  }

  exec::ThreadScope scope_{nullptr};
  std::unique_ptr<Space> space_ = std::make_unique<Space>();
  RankMemory memory_{};
  policy::PolicyOptions options_;
};

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
  constexpr std::uint64_t kHourNs = 3'600'000'000'000;  // a deadline that is over does not count
  Run(1, Of(exec::ThreadScope::NowNs() + kHourNs, 0, 0), 0);
  Run(2, Of(policy::kNoDeadline, 2, 0), 0);
  Run(3, Of(policy::kNoDeadline, 0, 0), 0);
  Update();
  ExpectSound();
  EXPECT_LT(RankOf(1), RankOf(2));
  EXPECT_LT(RankOf(2), LevelsRank());
  EXPECT_EQ(RankOf(3), LevelsRank() + 1) << "all levels have one place";
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
  EXPECT_NE(policy::UnpackShare(space_->board.ShareOf(3)).group, 0u);
  EXPECT_EQ(space_->board.ShareOf(4), 0u) << "first by its rank, whatever its tenant has spent";
  EXPECT_LT(RankOf(4), RankOf(3));
  EXPECT_TRUE(policy::IsUnjudged(space_->board.ShareOf(5))) << "no event: the next one may share";
  options_.kind = policy::PolicyKind::kFifo;
  Update();
  EXPECT_EQ(space_->board.ShareOf(5), 0u) << "nothing shares";
}

TEST_F(RankKeeperTest, HoldsOthersWhileAnEventPresses) {
  constexpr std::uint64_t kMs = 1'000'000;
  const std::uint64_t now = exec::ThreadScope::NowNs();
  Run(2, Of(policy::kNoDeadline, 1, 0), 0);
  Run(40, Of(now + 1'000'000 * kMs, 1, 0), 0);
  Run(5, Of(policy::kNoDeadline, 1, 0), 0);
  space_->events[5].cancel = 1;
  Update();
  EXPECT_FALSE(space_->board.Read().HasHeld());
  EXPECT_TRUE(space_->board.ReadFree().IsOpen(2));
  // Half of its time has gone.
  Run(3, Of(now + 10'000 * kMs, 1, 0), 10'000 * kMs);
  Update();
  EXPECT_FALSE(space_->board.Read().HasHeld()) << "it has pressed for long enough";
  End(3);
  ASSERT_TRUE(HoldsBeside(3));
  for (const std::uint32_t slot : {2u, 40u}) {
    EXPECT_TRUE(space_->board.Held().Has(slot)) << slot;
    EXPECT_FALSE(space_->board.ReadFree().IsOpen(slot)) << slot;
  }
  for (const std::uint32_t slot : {3u, 5u, 6u})
    EXPECT_FALSE(space_->board.Held().Has(slot)) << slot;
  EXPECT_TRUE(space_->board.ReadFree().IsOpen(5)) << "it is to end";
  options_.kind = policy::PolicyKind::kQuota;
  Update();
  EXPECT_FALSE(space_->board.Read().HasHeld()) << "deadlines mean nothing";
  options_.kind = policy::PolicyKind::kService;
  End(3);
  ASSERT_TRUE(HoldsBeside(3));
  EXPECT_TRUE(space_->board.Held().Has(2));
  Finish(3, 1);
  Update();
  EXPECT_FALSE(space_->board.Read().HasHeld());
  EXPECT_FALSE(space_->board.Held().Has(2));
  EXPECT_TRUE(space_->board.ReadFree().IsOpen(2));
}

TEST_F(RankKeeperTest, ShowsWhetherEventsWithADeadlineComeAndComeFirst) {
  Run(2, Of(policy::kNoDeadline, 1, 0), 0);
  Update();
  EXPECT_FALSE(space_->board.Read().HasUrgent());
  Run(3, Of(1, 1, 0), 0);
  Update();
  EXPECT_FALSE(space_->board.Read().HasUrgent()) << "its deadline is over";
  End(3);
  Run(3, Of(policy::kNoDeadline / 2, 1, 0), 0);
  Update();
  EXPECT_TRUE(space_->board.Read().HasUrgent());
  End(3);
  Update();
  EXPECT_TRUE(space_->board.Read().HasUrgent()) << "another one may come soon";
  memory_.urgent_ns -= 60'000'000;
  Update();
  EXPECT_FALSE(space_->board.Read().HasUrgent());
  options_.kind = policy::PolicyKind::kQuota;
  Run(3, Of(1, 1, 0), 0);
  Update();
  EXPECT_FALSE(space_->board.Read().HasUrgent()) << "deadlines mean nothing";
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

/// On a GPU the keeper may look while an event starts.
struct PlanThatLooks : synthetic::SyntheticProgram {
  inline static std::function<void()> look;

  template <class Scope>
  static procedure::StagePlan Plan(const Job& job, std::uint32_t stage) {
    if (look) look();
    return SyntheticProgram::Plan<Scope>(job, stage);
  }
};

TEST(RankKeeper, ChargesNothingOfTheEventBeforeWhileTheNextOneStarts) {
  using Space = Workspace<exec::ThreadScope, PlanThatLooks, CpuShape>;
  const auto space = std::make_unique<Space>();
  exec::ThreadScope scope(nullptr);
  RankMemory memory{};
  const policy::PolicyOptions options;
  const auto update = [&] { RankKeeper<Space>::Update(scope, *space, memory, options); };
  auto& event = space->events[3];
  event.account = std::uint64_t{5'000'000} << 32;  // of the event before
  event.job.elements = 1;
  event.view = ViewOf(Of(policy::kNoDeadline, 1, 4), 1);
  PlanThatLooks::look = update;
  space->events.Start(3, space->board);
  update();
  update();
  EXPECT_EQ(memory.tenants.executed_ns[4], 0u);
  space->events.CountIn(3, 0, 7);
  // The keeper may have read the view of the event before.
  space->events.CountOut(3, 1, 3, space->board);
  space->events.Start(3, space->board);
  PlanThatLooks::look = nullptr;
  update();
  EXPECT_EQ(memory.tenants.executed_ns[4], 10'000u);
}

TEST_F(RankKeeperTest, ChargesTenantsWithWhatIsToldWhenAnEventEnds) {
  Run(3, Of(policy::kNoDeadline, 1, 2), 1'000'000);
  Update();
  Execute(3, 4'000);
  Update();
  Execute(3, 70'000);
  End(3);
  Update();
  EXPECT_EQ(memory_.tenants.executed_ns[2], 74'000u);
  Update();
  EXPECT_EQ(memory_.tenants.executed_ns[2], 74'000u) << "once";
  Run(3, Of(policy::kNoDeadline, 1, 5), 0);
  Execute(3, 1'000);
  Update();
  Update();
  EXPECT_EQ(memory_.tenants.executed_ns[2], 74'000u);
  EXPECT_EQ(memory_.tenants.executed_ns[5], 1'000u);
}

TEST_F(RankKeeperTest, ChargesTenantsWithWhatEventsToldBeforeTheNextOneCame) {
  Run(3, Of(policy::kNoDeadline, 1, 2), 0);
  Update();
  Finish(3, 70);
  Run(3, Of(policy::kNoDeadline, 1, 5), 0);
  Update();
  EXPECT_EQ(memory_.tenants.executed_ns[2], 70'000u);
  EXPECT_EQ(memory_.tenants.executed_ns[5], 0u);
  Finish(3, 20);
  Update();
  EXPECT_EQ(memory_.tenants.executed_ns[5], 20'000u);
  for (int i = 0; i < 10; ++i) {  // between two updates
    Run(3, Of(policy::kNoDeadline, 1, 5), 0);
    Finish(3, 30);
  }
  Update();
  EXPECT_EQ(memory_.tenants.executed_ns[5], 320'000u);
  Run(3, Of(policy::kNoDeadline, 1, 2), 0);
  Update();
  EXPECT_EQ(memory_.tenants.executed_ns[2], 70'000u);
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
