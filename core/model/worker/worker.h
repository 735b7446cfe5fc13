// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A worker: a group of lanes that decides by itself what it executes next. Warps of the megakernel
// and threads of a CPU run this one loop. [Steinberger §3.4.2, §6.4]
//
// Every few rounds the worker looks around (drawing.h). Then it turns to the event that comes first:
// it has elements of it on its stack, or its block has some in its range (block_range.h), or it
// claims some of the event's open stage, or it takes one of a level. What it had waits below. Between
// looks it executes the newest elements of its stack, and what these spawn goes there, too. If others
// wait it gives its oldest elements away. If it has nothing and finds nothing, it waits for elements
// of others (hand_over.h).
// The worker that counts out the last element of a stage opens the next one (event_table.h).
// An event for whose spawns a worker has no room fails, and no other event notices.
#ifndef WARPYARD_CORE_MODEL_WORKER_WORKER_H_
#define WARPYARD_CORE_MODEL_WORKER_WORKER_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/scope.h"
#include "core/model/worker/block_range.h"
#include "core/model/worker/drawing.h"
#include "core/model/worker/level_moves.h"
#include "core/model/worker/own_stack.h"
#include "core/model/worker/share_clocks.h"
#include "core/model/worker/worker_counts.h"
#include "core/model/worker/worker_parts.h"
#include "core/model/worker/workspace.h"
#include "core/procedure/element.h"
#include "core/procedure/procedure_concept.h"

namespace warpyard::model {

/// The context of an element that a group executes.
template <class Group, class Space>
WY_HD procedure::Context<Group, typename Space::Program::Job> MakeContext(
    Group& group, Space& space, procedure::SpawnBuffer& spawns, std::uint32_t head) {
  auto& event = space.events[procedure::EventOf(head)];
  return {group, event.job, &event.cancel, &spawns, head, 0, &event.error};
}

/// Executor: executes elements on the lanes of the worker, and with other workers of its block:
///   void Run(const Round&, const Element& mine, SpawnBuffer&)   @scope the group
///   see WarpExecutor for elements that need a team
/// @scope all members: the group of the worker
template <exec::LaneScope Group, class Space, class Executor>
class Worker {
 public:
  using Scope = typename Space::Scope;
  using Element = procedure::Element;
  using Counts = WorkerCounts<Space>;

  /// After Counts::Reset of the block.
  WY_HD Worker(Group& group, Space& space, BlockMemory<Space>& block, Executor& executor,
               const WorkerPlace& place)
      : my_(group, space, block, place), executor_(executor) {}

  /// One decision and its execution. @shape done: called by one thread with each event that is done
  template <class Done>
  WY_INLINED WY_HD Found Step(Done& done) {
    const bool empty = my_.stack.Size() == 0;
    if (executor_.IsWanted(!empty)) {
      my_.account.Leave(done);  // a stage may wait for what this worker has finished
      executor_.Join(!empty);
      my_.now.look_in = 0;
      return Found::kRan;
    }
    Drawing<Group, Space, Executor, Done> drawing(my_, executor_, done);
    TakenElements taken{};
    Found found = Found::kRan;
    if (empty) {
      if (my_.now.look_in != 0 || my_.now.expected != kNoEvent || drawing.IsQuiet()) {
        taken = my_.range.Take();
        if (taken.claim.count == 0) found = drawing.DrawAgain(taken);
        if (found != Found::kRan) return found;
      }
    }
    if (taken.claim.count == 0) {
      if (my_.now.look_in == 0 || empty) found = drawing.Look(taken);
      if (found != Found::kRan) return found;
      const bool ranged = my_.now.range_first || my_.stack.Size() == 0;
      if (taken.claim.count == 0 && ranged) taken = my_.range.Take();
    }
    if (my_.now.look_in != 0) --my_.now.look_in;
    do {
      if (taken.stuck != 0) return Found::kStuck;
      Ready ready = taken.claim.count != 0 ? Prepare(taken, done) : PrepareNewest(done);
      if (ready.counted == 0) return Found::kRan;
      taken = {};
      found = ready.round.lanes == 0 ? LeadTeam(ready) : Execute(ready, taken);
    } while (taken.claim.count != 0 && found == Found::kRan);
    return found;
  }

  /// Tells a worker that found nothing what the board shows now. Returns whether it should look.
  /// @scope any lane, all with the same news
  WY_HD bool Heed(const BoardNews& news) {
    my_.now.expected = news.OnlyOpen();
    my_.now.hint = news.HintOf(my_.now.expected);
    return news.HasWork() || news.IsLeaving(my_.place.launch);
  }
  /// Tells a worker that found nothing that others gave something to it.
  WY_HD void MustLook() {
    my_.now.expected = kNoEvent;
    my_.now.look_in = 0;
    my_.now.quick = ~0u;
  }
  /// Whether its block has something for it. @scope any lane
  WY_HD bool HasNewsOfBlock() { return my_.range.HasMore() || executor_.IsWanted(false); }

