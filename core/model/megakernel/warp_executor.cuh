// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Executes elements on a warp: 32 single threads, several item sets, or one group of 32; and
// packages of more threads by a team of warps of the block. [Steinberger §6.4]
//
// A warp that has a package gathers a team and leads it: it posts the team in the memory of the block,
// and the other warps join at their next decision. They stay together, since gathering costs more
// than many packages take: the leader decides what comes next, the others wait at a barrier for its
// orders. The team dissolves when what comes next is no package, and after a while if other warps
// want something else.
// Only one team of a block gathers at a time, and a warp that wants to post while another team
// gathers joins that one first if it belongs to it. So a team that gathers waits only for warps that
// execute something, and never for one that waits itself. Warps post in the order in which they first
// tried.
#ifndef WARPYARD_CORE_MODEL_MEGAKERNEL_WARP_EXECUTOR_CUH_
#define WARPYARD_CORE_MODEL_MEGAKERNEL_WARP_EXECUTOR_CUH_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/exec/bits.h"
#include "core/exec/device_group.cuh"
#include "core/model/worker/block_range.h"
#include "core/model/worker/look.h"
#include "core/model/worker/own_stack.h"
#include "core/model/worker/stage_claims.h"
#include "core/model/worker/worker.h"
#include "core/model/worker/workspace.h"
#include "core/procedure/element.h"

namespace warpyard::model {

/// A team that gathers. Its other members are those of the state's turn: whoever reads them looks at
/// the state before and after. @shape zero-initialised
struct PostedTeam {
  enum Phase : std::uint32_t {
    kFree,
    kLocked,  ///< a warp writes the rest
    kPosted,
    kClosed,  ///< a warp of the block has left: no more teams
  };
  static constexpr std::uint32_t kPhases = 4;
  std::uint32_t state;   ///< turn * kPhases + Phase; the turn grows with each posting
  std::uint32_t first;   ///< warp of the block
  std::uint32_t warps;   ///< that are the team: from `first` on
  std::uint32_t joined;  ///< of them
  std::uint32_t leader;  ///< the warp that decides, and on whose stack the spawns go
  std::uint32_t busy;    ///< warps in teams of the block that have elements of their own
  /// Tickets of the warps that want to post: those that were taken, and the one whose turn it is.
  std::uint32_t tickets;
  std::uint32_t turn;
};

/// What a warp has to do with teams, besides being in one.
struct TeamWarp {
  std::uint32_t led;  ///< warps of the team that it leads; 0: none
  std::uint32_t ticket;
  bool has_ticket;
  bool wants;   ///< to post
  bool joined;  ///< it was in a team just now
  std::uint64_t since;  ///< when the team that it leads was posted
};

/// What the leader of a team wants.
struct TeamOrder {
  procedure::Element element;  ///< to be executed
  std::uint32_t leader;
  std::uint32_t dissolve;  ///< not 0: the team ends instead
  WorkerPlace place;       ///< of the leader
  std::uint32_t running;   ///< events; 0: the team is not to claim
};

/// @shape in the shared memory of a block
template <class Space>
struct ExecutorMemory {
  static constexpr std::uint32_t kWarps = Space::Shape::kBlockWorkers;
  static constexpr std::uint32_t kTeams = (kWarps + 1) / 2;
  /// Shared memory that each warp brings along.
  static constexpr std::size_t kScratch = Space::Procedures::SharedBytes(32, kWarps);

  PostedTeam posted;
  TeamWarp warps[kWarps];
  // By half of a team's first warp; the last ones are those of a team of the whole block, which may
  // gather while smaller teams still execute.
  TeamOrder orders[kTeams + 1];
  std::uint64_t mailboxes[kTeams + 1][2];
  alignas(16) std::byte scratch[kWarps * kScratch + 16];
};

/// @scope all members: the warp
template <class Space>
class WarpExecutor {
 public:
  using Element = procedure::Element;
  using Procedures = typename Space::Procedures;
  using Memory = ExecutorMemory<Space>;
  static constexpr std::uint32_t kWarps = Space::Shape::kBlockWorkers;
  static constexpr bool kTeams = kWarps > 1;
  static_assert(Procedures::HaveOneTeamSize(32, 32 * kWarps),
                "all packages of more than a warp and less than a block have the same threads: a "
                "named barrier counts always as many");

