// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Which packages a team executes next: those of its leader's stage, and those that members bring.

#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <memory>

#include "core/exec/device_group.cuh"
#include "core/model/megakernel/team_gathering.cuh"
#include "core/model/megakernel/worker_block.cuh"
#include "core/workload/synthetic/synthetic_job.h"
#include "core/workload/synthetic/synthetic_program.h"

namespace warpyard::test_support {
namespace {

/// A block of four warps.
struct TeamShape {
  static constexpr std::uint32_t kLanes = 32;
  static constexpr std::uint32_t kBlockWorkers = HostGrid::kWarps;
  static constexpr std::uint32_t kWorkers = HostGrid::kWarps;
  static constexpr std::uint32_t kStackElements = 72;
  static constexpr std::uint32_t kReserveElements = 256;
  static constexpr std::uint32_t kPages = 16;
  static constexpr std::uint32_t kNewestCycles = 0;
};
using TeamSpace = model::Workspace<exec::DeviceScope, synthetic::SyntheticProgram, TeamShape>;

/// A team whose leader has claimed the first package of a stage.
class TeamOfStage {
 public:
  static constexpr std::uint32_t kEvent = 3;

  TeamOfStage() {
    space_->Reset(0, 1);
    model::WorkerBlock<TeamSpace>(*space_, *memory_).Initialise();
    space_->events[kEvent].job.elements = 2'000;
    space_->events[kEvent].job.results = &results_;
    space_->events.Start(kEvent, space_->board);
    leader_.stack = {0, leader_.elements, true, 0};
    leader_.reserve_from = 0;
    Claims::Claim(*space_, memory_->block,
                  {kEvent, {0, 0}, 1, kWorkers, true, false, false, false, false}, leader_.taken);
    Claims::Release(memory_->block, leader_.taken);
    first_ = Claims::ElementOf(leader_.taken, 0, 1);
  }

  /// Sets how long a package takes.
  void TakeCycles(std::uint32_t cycles) {
    memory_->block.element_cycles[first_.Procedure()] = cycles;
  }
  /// How many packages the team claims when its leader has none of them left. @shape reserved:
  /// elements of the leader; stack: the events of its elements, of another procedure
  std::uint32_t Claimed(std::uint32_t reserved, const model::OrderTerms& terms,
                        std::initializer_list<std::uint32_t> stack = {}) {
    const model::TeamOrder order{first_, 0, 0, {0, 0, kWorkers, 1}, terms};
    leader_.reserve_to = reserved;
    leader_.stack.count = 0;
    for (const std::uint32_t event : stack) {
      leader_.elements[leader_.stack.count++] = {procedure::MakeHead(event, 4, event), {0, 0}};
    }
    model::NextPackages next{};
    model::PackageSource<TeamSpace>::Take({*space_, memory_->block, order.place}, order, 0, 1,
                                          next);
    return next.claimed;
  }

 private:
  using Claims = model::StageClaims<TeamSpace>;
  static constexpr std::uint32_t kWorkers = TeamShape::kWorkers;

