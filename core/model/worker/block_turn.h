// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The turn of an event in a block, where accounts share the device (share_clocks.h). A worker that
// looks around chooses the event. Until the turn ends the workers of the block draw of this event
// without a look: a look takes longer than many elements.
#ifndef WARPYARD_CORE_MODEL_WORKER_BLOCK_TURN_H_
#define WARPYARD_CORE_MODEL_WORKER_BLOCK_TURN_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/scope.h"
#include "core/model/worker/board/block_sight.h"
#include "core/model/worker/board/board_news.h"
#include "core/model/worker/worker_handle.h"
#include "core/model/worker/workspace.h"
#include "core/policy/share.h"
#include "core/procedure/element.h"

namespace warpyard::model {

/// Whether the board tells a worker to look around. @scope any thread @shape event: which it serves
template <class Space>
WY_HD bool MustLookAt(const WorkerHandle<Space>& own, const BoardNews& news, std::uint32_t event) {
  using Scope = typename Space::Scope;
  return HasNewOnes<Scope>(own.block.sight, news, event) || news.IsLeaving(own.place.launch);
}

/// @scope all members: one thread, unless said otherwise
template <exec::LaneScope Group, class Space>
class BlockTurn {
 public:
  BlockTurn() = delete;

  WY_HD static void Begin(BlockClocks& clocks, std::uint32_t event) {
    const std::uint32_t cycles = Now();
    Scope::BlockWord(clocks.turn_event).StoreRelaxed(event);
    Scope::BlockWord(clocks.turn_ends).StoreRelaxed(cycles + policy::TurnOf(cycles));
  }
  WY_HD static void End(BlockClocks& clocks) {
    Scope::BlockWord(clocks.turn_ends).StoreRelaxed(Now());
  }

  /// The event that has its turn, if the board shows nothing for which to look around; else
  /// kNoEvent. @scope the group of a worker @shape sights: BlockSight::count, read before
  WY_DEVICE_CALL WY_HD static std::uint32_t Event(Group& group, const WorkerHandle<Space> far,
                                                  std::uint32_t sights) {
    const WorkerHandle<Space> own = far.Near();
    const WorkerMemory<Space>& memory = own.Memory();
    const std::uint32_t ends = Scope::BlockWord(own.block.clocks.turn_ends).LoadRelaxed();
    const std::uint32_t event = Scope::BlockWord(own.block.clocks.turn_event).LoadRelaxed();
    // An end that is long ago is not in the future, though the clock's low bits come round.
    const bool goes_on = ends - Now() - 1 < 2 * policy::kTurnCycles;
    if (!group.Any(goes_on && event < procedure::kEventBuckets)) return kNoEvent;
    const BoardNews news = own.space.board.Read();
    const bool given = memory.waits != 0 && own.space.hand_over.Given(own.place.index) != 0;
    const bool must_look = sights != memory.sight.count || given || news.HasHeld() ||
                           news.HasUrgent() || MustLookAt(own, news, event) ||
                           !HasLooked<Scope>(own.block.sight);
    return group.Broadcast(group.Any(must_look) ? std::uint32_t{kNoEvent} : event);
  }

 private:
  using Scope = typename Space::Scope;

  WY_HD static std::uint32_t Now() { return static_cast<std::uint32_t>(Scope::Cycles()); }
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_WORKER_BLOCK_TURN_H_
