// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A worker's moves of elements between its stack and the shared queues (shared_queues.h): elements
// for levels, and those that it offers to the other workers.
//
// Where accounts divide the device, each block turns to the account that has had least. It can only
// do so if it finds an element of it. What events spawn lies on the stacks of workers, perhaps of
// few. So a worker that turns to another account offers what it has of the one before, in the queue
// of that event; and one that sees an empty queue of its own event offers some of its oldest.
#ifndef WARPYARD_CORE_MODEL_WORKER_QUEUE_MOVES_H_
#define WARPYARD_CORE_MODEL_WORKER_QUEUE_MOVES_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/bits.h"
#include "core/exec/scope.h"
#include "core/model/worker/account.h"
#include "core/model/worker/worker_handle.h"
#include "core/model/worker/workspace.h"
#include "core/procedure/element.h"

namespace warpyard::model {

/// @scope all members: the group of the worker
template <exec::LaneScope Group, class Space>
class QueueMoves {
 public:
  QueueMoves() = delete;
  using Element = procedure::Element;

  /// Puts an element of one of the first levels on the stack, if there is one. False: a bounded
  /// wait ran out. @shape room for an element
  WY_HD static bool Draw(Group& group, Space& space, WorkerMemory<Space>& memory) {
    Element* const out = &memory.elements[memory.stack.count];
    return Add(group, space, memory, space.queues.Draw(group, space.board, 1, memory.window, out));
  }

  /// Puts elements of an event's queue on the stack, if there are some. False: a bounded wait ran
  /// out. @shape room for kGivenElements
  WY_HD static bool DrawOfEvent(Group& group, const WorkerHandle<Space>& own, std::uint32_t event) {
    WorkerMemory<Space>& memory = own.Memory();
    Element* const out = &memory.elements[memory.stack.count];
    return Add(group, own.space, memory,
               own.space.queues.DrawOfEvent(group, own.space.board, event, own.place.workers,
                                            kGivenElements, out));
  }

  /// Moves the elements that were spawned for levels, from place `first` of the stack on. What
  /// finds no room stays on the stack. False: a bounded wait ran out.
  WY_DEVICE_CALL WY_HD static bool Put(Group& group, const WorkerHandle<Space> far,
                                       std::uint32_t first) {
    const WorkerHandle<Space> own = far.Near();
    // A team may have executed elements that it spawned itself.
    if (first > own.Memory().stack.count) first = 0;
    const bool put = Move(group, own, first, [](std::uint32_t, const Element& element) {
      return element.Bucket() >= procedure::kEventBuckets;
    });
    if (group.Rank() == 0) own.Memory().stack.levels = 0;
    group.Barrier();
    return put;
  }

  /// Offers those of the oldest elements that are of an event, `count` at most. What finds no room
  /// stays on the stack. False: a bounded wait ran out.
  WY_DEVICE_CALL WY_HD static bool Offer(Group& group, const WorkerHandle<Space> far,
                                         std::uint32_t event, std::uint32_t count) {
    return Move(group, far.Near(), 0, [&](std::uint32_t i, const Element& element) {
      return i < count && element.Bucket() == event;
    });
  }

 private:
  using Scope = typename Space::Scope;

  /// Adds what was drawn to the stack, where it lies already.
  WY_HD static bool Add(Group& group, Space& space, WorkerMemory<Space>& memory,
                        const QueueResult& drawn) {
    if (drawn.stuck) return false;
    const std::uint32_t size = memory.stack.count;
    for (std::uint32_t i = group.Rank(); i < drawn.count; i += group.Size()) {
      const std::uint32_t procedure = memory.elements[size + i].Procedure();
      Scope::Word(space.waiting[procedure]).FetchSubRelaxed(1);
    }
    group.Barrier();
    if (group.Rank() == 0) memory.stack.count = size + drawn.count;
    group.Barrier();
    return true;
  }

  /// Moves the elements from place `first` of the stack on for which leaves(place, element) to the
  /// queues of their buckets. False: a bounded wait ran out.
  template <class Leaves>
  WY_HD static bool Move(Group& group, const WorkerHandle<Space>& own, std::uint32_t first,
                         Leaves&& leaves) {
    Space& space = own.space;
    WorkerMemory<Space>& memory = own.Memory();
    Account<Group, Space>::TellSpawned(group, own);
    const std::uint32_t size = memory.stack.count;
    std::uint32_t kept = first;
    bool stuck = false;
    for (std::uint32_t begin = first; begin < size; begin += group.Size()) {
      const std::uint32_t i = begin + group.Rank();
      Element element{};
      if (i < size) element = memory.elements[i];
      const bool offers = i < size && leaves(i, element);
      const QueueResult refused = space.queues.Push(group, space.board, offers, element);
      stuck |= refused.stuck;
      const bool back = (refused.count >> group.Rank() & 1u) != 0;
      if (offers && !back) Scope::Word(space.waiting[element.Procedure()]).FetchAddRelaxed(1);
      const bool stays = i < size && (!offers || back);
      const std::uint32_t lanes = group.Ballot(stays);
      group.Barrier();
      if (stays) memory.elements[kept + exec::PlaceAmong(lanes, group.Rank())] = element;
      kept += exec::CountBits(lanes);
      group.Barrier();
    }
    if (group.Rank() == 0) memory.stack.count = kept;
    group.Barrier();
    return !stuck;
  }
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_WORKER_QUEUE_MOVES_H_
