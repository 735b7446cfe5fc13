// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A worker: a group of lanes that decides by itself what it executes next. Warps of the megakernel
// and threads of a CPU run this one loop. [Steinberger §3.4.2, §6.4]
//
// Every few rounds the worker looks around (look.h). Then it turns to the event that comes first: it
// has elements of it on its stack, or its block has some in its range (block_range.h), or it claims
// some of the event's open stage, or it takes one of a level. What it had waits below. Between looks
// it executes the newest elements of its stack, and what these spawn goes there, too. If others wait
// it gives its oldest elements away. If it has nothing and finds nothing, it waits for elements of
// others (hand_over.h).
// The worker that counts out the last element of a stage opens the next one (event_table.h).
// An event for whose spawns a worker has no room fails, and no other event notices.
//
// Where only one event runs there is nothing to choose. Then the worker draws again without a look:
// of the stage of which its block has claimed last, or of the one that it or another worker has just
// opened.
#ifndef WARPYARD_CORE_MODEL_WORKER_WORKER_H_
#define WARPYARD_CORE_MODEL_WORKER_WORKER_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/scope.h"
#include "core/model/worker/account.h"
#include "core/model/worker/block_range.h"
#include "core/model/worker/level_moves.h"
#include "core/model/worker/look.h"
#include "core/model/worker/own_stack.h"
#include "core/model/worker/share_clocks.h"
#include "core/model/worker/stage_claims.h"
#include "core/model/worker/worker_counts.h"
#include "core/model/worker/worker_handle.h"
#include "core/model/worker/workspace.h"
#include "core/procedure/element.h"
#include "core/procedure/procedure_concept.h"

namespace warpyard::model {

/// Executor: executes elements on the lanes of the worker, and with other workers of its block; a
/// handle without a state of its own. See ThreadExecutor and WarpExecutor.
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
      : group_(group),
        own_{space, block, place},
        memory_(own_.Memory()),
        executor_(executor),
        stack_(group, space, memory_, place.index) {
    if (group_.Rank() == 0) Begin();
    group_.Barrier();
  }

  /// One decision and its execution. @shape done: called by one thread with each event that is done
  template <class Done>
  WY_INLINED WY_HD Found Step(Done& done) {
    const bool empty = stack_.Size() == 0;
    if (executor_.IsWanted(!empty)) {
      // A stage may wait for what this worker has finished.
      Account<Group, Space>::TurnTo(group_, own_, kNoEvent, done);
      executor_.Join(!empty);
      now_.look_in = 0;
      return Found::kRan;
    }
    bool has = false;  // memory_.taken
    if (empty && stack_.Reserved() == 0 &&
        (now_.look_in != 0 || now_.expected != kNoEvent || IsQuiet())) {
      has = TakeOfRange();
      const Found found = has ? Found::kRan : DrawAgain(done, has);
      if (found != Found::kRan) return found;
    }
    if (!has) {
      if (now_.look_in == 0 || empty) {
        const Found found = LookAround(done, has);
        if (found != Found::kRan) return found;
      }
      if (!has && (now_.range_first || stack_.Size() == 0)) has = TakeOfRange();
      if (!has && stack_.Size() == 0) {
        return Look<Group, Space, Executor>::FindNothing(group_, own_, done);
      }
    }
    if (now_.look_in != 0) --now_.look_in;
    Found found = Found::kRan;
    do {
      const Ready ready = has ? Prepare(done) : PrepareNewest(done);
      has = false;
      if (ready.counted == 0) return memory_.taken.stuck ? Found::kStuck : Found::kRan;
      found = ready.round.lanes == 0 ? LeadTeam(ready) : Execute(ready, has);
    } while (has && found == Found::kRan);
    return found;
  }

