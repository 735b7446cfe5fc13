// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Blocks of the megakernel in seeded interleavings: warps that gather teams for packages, beside
// recursions, gifts and urgent events. Whatever happens, every element is executed once, every
// event ends once, and all warps leave.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <type_traits>
#include <vector>

#include "core/exec/device_group.cuh"
#include "core/model/megakernel/worker_block.cuh"
#include "core/model/worker/workspace.h"
#include "core/policy/policy.h"
#include "core/policy/share.h"
#include "core/workload/synthetic/synthetic_oracle.h"
#include "core/workload/synthetic/synthetic_program.h"
#include "tests/support/seed_count.h"

namespace warpyard::test_support {
namespace {

using synthetic::SyntheticJob;
using synthetic::SyntheticKind;

/// Two blocks of four warps.
struct BlockShape {
  static constexpr std::uint32_t kLanes = 32;
  static constexpr std::uint32_t kBlockWorkers = HostGrid::kWarps;
  static constexpr std::uint32_t kWorkers = 8;
  static constexpr std::uint32_t kStackElements = 72;
  static constexpr std::uint32_t kReserveElements = 256;
  static constexpr std::uint32_t kPages = 64;
  static constexpr std::uint32_t kNewestCycles = 0;
};
using BlockSpace = model::Workspace<exec::DeviceScope, synthetic::SyntheticProgram, BlockShape>;

/// An event, and after how many others it starts.
struct TimedJob {
  SyntheticJob job;
  bool urgent = false;
  std::uint32_t after = 0;  ///< elements of earlier events, about
};

class BlockRun {
 public:
  explicit BlockRun(std::uint64_t seed) : schedule_(seed), space_(new (Storage()) BlockSpace{}) {
    space_->Reset(0, 1);
    HostFault::waits = 0;
    HostFault::has_come = false;
    for (auto& block : host_barriers) {
      for (HostBarrier& barrier : block) barrier = {};
    }
    for (std::uint32_t event = 0; event <= model::Choice::kLevels; ++event) {
      space_->board.SetRank(event, 100 + event);
    }
  }

  /// As the host does where events with a deadline come.
  void ShowUrgent() { space_->board.ShowUrgent(true); }
  /// The events are of different accounts, which divide the device among them.
  void ShareByAccounts() {
    for (std::uint32_t e = 0; e < jobs_.size(); ++e) {
      space_->board.SetShare(e, policy::PackShare({1, e, policy::kStrideUnit << e}));
    }
  }

  void Add(TimedJob timed) {
    results_.push_back(std::make_unique<synthetic::SyntheticResults>());
    timed.job.results = results_.back().get();
    jobs_.push_back(timed);
    ends_.push_back(0);
  }

  /// One of the first waits runs out: then all that counts is that all warps leave.
  void FailWait(std::uint32_t waits) { HostFault::waits = waits; }
  static bool HasFailed() { return HostFault::has_come; }

  /// What went wrong; empty when nothing did. @shape parks: the first launch ends early
  std::string Run(bool parks = false) {
    launches_ = parks ? 2 : 1;
    HostGrid::blocks = 1 + kBlocks;
    for (std::uint32_t w = 0; w < kWarps; ++w) {
      schedule_.Add([this, w] { Work(w); });
    }
    schedule_.Add([this] { Control(); });
    const std::string stopped = schedule_.Run();
    if (!stopped.empty()) return stopped + Describe();
    if (HasFailed()) return "";
    for (const auto& memory : memories_) {
      const model::PostedTeam& posted = memory->executor.posted;
      bool rests = posted.busy == 0 && posted.pressing == 0 && posted.turn == posted.tickets;
      for (const model::TeamWarp& team : memory->executor.warps) {
        rests &= team.led == 0 && !team.has_ticket && !team.brings;
      }
      if (!rests) return "a team is left over" + Describe();
    }
    for (std::size_t e = 0; e < jobs_.size(); ++e) {
      const std::string event = "event " + std::to_string(e);
      const std::uint64_t executed = synthetic::TotalOf(*results_[e]).executed;
      const std::uint64_t expected = synthetic::CountNodes(jobs_[e].job).executed;
      if (ends_[e] != 1) return event + " ended " + std::to_string(ends_[e]) + " times";
      if (executed != expected) {
        return event + ": executed " + std::to_string(executed) + " of " + std::to_string(expected);
      }
    }
    return "";
  }

 private:
  static_assert(std::is_trivially_destructible_v<BlockSpace>);
  using Block = model::WorkerBlock<BlockSpace>;
  using Memory = typename Block::Memory;
  static constexpr std::uint32_t kBlocks = 2;
  static constexpr std::uint32_t kWarps = kBlocks * HostGrid::kWarps;

