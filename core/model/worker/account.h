// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A worker's account with the event that it serves: elements that it finished and spawned, and the
// time that it took.
//
// The worker keeps the difference between what it spawned and what it finished, so that a recursion
// costs no atomics. It tells the event of spawned elements before it gives elements away or turns to
// another event. It tells the event of finished elements when it stops serving it; and so that not
// all workers change one word then, the workers of a block tell it together, by the last of them that
// serves the event. So an event whose counted elements are all finished is done:
//   Let a worker's part of the count be the elements that it held when it last told the event, and
//   those that it claimed or was given since. While it holds an element its part is not 0, since the
//   part gets smaller only when it tells the event, and is then what the worker holds. Finished
//   elements that are told late only make the count greater. So the count is 0 only when no worker
//   holds an element.
#ifndef WARPYARD_CORE_MODEL_WORKER_ACCOUNT_H_
#define WARPYARD_CORE_MODEL_WORKER_ACCOUNT_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/scope.h"
#include "core/model/worker/board.h"
#include "core/model/worker/workspace.h"

namespace warpyard::model {

/// @scope all members: the group of the worker, with the same arguments
template <exec::LaneScope Group, class Space>
class Account {
 public:
  WY_HD Account(Group& group, Space& space, BlockMemory<Space>& block, WorkerMemory<Space>& memory)
      : group_(group), space_(space), block_(block), memory_(memory) {}

  /// The event that the worker serves, or served last; kNoEvent: none yet.
  WY_HD std::uint32_t Event() const { return memory_.event; }

  /// Counts elements of the event: spawned ones more than 0, finished ones less.
  /// @scope one thread, then a barrier
  WY_HD void Count(std::int32_t elements) { memory_.uncounted += elements; }

  /// Charges the event with time of the worker. @scope as Count
  WY_HD void Charge(std::uint64_t cycles) { memory_.charged_cycles += cycles; }

  /// Begins to serve an event. @shape done: called by one thread with each event that is done
  template <class Done>
  WY_HD void TurnTo(std::uint32_t event, Done& done) {
    if (memory_.serves != 0 && event == memory_.event) return;
    Leave(done);
    if (group_.Rank() == 0) {
      memory_.event = event;
      memory_.serves = 1;
      Scope::BlockWord(block_.accounts[event].serving).FetchAddRelaxed(1);
    }
    group_.Barrier();
  }

  /// Stops serving the event. The next stage opens, or the event is done, when the finished elements
  /// were the last ones. Returns the event if its next stage has opened; else kNoEvent.
  template <class Done>
  WY_HD std::uint32_t Leave(Done& done) {
    if (memory_.serves == 0) return kNoEvent;
    TellSpawned();
    group_.Barrier();
    if (group_.Rank() == 0) {
      BlockAccount& account = block_.accounts[memory_.event];
      const auto finished = static_cast<std::uint32_t>(-memory_.uncounted);
      if (finished != 0) Scope::BlockWord(account.finished).FetchAddRelaxed(finished);
      const std::uint64_t cycles = memory_.charged_cycles;
      if (cycles != 0) Scope::BlockWord(account.cycles).FetchAddRelaxed(LowCycles(cycles));
      memory_.uncounted = 0;
      memory_.charged_cycles = 0;
      memory_.serves = 0;
      memory_.opened = kNoEvent;
      if (Scope::BlockWord(account.serving).FetchAddAcqRel(~0u) == 1) {
        Tell(space_, block_, memory_, done);
      }
    }
    group_.Barrier();
    return memory_.opened;
  }

  /// Tells the event of what makes the count greater, before others can take elements of the worker:
  /// these are then the others' part of the count.
  WY_HD void TellSpawned() {
    const std::int32_t uncounted = memory_.uncounted;
    if (uncounted <= 0) return;
    group_.Barrier();
    if (group_.Rank() == 0) {
      memory_.uncounted = 0;
      space_.events.CountIn(memory_.event, static_cast<std::uint32_t>(uncounted), 0);
    }
    group_.Barrier();
  }

  /// Tells the event of the time, if there is much to tell, for the policy; not oftener, since all
  /// workers add to the same word. @shape the worker holds an element of the event
  WY_HD void TellTimeSometimes() {
    const std::uint64_t cycles = memory_.charged_cycles;
    if (cycles < kToldCycles) return;
    group_.Barrier();
    if (group_.Rank() == 0) {
      memory_.charged_cycles = 0;
      space_.events.CountIn(memory_.event, 0, ToUs(block_, LowCycles(cycles)));
    }
    group_.Barrier();
  }

 private:
  using Scope = typename Space::Scope;
  static constexpr std::uint64_t kToldCycles = 50'000;

  /// A very long time counts as some time less.
  WY_HD static std::uint32_t LowCycles(std::uint64_t cycles) {
    return cycles < 0x7fffffffu ? static_cast<std::uint32_t>(cycles) : 0x7fffffffu;
  }
  /// Rounded, so that the sum of many short times is right.
  WY_HD static std::uint32_t ToUs(const BlockMemory<Space>& block, std::uint32_t cycles) {
    return static_cast<std::uint32_t>(static_cast<float>(cycles) * block.ns_per_cycle * 1e-3f +
                                      0.5f);
  }

  /// @scope one thread
  template <class Done>
  WY_DEVICE_CALL WY_HD static void Tell(Space& space, BlockMemory<Space>& block,
                                        WorkerMemory<Space>& memory, Done& done) {
    BlockAccount& account = block.accounts[memory.event];
    const std::uint32_t finished = Scope::BlockWord(account.finished).ExchangeRelaxed(0u);
    const std::uint32_t cycles = Scope::BlockWord(account.cycles).ExchangeRelaxed(0u);
    if (finished == 0) return;
    const std::uint32_t event = memory.event;
    const Opened opened =
        space.events.CountOut(event, finished, ToUs(block, cycles), space.board);
    if (opened.done) done(event);
    if (opened.elements == 0) return;
    memory.opened = event;
    memory.opened_stage = {opened.elements, opened.procedure};
  }

  Group& group_;
  Space& space_;
  BlockMemory<Space>& block_;
  WorkerMemory<Space>& memory_;
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_WORKER_ACCOUNT_H_