  /// Tells a worker that found nothing what the board shows now. Returns whether it should go on.
  /// @scope any lane, all with the same news
  WY_HD bool Heed(const BoardNews& news) {
    now_.expected = news.OnlyOpen();
    now_.hint = news.HintOf(now_.expected);
    if (news.HasWork() && now_.expected == kNoEvent) MustLook();  // there is a choice
    return news.HasWork() || news.IsLeaving(own_.place.launch);
  }
  /// Tells a worker that found nothing of an open stage that it should claim of.
  WY_HD void Expect(std::uint32_t event, const StageHint& hint) {
    now_.expected = event;
    now_.hint = hint;
  }
  /// Tells a worker that found nothing that its block may have something for it.
  WY_HD void HeedBlock() {
    if (now_.quick >= kMostQuick) return;
    ++now_.quick;
    now_.look_in = kRoundsALook;
  }
  /// Tells a worker that found nothing that others gave something to it.
  WY_HD void MustLook() {
    now_.expected = kNoEvent;
    now_.look_in = 0;
    now_.quick = kMostQuick;
  }
  /// Whether its block has something for it. @scope any lane
  WY_HD bool HasNewsOfBlock() {
    return BlockRange<Scope>::HasMore(own_.block.range) || executor_.IsWanted(false);
  }

  /// Adds the counts of its block to those of all, for a worker that is to wait long.
  WY_HD void Rest() {
    Counts::Flush(group_, own_.space, own_.block);
    Report(WorkerActivity::kIdle, ~0u);
  }
  /// Before the worker ends.
  WY_HD void End() { Report(WorkerActivity::kAbsent, ~0u); }

  WY_HD void CountBackOff() {
    if (group_.Rank() == 0) Scope::BlockWord(own_.block.counters.back_offs).FetchAddRelaxed(1);
  }

 private:
  /// Elements that are executed next, as one round.
  struct Ready {
    Round round;
    std::uint32_t counted;  ///< elements of the event's account; 0: nothing is ready
    bool on_stack;          ///< its one element is still on the stack
    Element mine;           ///< of the lane
  };

  static constexpr std::uint32_t kMostQuick = 16;
  static constexpr std::uint64_t kLongCycles = 10'000;   // a look costs little beside such a round
  static constexpr std::uint64_t kRangeCycles = 12'000;  // of the block's elements, without a look
  static constexpr std::uint64_t kAloneCycles = 64'000;  // of elements that it claims meanwhile

  /// @scope one thread
  WY_HD void Begin() {
    const ParkedWorker& parked = own_.space.parked[own_.place.index];
    memory_.stack = {0, memory_.elements, true, 0};
    memory_.reserve_from = parked.reserve_from;
    memory_.reserve_to = parked.reserve_to;
    memory_.waits = parked.waits;
    memory_.reported = ~0u;
    memory_.taken = {};
    memory_.window = {0, static_cast<std::uint32_t>(Scope::Cycles()) * 2654435761u};
    Account<Group, Space>::Reset(memory_);
  }

  /// Whether the worker can go on without a look: no event has got something to draw since the last
  /// look of its block, as far as one access tells. @shape the stack is empty
  WY_INLINED WY_HD bool IsQuiet() {
    const std::uint32_t event = memory_.account.event;
    if (event == kNoEvent || now_.quick >= kMostQuick) return false;
    const BoardNews news = own_.space.board.Read();
    const bool dropped = own_.space.events.IsDropped(event);
    const bool must_look = MustLookAt(own_, news);
    now_.dropped = group_.Any(dropped);
    if (group_.Any(must_look)) return false;
    ++now_.quick;
    now_.look_in = kRoundsALook;
    return true;
  }

  /// Takes a portion of the block's range, if there is one.
  WY_INLINED WY_HD bool TakeOfRange() {
    if (group_.Rank() == 0) BlockRange<Scope>::Take(own_.block.range, memory_.taken);
    group_.Barrier();
    return memory_.taken.claim.count != 0;
  }

