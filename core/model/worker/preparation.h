// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Prepares what a worker executes next: elements that it has drawn, or the newest ones of its
// stack. It turns to their event, and makes room for their spawns. An event for whose spawns a
// worker has no room fails, and no other event notices.
#ifndef WARPYARD_CORE_MODEL_WORKER_PREPARATION_H_
#define WARPYARD_CORE_MODEL_WORKER_PREPARATION_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/bits.h"
#include "core/model/worker/account.h"
#include "core/model/worker/stack/own_stack.h"
#include "core/model/worker/stage_claims.h"
#include "core/model/worker/worker_handle.h"
#include "core/model/worker/worker_parts.h"
#include "core/model/worker/workspace.h"
#include "core/procedure/element.h"

namespace warpyard::model {

/// Elements that are executed next, as one round.
struct Ready {
  Round round;
  std::uint32_t counted;    ///< elements of the event's account; 0: nothing is ready
  bool on_stack;            ///< its one element is still on the stack
  bool is_taken;            ///< it is a portion of what was taken, not of the stack
  procedure::Element mine;  ///< of the lane
};

/// Parts: see WorkerParts. @scope all members: the group of the worker
template <class Parts>
class Preparation {
 public:
  Preparation() = delete;
  using Group = typename Parts::Group;
  using Space = typename Parts::Space;

  /// Prepares a portion of what was taken; the rest goes on the stack. Nothing is ready where the
  /// event is to be dropped.
  template <class Done>
  WY_INLINED WY_HD static Ready Taken(Parts& self, Done& done) {
    const TakenElements& taken = self.memory.taken;
    const ProcedureTraits& traits = self.own.block.traits[taken.claim.plan.procedure];
    const bool served = Serve(self, taken.event, done);
    self.now.dropped = (taken.dropped || (served && self.now.dropped)) &&
                       self.group.Any(self.own.space.events.IsDropped(taken.event));
    const std::uint32_t count = exec::Least(taken.claim.count, taken.portion);
    const std::uint32_t elements = traits.merges != 0 ? 1 : count;
    const std::uint32_t rest = taken.claim.count - count;
    // A package goes on the stack itself, where another team gathers first.
    const bool may_stay = traits.lanes == 0 && traits.max_spawns == 0;
    const std::uint32_t most = may_stay ? 1 : elements * traits.max_spawns;
    if (!self.now.dropped && !self.stack.MakeRoomFor(rest + most)) {
      FailWithoutRoom(self);
    }
    if (self.now.dropped) {
      Drop(self.group, self.own);
      return {};
    }
    if (rest != 0) {
      self.stack.Push(rest, [&](std::uint32_t i) {
        return StageClaims<Space>::ElementOf(taken, taken.claim.count - 1 - i, 1);
      });
      self.now.range_first = false;
    }
    if (traits.max_spawns != 0) self.now.range_first = false;  // what it spawns is executed first
    Ready ready{{elements, taken.claim.plan.procedure, traits.lanes}, count, false, true, {}};
    ready.mine = StageClaims<Space>::ElementOf(taken, NumberOf(self, traits.lanes),
                                               traits.merges != 0 ? count : 1);
    return ready;
  }

  /// Prepares the newest elements of the stack. Nothing is ready where they were dropped.
  template <class Done>
  WY_INLINED WY_HD static Ready Newest(Parts& self, Done& done) {
    const procedure::Element newest = self.stack.Newest();
    const bool served = Serve(self, newest.Event(), done);
    if (!served || self.now.dropped) {
      self.now.dropped = self.group.Any(self.own.space.events.IsDropped(newest.Event()));
    }
    if (self.now.dropped) {
      DropNewest(self.group, self.own);
      return {};
    }
    Round round = self.stack.NewestRound(self.own.block.traits);
    const std::uint32_t most_spawns = self.own.block.traits[round.procedure].max_spawns;
    const std::uint32_t fit = self.stack.MakeRoom(round.count, most_spawns);
    if (fit == 0) {
      FailWithoutRoom(self);
      DropNewest(self.group, self.own);
      return {};
    }
    round.count = exec::Least(round.count, fit);
    Ready ready{round, round.count, round.lanes == 0, false, newest};
    if (round.lanes == 0) return ready;
    const std::uint32_t number = NumberOf(self, round.lanes);
    if (number < round.count) ready.mine = self.memory.elements[self.stack.Size() - 1 - number];
    self.stack.Pop(round.count);
    return ready;
  }

  /// Which element of a round the lane executes. Only sets of several threads need the division.
  WY_HD static std::uint32_t NumberOf(const Parts& self, std::uint32_t lanes) {
    if (lanes == 1) return self.group.Rank();
    return lanes == self.group.Size() || lanes == 0 ? 0 : self.group.Rank() / lanes;
  }

 private:
  using Scope = typename Space::Scope;

  /// Turns to an event. Returns whether the worker has served it before.
  template <class Done>
  WY_INLINED WY_HD static bool Serve(Parts& self, std::uint32_t event, Done& done) {
    if (Account<Group, Space>::Serves(self.memory, event)) return true;
    if (self.memory.account.serves != 0) {
      Account<Group, Space>::TurnTo(self.group, self.own, event, done);
    } else {
      self.group.Barrier();
      if (self.group.Rank() == 0) Account<Group, Space>::Begin(self.own, event);
      self.group.Barrier();
    }
    return false;
  }

  /// Counts out what was taken, and the rest of its stage.
  WY_DEVICE_CALL WY_HD static void Drop(Group& group, const WorkerHandle<Space> far) {
    const WorkerHandle<Space> own = far.Near();
    if (group.Rank() == 0) {
      TakenElements& taken = own.Memory().taken;
      StageClaims<Space>::Release(own.block, taken);
      const std::uint32_t more = StageClaims<Space>::ClaimDropped(own.space, taken.event);
      Account<Group, Space>::Count(own.Memory(),
                                   -static_cast<std::int32_t>(taken.claim.count + more));
    }
    group.Barrier();
  }

  /// Counts out the newest elements of the stack, as far as they are of one event.
  WY_DEVICE_CALL WY_HD static void DropNewest(Group& group, const WorkerHandle<Space> far) {
    WorkerMemory<Space>& memory = far.Near().Memory();
    group.Barrier();  // all lanes have read the stack
    if (group.Rank() == 0) {
      const std::uint32_t before = memory.stack.count;
      const std::uint32_t event = memory.elements[before - 1].Event();
      std::uint32_t left = before - 1;
      while (left != 0 && memory.elements[left - 1].Event() == event) --left;
      memory.stack.count = left;
      Account<Group, Space>::Count(
          memory, static_cast<std::int32_t>(left) - static_cast<std::int32_t>(before));
    }
    group.Barrier();
  }

  /// Fails the event that the worker serves.
  WY_HD static void FailWithoutRoom(Parts& self) {
    if (self.group.Rank() == 0) {
      Scope::Word(self.own.space.events[self.memory.account.event].error)
          .StoreRelaxed(static_cast<std::uint32_t>(procedure::EventError::kNoRoom));
    }
    self.group.Barrier();
    self.now.dropped = true;
  }
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_WORKER_PREPARATION_H_
