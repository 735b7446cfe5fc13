// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Giving elements of a block's stack to all blocks: the oldest, which stand for the most work (lazy
// work stealing, [SilvaThesis Alg. 3.7-3.13]).
#ifndef WARPYARD_CORE_STRATEGY_SHARE_H_
#define WARPYARD_CORE_STRATEGY_SHARE_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/bits.h"
#include "core/exec/scope.h"
#include "core/queue/queue_concept.h"

namespace warpyard::strategy {

/// What was given; `stuck`: a bounded wait ran out.
struct Shared {
  std::uint32_t count;
  bool stuck;
};

/// Moves up to `count` of the oldest elements of a stack to the queues of their buckets, as far as
/// these have room. @scope the group that owns the stack
template <class Procedures, exec::LaneScope Group, class Buckets, class Stack>
WY_DEVICE_CALL WY_HD Shared ShareOldest(Group& group, Buckets& buckets, Stack& stack,
                                        std::uint32_t count) {
  Shared shared{0, false};
  if (group.Any(!buckets.HasRoom())) return shared;
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
    shared.stuck |= group.Any(mine && result == queue::PushResult::kStuck);
    const std::uint32_t refused = exec::CountBits(group.Ballot(back));
    shared.count += taken - refused;
    if (refused != 0) break;
    count -= taken;
  }
  return shared;
}

}  // namespace warpyard::strategy

#endif  // WARPYARD_CORE_STRATEGY_SHARE_H_