  /// @shape warp: of the block
  __device__ WarpExecutor(Space& space, BlockMemory<Space>& block, Memory& memory,
                          std::uint32_t warp)
      : space_(space), block_(block), memory_(memory), warp_(warp) {}

  /// Executes a round: element `mine` is that of the lane's group.
  WY_INLINED __device__ void Run(const Round& round, const Element& mine,
                                 procedure::SpawnBuffer& spawns) {
    if (round.lanes == 1) {
      if (Lane() >= round.count) return;
      exec::DeviceGroup<1> group(memory_.scratch, nullptr, 0, 0);
      auto context = MakeContext(group, space_, spawns, mine.head);
      Procedures::ExecuteItem(mine.Procedure(), context, mine.payload);
      return;
    }
    SetVisitor visitor{*this, round.count, mine, spawns};
    Procedures::Visit(round.procedure, visitor);
  }

  /// Whether a team waits for this warp. @shape has_own: the warp has elements of its own; after a
  ///     team it is to execute some of these first
  __device__ bool IsWanted(bool has_own) {
    const bool posted =
        State().LoadRelaxed() % PostedTeam::kPhases == PostedTeam::kPosted || Own().has_ticket;
    return __any_sync(0xffffffffu, posted) != 0 && IsMember(*this, has_own);
  }

  /// The warp does something else now than leading a team: ends the one that it leads, and passes
  /// its turn to post another one on.
  __device__ void Dissolve() {
    const TeamWarp& own = Own();
    if (own.led != 0 || own.wants) DissolveSlowly(*this);
  }

  /// Before the warp waits: its team may wait with it, if nobody needs the others.
  __device__ void Rest() {
    const TeamWarp& own = Own();
    if (own.wants || (own.led != 0 && __any_sync(0xffffffffu, OthersNeedWarps()) != 0)) {
      DissolveSlowly(*this);
    }
  }

  /// A bit for each warp of the block for which this one acts: itself, and its team.
  __device__ std::uint32_t Members() const {
    const std::uint32_t led = Own().led;
    return led == 0 ? 1u << warp_ : ((1u << led) - 1) << FirstOf(led);
  }

