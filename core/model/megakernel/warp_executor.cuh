// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Executes elements on a warp: 32 single threads, several item sets, or one group of 32; and
// packages of more threads by a team of warps of the block. [Steinberger §6.4]
//
// The leader of a team decides what comes next, and the others wait at a barrier for its orders.
// How teams gather: team_gathering.cuh.
#ifndef WARPYARD_CORE_MODEL_MEGAKERNEL_WARP_EXECUTOR_CUH_
#define WARPYARD_CORE_MODEL_MEGAKERNEL_WARP_EXECUTOR_CUH_

#include <cstddef>
#include <cstdint>

#include "core/exec/device_group.cuh"
#include "core/model/megakernel/package_source.cuh"
#include "core/model/megakernel/team.cuh"
#include "core/model/megakernel/team_gathering.cuh"
#include "core/model/worker/block_range.h"
#include "core/model/worker/look.h"
#include "core/model/worker/stack/own_stack.h"
#include "core/model/worker/workspace.h"
#include "core/procedure/element.h"

namespace warpyard::model {

/// @scope all members: the warp
template <class Space>
class WarpExecutor {
 public:
  using Element = procedure::Element;
  using Procedures = typename Space::Procedures;
  using Memory = ExecutorMemory<Space>;
  static constexpr std::uint32_t kWarps = Space::Shape::kBlockWorkers;
  static constexpr bool kTeams = kWarps > 1;

  /// @shape warp: of the block
  __device__ WarpExecutor(Space& space, BlockMemory<Space>& block, Memory& memory,
                          std::uint32_t warp)
      : space_(space), teams_(block, memory, warp) {}

  /// Executes a round: element `mine` is that of the lane's group. Where elements are of uneven
  /// length, goes on with what claim_more(element) claims, until that returns false: the loop is in
  /// the code of the procedure, so that nothing else takes its place in the instruction cache.
  template <class ClaimMore>
  WY_INLINED __device__ void Run(const Round& round, const Element& mine,
                                 procedure::SpawnBuffer& spawns, ClaimMore& claim_more) {
    if (round.lanes == 1) {
      if (Lane() >= round.count) return;
      exec::DeviceGroup<1> group(teams_.Shared().scratch, nullptr, 0, 0);
      auto context = MakeContext(group, space_, spawns, mine.head);
      Procedures::ExecuteItem(mine.Procedure(), context, mine.payload);
      return;
    }
    SetVisitor<ClaimMore> visitor{*this, round.count, mine, spawns, claim_more};
    Procedures::Visit(round.procedure, visitor);
  }

  // What the worker asks of teams: see TeamGathering.
  __device__ bool IsWanted(bool has_own) const { return teams_.IsWanted(has_own); }
  __device__ void Dissolve() const { teams_.Dissolve(); }
  __device__ void Rest() const { teams_.Rest(); }
  __device__ std::uint32_t Members() const { return teams_.Members(); }
  __device__ bool StaysForTeam() const {
    return __any_sync(0xffffffffu, teams_.StaysForTeam()) != 0;
  }
  __device__ bool Close() const { return teams_.Close(); }
  __device__ bool Leads() const { return teams_.Leads(); }
  __device__ bool Wants() const { return teams_.Wants(); }
  __device__ bool YieldToUrgent() const { return teams_.YieldToUrgent(); }
  /// Gathers a team for a package, which this warp is to lead. @shape is_urgent: see TeamGathering
  __device__ bool Gather(const Element& package, bool is_urgent) const {
    return teams_.Gather(teams_.Block().traits[package.Procedure()].workers, is_urgent);
  }

  /// Executes a package with the team that it leads, and perhaps more of its kind: its newest
  /// elements, and elements of the stage of which its block claimed last.
  __device__ TeamResult Lead(const Element& element, const WorkerHandle<Space>& leader,
                             const OrderTerms& terms) {
    const Team team = teams_.OwnTeam();
    if (Lane() == 0) {
      teams_.Shared().orders[Teams::NumberOf(team)] = {element, teams_.Warp(), 0, leader.place,
                                                       terms};
    }
    __syncwarp();
    return RunTeam(*this, team);
  }

  /// Is a member of the team that waits for this warp, until that ends. @shape has_own: see
  /// IsWanted
  __device__ void Join(bool has_own) { Join(*this, has_own); }

