// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A worker's moves of elements between its stack and the shared queues (shared_queues.h): elements
// for levels, and those that it offers to the other workers.
//
// Where accounts divide the device, each block turns to the account that has had least. It can only
// do so if it finds an element of it. What events spawn lies on the stacks of workers, perhaps of
// few, and deep down. So a worker that turns to another account offers what it has of the one
// before, in the queue of that event; and one whose oldest elements are of an event with an empty
// queue offers some of them.
#ifndef WARPYARD_CORE_MODEL_WORKER_QUEUE_MOVES_H_
#define WARPYARD_CORE_MODEL_WORKER_QUEUE_MOVES_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/bits.h"
#include "core/exec/scope.h"
#include "core/model/worker/account.h"
#include "core/model/worker/stack/own_stack.h"
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
    const std::uint32_t waiting = own.space.queues.ApproximateSizeOf(event);
    // One, or some if they are more than there are workers.
    const std::uint32_t wanted =
        exec::Least(1 + group.Broadcast(waiting) / own.place.workers, kGivenElements);
    return Add(group, own.space, memory,
               own.space.queues.DrawOfEvent(group, own.space.board, event, wanted, out));
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

  /// Offers what the stack has of an event in fast memory. What finds no room stays there. False: a
  /// bounded wait ran out.
  WY_DEVICE_CALL WY_HD static bool Offer(Group& group, const WorkerHandle<Space> far,
                                         std::uint32_t event) {
    return Move(group, far.Near(), 0,
                [&](std::uint32_t, const Element& element) { return element.Bucket() == event; });
  }

  /// Offers some of the oldest elements; those of levels, and what finds no room, come on top of
  /// the stack. False: a bounded wait ran out. @shape most: at least 1
  WY_DEVICE_CALL WY_HD static bool OfferOldest(Group& group, const WorkerHandle<Space> far,
                                               std::uint32_t most) {
    const WorkerHandle<Space> own = far.Near();
    WorkerMemory<Space>& memory = own.Memory();
    OwnStack<Group, Space> stack(group, own.space, memory, own.place.index);
    const std::uint32_t old = stack.Reserved() != 0 ? stack.Reserved() : stack.Size();
    const std::uint32_t count = exec::Least(exec::Least(most, old), stack.Free());
    if (count == 0) return true;
    Account<Group, Space>::TellSpawned(group, own);
    bool stuck = false;
    stack.TakeOldest(count, [&](auto&& at) {
      std::uint32_t size = memory.stack.count;
      for (std::uint32_t begin = 0; begin < count; begin += group.Size()) {
        const std::uint32_t i = begin + group.Rank();
        Element element{};
        if (i < count) element = at(i);
        const bool offers = i < count && element.Bucket() < procedure::kEventBuckets;
        const bool stays = Push(group, own.space, offers, element, stuck) && i < count;
        size = Keep(group, memory, stays, element, size);
      }
      if (group.Rank() == 0) memory.stack.count = size;
      group.Barrier();
    });
    return !stuck;
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

  /// Adds the elements of threads that are `offering` to the queues of their buckets. Returns
  /// whether the thread's one is in none. @shape stuck: set if a bounded wait ran out
  WY_HD static bool Push(Group& group, Space& space, bool offering, const Element& element,
                         bool& stuck) {
    const QueueResult refused = space.queues.Push(group, space.board, offering, element);
    stuck |= refused.stuck;
    const bool back = (refused.count >> group.Rank() & 1u) != 0;
    if (offering && !back) Scope::Word(space.waiting[element.Procedure()]).FetchAddRelaxed(1);
    return !offering || back;
  }

  /// Writes the elements of threads that are `staying` to the stack, from a place on. Returns the
  /// place behind them. @shape place: what is there was read by all threads
  WY_HD static std::uint32_t Keep(Group& group, WorkerMemory<Space>& memory, bool staying,
                                  const Element& element, std::uint32_t place) {
    const std::uint32_t lanes = group.Ballot(staying);
    group.Barrier();
    if (staying) memory.elements[place + exec::PlaceAmong(lanes, group.Rank())] = element;
    group.Barrier();
    return place + exec::CountBits(lanes);
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
      const bool stays = Push(group, space, offers, element, stuck) && i < size;
      kept = Keep(group, memory, stays, element, kept);
    }
    if (group.Rank() == 0) memory.stack.count = kept;
    group.Barrier();
    return !stuck;
  }
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_WORKER_QUEUE_MOVES_H_
