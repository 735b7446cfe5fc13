// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// How warps of a block gather teams: the part of each warp.
//
// A warp that has a package gathers a team and leads it: it posts the team in the memory of the
// block, and the other warps join at their next decision. They stay together, since gathering costs
// more than many packages take. The team dissolves when what comes next is no package, and after a
// while if other warps want something else.
//
// Only one team of a block gathers at a time, and a warp that wants to post while another team
// gathers joins that one first if it belongs to it. So a team that gathers waits only for warps
// that execute something, and never for one that waits itself. Whose turn it is: team_turns.cuh.
#ifndef WARPYARD_CORE_MODEL_MEGAKERNEL_TEAM_GATHERING_CUH_
#define WARPYARD_CORE_MODEL_MEGAKERNEL_TEAM_GATHERING_CUH_

#include <cstdint>

#include "core/exec/bits.h"
#include "core/exec/device_group.cuh"
#include "core/model/megakernel/team.cuh"
#include "core/model/megakernel/team_turns.cuh"
#include "core/model/worker/block_range.h"
#include "core/model/worker/workspace.h"

namespace warpyard::model {

/// A handle: functions that are not inlined get it by value; see WorkerHandle. @scope all members:
/// the warp, unless said otherwise
template <class Space>
class TeamGathering {
 public:
  using Memory = ExecutorMemory<Space>;

  /// @shape warp: of the block
  __device__ TeamGathering(BlockMemory<Space>& block, Memory& memory, std::uint32_t warp)
      : block_(block), memory_(memory), warp_(warp) {}

  /// The same, for a function that is not inlined.
  __device__ TeamGathering Near() const {
    return {Scope::Near(block_), Scope::Near(memory_), warp_};
  }
  __device__ BlockMemory<Space>& Block() const { return block_; }
  __device__ Memory& Shared() const { return memory_; }
  __device__ std::uint32_t Warp() const { return warp_; }
  /// The team that the warp leads.
  __device__ Team OwnTeam() const { return {FirstOf(Own().led), Own().led, warp_}; }

  __device__ bool Leads() const { return Own().led != 0; }
  /// Whether it has a package for which it could not post.
  __device__ bool Wants() const { return Own().wants; }

  /// Whether a team waits for this warp. @shape has_own: the warp has elements of its own; after a
  ///     team it is to execute some of these first
  __device__ bool IsWanted(bool has_own) const {
    const bool posted =
        State().LoadRelaxed() % PostedTeam::kPhases == PostedTeam::kPosted || Own().has_ticket;
    return __any_sync(0xffffffffu, posted) != 0 && IsMember(*this, has_own);
  }

  /// A warp calls this while it waits for elements of an urgent event. It ends its own team if
  /// other warps want to post for urgent packages. Returns whether a team with an urgent package
  /// waits for this warp.
  __device__ bool YieldToUrgent() const {
    if (__any_sync(0xffffffffu, Own().led != 0 && OthersPress()) != 0) DissolveSlowly(*this);
    const bool posted = State().LoadRelaxed() % PostedTeam::kPhases == PostedTeam::kPosted &&
                        Scope::BlockWord(memory_.posted.is_urgent).LoadRelaxed() != 0;
    return __any_sync(0xffffffffu, posted) != 0 && IsMember(*this, true);
  }

  /// The warp does something else now than leading a team: ends the one that it leads, and passes
  /// its turn to post another one on.
  __device__ void Dissolve() const {
    const TeamWarp& own = Own();
    if (own.led != 0 || own.wants) DissolveSlowly(*this);
  }

  /// Before the warp waits: its team may wait with it, if nobody needs the others.
  __device__ void Rest() const {
    const TeamWarp& own = Own();
    if (own.wants || (own.led != 0 && __any_sync(0xffffffffu, OthersNeedWarps()) != 0)) {
      DissolveSlowly(*this);
    }
  }

  /// Whether this warp stays for its team: it takes no gifts, and claims no urgent packages.
  /// Another warp leads the team, and takes gifts for all of it. Or this warp was in a team a short
  /// time ago: that team may soon gather again. @scope any lane
  __device__ bool StaysForTeam() const {
    const TeamWarp& own = Own();
    const bool was_member = own.led == 0 && own.left != 0;
    if (was_member && Scope::Cycles() - own.left < kReturnCycles) return true;
    const std::uint32_t leader = Scope::BlockWord(memory_.posted.leader).LoadRelaxed();
    const std::uint32_t led = Scope::BlockWord(memory_.warps[leader].led).LoadRelaxed();
    return leader != warp_ && led != 0 && warp_ - FirstOf(leader, led) < led;
  }

