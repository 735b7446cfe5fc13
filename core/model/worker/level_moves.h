// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A worker's moves of elements between its stack and the levels (level_queues.h).
#ifndef WARPYARD_CORE_MODEL_WORKER_LEVEL_MOVES_H_
#define WARPYARD_CORE_MODEL_WORKER_LEVEL_MOVES_H_

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
class LevelMoves {
 public:
  LevelMoves() = delete;
  using Element = procedure::Element;

  /// Puts an element of one of the first levels on the stack, if there is one. False: a bounded
  /// wait ran out. @shape room for an element
  WY_HD static bool Draw(Group& group, Space& space, WorkerMemory<Space>& memory) {
    Element drawn[1];
    const LevelResult result = space.levels.Draw(group, space.board, 1, memory.window, drawn);
    if (result.count == 0 || result.stuck) return !result.stuck;
    const Element element = group.Broadcast(drawn[0]);
    if (group.Rank() == 0) Scope::Word(space.waiting[element.Procedure()]).FetchSubRelaxed(1);
    if (group.Rank() == 0) memory.elements[memory.stack.count++] = element;
    group.Barrier();
    return true;
  }

  /// Moves the elements that were spawned for levels, from place `first` of the stack on. What
  /// finds no room stays on the stack. False: a bounded wait ran out.
  WY_DEVICE_CALL WY_HD static bool Put(Group& group, const WorkerHandle<Space> far,
                                       std::uint32_t first) {
    const WorkerHandle<Space> own = far.Near();
    Space& space = own.space;
    WorkerMemory<Space>& memory = own.Memory();
    Account<Group, Space>::TellSpawned(group, own);
    const std::uint32_t size = memory.stack.count;
    if (first > size) first = 0;  // a team executed elements that it spawned itself
    std::uint32_t kept = first;
    bool stuck = false;
    for (std::uint32_t begin = first; begin < size; begin += group.Size()) {
      const std::uint32_t i = begin + group.Rank();
      Element element{};
      if (i < size) element = memory.elements[i];
      const bool leaves = i < size && element.Bucket() >= procedure::kEventBuckets;
      const LevelResult refused = space.levels.Push(group, space.board, leaves, element);
      stuck |= refused.stuck;
      const bool back = (refused.count >> group.Rank() & 1u) != 0;
      if (leaves && !back) Scope::Word(space.waiting[element.Procedure()]).FetchAddRelaxed(1);
      const bool stays = i < size && (!leaves || back);
      const std::uint32_t lanes = group.Ballot(stays);
      group.Barrier();
      if (stays) memory.elements[kept + exec::PlaceAmong(lanes, group.Rank())] = element;
      kept += exec::CountBits(lanes);
      group.Barrier();
    }
    if (group.Rank() == 0) {
      memory.stack.count = kept;
      memory.stack.levels = 0;
    }
    group.Barrier();
    return !stuck;
  }

 private:
  using Scope = typename Space::Scope;
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_WORKER_LEVEL_MOVES_H_
