// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Teams of warps of a block, in the memory of the block: the one that gathers, what each warp has
// to do with teams, and the orders of leaders.
#ifndef WARPYARD_CORE_MODEL_MEGAKERNEL_TEAM_CUH_
#define WARPYARD_CORE_MODEL_MEGAKERNEL_TEAM_CUH_

#include <cstddef>
#include <cstdint>

#include "core/exec/device_group.cuh"
#include "core/model/worker/board/board_news.h"
#include "core/model/worker/worker_handle.h"
#include "core/procedure/element.h"

namespace warpyard::model {

/// What a team executes next. @shape in shared memory
struct NextPackages {
  static constexpr std::uint32_t kMost = 16;
  std::uint32_t count;    ///< packages
  std::uint32_t claimed;  ///< elements that were put on the leader's stack
  std::uint64_t took;     ///< cycles that the team's first thread executed the packages before
  std::uint32_t payloads[kMost][2];
};

/// A team that gathers. Its other members are those of the state's turn: whoever reads them looks
/// at the state before and after. @shape zero-initialised
struct PostedTeam {
  enum Phase : std::uint32_t {
    kFree,
    kLocked,  ///< a warp writes the rest
    kPosted,
    kClosed,  ///< a warp of the block has left: no more teams
  };
  static constexpr std::uint32_t kPhases = 4;
  std::uint32_t state;      ///< turn * kPhases + Phase; the turn grows with each posting
  std::uint32_t first;      ///< warp of the block
  std::uint32_t warps;      ///< that are the team: from `first` on
  std::uint32_t joined;     ///< of them
  std::uint32_t leader;     ///< the warp that decides, and on whose stack the spawns go
  std::uint32_t busy;       ///< warps in teams of the block that have elements of their own
  std::uint32_t is_urgent;  ///< not 0: the leader has an urgent package
  /// Tickets of the warps that want to post: those that were taken, and the one whose turn it is.
  std::uint32_t tickets;
  std::uint32_t turn;
  std::uint32_t pressing;  ///< warps that want to post for an urgent package
};

/// What a warp has to do with teams, besides being in one.
struct TeamWarp {
  std::uint32_t led;  ///< warps of the team that it leads; 0: none
  std::uint32_t ticket;
  bool has_ticket;
  bool wants;           ///< to post
  bool presses;         ///< it wants to post for an urgent package
  bool yields;          ///< its urgent packages need a ticket until it has posted or joined a team
  bool joined;          ///< it was in a team just now
  bool brings;          ///< it is in a team, and has elements of its own
  std::uint64_t since;  ///< when the team that it leads was posted
  std::uint64_t left;   ///< when the team that it was in ended; 0: it has posted one since
};

/// What the leader of a team wants.
struct TeamOrder {
  procedure::Element element;  ///< to be executed
  std::uint32_t leader;
  std::uint32_t dissolve;  ///< not 0: the team ends instead
  WorkerPlace place;       ///< of the leader
  OrderTerms terms;
};

/// What the leader sees of the device while its team executes.
struct TeamSight {
  BoardNews news;
  std::uint32_t waiting;  ///< workers
  bool dropped;           ///< the event of the packages
};

/// How far a team is with an order.
struct TeamProgress {
  __device__ explicit TeamProgress(std::uint64_t cycles) : begin(cycles), looked(cycles) {}

  const std::uint64_t begin;
  std::uint64_t looked;              ///< when the leader last saw something
  std::uint64_t packages_begin = 0;  ///< when the team began the latest packages
  std::uint32_t count = 1;           ///< how many they are
  bool looks = false;                ///< the leader looks while it executes the packages
  TeamSight sight{};
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
  /// Each team has two places for its next packages: its warps may still read one while the first
  /// thread of the team writes the other.
  NextPackages next[kTeams + 1][2];
  alignas(16) std::byte scratch[kWarps * kScratch + 16];
};

/// A team as a member of it sees it.
struct Team {
  std::uint32_t first;  ///< warp of the block
  std::uint32_t warps;
  std::uint32_t warp;  ///< the member
};

/// What belongs to a team: its barrier, and its place in the memory of the block.
template <class Space>
class TeamsOf {
 public:
  TeamsOf() = delete;
  using Procedures = typename Space::Procedures;
  using Memory = ExecutorMemory<Space>;
  static constexpr std::uint32_t kWarps = Space::Shape::kBlockWorkers;
  static_assert(Procedures::HaveOneTeamSize(32, 32 * kWarps),
                "all packages of more than a warp and less than a block have the same threads: a "
                "named barrier counts always as many");

  /// The place of its orders.
  __device__ static std::uint32_t NumberOf(const Team& team) {
    return team.warps == kWarps ? Memory::kTeams : team.first / 2;
  }
  __device__ static std::uint32_t BarrierOf(const Team& team) {
    // Teams that run together have different ones.
    return team.warps == kWarps ? exec::NamedBarrier::kWholeBlock : team.first / 2;
  }
  /// @scope all warps of the team
  __device__ static void Barrier(const Team& team) {
    if (team.warps == kWarps) {
      exec::NamedBarrier::Sync<kBlockThreads>(exec::NamedBarrier::kWholeBlock);
    } else if constexpr (kTeamThreads != 0) {
      exec::NamedBarrier::Sync<kTeamThreads>(team.first / 2);
    }
  }

 private:
  static constexpr std::uint32_t kBlockThreads = 32 * kWarps;
  static constexpr std::uint32_t kTeamThreads = Procedures::TeamSize(32, kBlockThreads);
  static_assert(kBlockThreads % (kTeamThreads == 0 ? 1 : kTeamThreads) == 0,
                "teams do not overlap");
  static_assert(kWarps <= 2 * exec::NamedBarrier::kGroups);
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_MEGAKERNEL_TEAM_CUH_