  /// A bit for each warp of the block for which this one acts: itself, and its team.
  __device__ std::uint32_t Members() const {
    const std::uint32_t led = Own().led;
    return led == 0 ? 1u << warp_ : ((1u << led) - 1) << FirstOf(led);
  }

  /// Before the warp leaves: no team gathers any more. False: one gathers now.
  __device__ bool Close() const {
    bool closed = false;
    if (Lane() == 0) {
      std::uint32_t state = State().LoadAcquire();
      const std::uint32_t phase = state % PostedTeam::kPhases;
      closed = phase == PostedTeam::kClosed ||
               (phase == PostedTeam::kFree &&
                State().CompareExchangeAcqRel(state, state + PostedTeam::kClosed));
    }
    return __any_sync(0xffffffffu, closed) != 0;
  }

  /// Gathers a team of `warps` warps, which this warp leads. If this warp leads a team of that size
  /// already, and the team need not end, the warp keeps the team. Returns false if it is not this
  /// warp's turn, or another team gathers.
  /// @shape is_urgent: whether the event has a deadline. If so, the warp keeps its team for up to
  ///     1 ms, though other warps want to post.
  __device__ bool Gather(std::uint32_t warps, bool is_urgent) const {
    return Gather(*this, warps, is_urgent);
  }

  /// Joins the team that waits for this warp. @shape has_own: see IsWanted
  __device__ Team Enter(bool has_own) const {
    EndTeam();
    PostedTeam& posted = memory_.posted;
    const Team team{posted.first, posted.warps, warp_};
    __syncwarp();  // all lanes have read it
    if (Lane() == 0) {
      Own().brings = has_own;
      Own().yields = false;
      if (has_own) Scope::BlockWord(posted.busy).FetchAddRelaxed(1);
      if (Scope::BlockWord(posted.joined).FetchAddAcqRel(1) + 1 == team.warps) {
        // Only this thread changes the state now.
        BlockRange<Scope>::SetGathering(block_.range, false);
        State().StoreRelease(State().LoadRelaxed() - PostedTeam::kPosted);
      }
    }
    __syncwarp();
    return team;
  }
  /// When that team has ended. Teams often gather again at once: other work can wait so long.
  __device__ void Leave(bool has_own) const {
    if (Lane() == 0) {
      Own().joined = true;
      Own().left = Scope::Cycles();
      if (Own().brings) Scope::BlockWord(memory_.posted.busy).FetchSubRelaxed(1);
      Own().brings = false;
    }
    __syncwarp();
    if (has_own) return;
    const std::uint64_t begin = Scope::Cycles();
    while (!IsMember(*this, false) &&
           __any_sync(0xffffffffu, Scope::Cycles() - begin < kPatience) != 0) {
      __nanosleep(20);
    }
  }

  /// Whether a member of a team of the block has elements of its own. @scope any thread
  __device__ bool HasBusyMembers() const {
    return Scope::BlockWord(memory_.posted.busy).LoadRelaxed() != 0;
  }

  /// Whether a team that began so many cycles ago is to end, since warps of the block want to do
  /// something else. @scope any thread
  __device__ bool IsToEnd(std::uint64_t cycles) const {
    return cycles > kTeamCycles && OthersNeedWarps();
  }
  /// See TeamTurns. @scope any thread
  __device__ bool OthersPress() const { return Turns().OthersPress(); }

 private:
  using Scope = exec::DeviceScope;
  using Teams = TeamsOf<Space>;
  static constexpr std::uint32_t kWarps = Space::Shape::kBlockWorkers;
  static constexpr std::uint64_t kTeamCycles = 16'000;       // if others need the warps
  static constexpr std::uint64_t kUrgentCycles = 2'000'000;  // the same, for urgent packages
  static constexpr std::uint64_t kPatience = 1'000;       // that a member waits for the next team
  static constexpr std::uint64_t kReturnCycles = 40'000;  // that it stays for it