  /// Claims for the block, or for this worker alone. Returns whether there is something.
  WY_INLINED WY_HD bool Claim(std::uint32_t event, const StageHint& hint, bool only_for_block) {
    if (group_.Rank() == 0) {
      StageClaims<Space>::Claim(own_.space, own_.block,
                                {event, hint, now_.running, own_.place.workers, only_for_block},
                                memory_.taken);
    }
    group_.Barrier();
    return memory_.taken.claim.count != 0;
  }

  /// Draws without a choice where there can be none: of the event that alone had an open stage a
  /// moment ago, or of the stage of which the block has claimed and left some, or of the stage that
  /// this worker opens by telling what it has finished. kNothing: there is nothing of these, and the
  /// worker waits already. @shape the stack and the block's range are empty; has: gets whether it has
  ///     claimed something
  template <class Done>
  WY_INLINED WY_HD Found DrawAgain(Done& done, bool& has) {
    std::uint32_t event = now_.expected;
    StageHint hint = now_.hint;
    now_.expected = kNoEvent;
    if (event == kNoEvent) {
      event = group_.Broadcast(BlockRange<Scope>::EventWithMore(own_.block.range));
    }
    if (event == kNoEvent) {
      event = Account<Group, Space>::TurnTo(group_, own_, kNoEvent, done);
      hint = memory_.account.opened_stage;
    }
    const bool waits = memory_.waits != 0 && now_.quick < kMostQuick;
    ++now_.quick;
    if (event == kNoEvent) return waits ? Found::kNothing : Found::kRan;
    if (now_.shares || now_.leaving) return Found::kRan;
    has = Claim(event, hint, true);
    now_.look_in = memory_.taken.alone ? kRoundsALook : 0;
    if (has) return Found::kRan;
    Account<Group, Space>::TurnTo(group_, own_, kNoEvent, done);
    return waits ? Found::kNothing : Found::kRan;
  }

  /// Looks around, and claims what comes first. @shape has: gets whether it has claimed something
  template <class Done>
  WY_INLINED WY_HD Found LookAround(Done& done, bool& has) {
    const auto result =
        Look<Group, Space, Executor>::Around(group_, own_, executor_, now_, done);
    now_ = result.now;
    if (result.decision.found != Found::kRan || result.decision.event == kNoEvent) {
      return result.decision.found;
    }
    has = Claim(result.decision.event, result.decision.hint, stack_.Size() == 0);
    return Found::kRan;
  }

  /// Prepares a portion of what was taken; the rest goes on the stack. Nothing is ready where the
  /// event is to be dropped.
  template <class Done>
  WY_INLINED WY_HD Ready Prepare(Done& done) {
    const TakenElements& taken = memory_.taken;
    const ProcedureTraits& traits = own_.block.traits[taken.claim.plan.procedure];
    const bool served = Serve(taken.event, done);
    now_.dropped = (taken.dropped || (served && now_.dropped)) &&
                   group_.Any(own_.space.events.IsDropped(taken.event));
    const std::uint32_t count = exec::Least(taken.claim.count, taken.portion);
    const std::uint32_t elements = traits.merges != 0 ? 1 : count;
    if (traits.max_spawns != 0 && !now_.dropped &&
        !stack_.MakeRoomFor(elements, traits.max_spawns)) {
      FailWithoutRoom();
    }
    if (now_.dropped) {
      DropTaken(group_, own_);
      return {};
    }
    if (count != taken.claim.count) {
      stack_.Push(taken.claim.count - count, [&](std::uint32_t i) {
        return StageClaims<Space>::ElementOf(taken, taken.claim.count - 1 - i, 1);
      });
      now_.range_first = false;
    }
    if (traits.max_spawns != 0) now_.range_first = false;  // what it spawns is executed first
    Ready ready{{elements, taken.claim.plan.procedure, traits.lanes}, count, false, {}};
    ready.mine = StageClaims<Space>::ElementOf(taken, NumberOf(traits.lanes),
                                               traits.merges != 0 ? count : 1);
    return ready;
  }