 private:
  using Scope = exec::DeviceScope;
  using Teams = TeamsOf<Space>;
  using Source = PackageSource<Space>;
  // The leader of a team looks around after this time, where one event runs and where several run.
  // A gift to a warp of the team waits for the look. The turn of an account may end before it.
  static constexpr std::uint64_t kAloneCycles = 2'000'000;
  static constexpr std::uint64_t kBesideCycles = 500'000;
  // A leader whose packages take longer gives elements to any worker that waits. Where events
  // are held, the leader looks around after this time.
  static constexpr std::uint32_t kLongCycles = 64'000;
  // Of so many leaders that see a worker wait, one gives.
  static constexpr std::uint32_t kGivers = 64;
  // The leader reads news again that are older: beside events with a deadline, and elsewhere.
  static constexpr std::uint32_t kLookCycles = 8'000, kOldCycles = 24'000;

  __device__ WarpExecutor(Space& space, const TeamGathering<Space>& teams)
      : space_(space), teams_(teams) {}

  // Functions that are not inlined get the executor by value; see WorkerHandle.
  __device__ WarpExecutor Near() const { return {space_, teams_.Near()}; }

  __device__ static std::uint32_t Lane() { return threadIdx.x & 31u; }

  WY_DEVICE_CALL __device__ static void Join(const WarpExecutor far, bool has_own) {
    const WarpExecutor self = far.Near();
    const Team team = self.teams_.Enter(has_own);
    RunTeam(self, team);
    self.teams_.Leave(has_own);
  }

  template <class P>
  static constexpr std::uint32_t kThreadsOf = Procedures::template GroupOf<P>(32 * kWarps);

  /// Executes elements of groups within the warp.
  template <class ClaimMore>
  struct SetVisitor {
    WarpExecutor& executor;
    std::uint32_t count;
    const Element& mine;
    procedure::SpawnBuffer& spawns;
    ClaimMore& claim_more;

    template <class P>
    WY_INLINED __device__ void Visit() {
      constexpr std::uint32_t kSize = kThreadsOf<P>;
      if constexpr (kSize > 1 && kSize <= 32) {
        static_assert(!procedure::IsUneven<P>() || kSize == 32, "all lanes claim more together");
        const std::uint32_t number = Lane() / kSize;  // a constant: no division
        if (number >= count) return;
        constexpr std::size_t kBytes = (P::kSharedBytes + 15) / 16 * 16;
        std::byte* const shared = executor.teams_.Shared().scratch +
                                  executor.teams_.Warp() * Memory::kScratch + number * kBytes;
        // Without Near MeetClusters took longer, when it was inlined here (docs/adr/0066).
        exec::DeviceGroup<kSize> group(Scope::Near(shared), nullptr, Lane() % kSize, number);
        Element element = mine;
        bool goes_on = false;
        do {
          auto context = MakeContext(group, executor.space_, spawns, element.head);
          Procedures::template ExecuteOne<P>(context, element.payload);
          if constexpr (procedure::IsUneven<P>()) {
            group.Barrier();
            goes_on = context.TakeRest(element) || claim_more(element);
          }
        } while (goes_on);
      }
    }
  };

  struct TeamVisitor {
    const WarpExecutor& executor;
    const Team& team;
    const TeamOrder& order;
    TeamResult result;

    template <class P>
    WY_INLINED __device__ void Visit() {
      if constexpr (kThreadsOf < P >> 32) {
        result = executor.template RunTeamOf<P>(team, order);
      }
    }
  };

  /// Executes what the leader orders: once as the leader, else until the team ends. Returns the
  /// result of the last order. Not inlined: the code of all packages is there once.
  WY_DEVICE_CALL __device__ static TeamResult RunTeam(const WarpExecutor far, const Team team) {
    const WarpExecutor self = far.Near();
    while (true) {
      Teams::Barrier(team);
      const TeamOrder order = self.teams_.Shared().orders[Teams::NumberOf(team)];
      if (order.dissolve != 0) {
        Teams::Barrier(team);
        return {};
      }
      TeamVisitor visitor{self, team, order, {}};
      Procedures::Visit(order.element.Procedure(), visitor);
      if (order.leader == team.warp) return visitor.result;
    }
  }

