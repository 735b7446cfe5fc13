// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A worker's side of handing elements over: it gives its oldest ones to workers that wait, and
// takes what others gave to it (hand_over.h).
#ifndef WARPYARD_CORE_MODEL_WORKER_EXCHANGE_H_
#define WARPYARD_CORE_MODEL_WORKER_EXCHANGE_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/bits.h"
#include "core/exec/scope.h"
#include "core/model/worker/account.h"
#include "core/model/worker/hand_over.h"
#include "core/model/worker/own_stack.h"
#include "core/model/worker/workspace.h"

namespace warpyard::model {

/// @scope all members: the group of the worker
template <exec::LaneScope Group, class Space>
class Exchange {
 public:
  /// @shape first: number of the first worker of the block; in_block: the worker's place in it
  WY_HD Exchange(Group& group, Space& space, BlockMemory<Space>& block, std::uint32_t first,
                 std::uint32_t in_block)
      : group_(group), space_(space), block_(block), first_(first), in_block_(in_block) {}

  /// A bit for each worker of the block that was given something, of those for which this worker
  /// acts: itself, and the members of the team that it leads. @shape members: a bit for each of them
  WY_HD std::uint32_t Given(std::uint32_t members) {
    std::uint32_t found = 0;
    for (std::uint32_t w = group_.Rank(); w < kBlockWorkers; w += group_.Size()) {
      const bool asks = (members >> w & 1u) != 0 && block_.workers[w].waits != 0;
      if (asks && space_.hand_over.Given(first_ + w) != 0) found |= 1u << w;
    }
    return found;  // of this lane
  }

  /// Begins to wait, if it does not yet. False: a bounded wait ran out.
  WY_HD bool Wait() {
    if (Waits()) return true;
    bool waits = false;
    group_.Barrier();
    if (group_.Rank() == 0) {
      waits = space_.hand_over.Wait(first_ + in_block_);
      block_.workers[in_block_].waits = 1;
    }
    return group_.Any(waits);
  }
  /// Whether others may give it something.
  WY_HD bool Waits() const { return block_.workers[in_block_].waits != 0; }

  /// Puts what workers of the block were given on top of the stack of this one, as far as there is
  /// room. @shape given: a bit for each of these workers, the same in all lanes
  WY_HD void Take(OwnStack<Group, Space>& stack, std::uint32_t given) {
    for (; given != 0 && stack.Free() >= kGivenElements; given &= given - 1) {
      const std::uint32_t w = exec::LowestBit(given);
      if (group_.Rank() == 0) block_.workers[w].waits = 0;
      space_.hand_over.Take(group_, first_ + w,
                            [&](std::uint32_t count, auto&& at) { stack.Push(count, at); });
    }
  }

  /// Gives some of its oldest elements to the worker that waits longest. False: a bounded wait ran
  /// out.
  WY_HD bool Give(OwnStack<Group, Space>& stack, Account<Group, Space>& account) {
    std::uint32_t worker = 0;
    if (group_.Rank() == 0) worker = space_.hand_over.Choose();
    worker = group_.Broadcast(worker);
    if (worker == space_.hand_over.kNobody) return true;
    if (worker == space_.hand_over.kNoAnswer) return false;
    account.TellSpawned();
    const std::uint32_t count = stack.GivenCount();
    stack.TakeOldest(count, [&](auto&& at) { space_.hand_over.Give(group_, worker, count, at); });
    if (group_.Rank() == 0) Space::Scope::BlockWord(block_.given).FetchAddRelaxed(count);
    return true;
  }

 private:
  static constexpr std::uint32_t kBlockWorkers = Space::Shape::kBlockWorkers;

  Group& group_;
  Space& space_;
  BlockMemory<Space>& block_;
  const std::uint32_t first_;
  const std::uint32_t in_block_;
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_WORKER_EXCHANGE_H_