  static void* Storage() {
    alignas(BlockSpace) static std::byte storage[sizeof(BlockSpace)];
    return storage;
  }

  std::string Describe() {
    std::string text;
    for (std::uint32_t e = 0; e < jobs_.size(); ++e) {
      text += "; event " + std::to_string(e) + " ended " + std::to_string(ends_[e]) +
              ", waits for " +
              std::to_string(static_cast<std::uint32_t>(space_->events[e].account));
    }
    for (std::uint32_t w = 0; w < kWarps; ++w) {
      const auto& memory = memories_[w / HostGrid::kWarps]->block.workers[w % HostGrid::kWarps];
      const auto& executor = memories_[w / HostGrid::kWarps]->executor;
      const auto& team = executor.warps[w % HostGrid::kWarps];
      text +=
          "\nwarp " + std::to_string(w) + " stack " + std::to_string(memory.stack.count) +
          " reserve " + std::to_string(memory.reserve_to - memory.reserve_from) + " waits " +
          std::to_string(memory.waits) + " inbox " + std::to_string(space_->hand_over.Given(w)) +
          " leads " + std::to_string(team.led) + " ticket " +
          (team.has_ticket ? std::to_string(team.ticket) : "-") + (team.wants ? " wants" : "") +
          " posted " + std::to_string(executor.posted.state % 4) + " joined " +
          std::to_string(executor.posted.joined) + " busy " + std::to_string(executor.posted.busy) +
          " pressing " + std::to_string(executor.posted.pressing) + " turn " +
          std::to_string(executor.posted.turn) + "/" + std::to_string(executor.posted.tickets);
    }
    return text;
  }

  /// Lanes of groups within a warp are one lane here, so a warp executes one group at a time.
  static void MakeGroupsSingle(model::BlockMemory<BlockSpace>& block) {
    for (model::ProcedureTraits& traits : block.traits) traits.groups = traits.portion = 1;
  }

  void Work(std::uint32_t w) {
    for (std::uint32_t launch = 1; launch <= launches_; ++launch) {
      while (ScheduledScope::Word(left_).LoadAcquire() < (launch - 1) * kWarps) Schedule::Step();
      WorkDuring(w, launch);
      ScheduledScope::Word(left_).FetchAddAcqRel(1);
    }
  }
  void WorkDuring(std::uint32_t w, std::uint32_t launch) {
    Memory& memory = *memories_[w / HostGrid::kWarps];
    Block block(*space_, memory);
    auto& ready = ready_[w / HostGrid::kWarps];
    if (w % HostGrid::kWarps == 0) {
      block.Initialise();
      MakeGroupsSingle(memory.block);
      ScheduledScope::Word(ready).StoreRelease(launch);
    }
    while (ScheduledScope::Word(ready).LoadAcquire() != launch) Schedule::Step();
    block.Work(launch, [this](std::uint32_t event) { End(event); });
  }

  /// Starts the events, and tells the warps to leave when all have ended.
  void Control() {
    for (std::uint32_t e = 0; e < jobs_.size(); ++e) {
      const std::uint64_t begin = Schedule::Steps();
      while (Schedule::Steps() - begin < jobs_[e].after) Schedule::Step();
      if (e == 1 && launches_ == 2) space_->board.Leave(1);
      auto& event = space_->events[e];
      event.job = jobs_[e].job;
      event.view.deadline_ns = jobs_[e].urgent ? e : policy::kNoDeadline;
      if (jobs_[e].urgent) space_->board.SetRank(e, e);
      exec::DeviceScope::Word(space_->event_counts.running).FetchAddRelaxed(1);
      if (space_->events.Start(e, space_->board).done) End(e);
    }
    while (ScheduledScope::Word(ended_).LoadAcquire() < jobs_.size() && !HasFailed()) {
      Schedule::Step();
    }
    space_->board.Leave(launches_);
  }

  void End(std::uint32_t event) {
    ++ends_[event];
    exec::DeviceScope::Word(space_->event_counts.running).FetchSubRelaxed(1);
    ScheduledScope::Word(ended_).FetchAddAcqRel(1);
  }

