// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Which warp of a block posts the next team.
//
// Warps post in the order in which they first tried: each takes a ticket. A warp with an urgent
// package needs no ticket, and the other warps wait until it has posted. After such a warp has led
// a team for 1 ms while other warps wanted to post, it takes a ticket, too.
#ifndef WARPYARD_CORE_MODEL_MEGAKERNEL_TEAM_TURNS_CUH_
#define WARPYARD_CORE_MODEL_MEGAKERNEL_TEAM_TURNS_CUH_

#include <cstdint>

#include "core/exec/device_group.cuh"
#include "core/model/megakernel/team.cuh"

namespace warpyard::model {

/// Of one warp. @scope all members: one thread of the warp, unless said otherwise
template <class Space>
class TeamTurns {
 public:
  __device__ TeamTurns(ExecutorMemory<Space>& memory, std::uint32_t warp)
      : posted_(memory.posted), own_(memory.warps[warp]) {}

  /// Whether warps of the block have urgent packages for which they could not post.
  /// @scope any thread
  __device__ bool OthersPress() const {
    return Scope::BlockWord(posted_.pressing).LoadRelaxed() != 0;
  }
  /// Whether warps of the block wait to post. @scope any thread
  __device__ bool OthersWait() const {
    const std::uint32_t turn = Scope::BlockWord(posted_.turn).LoadRelaxed();
    return Scope::BlockWord(posted_.tickets).LoadRelaxed() != turn || OthersPress();
  }

  /// Locks PostedTeam for this warp, if no team gathers and it is this warp's turn. Else the
  /// warp counts as one that wants to post. @shape is_urgent: the warp has an urgent package
  __device__ bool Lock(bool is_urgent) const {
    const bool presses = is_urgent && !own_.yields;
    if (!presses && !own_.has_ticket) {
      own_.ticket = Scope::BlockWord(posted_.tickets).FetchAddRelaxed(1);
      own_.has_ticket = true;
    }
    const auto turn = Scope::BlockWord(posted_.turn);
    const bool is_turn = own_.has_ticket && turn.LoadAcquire() == own_.ticket;
    const auto state = Scope::BlockWord(posted_.state);
    std::uint32_t before = state.LoadAcquire();
    const bool locks =
        (presses || (is_turn && !OthersPress())) &&
        before % PostedTeam::kPhases == PostedTeam::kFree &&
        state.CompareExchangeAcqRel(before, before + PostedTeam::kPhases + PostedTeam::kLocked);
    own_.wants = !locks;
    Press(!locks && presses);
    if (!locks) return false;
    own_.yields = false;
    if (is_turn) PassTurn();
    return true;
  }
  /// The warp does not want to post any more.
  __device__ void GiveUp() const {
    own_.wants = false;
    Press(false);
    PassTurn();
  }
  /// Passes the turn on, if it is this warp's, and it does not want to post any more.
  __device__ void PassTurn() const {
    const auto turn = Scope::BlockWord(posted_.turn);
    if (!own_.has_ticket || own_.wants || turn.LoadAcquire() != own_.ticket) return;
    own_.has_ticket = false;
    turn.StoreRelease(own_.ticket + 1);
  }

 private:
  using Scope = exec::DeviceScope;

  __device__ void Press(bool presses) const {
    if (own_.presses == presses) return;
    own_.presses = presses;
    Scope::BlockWord(posted_.pressing).FetchAddRelaxed(presses ? 1u : ~0u);
  }

  PostedTeam& posted_;
  TeamWarp& own_;
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_MEGAKERNEL_TEAM_TURNS_CUH_
