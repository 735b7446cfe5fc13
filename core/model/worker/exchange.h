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
#include "core/model/worker/stack/own_stack.h"
#include "core/model/worker/worker_handle.h"
#include "core/model/worker/workspace.h"

namespace warpyard::model {

/// @scope all members: the group of the worker
template <exec::LaneScope Group, class Space>
class Exchange {
 public:
  Exchange() = delete;
  using Handle = WorkerHandle<Space>;
  using Stack = OwnStack<Group, Space>;

  /// A bit for each worker of the block that was given something, of those for which this worker
  /// acts: itself, and the members of the team that it leads. The bits of a lane; others have the
  /// rest.
  /// @shape members: a bit for each of them
  WY_HD static std::uint32_t Given(Group& group, const Handle own, std::uint32_t members) {
    std::uint32_t found = 0;
    for (std::uint32_t w = group.Rank(); w < kBlockWorkers; w += group.Size()) {
      const bool asks = (members >> w & 1u) != 0 && own.block.workers[w].waits != 0;
      if (asks && own.space.hand_over.Given(FirstOf(own) + w) != 0) found |= 1u << w;
    }
    return found;
  }

  /// Begins to wait, if it does not yet. False: a bounded wait ran out.
  WY_HD static bool Wait(Group& group, const Handle own) {
    if (own.Memory().waits != 0) return true;
    bool waits = false;
    group.Barrier();
    if (group.Rank() == 0) {
      waits = own.space.hand_over.Wait(own.place.index);
      own.Memory().waits = 1;
    }
    return group.Any(waits);
  }

  /// Puts what workers of the block were given on top of the stack of this one, as far as there is
  /// room. @shape given: a bit for each of these workers, the same in all lanes
  WY_HD static void Take(Group& group, const Handle own, Stack& stack, std::uint32_t given) {
    for (; given != 0 && stack.Free() >= kGivenElements; given &= given - 1) {
      const std::uint32_t w = exec::LowestBit(given);
      if (group.Rank() == 0) own.block.workers[w].waits = 0;
      own.space.hand_over.Take(group, FirstOf(own) + w,
                               [&](std::uint32_t count, auto&& at) { stack.Push(count, at); });
    }
  }

  /// The same where it has been told that there is something. @shape members: see Given
  WY_DEVICE_CALL WY_HD static void TakeAll(Group& group, const Handle far, std::uint32_t members) {
    const Handle own = far.Near();
    Stack stack(group, own.space, own.Memory(), own.place.index);
    Take(group, own, stack, OfAllLanes(group, Given(group, own, members)));
  }

  /// Gives where that is all that a look would do. False: a bounded wait ran out.
  WY_DEVICE_CALL WY_HD static bool GiveSome(Group& group, const Handle far, std::uint32_t waiting) {
    const Handle own = far.Near();
    Stack stack(group, own.space, own.Memory(), own.place.index);
    return stack.GivenCount(own.block.traits) == 0 || Give(group, own, stack, waiting);
  }

  /// The bits that any lane has; each of a lane's own.
  WY_HD static std::uint32_t OfAllLanes(Group& group, std::uint32_t bits) {
    if (group.Size() == 1) return bits;
    return group.Ballot(bits != 0);
  }

  /// Gives some of its oldest elements to those that wait longest, the same number to each: where
  /// many wait, all soon have something that grows. False: a bounded wait ran out.
  /// @shape waiting: how many wait
  WY_HD static bool Give(Group& group, const Handle own, Stack& stack, std::uint32_t waiting) {
    auto& hand_over = own.space.hand_over;
    const std::uint32_t count = stack.GivenCount(own.block.traits);
    // A taker gets a part of a round at least: less is executed sooner than handed over.
    const std::uint32_t groups = own.block.traits[stack.Newest().Procedure()].groups;
    const std::uint32_t least = groups < kPartsOfRound ? 1 : groups / kPartsOfRound;
    const std::uint32_t most = exec::Least(count / least + (count < least ? 1 : 0), kMostTakers);
    const std::uint32_t wanted = exec::Least(exec::Least(waiting, most), group.Size());
    const std::uint32_t mine = hand_over.Choose(group, wanted);
    if (group.Any(mine == hand_over.kNoAnswer)) return false;
    const std::uint32_t chosen = group.Ballot(mine != hand_over.kNobody);
    if (chosen == 0) return true;
    Account<Group, Space>::TellSpawned(group, own);
    const std::uint32_t takers = exec::CountBits(chosen);
    const std::uint32_t each = count / takers;
    stack.TakeOldest(each * takers, [&](auto&& at) {
      std::uint32_t first = 0;
      for (std::uint32_t lanes = chosen; lanes != 0; lanes &= lanes - 1, first += each) {
        const std::uint32_t taker = group.BroadcastFrom(mine, exec::LowestBit(lanes));
        hand_over.Write(group, taker, each, [&](std::uint32_t i) { return at(first + i); });
      }
      group.Barrier();
      if (mine != hand_over.kNobody) hand_over.Publish(mine, each);
      group.Barrier();
    });
    if (group.Rank() == 0) {
      Space::Scope::BlockWord(own.block.counters.given).FetchAddRelaxed(each * takers);
    }
    return true;
  }

 private:
  static constexpr std::uint32_t kMostTakers = 8;  // of one worker's elements at once
  static constexpr std::uint32_t kPartsOfRound = 4;
  static constexpr std::uint32_t kBlockWorkers = Space::Shape::kBlockWorkers;
  WY_HD static std::uint32_t FirstOf(const Handle own) {
    return own.place.index - own.place.in_block;
  }
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_WORKER_EXCHANGE_H_
