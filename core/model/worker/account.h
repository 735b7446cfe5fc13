// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A worker's account with the event that it serves: elements that it finished and spawned, and the
// time that it took.
//
// The worker keeps the difference between what it spawned and what it finished, so that a recursion
// costs no atomics. It tells the event of spawned elements before it gives elements away or turns
// to another event. It tells the event of finished elements when it stops serving it; and so that
// not all workers change one word then, the workers of a block tell it together, by the last of
// them that serves the event. So an event whose counted elements are all finished is done:
//   Let a worker's part of the count be the elements that it held when it last told the event, and
//   those that it claimed or was given since. While it holds an element its part is not 0, since
//   the part gets smaller only when it tells the event, and is then what the worker holds. Finished
//   elements that are told late only make the count greater. So the count is 0 only when no worker
//   holds an element.
// Time is told while the event waits for the worker, or the slot's next event would be charged with
// it: together with the finished elements, or where as many were spawned as finished, before the
// worker gives elements away or turns to another event.
#ifndef WARPYARD_CORE_MODEL_WORKER_ACCOUNT_H_
#define WARPYARD_CORE_MODEL_WORKER_ACCOUNT_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/scope.h"
#include "core/model/worker/board/board.h"
#include "core/model/worker/worker_handle.h"
#include "core/model/worker/workspace.h"

namespace warpyard::model {

/// @scope all members: the group of the worker, unless said otherwise
template <exec::LaneScope Group, class Space>
class Account {
 public:
  Account() = delete;
  using Scope = typename Space::Scope;
  using Handle = WorkerHandle<Space>;
  using Memory = WorkerMemory<Space>;

  /// Before the worker begins. @scope one thread
  WY_HD static void Reset(Memory& memory) {
    memory.account = {kNoEvent, 0, 0, 0, kNoEvent, {0, 0}};
  }

  /// Whether the worker serves an event. @scope any thread
  WY_HD static bool Serves(const Memory& memory, std::uint32_t event) {
    return memory.account.serves != 0 && memory.account.event == event;
  }

  /// Counts elements of the event that the worker serves: spawned ones more than 0, finished ones
  /// less. @scope one thread, then a barrier
  WY_HD static void Count(Memory& memory, std::int32_t elements) {
    memory.account.uncounted += elements;
  }

  /// Charges that event with time of the worker. @scope as Count
  WY_HD static void Charge(Memory& memory, std::uint64_t cycles) {
    memory.account.charged_cycles += cycles;
  }

  /// Stops serving an event, and begins to serve another one. If the finished elements were the
  /// last ones of their stage, its next stage opens, or the event is done. Returns the event if its
  /// next stage has opened; else kNoEvent. @shape event: kNoEvent: none; done: called by one thread
  /// with
  ///     each event that is done
  template <class Done>
  WY_DEVICE_CALL WY_HD static std::uint32_t TurnTo(Group& group, const Handle far,
                                                   std::uint32_t event, Done done) {
    const Handle own = far.Near();
    WorkerAccount& account = own.Memory().account;
    if (account.serves != 0) TellSpawned(group, own);
    group.Barrier();
    if (group.Rank() == 0) {
      account.opened = kNoEvent;
      if (account.serves != 0) Leave(own, done);
      account.serves = 0;
      if (event != kNoEvent) Begin(own, event);
    }
    group.Barrier();
    return account.opened;
  }

  /// Begins to serve an event. @scope one thread @shape the worker serves none
  WY_HD static void Begin(const Handle own, std::uint32_t event) {
    WorkerAccount& account = own.Memory().account;
    account.serves = 1;
    account.event = event;
    Scope::BlockWord(own.block.accounts[event].serving).FetchAddRelaxed(1);
  }

