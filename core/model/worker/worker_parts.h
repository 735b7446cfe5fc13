// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What a worker is made of.
//
// On a GPU its parts lie in registers. So no function that the compiler does not copy into the kernel
// gets a part by reference: all parts would lie in memory then, and every decision would wait for it.
// Slow paths are static functions that get the memories.
#ifndef WARPYARD_CORE_MODEL_WORKER_WORKER_PARTS_H_
#define WARPYARD_CORE_MODEL_WORKER_WORKER_PARTS_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/scope.h"
#include "core/model/worker/account.h"
#include "core/model/worker/block_range.h"
#include "core/model/worker/board.h"
#include "core/model/worker/exchange.h"
#include "core/model/worker/own_stack.h"
#include "core/model/worker/stage_claims.h"
#include "core/model/worker/workspace.h"
#include "core/procedure/element.h"

namespace warpyard::model {

/// What a worker did.
enum class Found {
  kRan,      ///< something: it is to go on
  kNothing,  ///< there is nothing to do
  kLeave,    ///< its launch is to end, and its elements are parked
  kStuck,    ///< a bounded wait ran out
};

/// Which worker it is. @shape index: less than `workers`, of all blocks; in_block: of its block
struct WorkerPlace {
  std::uint32_t index;
  std::uint32_t in_block;
  std::uint32_t workers;
  std::uint32_t launch;  ///< from 1
};

/// What a worker knows and does now.
struct WorkerState {
  std::uint32_t look_in = 0;          ///< rounds
  std::uint32_t quick = 0;            ///< times that it went on without a look
  std::uint32_t running = 1;          ///< events, at the last look
  std::uint32_t expected = kNoEvent;  ///< an event that alone had an open stage
  StageHint hint{0, 0};               ///< that stage
  bool range_first = true;  ///< elements of its block come before those of its stack
  bool shares = false;      ///< its event shares the device with others
  bool dropped = false;     ///< its event seems to be cancelled or to have failed
  bool leaving = false;     ///< its launch is to end
};

/// @scope all members: the group of the worker
template <exec::LaneScope Group, class Space>
struct WorkerParts {
  using Scope = typename Space::Scope;

  WY_HD WorkerParts(Group& worker_group, Space& shared_space, BlockMemory<Space>& block_memory,
                    const WorkerPlace& where)
      : group(worker_group),
        space(shared_space),
        block(block_memory),
        memory(block_memory.workers[where.in_block]),
        place(where),
        stack(group, space, memory, place.index),
        range(group, block.range),
        account(group, space, block, memory),
        claims(group, space, block, place.workers),
        exchange(group, space, block, place.index - place.in_block, place.in_block) {
    if (group.Rank() == 0) Begin();
    group.Barrier();
  }

  /// Whether the block's range has elements, the same for all lanes.
  WY_HD bool IsRanged() { return group.Any(range.HasMore()); }
  WY_HD bool HasOwn() { return stack.Size() != 0 || IsRanged(); }

  WY_HD void Count(std::int32_t elements) {
    if (group.Rank() == 0) account.Count(elements);
    group.Barrier();
  }

  /// Looks again whether the event that the worker serves is to be dropped, if it seemed so: the slot
  /// may have gone on to another event in between. Now the worker holds an element of the event.
  WY_HD bool ConfirmDropped(bool seems) {
    return seems && group.Any(space.events.IsDropped(memory.event));
  }

  Group& group;
  Space& space;
  BlockMemory<Space>& block;
  WorkerMemory<Space>& memory;
  const WorkerPlace place;
  OwnStack<Group, Space> stack;
  BlockRange<Group, Scope> range;
  Account<Group, Space> account;
  StageClaims<Group, Space> claims;
  Exchange<Group, Space> exchange;
  WorkerState now;

 private:
  /// @scope one thread
  WY_HD void Begin() {
    const ParkedWorker& parked = space.parked[place.index];
    memory.stack = {0, memory.elements, true, 0};
    memory.reserve_from = parked.reserve_from;
    memory.reserve_to = parked.reserve_to;
    memory.event = memory.opened = kNoEvent;
    memory.serves = 0;
    memory.uncounted = 0;
    memory.charged_cycles = 0;
    memory.reported = ~0u;
    memory.waits = parked.waits;
    memory.window = {0, static_cast<std::uint32_t>(Scope::Cycles()) * 2654435761u};
  }
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_WORKER_WORKER_PARTS_H_