  /// Adds the counts of its block to those of all, for a worker that is to wait long.
  WY_HD void Rest() {
    Counts::Flush(my_.group, my_.space, my_.block);
    Report(WorkerActivity::kIdle, ~0u);
  }
  /// Before the worker ends.
  WY_HD void End() { Report(WorkerActivity::kAbsent, ~0u); }

  WY_HD void CountBackOff() {
    if (my_.group.Rank() == 0) Scope::BlockWord(my_.block.back_offs).FetchAddRelaxed(1);
  }

 private:
  /// Elements that are executed next, as one round.
  struct Ready {
    Round round;
    std::uint32_t counted;  ///< elements of the event's account; 0: nothing is ready
    bool on_stack;          ///< its one element is still on the stack
    Element mine;           ///< of the lane
  };

  static constexpr std::uint64_t kLongCycles = 4'000;    // a look costs little beside such a round
  static constexpr std::uint64_t kRangeCycles = 12'000;  // of the block's elements, without a look

  /// Prepares a portion of what was taken; the rest goes on the stack. Nothing is ready where the
  /// event is to be dropped.
  template <class Done>
  WY_INLINED WY_HD Ready Prepare(const TakenElements& taken, Done& done) {
    const std::uint32_t procedure = taken.claim.plan.procedure;
    const ProcedureTraits& traits = my_.block.traits[procedure];
    const bool served = Serve(taken.event, done);
    if (taken.dropped != 0 || (served && my_.now.dropped)) {
      my_.now.dropped = my_.group.Any(my_.space.events.IsDropped(taken.event));
    } else {
      my_.now.dropped = false;
    }
    const std::uint32_t count = exec::Least(taken.claim.count, taken.portion);
    const std::uint32_t elements = traits.merges != 0 ? 1 : count;
    if (!my_.now.dropped && traits.max_spawns != 0 &&
        !my_.stack.MakeRoomFor(elements, traits.max_spawns)) {
      FailWithoutRoom();
    }
    if (my_.now.dropped) {
      const std::uint32_t more = my_.claims.ClaimDropped(taken.event);
      my_.Count(-static_cast<std::int32_t>(taken.claim.count + more));
      return {};
    }
    if (count != taken.claim.count) {
      my_.claims.PushTo(my_.stack, taken, count);
      my_.now.range_first = false;
    }
    Ready ready{{elements, procedure, traits.lanes}, count, false, {}};
    const std::uint32_t number = NumberOf(traits.lanes);
    if (number < elements) {
      ready.mine = my_.claims.ElementOf(taken, number, traits.merges != 0 ? count : 1);
    }
    return ready;
  }

  /// Prepares the newest elements of the stack. Nothing is ready where they were dropped.
  template <class Done>
  WY_INLINED WY_HD Ready PrepareNewest(Done& done) {
    if (my_.stack.Size() == 0) return {};
    const Element newest = my_.stack.Newest();
    if (!Serve(newest.Event(), done)) {
      my_.now.dropped = my_.group.Any(my_.space.events.IsDropped(newest.Event()));
    }
    my_.now.dropped = my_.ConfirmDropped(my_.now.dropped);
    Round round = my_.stack.NewestRound(my_.block.traits);
    const ProcedureTraits& traits = my_.block.traits[round.procedure];
    if (!my_.now.dropped) {
      const std::uint32_t fit = my_.stack.MakeRoom(round.count, traits.max_spawns);
      if (fit == 0) FailWithoutRoom();
      round.count = exec::Least(round.count, fit);
    }
    if (my_.now.dropped) {
      round.count = round.count == 0 ? 1 : round.count;
      my_.stack.Pop(round.count);
      my_.Count(-static_cast<std::int32_t>(round.count));
      return {};
    }
    Ready ready{round, round.count, round.lanes == 0, newest};
    if (round.lanes == 0) return ready;
    const std::uint32_t number = NumberOf(round.lanes);
    if (number < round.count) ready.mine = my_.memory.elements[my_.stack.Size() - 1 - number];
    my_.stack.Pop(round.count);
    return ready;
  }

  /// Turns to an event. Returns whether the worker has served it before.
  template <class Done>
  WY_INLINED WY_HD bool Serve(std::uint32_t event, Done& done) {
    if (my_.memory.serves != 0 && event == my_.memory.event) return true;
    my_.account.TurnTo(event, done);
    return false;
  }

  /// Which element of a round the lane executes. Only sets of several threads need the division.
  WY_HD std::uint32_t NumberOf(std::uint32_t lanes) const {
    if (lanes <= 1) return my_.group.Rank();
    return lanes == my_.group.Size() ? 0 : my_.group.Rank() / lanes;
  }