  const std::unique_ptr<TeamSpace> space_ = std::make_unique<TeamSpace>();
  const std::unique_ptr<model::WorkerBlockMemory<TeamSpace>> memory_ =
      std::make_unique<model::WorkerBlockMemory<TeamSpace>>();
  synthetic::SyntheticResults results_{};
  model::WorkerMemory<TeamSpace>& leader_ = memory_->block.workers[0];
  procedure::Element first_{};
};

constexpr model::OrderTerms kAlone{1, 0, false, false};
constexpr std::uint32_t kOther = 7;  // event

TEST(TeamPackages, AreNotClaimedWhereTheReserveIsAlmostFull) {
  TeamOfStage team;
  EXPECT_EQ(team.Claimed(TeamShape::kReserveElements - 31, kAlone), 0u);
  EXPECT_NE(team.Claimed(TeamShape::kReserveElements - 32, kAlone), 0u);
  EXPECT_NE(team.Claimed(0, kAlone), 0u);
}

TEST(TeamPackages, AreClaimedAboveElementsOfOtherEvents) {
  TeamOfStage team;
  EXPECT_NE(team.Claimed(0, kAlone, {kOther}), 0u);
  EXPECT_EQ(team.Claimed(0, kAlone, {kOther, TeamOfStage::kEvent}), 0u) << "it has more of its own";
}

TEST(TeamPackages, AreClaimedOneByOneOnlyOfUrgentEvents) {
  TeamOfStage team;
  team.TakeCycles(8'000);
  EXPECT_EQ(team.Claimed(0, kAlone), 8u);
  EXPECT_EQ(team.Claimed(0, {3, 0, false, false}), 8u);
  EXPECT_EQ(team.Claimed(0, {3, 100'000, false, false}), 8u) << "in its turn";
  EXPECT_EQ(team.Claimed(0, {3, 0, true, false}), 8u) << "beside urgent events";
  EXPECT_EQ(team.Claimed(0, {3, 0, true, true}), 1u);
}

using TeamMemory = model::WorkerBlockMemory<TeamSpace>;

/// A block whose first warp leads a team of all warps, and the stacks of these.
class TeamOfBlock {
 public:
  TeamOfBlock() {
    space_->Reset(0, 1);
    model::WorkerBlock<TeamSpace>(*space_, *memory_).Initialise();
    for (std::uint32_t w = 0; w < HostGrid::kWarps; ++w) {
      Stack(w).stack = {0, Stack(w).elements, true, 0};
      Stack(w).reserve_from = Stack(w).reserve_to = 0;
      Warp(w) = {};
    }
  }
  model::WorkerMemory<TeamSpace>& Stack(std::uint32_t warp) { return memory_->block.workers[warp]; }
  model::TeamWarp& Warp(std::uint32_t warp) { return memory_->executor.warps[warp]; }
  model::PostedTeam& Posted() { return memory_->executor.posted; }

  /// Gives a member packages of a procedure, which it brings into the team.
  void Bring(std::uint32_t warp, std::uint32_t procedure, std::uint32_t count) {
    Put(warp, procedure, count);
    if (!Warp(warp).brings) ++Posted().busy;
    Warp(warp).brings = true;
  }
  void Put(std::uint32_t warp, std::uint32_t procedure, std::uint32_t count,
           std::uint32_t event = kEvent) {
    for (std::uint32_t i = 0; i < count; ++i) {
      Stack(warp).elements[Stack(warp).stack.count++] = Package(procedure, i, event);
    }
  }
  bool Gather(std::uint32_t warp, bool is_urgent) {
    return model::TeamGathering<TeamSpace>(memory_->block, memory_->executor, warp)
        .Gather(HostGrid::kWarps, is_urgent);
  }
  /// The warp waits for its turn to post one.
  void TakeTicket(std::uint32_t warp) {
    Warp(warp).ticket = Posted().tickets++;
    Warp(warp).has_ticket = Warp(warp).wants = true;
  }
  std::uint32_t Take(std::uint32_t procedure) {
    const model::TeamOrder order{
        Package(procedure, 0), 0, 0, {0, 0, TeamShape::kWorkers, 1}, kAlone};
    return model::PackageSource<TeamSpace>::TakeFromMembers(
        {*space_, memory_->block, order.place}, order, {0, HostGrid::kWarps, 0}, memory_->executor);
  }

 private:
  static constexpr std::uint32_t kEvent = 3;

  static procedure::Element Package(std::uint32_t procedure, std::uint32_t i,
                                    std::uint32_t event = kEvent) {
    return {procedure::MakeHead(event, procedure, event), {i, 0}};
  }

  const std::unique_ptr<TeamSpace> space_ = std::make_unique<TeamSpace>();
  const std::unique_ptr<TeamMemory> memory_ = std::make_unique<TeamMemory>();
};

TEST(TeamPackages, MoveFromMembersToTheLeader) {
  TeamOfBlock team;
  team.Bring(1, 5, 2);
  team.Bring(2, 4, 1);
  team.Bring(2, 5, 1);
  team.Bring(3, 4, 1);
  team.TakeTicket(3);
  team.TakeTicket(1);
  EXPECT_EQ(team.Take(5), 3u);
  EXPECT_EQ(team.Stack(0).stack.count, 3u);
  EXPECT_EQ(team.Stack(1).stack.count, 0u);
  EXPECT_EQ(team.Stack(2).stack.count, 1u) << "of another procedure";
  EXPECT_EQ(team.Stack(3).stack.count, 1u);
  EXPECT_EQ(team.Posted().busy, 2u) << "warp 1 has none any more";
  EXPECT_FALSE(team.Warp(1).brings);
  EXPECT_TRUE(team.Warp(2).brings);
  EXPECT_EQ(team.Posted().turn, 0u) << "warp 3 still wants to post";
  team.Stack(0).stack.count = 0;
  EXPECT_EQ(team.Take(4), 2u);
  EXPECT_EQ(team.Posted().busy, 0u);
  EXPECT_EQ(team.Posted().turn, 2u) << "both turns have passed";
  EXPECT_FALSE(team.Warp(1).has_ticket);
}

TEST(TeamPackages, StayWithMembersWhereSomethingElseComesFirst) {
  TeamOfBlock team;
  team.Bring(1, 5, 2);
  team.Stack(0).stack.levels = 1;
  EXPECT_EQ(team.Take(5), 0u) << "the leader has spawned for levels";
  team.Stack(0).stack.levels = 0;
  team.Put(0, 4, 1);
  EXPECT_EQ(team.Take(5), 0u) << "the newest one is of another procedure";
  team.Put(0, 5, 1);
  EXPECT_EQ(team.Take(5), 2u);
}

TEST(TeamPackages, MoveAboveElementsOfOtherEvents) {
  TeamOfBlock team;
  team.Bring(1, 5, 2);
  team.Put(0, 4, 1, 7);
  EXPECT_EQ(team.Take(5), 2u);
}

TEST(TeamPackages, OfAMemberThatPressesMoveAsWell) {
  TeamOfBlock team;
  team.Put(1, 4, 1);
  team.Bring(1, 5, 2);
  team.Warp(1).wants = team.Warp(1).presses = true;
  team.Posted().pressing = 1;
  EXPECT_EQ(team.Take(5), 2u);
  EXPECT_EQ(team.Posted().pressing, 0u);
  EXPECT_FALSE(team.Warp(1).presses);
  EXPECT_TRUE(team.Warp(1).brings) << "something else";
}

TEST(TeamPackages, LeaveAMemberWithAReserveBusy) {
  TeamOfBlock team;
  team.Bring(1, 5, 2);
  team.Stack(1).reserve_to = 3;
  EXPECT_EQ(team.Take(5), 2u);
  EXPECT_TRUE(team.Warp(1).brings);
  EXPECT_EQ(team.Posted().busy, 1u);
}

TEST(TeamPackages, StayWithMembersWhereTheLeaderHasNoRoom) {
  TeamOfBlock team;
  team.Bring(1, 5, 10);
  team.Stack(0).stack.count = TeamShape::kStackElements - model::kGivenElements;
  EXPECT_EQ(team.Take(5), 0u);
  EXPECT_EQ(team.Stack(1).stack.count, 10u);
  EXPECT_TRUE(team.Warp(1).brings);
}

TEST(TeamGathering, UrgentPackagesNeedNoTurn) {
  TeamOfBlock team;
  team.TakeTicket(2);
  EXPECT_FALSE(team.Gather(1, false)) << "it is the turn of warp 2";
  EXPECT_TRUE(team.Gather(1, true));
  EXPECT_EQ(team.Posted().leader, 1u);
  EXPECT_EQ(team.Posted().turn, 0u) << "warp 2 still has its turn";
  EXPECT_TRUE(team.Warp(1).has_ticket) << "warp 1 passes its turn on when it comes";
}

TEST(TeamGathering, OthersWaitForUrgentPackages) {
  TeamOfBlock team;
  team.Posted().state = model::PostedTeam::kPosted;
  EXPECT_FALSE(team.Gather(1, true)) << "another team gathers";
  EXPECT_EQ(team.Posted().pressing, 1u);
  team.Posted().state = model::PostedTeam::kFree;
  EXPECT_FALSE(team.Gather(2, false)) << "warp 1 comes first";
  EXPECT_TRUE(team.Gather(1, true));
  EXPECT_EQ(team.Posted().pressing, 0u);
}

TEST(TeamGathering, AWarpThatLedForLongLetsOthersPost) {
  TeamOfBlock team;
  team.Warp(1).yields = true;  // its team had to end
  team.Warp(2).wants = team.Warp(2).presses = true;
  team.Posted().pressing = 1;
  EXPECT_FALSE(team.Gather(1, true)) << "warp 2 presses";
  EXPECT_TRUE(team.Warp(1).has_ticket);
  EXPECT_TRUE(team.Gather(2, true));
  team.Posted().state = model::PostedTeam::kFree;
  EXPECT_TRUE(team.Gather(1, true)) << "it is its turn";
  EXPECT_FALSE(team.Warp(1).yields);
}

}  // namespace
}  // namespace warpyard::test_support
