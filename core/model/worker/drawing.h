// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// How a worker finds its next elements: it draws again where it has just drawn, or it looks around,
// chooses what comes first, and claims that. It takes what others gave to it, and gives to those who
// wait.
//
// A warp executes a hundred instructions in some 0.7 us, and a small stage takes no longer. So the
// quick way is short: one thread does it, behind one look at the board.
#ifndef WARPYARD_CORE_MODEL_WORKER_DRAWING_H_
#define WARPYARD_CORE_MODEL_WORKER_DRAWING_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/scope.h"
#include "core/model/worker/board.h"
#include "core/model/worker/choice.h"
#include "core/model/worker/level_moves.h"
#include "core/model/worker/worker_counts.h"
#include "core/model/worker/worker_parts.h"
#include "core/model/worker/workspace.h"

namespace warpyard::model {

/// Executor: see Worker. Done: called by one thread with each event that is done.
/// @scope all members: the group of the worker
template <exec::LaneScope Group, class Space, class Executor, class Done>
class Drawing {
 public:
  using Parts = WorkerParts<Group, Space>;

  WY_HD Drawing(Parts& parts, Executor& executor, Done& done)
      : my_(parts), executor_(executor), done_(done) {}

  /// Draws without a choice where there can be none: of the event that alone had an open stage a
  /// moment ago, or of the stage of which the block has claimed and left some, or of the stage that
  /// this worker opens by telling what it has finished. The worker looks around after it has executed
  /// that, if there is more than this event by now. kNothing: there is nothing of these, and the
  /// worker waits already. @shape the stack and the block's range are empty
  WY_INLINED WY_HD Found DrawAgain(TakenElements& taken) {
    WorkerState& now = my_.now;
    std::uint32_t event = now.expected;
    StageHint hint = now.hint;
    now.expected = kNoEvent;
    if (event == kNoEvent) event = my_.group.Broadcast(my_.range.EventWithMore());
    if (event == kNoEvent) {
      event = my_.account.Leave(done_);
      hint = my_.memory.opened_stage;
    }
    const bool waits = my_.exchange.Waits() && my_.stack.Reserved() == 0 && MayBeQuick();
    if (event == kNoEvent) return waits ? Found::kNothing : Found::kRan;
    if (now.shares || now.leaving) return Found::kRan;
    bool alone = false;
    if (my_.group.Rank() == 0) {
      const BoardNews news = my_.space.board.Read();  // under way with the claim
      taken = my_.claims.Claim({event, hint, now.running, true});
      alone = news.OnlyOpen() == event && !news.IsLeaving(my_.place.launch);
    }
    taken = my_.group.Broadcast(taken);
    alone = my_.group.Any(alone);
    now.look_in = alone ? kRoundsALook : 0;
    if (taken.claim.count != 0) return Found::kRan;
    my_.account.Leave(done_);
    return alone && waits ? Found::kNothing : Found::kRan;
  }

  /// Whether the worker can go on without a look: nothing but its event has something to draw, as far
  /// as one access tells. @shape the stack is empty
  WY_INLINED WY_HD bool IsQuiet() {
    WorkerState& now = my_.now;
    const std::uint32_t event = my_.memory.event;
    if (event == kNoEvent) return false;
    const BoardNews news = my_.group.Broadcast(my_.space.board.Read());
    now.dropped = my_.group.Any(my_.space.events.IsDropped(event));
    const std::uint32_t only = news.OnlyOpen();
    const bool alone = !news.HasWork() || only == event;
    if (!alone || now.shares || news.IsLeaving(my_.place.launch) || !MayBeQuick()) return false;
    now.look_in = kRoundsALook;
    return true;
  }

  /// Looks around. kRan: the worker has something, or should look again. @shape taken: gets what it
  ///     has drawn, if that is not on its stack or in its block's range
  WY_INLINED WY_HD Found Look(TakenElements& taken) {
    WorkerState& now = my_.now;
    now.look_in = kRoundsALook;
    now.quick = 0;
    const bool empty = !my_.HasOwn();
    if (empty) {  // the next stage may wait for this worker: tell first, and then see the open stage
      const std::uint32_t opened = my_.account.Leave(done_);
      if (opened != kNoEvent) now.hint = my_.memory.opened_stage;
    }
    // These accesses are under way together.
    const BoardNews news = my_.space.board.Read();
    const EventOrder order = my_.space.board.ReadOrder(my_.group);
    const std::uint32_t waiting = my_.space.hand_over.Waiting();
    const std::uint32_t own_given = my_.exchange.Given(executor_.Members());
    const std::uint32_t running = Scope::Word(my_.space.running_events).LoadRelaxed();
    const bool dropped =
        my_.memory.event != kNoEvent && my_.space.events.IsDropped(my_.memory.event);
    const Seen seen =
        my_.group.Broadcast(Seen{news, waiting, running == 0 ? 1 : running, dropped});
    const std::uint32_t given = OfAllLanes(own_given);
    if (my_.group.Rank() == 0) Scope::BlockWord(my_.block.looks).FetchAddRelaxed(1);
    now.running = seen.running;
    now.dropped = seen.dropped;
    if (given != 0) my_.exchange.Take(my_.stack, given);
    now.leaving = seen.news.IsLeaving(my_.place.launch);
    if (now.leaving) return Leave();
    if (!empty) my_.account.TellTimeSometimes();
    WorkerCounts<Space>::FlushSometimes(my_.group, my_.space, my_.block);
    if (my_.stack.Size() == 0 && my_.stack.Reserved() != 0) my_.stack.Reload();
    return Choose(seen, order, taken);
  }

