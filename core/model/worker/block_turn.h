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
#include "core/model/worker/board/board.h"
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

  /// How long the turn of an event is to be. @shape not 0
  WY_HD static std::uint32_t LengthFor(Space& space, std::uint32_t event) {
    return policy::TurnOf(space.board.ShareOf(event), kMean, Now()) + 1;
  }
  /// @shape event: has an open stage
  WY_HD static void Begin(Space& space, BlockClocks& clocks, std::uint32_t event) {
    if constexpr (kMean == 0) return;
    Scope::BlockWord(clocks.turn_event).StoreRelaxed(event);
    Scope::BlockWord(clocks.turn_ends).StoreRelaxed(Now() + LengthFor(space, event));
  }
  WY_HD static void End(BlockClocks& clocks) {
    Scope::BlockWord(clocks.turn_ends).StoreRelaxed(Now());
  }

  /// The event that has its turn, if its stage is open and the board shows nothing for which to
  /// look around; else kNoEvent. @scope the group of a worker @shape sights: BlockSight::count,
  /// read
  ///     before
  WY_DEVICE_CALL WY_HD static std::uint32_t Event(Group& group, const WorkerHandle<Space> far,
                                                  std::uint32_t sights) {
    if constexpr (kMean == 0) return kNoEvent;
    const WorkerHandle<Space> own = far.Near();
    const WorkerMemory<Space>& memory = own.Memory();
    const std::uint32_t ends = Scope::BlockWord(own.block.clocks.turn_ends).LoadRelaxed();
    const std::uint32_t event = Scope::BlockWord(own.block.clocks.turn_event).LoadRelaxed();
    // The clock's low bits come round: an end is also seen as near for a short time each 2^32
    // cycles.
    if (!group.Any(ends - Now() - 1 < 2 * kMean)) return kNoEvent;
    const BoardNews news = own.space.board.Read();
    const bool given = memory.waits != 0 && own.space.hand_over.Given(own.place.index) != 0;
    const bool must_look = sights != memory.sight.count || given || !news.IsOpen(event) ||
                           news.HasHeld() || news.HasUrgent() || MustLookAt(own, news, event) ||
                           !HasLooked<Scope>(own.block.sight);
    return group.Broadcast(group.Any(must_look) ? std::uint32_t{kNoEvent} : event);
  }

 private:
  using Scope = typename Space::Scope;
  static constexpr std::uint32_t kMean = Space::Shape::kTurnCycles;

  WY_HD static std::uint32_t Now() { return static_cast<std::uint32_t>(Scope::Cycles()); }
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_WORKER_BLOCK_TURN_H_
