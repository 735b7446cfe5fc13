// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Executes elements on a warp: 32 single threads, several item sets, or one group of 32; and
// packages of more threads by a team of warps of the block. [Steinberger §6.4]
//
// A warp that draws a package posts it in the memory of the block. The team's other warps join at
// their next decision; then they have a named barrier. Only one team of a block forms at a time, and a
// warp that wants to post while another team forms joins that one first if it belongs to it. So a
// forming team waits only for warps that execute something, and never for one that waits itself.
// A team goes on with elements of the same kind that its leader has, for some 10 us: forming costs
// more than many elements take.
#ifndef WARPYARD_CORE_MODEL_MEGAKERNEL_WARP_EXECUTOR_CUH_
#define WARPYARD_CORE_MODEL_MEGAKERNEL_WARP_EXECUTOR_CUH_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/exec/bits.h"
#include "core/exec/device_group.cuh"
#include "core/model/worker/own_stack.h"
#include "core/model/worker/worker.h"
#include "core/model/worker/workspace.h"
#include "core/procedure/element.h"

namespace warpyard::model {

/// A package that waits for its team. Its other members are those of the state's turn: whoever reads
/// them looks at the state before and after. @shape zero-initialised
struct PostedPackage {
  enum Phase : std::uint32_t {
    kFree,
    kLocked,  ///< a warp writes the rest
    kPosted,
    kClosed,  ///< a warp of the block has left: no more teams
  };
  static constexpr std::uint32_t kPhases = 4;
  std::uint32_t state;   ///< turn * kPhases + Phase; the turn grows with each posting
  std::uint32_t first;   ///< warp of the block
  std::uint32_t warps;   ///< that execute it: from `first` on
  std::uint32_t joined;  ///< of them
  std::uint32_t leader;  ///< the warp on whose stack the spawns go
  std::uint32_t number;  ///< of the leader's teams
  /// Tickets of the warps that want to post: those that were taken, and the one whose turn it is.
  std::uint32_t tickets;
  std::uint32_t turn;
  procedure::Element element;
};

/// @shape in the shared memory of a block
template <class Space>
struct ExecutorMemory {
  static constexpr std::uint32_t kWarps = Space::Shape::kBlockWorkers;
  /// Shared memory that each warp brings along.
  static constexpr std::size_t kScratch = Space::Procedures::SharedBytes(32, kWarps);

  PostedPackage posted;
  std::uint32_t formed[kWarps];  ///< by each leader: the number of its last team that is complete
  std::uint64_t mailboxes[(kWarps + 1) / 2][2];  ///< of teams, by their first warps
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

  /// Whether a team waits for this warp.
  __device__ bool IsWanted() {
    PassTurn();
    const PostedPackage& posted = memory_.posted;
    const std::uint32_t state = State().LoadAcquire();
    bool wanted = false;
    if (state % PostedPackage::kPhases == PostedPackage::kPosted) {
      wanted = warp_ - Scope::BlockWord(posted.first).LoadAcquire() <
                   Scope::BlockWord(posted.warps).LoadAcquire() &&
               warp_ != Scope::BlockWord(posted.leader).LoadAcquire() &&
               State().LoadAcquire() == state;
    }
    return __any_sync(0xffffffffu, wanted) != 0;
  }

  /// Before the warp leaves: no team forms any more. False: one forms now.
  __device__ bool Close() {
    bool closed = false;
    if (Lane() == 0) {
      std::uint32_t state = State().LoadAcquire();
      const std::uint32_t phase = state % PostedPackage::kPhases;
      closed = phase == PostedPackage::kClosed ||
               (phase == PostedPackage::kFree &&
                State().CompareExchangeAcqRel(state, state + PostedPackage::kClosed));
    }
    return __any_sync(0xffffffffu, closed) != 0;
  }

  /// Posts a package, which this warp is to lead. Warps post in the order in which they first tried.
  /// False: it is not its turn, or another team forms.
  __device__ bool Post(const Element& element) {
    bool can = false;
    std::uint32_t ticket = ticket_;
    if (Lane() == 0) {
      PostedPackage& posted = memory_.posted;
      if (!has_ticket_) ticket = Scope::BlockWord(posted.tickets).FetchAddRelaxed(1);
      const auto turn = Scope::BlockWord(posted.turn);
      std::uint32_t state = State().LoadAcquire();
      can = turn.LoadAcquire() == ticket && state % PostedPackage::kPhases == PostedPackage::kFree &&
            State().CompareExchangeAcqRel(
                state, state + PostedPackage::kPhases + PostedPackage::kLocked);
      if (can) {
        posted.warps = block_.traits[element.Procedure()].workers;
        posted.first = FirstOf(posted.warps);
        posted.leader = warp_;
        posted.number = teams_ + 1;
        posted.element = element;
        posted.joined = 1;
        State().StoreRelease(state + PostedPackage::kPhases + PostedPackage::kPosted);
        turn.StoreRelease(ticket + 1);
      }
    }
    ticket_ = __shfl_sync(0xffffffffu, ticket, 0);
    can = __any_sync(0xffffffffu, can) != 0;
    if (can) ++teams_;
    has_ticket_ = wants_ = !can;
    return can;
  }

  /// The warp does something else now: it passes its turn on, when that comes.
  __device__ void PostsNothing() {
    wants_ = false;
    PassTurn();
  }

  /// Executes the package that it posted with the team, and perhaps more of its newest elements.
  /// Returns how many. @scope the leader
  __device__ std::uint32_t Lead(const Element& element) {
    // The posting may have gone on to another team by now.
    return RunTeam(
        {FirstOf(block_.traits[element.Procedure()].workers), warp_, teams_, element});
  }