  /// Before the warp leaves: no team gathers any more. False: one gathers now.
  __device__ bool Close() {
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

  /// Gathers a team for a package, which this warp is to lead, if it does not lead a fitting one.
  /// False: it is not its turn, or another team gathers.
  __device__ bool Gather(const Element& element) {
    return Gather(*this, block_.traits[element.Procedure()].workers);
  }

  /// Executes a package with the team that it leads, and perhaps more of its kind: its newest elements,
  /// and elements of the stage of which its block claimed last. @shape running: events that run; 0:
  ///     the team is not to claim
  __device__ TeamResult Lead(const Element& element, const WorkerHandle<Space>& leader,
                             std::uint32_t running) {
    const Team team = OwnTeam();
    if (Lane() == 0) {
      memory_.orders[NumberOf(team)] = {element, warp_, 0, leader.place, running};
    }
    __syncwarp();
    return RunTeam(*this, team);
  }

  /// Is a member of the team that waits for this warp, until that ends. @shape has_own: see IsWanted
  __device__ void Join(bool has_own) { Join(*this, has_own); }

 private:
  using Scope = exec::DeviceScope;
  static constexpr std::uint64_t kTeamCycles = 16'000;   // if others need the warps
  static constexpr std::uint64_t kOrderCycles = 64'000;  // if nobody does, without a look of the leader
  static constexpr std::uint64_t kLongCycles = 8'000;    // news are old after such a package
  static constexpr std::uint64_t kPatience = 1'000;  // cycles

  /// As a member of it sees it.
  struct Team {
    std::uint32_t first;
    std::uint32_t warps;
    std::uint32_t warp;  ///< the member
  };

  /// What a team executes next.
  struct Next {
    std::uint32_t goes_on;
    std::uint32_t claimed;  ///< elements that were put on the leader's stack
    std::uint32_t payload[2];
  };

  // Functions that are not inlined get the executor by value; see WorkerHandle.
  __device__ WarpExecutor Near() const {
    return {space_, Scope::Near(block_), Scope::Near(memory_), warp_};
  }

  __device__ static std::uint32_t Lane() { return threadIdx.x & 31u; }
  __device__ TeamWarp& Own() const { return memory_.warps[warp_]; }
  __device__ Team OwnTeam() const { return {FirstOf(Own().led), Own().led, warp_}; }
  __device__ auto State() const { return Scope::BlockWord(memory_.posted.state); }

  /// The first warp of this warp's team of so many.
  __device__ std::uint32_t FirstOf(std::uint32_t warps) const {
    return exec::Least(warp_ / warps * warps, kWarps - warps);
  }

  /// Whether the team that gathers waits for this warp.
  WY_DEVICE_CALL __device__ static bool IsMember(const WarpExecutor far, bool has_own) {
    const WarpExecutor self = far.Near();
    TeamWarp& own = self.Own();
    self.PassTurn();
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

  /// Passes the turn on, if it is this warp's, and it does not want to post any more.
  __device__ void PassTurn() const {
    __syncwarp();
    if (Lane() == 0 && Own().has_ticket && !Own().wants &&
        Scope::BlockWord(memory_.posted.turn).LoadAcquire() == Own().ticket) {
      Scope::BlockWord(memory_.posted.turn).StoreRelease(Own().ticket + 1);
      Own().has_ticket = false;
    }
    __syncwarp();
  }

  WY_DEVICE_CALL __device__ static void DissolveSlowly(const WarpExecutor far) {
    const WarpExecutor self = far.Near();
    __syncwarp();
    if (Lane() == 0) self.Own().wants = false;
    self.PassTurn();
    self.EndTeam();
  }

  __device__ void EndTeam() const {
    if (Own().led == 0) return;
    const Team team = OwnTeam();
    if (Lane() == 0) memory_.orders[NumberOf(team)].dissolve = 1;
    TeamBarrier(team);
    TeamBarrier(team);  // all have read it
    if (Lane() == 0) Own().led = 0;
    __syncwarp();
  }

  /// Whether other warps of the block wait to post. @scope any thread
  __device__ static bool OthersWait(Memory& memory) {
    return Scope::BlockWord(memory.posted.tickets).LoadRelaxed() !=
           Scope::BlockWord(memory.posted.turn).LoadRelaxed();
  }
  /// Whether warps of the block want to do something else than what its teams do. @scope any thread
  __device__ bool OthersNeedWarps() const {
    return Scope::BlockWord(memory_.posted.busy).LoadRelaxed() != 0 || OthersWait(memory_);
  }

  WY_DEVICE_CALL __device__ static bool Gather(const WarpExecutor far, std::uint32_t warps) {
    const WarpExecutor self = far.Near();
    const TeamWarp& own = self.Own();
    if (own.led != 0) {
      const bool ends = Scope::Cycles() - own.since > kTeamCycles && self.OthersNeedWarps();
      if (own.led == warps && __any_sync(0xffffffffu, ends) == 0) return true;
      DissolveSlowly(self);
    }
    bool can = false;
    if (Lane() == 0) can = self.Post(warps);
    return __any_sync(0xffffffffu, can) != 0;
  }

  /// @scope one thread
  __device__ bool Post(std::uint32_t warps) const {
    PostedTeam& posted = memory_.posted;
    TeamWarp& own = Own();
    if (!own.has_ticket) own.ticket = Scope::BlockWord(posted.tickets).FetchAddRelaxed(1);
    const auto turn = Scope::BlockWord(posted.turn);
    std::uint32_t state = State().LoadAcquire();
    const bool can =
        turn.LoadAcquire() == own.ticket && state % PostedTeam::kPhases == PostedTeam::kFree &&
        State().CompareExchangeAcqRel(state, state + PostedTeam::kPhases + PostedTeam::kLocked);
    own.has_ticket = own.wants = !can;
    if (!can) return false;
    own.led = posted.warps = warps;
    own.since = Scope::Cycles();
    posted.first = FirstOf(warps);
    posted.leader = warp_;
    posted.joined = 1;
    BlockRange<Scope>::SetGathering(block_.range, true);
    State().StoreRelease(state + PostedTeam::kPhases + PostedTeam::kPosted);
    turn.StoreRelease(own.ticket + 1);
    Scope::BlockWord(block_.bell).FetchAddRelaxed(1);
    return true;
  }

  WY_DEVICE_CALL __device__ static void Join(const WarpExecutor far, bool has_own) {
    const WarpExecutor self = far.Near();
    self.EndTeam();
    PostedTeam& posted = self.memory_.posted;
    const Team team{posted.first, posted.warps, self.warp_};
    __syncwarp();  // all lanes have read it
    if (Lane() == 0) {
      if (has_own) Scope::BlockWord(posted.busy).FetchAddRelaxed(1);
      if (Scope::BlockWord(posted.joined).FetchAddAcqRel(1) + 1 == team.warps) {
        // Only this thread changes the state now.
        BlockRange<Scope>::SetGathering(self.block_.range, false);
        self.State().StoreRelease(self.State().LoadRelaxed() - PostedTeam::kPosted);
      }
    }
    __syncwarp();
    RunTeam(self, team);
    if (Lane() == 0) {
      self.Own().joined = true;
      if (has_own) Scope::BlockWord(posted.busy).FetchSubRelaxed(1);
    }
    __syncwarp();
    if (!has_own) self.AwaitNext();
  }

  /// Teams often gather again at once: other work can wait so long.
  __device__ void AwaitNext() const {
    const std::uint64_t begin = Scope::Cycles();
    while (!IsMember(*this, false) && __any_sync(0xffffffffu, Scope::Cycles() - begin < kPatience) != 0) {
      __nanosleep(20);
    }
  }

  template <class P>
  static constexpr std::uint32_t kThreadsOf = Procedures::template GroupOf<P>(32 * kWarps);

  /// Executes elements of groups within the warp.
  struct SetVisitor {
    WarpExecutor& executor;
    std::uint32_t count;
    const Element& mine;
    procedure::SpawnBuffer& spawns;

    template <class P>
    WY_INLINED __device__ void Visit() {
      constexpr std::uint32_t kSize = kThreadsOf<P>;
      if constexpr (kSize > 1 && kSize <= 32) {
        const std::uint32_t number = Lane() / kSize;  // a constant: no division
        if (number >= count) return;
        constexpr std::size_t kBytes = (P::kSharedBytes + 15) / 16 * 16;
        std::byte* const shared =
            executor.memory_.scratch + executor.warp_ * Memory::kScratch + number * kBytes;
        exec::DeviceGroup<kSize> group(Scope::Near(shared), nullptr, Lane() % kSize, number);
        auto context = MakeContext(group, executor.space_, spawns, mine.head);
        Procedures::template ExecuteOne<P>(context, mine.payload);
      }
    }
  };

  static constexpr std::uint32_t kBlockThreads = 32 * kWarps;
  static constexpr std::uint32_t kTeamThreads = Procedures::TeamSize(32, kBlockThreads);
  static_assert(kBlockThreads % (kTeamThreads == 0 ? 1 : kTeamThreads) == 0,
                "teams do not overlap");
  __device__ static std::uint32_t NumberOf(const Team& team) {
    return team.warps == kWarps ? Memory::kTeams : team.first / 2;
  }
  __device__ static std::uint32_t BarrierOf(const Team& team) {
    // Teams that run together have different ones.
    return team.warps == kWarps ? exec::NamedBarrier::kWholeBlock : team.first / 2;
  }
  __device__ static void TeamBarrier(const Team& team) {
    if (team.warps == kWarps) {
      exec::NamedBarrier::Sync<kBlockThreads>(exec::NamedBarrier::kWholeBlock);
    } else if constexpr (kTeamThreads != 0) {
      exec::NamedBarrier::Sync<kTeamThreads>(team.first / 2);
    }
  }

  struct TeamVisitor {
    const WarpExecutor& executor;
    const Team& team;
    const TeamOrder& order;
    TeamResult result;

    template <class P>
    WY_INLINED __device__ void Visit() {
      if constexpr (kThreadsOf<P> > 32) {
        result = executor.template RunTeamOf<P>(team, order);
      }
    }
  };

  /// Executes what the leader orders: once as the leader, else until the team ends. Returns how many
  /// elements the last order was for. Not inlined: the code of all packages is there once.
  WY_DEVICE_CALL __device__ static TeamResult RunTeam(const WarpExecutor far, const Team team) {
    const WarpExecutor self = far.Near();
    while (true) {
      TeamBarrier(team);
      const TeamOrder order = self.memory_.orders[NumberOf(team)];
      if (order.dissolve != 0) {
        TeamBarrier(team);
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
    static_assert(kWarps <= 2 * exec::NamedBarrier::kGroups);
    exec::DeviceGroup<kSize> group(Scope::Near(memory_.scratch + team.first * Memory::kScratch),
                                   &memory_.mailboxes[NumberOf(team)][0],
                                   (team.warp - team.first) * 32 + Lane(), BarrierOf(team));
    WorkerMemory<Space>& leader = block_.workers[order.leader];
    Element element = order.element;
    TeamResult result{};
    const std::uint64_t begin = Scope::Cycles();
    while (true) {
      BoardNews news{};
      if (group.Rank() == 0) news = space_.board.Read();  // under way while the package runs
      const std::uint64_t package_begin = Scope::Cycles();
      auto context = MakeContext(group, space_, leader.stack, element.head);
      Procedures::template ExecuteOne<P>(context, element.payload);
      ++result.executed;
      group.Barrier();
      Next next{};
      if (group.Rank() == 0) {
        const std::uint64_t now = Scope::Cycles();
        if (now - package_begin > kLongCycles) news = space_.board.Read();
        const bool others = now - begin > kTeamCycles && OthersNeedWarps();
        if (now - begin < kOrderCycles && !others && !MustLookAt(Leader(order), news, element.Event())) {
          next = TakeNext(order, procedure::MaxSpawnsOf<P>());
        }
      }
      next = group.Broadcast(next);
      result.claimed += next.claimed;
      if (next.goes_on == 0) return result;
      memcpy(element.payload, next.payload, sizeof next.payload);
    }
  }

  __device__ WorkerHandle<Space> Leader(const TeamOrder& order) const {
    return {space_, block_, order.place};
  }

  /// Takes the leader's newest element if it is of the same kind; claims more if the stack is empty.
  /// @scope one thread
  WY_DEVICE_CALL __device__ Next TakeNext(const TeamOrder& order, std::uint32_t spawns) const {
    WorkerMemory<Space>& leader = Scope::Near(block_.workers[order.leader]);
    procedure::SpawnBuffer& stack = leader.stack;
    if (stack.levels != 0) return {};
    const std::uint32_t claimed = stack.count == 0 && order.running != 0 ? ClaimMore(order) : 0;
    const std::uint32_t count = stack.count;
    if (count == 0 || count - 1 + spawns > Space::Shape::kStackElements) return {0, claimed, {}};
    const Element& newest = leader.elements[count - 1];
    if (newest.head != order.element.head) return {0, claimed, {}};
    stack.count = count - 1;
    return {1, claimed, {newest.payload[0], newest.payload[1]}};
  }

  /// Claims of the stage of which the block claimed last, if that is the team's, and puts it on the
  /// leader's stack. Returns how many elements. @scope one thread
  __device__ std::uint32_t ClaimMore(const TeamOrder& order) const {
    const Element& element = order.element;
    const bool is_known = BlockRange<Scope>::EventWithMore(block_.range) == element.Event() &&
                          block_.range.procedure == element.Procedure();
    if (!is_known || block_.traits[element.Procedure()].merges != 0) return 0;
    WorkerMemory<Space>& leader = block_.workers[order.leader];
    TakenElements& taken = leader.taken;
    StageClaims<Space>::Claim(
        space_, block_, {element.Event(), {0, 0}, order.running, order.place.workers, true}, taken);
    StageClaims<Space>::Release(block_, taken);
    const std::uint32_t count = taken.claim.count;
    for (std::uint32_t i = count; i-- > 0;) {
      leader.elements[leader.stack.count++] = StageClaims<Space>::ElementOf(taken, i, 1);
    }
    return count;
  }

  Space& space_;
  BlockMemory<Space>& block_;
  Memory& memory_;
  std::uint32_t warp_;
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_MEGAKERNEL_WARP_EXECUTOR_CUH_