 private:
  using Scope = typename Space::Scope;
  static constexpr std::uint32_t kRoundsALook = 4;
  static constexpr std::uint32_t kMostQuick = 16;

  /// Now and then a worker looks around whatever it does: it flushes counts then.
  WY_HD bool MayBeQuick() {
    if (my_.now.quick >= kMostQuick) return false;
    ++my_.now.quick;
    return true;
  }

  /// What one look reads.
  struct Seen {
    BoardNews news;
    std::uint32_t waiting;
    std::uint32_t running;
    std::uint32_t dropped;
  };

  /// The bits that any lane has; each of a lane's own.
  WY_HD std::uint32_t OfAllLanes(std::uint32_t bits) {
    if (my_.group.Size() == 1) return bits;
    return my_.group.Ballot(bits != 0);
  }

  /// Chooses what comes first, and draws it if neither the worker nor its block has some.
  WY_INLINED WY_HD Found Choose(const Seen& seen, const EventOrder& order, TakenElements& taken) {
    WorkerState& now = my_.now;
    Candidates candidates{kNoEvent, kNoEvent, my_.memory.event, now.running};
    if (my_.IsRanged()) candidates.ranged = my_.group.Broadcast(my_.range.Event());
    if (my_.stack.Size() != 0) {
      const std::uint32_t bucket = my_.stack.Newest().Bucket();
      candidates.own = bucket < procedure::kEventBuckets ? bucket : Choice::kLevels;
    }
    const std::uint32_t first =
        FirstOf(my_.group, my_.space, my_.block.clocks, seen.news, order, candidates, now.shares);
    now.range_first = first != candidates.own;
    if (first != kNoEvent && first != candidates.own && first != candidates.ranged) {
      const Found found = Draw(first, seen.news, order, taken);
      if (found != Found::kRan) return found;
    }
    if (taken.claim.count != 0) return Found::kRan;
    if (!my_.HasOwn()) return FindNothing(seen.news);
    // Where the board shows something, nobody waits for long.
    if (seen.waiting == 0 || seen.news.HasWork() || my_.stack.GivenCount() == 0) {
      return Found::kRan;
    }
    return my_.exchange.Give(my_.stack, my_.account) ? Found::kRan : Found::kStuck;
  }

  /// Draws of an event, or of the levels.
  WY_INLINED WY_HD Found Draw(std::uint32_t first, const BoardNews& news, const EventOrder& order,
                              TakenElements& taken) {
    const bool empty = my_.stack.Size() == 0;
    if (!empty) {
      my_.now.range_first = false;
      if (!my_.stack.HasRoomToNest()) return Found::kRan;
      if (my_.stack.MakeRoom(1, kGivenElements + 1) == 0) return Found::kRan;
    }
    if (first == Choice::kLevels) {
      my_.now.range_first = false;
      const bool drawn = LevelMoves<Group, Space>::Draw(my_.group, my_.space, my_.memory);
      return drawn ? Found::kRan : Found::kStuck;
    }
    StageHint hint = news.HintOf(first);
    if (hint.elements == 0) hint = my_.space.board.HintIn(my_.group, order, first);
    if (my_.group.Rank() == 0) {
      taken = my_.claims.Claim({first, hint, my_.now.running, empty && !my_.range.HasMore()});
    }
    taken = my_.group.Broadcast(taken);
    return Found::kRan;
  }

  WY_HD Found FindNothing(const BoardNews& news) {
    my_.now.expected = my_.account.Leave(done_);
    my_.now.hint = my_.memory.opened_stage;
    // Others were faster, or another worker of the block draws for it: look again.
    if (my_.now.expected != kNoEvent || (news.HasWork() && !executor_.kTeams)) return Found::kRan;
    if (my_.exchange.Waits()) return Found::kNothing;
    return my_.exchange.Wait() ? Found::kRan : Found::kStuck;
  }

  /// Executes what the block has drawn, and parks what the worker has.
  WY_HD Found Leave() {
    if (my_.IsRanged()) {
      my_.now.range_first = true;
      return Found::kRan;
    }
    executor_.Dissolve();
    if (!executor_.Close()) return Found::kRan;  // a team still waits for this worker
    my_.account.Leave(done_);
    Park(my_.group, my_.space, my_.memory, my_.place.index);
    WorkerCounts<Space>::Flush(my_.group, my_.space, my_.block);
    return Found::kLeave;
  }

  WY_DEVICE_CALL WY_HD static void Park(Group& group, Space& space, WorkerMemory<Space>& memory,
                                        std::uint32_t worker) {
    OwnStack<Group, Space>(group, space, memory, worker).Park();
    if (group.Rank() == 0) {
      space.parked[worker] = {memory.reserve_from, memory.reserve_to, memory.waits};
    }
    group.Barrier();
  }

  Parts& my_;
  Executor& executor_;
  Done& done_;
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_WORKER_DRAWING_H_