  /// The same. @scope another warp of the team
  __device__ void Join() {
    PostedPackage& posted = memory_.posted;
    const Team team{posted.first, posted.leader, posted.number, posted.element};
    __syncwarp();  // all lanes have read it
    if (Lane() == 0) {
      const std::uint32_t before =
          exec::DeviceScope::BlockWord(posted.joined).FetchAddAcqRel(1);
      if (before + 1 == posted.warps) {
        // Only this thread changes the state now.
        State().StoreRelease(State().LoadRelaxed() - PostedPackage::kPosted);
        Formed(team.leader).StoreRelease(team.number);
      }
    }
    __syncwarp();
    RunTeam(team);
    AwaitNext();
  }

 private:
  using Scope = exec::DeviceScope;
  static constexpr std::uint64_t kTeamCycles = 16'000;
  static constexpr std::uint64_t kPatience = 2'000;  // cycles

  struct Team {
    std::uint32_t first;
    std::uint32_t leader;
    std::uint32_t number;
    Element element;
  };

  /// What a team executes next.
  struct Next {
    std::uint32_t goes_on;
    std::uint32_t payload[2];
  };

  __device__ static std::uint32_t Lane() { return threadIdx.x & 31u; }
  __device__ void PassTurn() {
    if (!has_ticket_ || wants_) return;
    bool passed = false;
    if (Lane() == 0 && Scope::BlockWord(memory_.posted.turn).LoadAcquire() == ticket_) {
      Scope::BlockWord(memory_.posted.turn).StoreRelease(ticket_ + 1);
      passed = true;
    }
    has_ticket_ = __any_sync(0xffffffffu, passed) == 0;
  }
  /// Whether other warps of the block wait to post. @scope any thread
  __device__ bool OthersWait() const {
    return Scope::BlockWord(memory_.posted.tickets).LoadRelaxed() !=
           Scope::BlockWord(memory_.posted.turn).LoadRelaxed();
  }

  /// The first warp of this warp's team of so many.
  __device__ std::uint32_t FirstOf(std::uint32_t warps) const {
    return exec::Least(warp_ / warps * warps, kWarps - warps);
  }
  __device__ auto Formed(std::uint32_t leader) const {
    return Scope::BlockWord(memory_.formed[leader]);
  }
  __device__ auto State() const { return Scope::BlockWord(memory_.posted.state); }

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

  struct TeamVisitor {
    WarpExecutor& executor;
    const Team& team;
    std::uint32_t executed;

    template <class P>
    WY_INLINED __device__ void Visit() {
      if constexpr (kThreadsOf<P> > 32) executed = executor.template RunTeamOf<P>(team);
    }
  };

  WY_DEVICE_CALL __device__ std::uint32_t RunTeam(const Team& team) {
    TeamVisitor visitor{*this, team, 0};
    Procedures::Visit(team.element.Procedure(), visitor);
    return visitor.executed;
  }

  template <class P>
  WY_INLINED __device__ std::uint32_t RunTeamOf(const Team& team) {
    constexpr std::uint32_t kSize = kThreadsOf<P>;
    static_assert(kWarps <= 2 * exec::NamedBarrier::kGroups);
    const std::uint32_t number = team.first / 2;  // teams that run together have different ones
    const std::uint32_t barrier =
        kSize == 32 * kWarps ? exec::NamedBarrier::kWholeBlock : number;
    exec::DeviceGroup<kSize> group(Scope::Near(memory_.scratch + team.first * Memory::kScratch),
                                   Scope::Near(memory_.mailboxes[number]),
                                   (warp_ - team.first) * 32 + Lane(), barrier);
    WorkerMemory<Space>& leader = block_.workers[team.leader];
    Element element = team.element;
    std::uint32_t executed = 0;
    std::uint64_t begin = Scope::Cycles();
    while (true) {
      auto context = MakeContext(group, space_, leader.stack, element.head);
      Procedures::template ExecuteOne<P>(context, element.payload);
      ++executed;
      group.Barrier();
      Next next{};
      if (group.Rank() == 0 && Scope::Cycles() - begin < kTeamCycles &&
          !OthersWait()) {
        next = TakeNext(leader, element.head, procedure::MaxSpawnsOf<P>());
      }
      next = group.Broadcast(next);
      if (next.goes_on == 0) return executed;
      memcpy(element.payload, next.payload, sizeof next.payload);
    }
  }

  /// Takes the leader's newest element if it is of the same kind. @scope one thread
  __device__ static Next TakeNext(WorkerMemory<Space>& leader, std::uint32_t head,
                                  std::uint32_t spawns) {
    procedure::SpawnBuffer& stack = leader.stack;
    const std::uint32_t count = stack.count;
    if (count == 0 || stack.levels != 0) return {};
    if (count - 1 + spawns > Space::Shape::kStackElements) return {};
    const Element& newest = stack.elements[count - 1];
    if (newest.head != head) return {};
    stack.count = count - 1;
    return {1, {newest.payload[0], newest.payload[1]}};
  }

  /// The leader often posts again at once: other work can wait so long.
  __device__ void AwaitNext() {
    const std::uint64_t begin = Scope::Cycles();
    while (!IsWanted() && __any_sync(0xffffffffu, Scope::Cycles() - begin < kPatience) != 0) {
      __nanosleep(20);
    }
  }

  Space& space_;
  BlockMemory<Space>& block_;
  Memory& memory_;
  const std::uint32_t warp_;
  std::uint32_t teams_ = 0;     // that it led
  std::uint32_t ticket_ = 0;    // see Post
  bool has_ticket_ = false;
  bool wants_ = false;  // to post
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_MEGAKERNEL_WARP_EXECUTOR_CUH_