  __device__ static std::uint32_t Lane() { return threadIdx.x & 31u; }
  __device__ TeamWarp& Own() const { return memory_.warps[warp_]; }
  __device__ TeamTurns<Space> Turns() const { return {memory_, warp_}; }
  __device__ auto State() const { return Scope::BlockWord(memory_.posted.state); }

  /// The first warp of a warp's team of so many.
  __device__ static std::uint32_t FirstOf(std::uint32_t warp, std::uint32_t warps) {
    return exec::Least(warp / warps * warps, kWarps - warps);
  }
  __device__ std::uint32_t FirstOf(std::uint32_t warps) const { return FirstOf(warp_, warps); }

  /// Whether the team that gathers waits for this warp.
  WY_DEVICE_CALL __device__ static bool IsMember(const TeamGathering far, bool has_own) {
    const TeamGathering self = far.Near();
    TeamWarp& own = self.Own();
    __syncwarp();
    if (Lane() == 0) self.Turns().PassTurn();
    __syncwarp();
    if (own.joined && has_own) {
      __syncwarp();
      if (Lane() == 0) own.joined = false;
      __syncwarp();
      return false;
    }
    const std::uint32_t state = self.State().LoadAcquire();
    bool wanted = false;
    if (state % PostedTeam::kPhases == PostedTeam::kPosted) {
      const PostedTeam& posted = self.memory_.posted;
      wanted = self.warp_ - Scope::BlockWord(posted.first).LoadAcquire() <
                   Scope::BlockWord(posted.warps).LoadAcquire() &&
               self.warp_ != Scope::BlockWord(posted.leader).LoadAcquire() &&
               self.State().LoadAcquire() == state;
    }
    return __any_sync(0xffffffffu, wanted) != 0;
  }

  WY_DEVICE_CALL __device__ static void DissolveSlowly(const TeamGathering far) {
    const TeamGathering self = far.Near();
    __syncwarp();
    if (Lane() == 0) self.Turns().GiveUp();
    __syncwarp();
    self.EndTeam();
  }

  __device__ void EndTeam() const {
    if (Own().led == 0) return;
    const Team team = OwnTeam();
    if (Lane() == 0) memory_.orders[Teams::NumberOf(team)].dissolve = 1;
    Teams::Barrier(team);
    Teams::Barrier(team);  // all have read it
    if (Lane() == 0) Own().led = 0;
    __syncwarp();
  }

  /// Whether warps of the block want to post, or to do something else than what its teams do.
  /// @scope any thread
  __device__ bool OthersNeedWarps() const { return HasBusyMembers() || Turns().OthersWait(); }

  WY_DEVICE_CALL __device__ static bool Gather(const TeamGathering far, std::uint32_t warps,
                                               bool is_urgent) {
    const TeamGathering self = far.Near();
    const TeamWarp& own = self.Own();
    if (own.led != 0) {
      const std::uint64_t since = Scope::Cycles() - own.since;
      const bool ends =
          (self.IsToEnd(since) || self.OthersPress()) && (!is_urgent || since > kUrgentCycles);
      const bool must_end = __any_sync(0xffffffffu, ends) != 0;
      if (own.led == warps && !must_end) return true;
      DissolveSlowly(self);
      if (Lane() == 0) self.Own().yields = must_end && is_urgent;
    }
    bool can = false;
    if (Lane() == 0) can = self.Post(warps, is_urgent);
    return __any_sync(0xffffffffu, can) != 0;
  }

  /// @scope one thread
  __device__ bool Post(std::uint32_t warps, bool is_urgent) const {
    if (!Turns().Lock(is_urgent)) return false;
    PostedTeam& posted = memory_.posted;
    TeamWarp& own = Own();
    own.led = posted.warps = warps;
    own.since = Scope::Cycles();
    own.left = 0;
    posted.first = FirstOf(warps);
    posted.leader = warp_;
    posted.joined = 1;
    Scope::BlockWord(posted.is_urgent).StoreRelaxed(is_urgent ? 1u : 0u);
    BlockRange<Scope>::SetGathering(block_.range, true);
    State().StoreRelease(State().LoadRelaxed() - PostedTeam::kLocked + PostedTeam::kPosted);
    Scope::BlockWord(block_.bell).FetchAddRelaxed(1);
    return true;
  }

  BlockMemory<Space>& block_;
  Memory& memory_;
  std::uint32_t warp_;
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_MEGAKERNEL_TEAM_GATHERING_CUH_