  /// Executes a round, and more of the same stage if its block has drawn some. @shape taken: gets
  /// what it took of the block's range, and did not execute
  WY_INLINED WY_HD Found Execute(Ready& ready, TakenElements& taken) {
    executor_.Dissolve();
    ReportIfNew(my_.group.Broadcast(ready.mine.head));
    const std::uint32_t left = my_.stack.Size();
    const ProcedureTraits& traits = my_.block.traits[ready.round.procedure];
    const bool goes_on = traits.max_spawns == 0 && left == 0 && !my_.now.shares;
    std::uint32_t counted = 0;
    const std::uint64_t begin = Scope::Cycles();
    while (true) {
      executor_.Run(ready.round, ready.mine, my_.memory.stack);
      my_.group.Barrier();
      counted += ready.counted;
      if (!goes_on || my_.group.Any(Scope::Cycles() - begin > kRangeCycles)) break;
      taken = my_.range.Take();
      if (taken.claim.count == 0 || taken.event != my_.memory.event || taken.dropped != 0 ||
          taken.claim.plan.procedure != ready.round.procedure) {
        break;
      }
      ready.counted = taken.claim.count;
      ready.round.count = traits.merges != 0 ? 1 : taken.claim.count;
      const std::uint32_t number = NumberOf(ready.round.lanes);
      if (number < ready.round.count) {
        ready.mine = my_.claims.ElementOf(taken, number, traits.merges != 0 ? ready.counted : 1);
      }
      taken.claim.count = 0;
    }
    return Finish(ready.round.procedure, left, {counted, 1, Scope::Cycles() - begin});
  }

  /// What was executed.
  struct Executed {
    std::uint32_t counted;  ///< elements of the event's account
    std::uint32_t workers;  ///< that executed them together
    std::uint64_t cycles;
  };

  /// Counts what was executed. @shape left: size of the stack without it, modulo 2^32
  WY_INLINED WY_HD Found Finish(std::uint32_t procedure, std::uint32_t left, Executed done) {
    done.cycles = my_.group.Broadcast(done.cycles);
    const std::uint32_t spawned = my_.stack.Size() - left;
    if (done.cycles > kLongCycles) my_.now.look_in = 0;
    if (my_.group.Rank() == 0) {
      const std::uint64_t cycles = done.cycles * done.workers;
      my_.account.Count(static_cast<std::int32_t>(spawned) -
                        static_cast<std::int32_t>(done.counted));
      my_.account.Charge(cycles);
      my_.claims.Learn(my_.memory.event, procedure, done.counted, done.cycles);
      Counts::Add(my_.block, {procedure, done.counted, spawned, cycles});
    }
    my_.group.Barrier();
    if (my_.now.shares) {
      ShareClocks<Group, Space>::Charge(my_.group, my_.space, my_.block.clocks, my_.memory.event,
                                        static_cast<std::int64_t>(done.cycles * done.workers));
    }
    if (my_.memory.stack.levels == 0) return Found::kRan;
    my_.now.look_in = 0;  // one of those for levels may come first
    my_.account.TellSpawned();
    const bool put = LevelMoves<Group, Space>::Put(my_.group, my_.space, my_.memory, left);
    return put ? Found::kRan : Found::kStuck;
  }

  /// Fails the event that the worker serves.
  WY_HD void FailWithoutRoom() {
    if (my_.group.Rank() == 0) {
      Scope::Word(my_.space.events[my_.memory.event].error)
          .StoreRelaxed(static_cast<std::uint32_t>(procedure::EventError::kNoRoom));
    }
    my_.group.Barrier();
    my_.now.dropped = true;
  }

  /// Executes a package, and others of its kind, with a team of the block's workers.
  WY_INLINED WY_HD Found LeadTeam(const Ready& ready) {
    if constexpr (Executor::kTeams) {
      const Element package = ready.mine;
      my_.now.look_in = 0;
      if (!executor_.Gather(package)) {  // another team gathers: join that one first
        if (!ready.on_stack) KeepMerged(package, ready.counted);
        return Found::kRan;
      }
      ReportIfNew(package.head);
      const std::uint32_t size = my_.stack.Size() + (ready.on_stack ? 0 : 1);
      if (ready.on_stack) my_.stack.Pop(1);  // before the team can spawn on the stack
      const std::uint64_t begin = Scope::Cycles();
      const std::uint32_t executed = executor_.Lead(package);
      const ProcedureTraits& traits = my_.block.traits[package.Procedure()];
      return Finish(package.Procedure(), size - executed,
                    {executed - 1 + ready.counted, traits.workers, Scope::Cycles() - begin});
    }
    return Found::kStuck;
  }

  /// Puts a package on the stack, which stands for several elements of its stage.
  WY_HD void KeepMerged(const Element& package, std::uint32_t elements) {
    my_.stack.Push(1, [&](std::uint32_t) { return package; });
    my_.now.range_first = false;
    if (elements > 1) my_.Count(-static_cast<std::int32_t>(elements - 1));
  }

  WY_HD void ReportIfNew(std::uint32_t head) {
    if (head != my_.memory.reported) Report(WorkerActivity::kExecuting, head);
  }
  WY_HD void Report(WorkerActivity activity, std::uint32_t head) {
    if (my_.group.Rank() == 0) {
      my_.memory.reported = head;
      exec::PackedSlot& slot = my_.space.activities[my_.place.index];
      Scope::StoreSlot(slot, {1, {static_cast<std::uint32_t>(activity), head, 0}});
    }
    my_.group.Barrier();
  }

  WorkerParts<Group, Space> my_;
  Executor& executor_;
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_WORKER_WORKER_H_
