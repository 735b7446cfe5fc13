// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What comes first for a worker that has elements, where that is simple to tell.
#ifndef WARPYARD_CORE_MODEL_WORKER_BOARD_CHOICE_ABOVE_H_
#define WARPYARD_CORE_MODEL_WORKER_BOARD_CHOICE_ABOVE_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/scope.h"
#include "core/model/worker/block_range.h"
#include "core/model/worker/board/board.h"
#include "core/model/worker/stack/own_stack.h"
#include "core/model/worker/worker_handle.h"
#include "core/model/worker/workspace.h"
#include "core/policy/share.h"

namespace warpyard::model {

struct ChoiceAbove {
  bool is_simple = false;          ///< else the worker is to look around
  bool is_ranged = false;          ///< the block has drawn of the event
  std::uint32_t event = kNoEvent;  ///< kNoEvent: that of the newest element
  StageHint hint{0, 0};            ///< that event's open stage
  BoardNews news{};
  std::uint32_t running = 1;  ///< events
};

/// Chooses the event that comes first, and makes room for its elements above those of the worker.
/// The choice is not simple if accounts share the device, if levels or queues have elements, if the
/// worker holds elements of several events, or if its stack has no room. A simple choice executes a
/// tenth of the instructions of a look around. The function is not inlined: workers call it seldom,
/// and their loop has to fit the instruction cache.
/// @scope the group of the worker, whose stack is not empty
template <exec::LaneScope Group, class Space>
WY_DEVICE_CALL WY_HD ChoiceAbove ChooseAbove(Group& group, const WorkerHandle<Space> far) {
  using Scope = typename Space::Scope;
  using Range = BlockRange<Scope>;
  const WorkerHandle<Space> worker = far.Near();
  Board<Scope>& board = worker.space.board;
  // These accesses are under way together.
  const BoardNews read = board.Read();
  const EventOrder order = board.ReadOrder(group);
  const std::uint32_t running = Scope::Word(worker.space.event_counts.running).LoadRelaxed();
  ChoiceAbove choice;
  choice.news = group.Broadcast(read);
  choice.running = group.Broadcast(running == 0 ? 1 : running);
  if (choice.news.Levels() != 0 || choice.news.Queued() != 0) return choice;
  OwnStack<Group, Space> stack(group, worker.space, worker.Memory(), worker.place.index);
  const std::uint32_t own = stack.Newest().Event();
  // An event whose elements lie below the newest one may come first by now.
  if (stack.Oldest().Bucket() != own) return choice;
  auto& range = worker.block.range;
  const std::uint32_t ranged =
      group.Broadcast(Range::HasMore(range) ? Range::Event(range) : kNoEvent);
  Choice first = board.First(group, choice.news, order);
  for (const std::uint32_t event : {ranged, own}) {
    if (event == kNoEvent) continue;
    const std::uint32_t rank = board.RankIn(group, order, event);
    if (rank <= first.rank) first = {rank, event};
  }
  if (board.MayShare(group, order, first.event)) return choice;
  if (first.event != own) {
    const bool is_ranged = first.event == ranged;
    if (!is_ranged) choice.hint = board.HintIn(group, order, first.event);
    const bool fits = stack.HasRoomToNest(worker.block.traits, choice.hint) &&
                      stack.MakeRoom(1, kGivenElements + 1) != 0;
    if (!fits) return choice;
    choice.is_ranged = is_ranged;
    choice.event = first.event;
  }
  choice.is_simple = true;
  group.Barrier();
  if (group.Rank() == 0) See<Scope>(worker.block.sight, worker.Memory().sight, choice.news);
  group.Barrier();
  return choice;
}

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_WORKER_BOARD_CHOICE_ABOVE_H_
