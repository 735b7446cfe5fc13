// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A worker waits while its elements are held for an event that presses (core/policy/hold.h).
#ifndef WARPYARD_CORE_MODEL_WORKER_HELD_H_
#define WARPYARD_CORE_MODEL_WORKER_HELD_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/bits.h"
#include "core/exec/scope.h"
#include "core/model/worker/account.h"
#include "core/model/worker/board/board.h"
#include "core/model/worker/board/board_news.h"
#include "core/model/worker/stack/own_stack.h"
#include "core/model/worker/worker_handle.h"
#include "core/model/worker/workspace.h"
#include "core/procedure/element.h"

namespace warpyard::model {

/// The events that wait while others press. @scope the group of the worker
template <exec::LaneScope Group, exec::ExecScope Scope>
WY_HD EventBits HeldEvents(Group& group, Board<Scope>& board, const BoardNews& news) {
  if (!news.HasHeld()) return {};
  return group.Broadcast(board.Held());
}

/// Whether a worker has only elements of events that are held, as far as its newest one and its
/// oldest one tell. @scope the group of the worker, whose stack is not empty
template <exec::LaneScope Group, class Space>
WY_HD bool AllHeld(Group& group, const WorkerHandle<Space>& own, const EventBits& held) {
  const OwnStack<Group, Space> stack(group, own.space, own.Memory(), own.place.index);
  const std::uint32_t newest = stack.Newest().Bucket(), oldest = stack.Oldest().Bucket();
  return newest < procedure::kEventBuckets && oldest < procedure::kEventBuckets &&
         held.Has(newest) && held.Has(oldest);
}

/// Waits some ten microseconds at most. The wait ends earlier when the event of the worker's newest
/// element is released, or the board shows work, or the worker was given elements. Each worker
/// polls the board itself, because the next stage of the event that presses has elements for many
/// workers.
/// @scope the group of the worker @shape done: see Account::TurnTo
template <exec::LaneScope Group, class Space, class Executor, class Done>
WY_DEVICE_CALL WY_HD void AwaitRelease(Group& group, const WorkerHandle<Space> far,
                                       Executor executor, Done done) {
  using Scope = typename Space::Scope;
  constexpr std::uint32_t kRounds = 32, kLongestPause = 4;
  const WorkerHandle<Space> own = far.Near();
  // The event that presses may need the other members of a team, or the turn to post one.
  executor.Dissolve();
  // A stage may wait for what this worker has finished.
  if (Account<Group, Space>::TurnTo(group, own, kNoEvent, done) != kNoEvent) return;
  const WorkerMemory<Space>& memory = own.Memory();
  if (memory.stack.count == 0) return;
  const std::uint32_t event = memory.elements[memory.stack.count - 1].Bucket();
  if (event >= procedure::kEventBuckets) return;
  WY_ROLLED
  for (std::uint32_t round = 0; round < kRounds; ++round) {
    Scope::Pause(exec::Least(round, kLongestPause));
    // These accesses are under way together.
    const EventBits held = own.space.board.Held();
    BoardNews news = own.space.board.Read();
    news.Hide(held);
    const bool given = memory.waits != 0 && own.space.hand_over.Given(own.place.index) != 0;
    const bool goes_on =
        !held.Has(event) || news.HasWork() || given || news.IsLeaving(own.place.launch);
    if (group.Any(goes_on) || executor.IsWanted(true)) return;
  }
}

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_WORKER_HELD_H_