  Schedule schedule_;
  BlockSpace* const space_;
  // Not on the warps' stacks, which are abandoned when a schedule fails.
  const std::unique_ptr<Memory> memories_[kBlocks] = {std::make_unique<Memory>(),
                                                      std::make_unique<Memory>()};
  std::uint32_t launches_ = 1;
  std::uint32_t ready_[kBlocks] = {};  // the launch
  std::uint32_t left_ = 0;             // warps, of all launches
  std::vector<TimedJob> jobs_;
  std::vector<std::unique_ptr<synthetic::SyntheticResults>> results_;
  std::vector<std::uint32_t> ends_;
  std::uint32_t ended_ = 0;
};

SyntheticJob Packages(std::uint32_t seed) {
  SyntheticJob job;
  job.seed = seed;
  job.stages = 1 + seed % 3;
  job.elements = 1 + seed / 3 % 7;
  return job;
}

SyntheticJob Recursion(SyntheticKind kind, std::uint32_t seed, std::uint32_t depths) {
  SyntheticJob job;
  job.kind = kind;
  job.seed = seed;
  job.elements = 1 + seed % 3;
  job.growth = synthetic::FullTreeGrowth(depths, synthetic::kEvenPermille);
  return job;
}

enum class Story {
  kPackages,    ///< two events of packages
  kRecursions,  ///< packages that spawn packages, and a tree
  kAccounts,    ///< two of these whose accounts divide the device, and urgent packages
  kUrgent,      ///< urgent packages beside trees
  kParked,      ///< the same, and the first launch ends when the packages come
  kPressing,    ///< two events of urgent packages, and others, beside trees of many roots
  kStuck,       ///< packages that spawn packages beside stages of warps, and a wait that runs out
};

std::string FaultOf(Story story, std::uint32_t seed) {
  BlockRun run(seed);
  const std::uint32_t later = 200 + seed * 37 % 4'000;
  if (seed % 2 == 0) run.ShowUrgent();
  switch (story) {
    case Story::kPackages:
      run.Add({Packages(seed)});
      run.Add({Packages(seed / 2), seed % 2 == 0, later});
      break;
    case Story::kRecursions:
      run.Add({Recursion(SyntheticKind::kRecursivePackages, seed, 3)});
      run.Add({Recursion(SyntheticKind::kTree, seed / 2, 4), seed % 2 == 0, later / 2});
      break;
    case Story::kAccounts:
      run.Add({Recursion(SyntheticKind::kRecursivePackages, seed, 3)});
      run.Add({Recursion(seed % 2 == 0 ? SyntheticKind::kTree : SyntheticKind::kRecursivePackages,
                         seed / 2, 4)});
      run.ShareByAccounts();
      run.Add({Packages(seed / 2), seed % 3 == 0, later});
      break;
    case Story::kUrgent:
      run.Add({Recursion(SyntheticKind::kTree, seed, 5)});
      run.Add({Packages(seed / 2), true, later});
      run.Add({Packages(seed / 3), true, later});
      break;
    case Story::kParked:
      run.Add({Recursion(SyntheticKind::kTree, seed, 6)});
      run.Add({Packages(seed / 2), true, later});
      run.Add({Packages(seed / 3), true, seed % 200});
      break;
    case Story::kPressing: {
      SyntheticJob trees = Recursion(SyntheticKind::kTree, seed, 3);
      trees.elements = 12 + seed % 20;
      run.Add({trees});
      run.Add({Packages(seed / 2), false, later / 4});
      run.Add({Packages(seed / 3), true, later / 4});
      run.Add({Packages(seed / 5), true, seed % 300});
      break;
    }
    case Story::kStuck: {
      SyntheticJob warps = Packages(seed);
      warps.kind = SyntheticKind::kFlatWarps;
      warps.elements = 40;
      run.Add({warps});
      run.Add({Recursion(SyntheticKind::kRecursivePackages, seed, 4)});
      run.FailWait(1 + seed % 8);
      break;
    }
  }
  return run.Run(story == Story::kParked);
}

void ExpectNoFault(Story story, std::uint32_t fewest) {
  const std::uint32_t seeds = SeedCount("WARPYARD_TEAM_SEEDS", fewest);
  for (std::uint32_t seed = 0; seed < seeds; ++seed) {
    ASSERT_EQ(FaultOf(story, seed), "") << "seed " << seed;
  }
}

TEST(TeamSchedules, ExecutePackagesOfTwoEvents) { ExpectNoFault(Story::kPackages, 200); }
TEST(TeamSchedules, ExecutePackagesThatSpawnPackagesBesideATree) {
  ExpectNoFault(Story::kRecursions, 200);
}
TEST(TeamSchedules, DivideBlocksAmongAccounts) { ExpectNoFault(Story::kAccounts, 200); }
TEST(TeamSchedules, ExecuteUrgentPackagesOnTopOfTrees) { ExpectNoFault(Story::kUrgent, 200); }
TEST(TeamSchedules, GoOnWithUrgentPackagesAndTreesAfterAPark) {
  ExpectNoFault(Story::kParked, 400);
}

TEST(TeamSchedules, ExecuteUrgentPackagesOfTwoEventsBesideOthers) {
  ExpectNoFault(Story::kPressing, 300);
}

TEST(TeamSchedules, LeaveThoughAWaitRanOutWhileTeamsGather) { ExpectNoFault(Story::kStuck, 800); }

}  // namespace
}  // namespace warpyard::test_support