  /// Tells the event of what makes the count greater, before others can take elements of the
  /// worker: these are then the others' part of the count. Where nothing is left to be told of
  /// elements, the event is told of the time, too: the worker holds some of its elements then, and
  /// may soon hold none.
  WY_HD static void TellSpawned(Group& group, const Handle own) {
    WorkerAccount& account = own.Memory().account;
    const std::int32_t uncounted = account.uncounted;
    const std::uint64_t cycles = account.charged_cycles;
    if (uncounted < 0 || (uncounted == 0 && cycles == 0)) return;
    group.Barrier();
    if (group.Rank() == 0) {
      account.uncounted = 0;
      account.charged_cycles = 0;
      own.space.events.CountIn(account.event, static_cast<std::uint32_t>(uncounted),
                               ToUs(own.block, LowCycles(cycles)));
    }
    group.Barrier();
  }

  /// Tells the event of the time, if there is much to tell, for the policy; not oftener, since all
  /// workers add to the same word. @shape the worker holds an element of the event
  WY_HD static void TellTimeSometimes(Group& group, const Handle own) {
    WorkerAccount& account = own.Memory().account;
    const std::uint64_t cycles = account.charged_cycles;
    if (cycles < kToldCycles) return;
    group.Barrier();
    if (group.Rank() == 0) {
      account.charged_cycles = 0;
      own.space.events.CountIn(account.event, 0, ToUs(own.block, LowCycles(cycles)));
    }
    group.Barrier();
  }

 private:
  static constexpr std::uint64_t kToldCycles = 50'000;
  static constexpr std::uint32_t kMostCycles = 1u << 28;  // of a block, not told

  /// A very long time counts as some time less.
  WY_HD static std::uint32_t LowCycles(std::uint64_t cycles) {
    return cycles < 0x7fffffffu ? static_cast<std::uint32_t>(cycles) : 0x7fffffffu;
  }
  /// Rounded, so that the sum of many short times is right.
  WY_HD static std::uint32_t ToUs(const BlockMemory<Space>& block, std::uint32_t cycles) {
    return static_cast<std::uint32_t>(static_cast<float>(cycles) * block.time.ns_per_cycle * 1e-3f +
                                      0.5f);
  }

  /// @scope one thread
  template <class Done>
  WY_HD static void Leave(const Handle own, Done& done) {
    WorkerAccount& account = own.Memory().account;
    BlockAccount& common = own.block.accounts[account.event];
    const auto finished = static_cast<std::uint32_t>(-account.uncounted);
    if (finished != 0) {
      AddTime(own, common, LowCycles(account.charged_cycles));
      // After the time, and with all stores: another worker may tell the event of both.
      Scope::BlockWord(common.finished).FetchAddAcqRel(finished);
    }
    account.uncounted = 0;
    account.charged_cycles = 0;
    if (Scope::BlockWord(common.serving).FetchAddAcqRel(~0u) == 1) Tell(own, common, done);
  }

  /// Adds to the time that the block has to tell, and tells it where workers that come and go keep
  /// the block from it. @scope one thread @shape the event waits for elements that this worker has
  ///     finished
  WY_HD static void AddTime(const Handle own, BlockAccount& common, std::uint32_t cycles) {
    if (cycles == 0) return;
    const auto sum = Scope::BlockWord(common.cycles);
    const std::uint32_t before = sum.FetchAddRelaxed(cycles);
    if (before < kMostCycles && cycles < kMostCycles) return;
    const std::uint32_t all = sum.ExchangeRelaxed(0u);
    own.space.events.CountIn(own.Memory().account.event, 0, ToUs(own.block, all));
  }

  /// @scope one thread
  template <class Done>
  WY_HD static void Tell(const Handle own, BlockAccount& common, Done& done) {
    const std::uint32_t finished = Scope::BlockWord(common.finished).ExchangeAcqRel(0u);
    if (finished == 0) return;
    const std::uint32_t cycles = Scope::BlockWord(common.cycles).ExchangeRelaxed(0u);
    WorkerAccount& account = own.Memory().account;
    const std::uint32_t event = account.event;
    const Opened opened =
        own.space.events.CountOut(event, finished, ToUs(own.block, cycles), own.space.board);
    if (opened.done) done(event);
    if (opened.elements == 0) return;
    account.opened = event;
    account.opened_stage = {opened.elements, opened.procedure};
  }
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_WORKER_ACCOUNT_H_
