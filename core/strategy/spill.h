// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Lazy work stealing: a block gives the oldest elements of its stack to all blocks, since old
// elements stand for the most work. [SilvaThesis Alg. 3.7-3.13]
#ifndef WARPYARD_CORE_STRATEGY_SPILL_H_
#define WARPYARD_CORE_STRATEGY_SPILL_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/bits.h"
#include "core/exec/scope.h"
#include "core/queue/queue_concept.h"

namespace warpyard::strategy {

/// How many elements were given; `stuck`: a bounded wait ran out.
struct Spilled {
  std::uint32_t count;
  bool stuck;
};

/// Moves up to `count` of the oldest elements of a stack to the queues of their buckets, as far as
/// these have room. @scope the group that owns the stack
template <class Procedures, exec::LaneScope Group, class Buckets, class Stack>
WY_DEVICE_CALL WY_HD Spilled SpillOldest(Group& group, Buckets& buckets, Stack& stack,
                                         std::uint32_t count) {
  Spilled spilled{0, false};
  if (group.Any(!buckets.HasRoom())) return spilled;
  while (count > 0) {
    typename Stack::Element element{};
    const std::uint32_t taken = stack.TakeOldest(group, count, element);
    if (taken == 0) break;
    const bool mine = group.Rank() < taken;
    Group::OrderBeforePut();
    const queue::PushResult result =
        buckets.Push(group, mine, element, Procedures::SpawnedIndex(element.Procedure()));
    const bool back = mine && result != queue::PushResult::kOk;
    stack.Push(group, back, element);
    spilled.stuck |= group.Any(mine && result == queue::PushResult::kStuck);
    const std::uint32_t refused = exec::CountBits(group.Ballot(back));
    spilled.count += taken - refused;
    if (refused != 0) break;
    count -= taken;
  }
  return spilled;
}

}  // namespace warpyard::strategy

#endif  // WARPYARD_CORE_STRATEGY_SPILL_H_