  template <class P>
  WY_INLINED __device__ TeamResult RunTeamOf(const Team& team, const TeamOrder& order) const {
    constexpr std::uint32_t kSize = kThreadsOf<P>;
    constexpr bool kIsBlock = kSize == 32 * kWarps;
    Memory& memory = teams_.Shared();
    exec::DeviceGroup<kSize, kIsBlock> group(
        Scope::Near(memory.scratch + team.first * Memory::kScratch),
        &memory.mailboxes[Teams::NumberOf(team)][0], (team.warp - team.first) * 32 + Lane(),
        Teams::BarrierOf(team));
    procedure::SpawnBuffer& spawns = teams_.Block().workers[order.leader].stack;
    // Packages that share no memory need no barrier between them: a thread may begin the next one
    // while other threads still execute the one before. The leader decides while they execute.
    constexpr bool kRunsOn = procedure::MaxSpawnsOf<P>() == 0 && P::kSharedBytes == 0;
    NextPackages* const told = Scope::Near(&memory.next[Teams::NumberOf(team)][0]);
    Element element = order.element;
    TeamResult result{};
    TeamProgress now{Scope::Cycles()};
    std::uint32_t place = 0;
    while (true) {
      now.looks = Scope::Cycles() - now.looked > kLookCycles;
      if (now.looks && group.Rank() == 0) now.sight = See(element.Event());  // under way meanwhile
      now.packages_begin = Scope::Cycles();
      for (std::uint32_t i = 0; i < now.count; ++i) {
        if (result.executed != 0) {
          element.payload[0] = told[place].payloads[i][0];
          element.payload[1] = told[place].payloads[i][1];
        }
        auto context = MakeContext(group, space_, spawns, element.head);
        Procedures::template ExecuteOne<P>(context, element.payload);
        ++result.executed;
        if constexpr (!kRunsOn) group.Barrier();
      }
      place ^= 1;
      NextPackages& next = told[place];
      if (group.Rank() == 0) Decide<P>(team, order, now, next);
      if (now.looks) now.looked = now.packages_begin;
      group.Barrier();
      now.count = next.count;
      result.claimed += next.claimed;
      result.executed_cycles += next.took;
      if (now.count == 0) break;
    }
    result.cycles = Scope::Cycles() - now.begin;
    return result;
  }

  __device__ TeamSight See(std::uint32_t event) const {
    return {space_.board.Read(), space_.hand_over.Waiting(), space_.events.IsDropped(event)};
  }

  __device__ static std::uint64_t MostCycles(const OrderTerms& terms) {
    return terms.running == 1 ? kAloneCycles : kBesideCycles;
  }

  /// Decides what the team executes next: `next` gets no packages if the leader has to look around.
  /// @scope the first thread of the team, after it has executed its part of the packages
  template <class P>
  WY_INLINED __device__ void Decide(const Team& team, const TeamOrder& order,
                                    TeamProgress& progress, NextPackages& next) const {
    constexpr std::uint32_t kSpawns = procedure::MaxSpawnsOf<P>();
    const std::uint64_t now = Scope::Cycles(), since = now - progress.begin;
    const std::uint64_t took = now - progress.packages_begin;
    const WorkerHandle<Space> leader = Leader(order);
    const WorkerMemory<Space>& own = leader.block.workers[order.leader];
    TeamSight& sight = progress.sight;
    next.count = next.claimed = 0;
    next.took = took;
    if (teams_.HasBusyMembers() &&
        (own.stack.count == 0 || teams_.OthersPress() || teams_.IsToEnd(since))) {
      next.claimed = Source::TakeFromMembers(leader, order, team, teams_.Shared());
    }
    // At the end of a turn the leader would have to offer what the team has claimed and not
    // executed.
    const bool has_claimed = kSpawns == 0 && own.stack.count != 0 &&
                             own.elements[own.stack.count - 1].Event() == order.element.Event();
    const OrderTerms& terms = order.terms;
    const std::uint64_t turn = std::uint64_t{terms.turn_cycles} << (has_claimed ? 1 : 0);
    bool ends = since > MostCycles(terms) || (turn != 0 && since > turn);
    ends |= teams_.IsToEnd(since);
    ends |= !terms.is_urgent && teams_.OthersPress();
    const bool is_old = took > (terms.has_urgent ? kLookCycles : kOldCycles);
    if (is_old) sight = See(order.element.Event());
    if (progress.looks || is_old) {
      ends |= sight.dropped || MustLookAt(leader, sight.news, order.element.Event());
      ends |= sight.news.HasHeld() && since > kLongCycles;  // the packages may be held
      // What another worker of the block has seen is not new to the block, but it is to the leader.
      ends |= Scope::BlockWord(leader.block.sight.count).LoadRelaxed() != own.sight.count;
      // The leader gives elements to workers that wait. One worker needs few of the leaders, unless
      // packages take long.
      ends |= kSpawns != 0 && own.stack.count > 1 && sight.waiting != 0 &&
              (took > kLongCycles || static_cast<std::uint32_t>(now) / 8 % kGivers < sight.waiting);
    }
    const std::uint32_t listed =
        kSpawns == 0 ? Source::MostOf(progress.count, took, terms.has_urgent) : 1;
    if (!ends) Source::Take(leader, order, kSpawns, listed, next);
  }

  __device__ WorkerHandle<Space> Leader(const TeamOrder& order) const {
    return {space_, teams_.Block(), order.place};
  }

  Space& space_;
  TeamGathering<Space> teams_;
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_MEGAKERNEL_WARP_EXECUTOR_CUH_