  /// Counts out what was taken, and the rest of its stage.
  WY_DEVICE_CALL WY_HD static void DropTaken(Group& group, const WorkerHandle<Space> far) {
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

  /// Prepares the newest elements of the stack. Nothing is ready where they were dropped.
  template <class Done>
  WY_INLINED WY_HD Ready PrepareNewest(Done& done) {
    const Element newest = stack_.Newest();
    const bool served = Serve(newest.Event(), done);
    if (!served || now_.dropped) {
      now_.dropped = group_.Any(own_.space.events.IsDropped(newest.Event()));
    }
    Round round = stack_.NewestRound(own_.block.traits);
    const ProcedureTraits& traits = own_.block.traits[round.procedure];
    if (!now_.dropped) {
      const std::uint32_t fit = stack_.MakeRoom(round.count, traits.max_spawns);
      if (fit == 0) FailWithoutRoom();
      if (fit != 0) round.count = exec::Least(round.count, fit);
    }
    Ready ready{round, round.count, round.lanes == 0, newest};
    if (round.lanes == 0 && !now_.dropped) return ready;
    const std::uint32_t number = NumberOf(round.lanes);
    if (number < round.count) ready.mine = memory_.elements[stack_.Size() - 1 - number];
    stack_.Pop(round.count);
    if (!now_.dropped) return ready;
    if (group_.Rank() == 0) {
      Account<Group, Space>::Count(memory_, -static_cast<std::int32_t>(round.count));
    }
    group_.Barrier();
    return {};
  }

  /// Turns to an event. Returns whether the worker has served it before.
  template <class Done>
  WY_INLINED WY_HD bool Serve(std::uint32_t event, Done& done) {
    if (Account<Group, Space>::Serves(memory_, event)) return true;
    if (memory_.account.serves != 0) {
      Account<Group, Space>::TurnTo(group_, own_, event, done);
    } else {
      group_.Barrier();
      if (group_.Rank() == 0) Account<Group, Space>::Begin(own_, event);
      group_.Barrier();
    }
    return false;
  }

  /// Which element of a round the lane executes. Only sets of several threads need the division.
  WY_HD std::uint32_t NumberOf(std::uint32_t lanes) const {
    if (lanes == 1) return group_.Rank();
    return lanes == group_.Size() || lanes == 0 ? 0 : group_.Rank() / lanes;
  }

  /// Executes a round, and more of the same stage if its block has drawn some. @shape has: gets
  ///     whether it took something else of the block's range
  WY_INLINED WY_HD Found Execute(Ready ready, bool& has) {
    executor_.Dissolve();
    const std::uint32_t head = group_.Broadcast(ready.mine.head);
    if (head != memory_.reported) Report(WorkerActivity::kExecuting, head);
    const std::uint32_t left = stack_.Size();
    const ProcedureTraits& traits = own_.block.traits[ready.round.procedure];
    const bool goes_on = traits.max_spawns == 0 && left == 0 && !now_.shares;
    std::uint32_t counted = 0;
    const std::uint64_t begin = Scope::Cycles();
    while (true) {
      executor_.Run(ready.round, ready.mine, memory_.stack);
      group_.Barrier();
      counted += ready.counted;
      if (!goes_on) break;
      const TakenElements& taken = memory_.taken;
      const bool claims = taken.alone && StageClaims<Space>::Spreads(own_.block, ready.round.procedure);
      const std::uint64_t most = claims ? kAloneCycles : kRangeCycles;
      if (group_.Any(Scope::Cycles() - begin > most)) break;
      has = claims ? Claim(memory_.account.event, {0, 0}, true) : TakeOfRange();
      if (!has) break;
      if (taken.event != memory_.account.event || taken.dropped ||
          taken.claim.plan.procedure != ready.round.procedure) {
        break;
      }
      has = false;
      ready.counted = taken.claim.count;
      ready.round.count = traits.merges != 0 ? 1 : taken.claim.count;
      ready.mine = StageClaims<Space>::ElementOf(taken, NumberOf(ready.round.lanes),
                                                 traits.merges != 0 ? ready.counted : 1);
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
    const std::uint32_t spawned = stack_.Size() - left;
    if (group_.Any(done.cycles > kLongCycles)) now_.look_in = 0;
    if (group_.Rank() == 0) {
      const std::uint64_t cycles = done.cycles * done.workers;
      Account<Group, Space>::Count(
          memory_, static_cast<std::int32_t>(spawned) - static_cast<std::int32_t>(done.counted));
      Account<Group, Space>::Charge(memory_, cycles);
      Counts::Add(own_.block, {procedure, done.counted, spawned, cycles});
      if (StageClaims<Space>::MayLearn(own_.block, memory_.account.event, procedure)) {
        StageClaims<Space>::Learn(own_.block, procedure, done.counted, done.cycles);
      }
      if (now_.shares) {
        ShareClocks<Group, Space>::Charge(own_.space, own_.block, memory_.account.event,
                                          static_cast<std::int64_t>(cycles));
      }
    }
    group_.Barrier();
    if (memory_.stack.levels == 0) return Found::kRan;
    now_.look_in = 0;  // one of those for levels may come first
    const bool put = LevelMoves<Group, Space>::Put(group_, own_, left);
    return put ? Found::kRan : Found::kStuck;
  }

  /// Fails the event that the worker serves.
  WY_HD void FailWithoutRoom() {
    if (group_.Rank() == 0) {
      Scope::Word(own_.space.events[memory_.account.event].error)
          .StoreRelaxed(static_cast<std::uint32_t>(procedure::EventError::kNoRoom));
    }
    group_.Barrier();
    now_.dropped = true;
  }

  /// Executes a package, and others of its kind, with a team of the block's workers.
  WY_INLINED WY_HD Found LeadTeam(const Ready& ready) {
    if constexpr (Executor::kTeams) {
      const Element package = ready.mine;
      now_.look_in = 0;
      const bool gathers = executor_.Gather(package);
      if (group_.Rank() == 0) StageClaims<Space>::Release(own_.block, memory_.taken);
      if (!gathers) {  // another team gathers: join that one first
        if (!ready.on_stack) KeepMerged(package, ready.counted);
        return Found::kRan;
      }
      if (package.head != memory_.reported) Report(WorkerActivity::kExecuting, package.head);
      const std::uint32_t size = stack_.Size() + (ready.on_stack ? 0 : 1);
      if (ready.on_stack) stack_.Pop(1);  // before the team can spawn on the stack
      const std::uint64_t begin = Scope::Cycles();
      const TeamResult result = executor_.Lead(package, own_, now_.shares ? 0 : now_.running);
      const ProcedureTraits& traits = own_.block.traits[package.Procedure()];
      return Finish(
          package.Procedure(), size + result.claimed - result.executed,
          {result.executed - 1 + ready.counted, traits.workers, Scope::Cycles() - begin});
    }
    return Found::kStuck;
  }

  /// Puts a package on the stack, which may stand for several elements of its stage.
  WY_HD void KeepMerged(const Element& package, std::uint32_t elements) {
    stack_.Push(1, [&](std::uint32_t) { return package; });
    now_.range_first = false;
    if (group_.Rank() == 0) {
      Account<Group, Space>::Count(memory_, 1 - static_cast<std::int32_t>(elements));
    }
    group_.Barrier();
  }

  WY_HD void Report(WorkerActivity activity, std::uint32_t head) {
    if (group_.Rank() == 0) {
      memory_.reported = head;
      exec::PackedSlot& slot = own_.space.activities[own_.place.index];
      Scope::StoreSlot(slot, {1, {static_cast<std::uint32_t>(activity), head, 0}});
    }
    group_.Barrier();
  }

  Group& group_;
  const WorkerHandle<Space> own_;
  WorkerMemory<Space>& memory_;
  Executor& executor_;
  OwnStack<Group, Space> stack_;
  WorkerState now_;
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_WORKER_WORKER_H_
