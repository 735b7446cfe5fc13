// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A worker's look around: it reads the board, chooses what comes first, takes what others gave to
// it, and gives to those who wait.
#ifndef WARPYARD_CORE_MODEL_WORKER_LOOK_H_
#define WARPYARD_CORE_MODEL_WORKER_LOOK_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/scope.h"
#include "core/model/worker/account.h"
#include "core/model/worker/block_range.h"
#include "core/model/worker/board/board.h"
#include "core/model/worker/board/choice.h"
#include "core/model/worker/exchange.h"
#include "core/model/worker/held.h"
#include "core/model/worker/queue_moves.h"
#include "core/model/worker/stack/own_stack.h"
#include "core/model/worker/stack/stack_order.h"
#include "core/model/worker/worker_counts.h"
#include "core/model/worker/worker_handle.h"
#include "core/model/worker/worker_parts.h"
#include "core/model/worker/workspace.h"

namespace warpyard::model {

/// What a worker decided when it looked around.
struct Decision {
  Found found = Found::kRan;
  std::uint32_t event = kNoEvent;    ///< of which it is to claim
  StageHint hint{0, 0};              ///< that event's open stage, as far as it is known
  bool is_queued = false;            ///< its queue has elements
  bool is_open = false;              ///< it has an open stage
  bool held = false;                 ///< the event of its newest element is held
  std::uint32_t takers = 0;          ///< that wait for elements
  std::uint32_t offered = kNoEvent;  ///< the event whose elements it is to offer
  std::uint32_t oldest = 0;          ///< how many of its oldest elements it is to offer
};

inline constexpr std::uint32_t kRoundsALook = 4, kManyTakers = 64;  // takers worth more looks

/// Executor: see Worker. @scope all members: the group of the worker
template <exec::LaneScope Group, class Space, class Executor>
class Look {
 public:
  Look() = delete;
  using Handle = WorkerHandle<Space>;
  using Scope = typename Space::Scope;
  using Moves = QueueMoves<Group, Space>;

  struct Result {
    WorkerState now;
    Decision decision;
  };

  /// Looks around. @shape done: see Account::TurnTo
  template <class Done>
  WY_DEVICE_CALL WY_HD static Result Around(Group& group, const Handle far, Executor executor,
                                            const WorkerState before, Done done) {
    const Handle own = far.Near();
    OwnStack<Group, Space> stack(group, own.space, own.Memory(), own.place.index);
    Result result{before, {}};
    WorkerState& now = result.now;
    now.look_in = kRoundsALook;
    const bool has_own = stack.Size() != 0 || IsRanged(group, own);
    // The next stage may wait for this worker: tell first, and then see the open stage.
    if (!has_own) Account<Group, Space>::TurnTo(group, own, kNoEvent, done);
    // These accesses are under way together.
    const BoardNews read = own.space.board.Read();
    const EventOrder order = own.space.board.ReadOrder(group);
    const std::uint32_t waiting = own.space.hand_over.Waiting();
    const std::uint32_t lane_given = Exchange<Group, Space>::Given(group, own, executor.Members());
    const std::uint32_t running = Scope::Word(own.space.event_counts.running).LoadRelaxed();
    const std::uint32_t served = own.Memory().account.event;
    const bool dropped = served != kNoEvent && own.space.events.IsDropped(served);
    const BoardNews news = group.Broadcast(read);
    const std::uint32_t given = Exchange<Group, Space>::OfAllLanes(group, lane_given);
    if (group.Rank() == 0) {
      Scope::BlockWord(own.block.counters.looks).FetchAddRelaxed(1);
      See<Scope>(own.block.sight, own.Memory().sight, news);
      Scope::BlockWord(own.block.sight.looked_cycles)
          .StoreRelaxed(static_cast<std::uint32_t>(Scope::Cycles()));
    }
    now.running = group.Broadcast(running == 0 ? 1 : running);
    now.dropped = group.Any(dropped);
    if (given != 0) Exchange<Group, Space>::Take(group, own, stack, given);
    now.leaving = news.IsLeaving(own.place.launch);
    if (now.leaving) {
      result.decision.found = Leave(group, own, executor, now, done);
      return result;
    }
    if (has_own) Account<Group, Space>::TellTimeSometimes(group, own);
    WorkerCounts<Space>::FlushSometimes(group, own.space, own.block);
    if (stack.Size() == 0 && stack.Reserved() != 0) stack.Reload();
    now.SetUrgent(news.HasUrgent(), KeptBlocks<Space>::Has(own.place));
    now.Know(news);
    const EventBits held = HeldEvents(group, own.space.board, news);
    Decision& decision = result.decision;
    Choose(group, own, {news, order}, held, result);
    BoardNews free = news;
    if (news.HasHeld()) free.Hide(held);
    // What is held would be held there, too.
    if (!free.HasWork() && !decision.held) decision.takers = group.Broadcast(waiting);
    if (decision.held) now.look_in = 0;
    Act(group, own, result);
    const bool waits = decision.held && decision.event == kNoEvent && !now.range_first;
    if (waits && decision.found == Found::kRan) {
      AwaitRelease(group, own, executor, done);
      decision.found = Found::kHeld;
    }
    return result;
  }

  /// What a worker does that has nothing and drew nothing. @shape stays_out: it waits for no gifts
  template <class Done>
  WY_DEVICE_CALL WY_HD static Found FindNothing(Group& group, const Handle far, bool stays_out,
                                                Done done) {
    const Handle own = far.Near();
    if (Account<Group, Space>::TurnTo(group, own, kNoEvent, done) != kNoEvent) return Found::kRan;
    const WorkerMemory<Space>& memory = own.Memory();
    if (memory.reserve_from != memory.reserve_to) return Found::kRan;  // it offered the rest
    if (memory.waits != 0 || stays_out) return Found::kNothing;
    return Exchange<Group, Space>::Wait(group, own) ? Found::kRan : Found::kStuck;
  }

  /// Whether the block's range has elements, the same for all lanes.
  WY_HD static bool IsRanged(Group& group, const Handle own) {
    return group.Any(BlockRange<Scope>::HasMore(own.block.range));
  }

 private:
  /// Chooses what comes first: the worker is to claim it, if neither it nor its block has some.
  /// @shape seen: the board; held: events
  WY_HD static void Choose(Group& group, const Handle own, Sight seen, const EventBits& held,
                           Result& result) {
    WorkerState& now = result.now;
    const std::uint32_t size = own.Memory().stack.count;
    seen.served = own.Memory().account.event;
    seen.running = now.running;
    if (IsRanged(group, own)) {
      seen.ranged = group.Broadcast(BlockRange<Scope>::Event(own.block.range));
    }
    if (size != 0) {
      const std::uint32_t bucket = own.Memory().elements[size - 1].Bucket();
      seen.own = bucket < procedure::kEventBuckets ? bucket : Choice::kLevels;
    }
    if (now.IsKept()) {
      seen.news = KeptBlocks<Space>::NewsFor(group, own.space, own.block, seen.news, seen.order);
    }
    seen.news.HideStages(held);
    const BoardNews news = seen.news;
    bool& is_held = result.decision.held;
    if (seen.own < procedure::kEventBuckets && held.Has(seen.own)) {
      is_held = AllHeld(group, own, held);
      seen.own = kNoEvent;
    }
    if (seen.ranged != kNoEvent && held.Has(seen.ranged)) seen.ranged = kNoEvent;
    const EventBits queued = QueuedEvents(group, own, news).Without(held);
    for (std::uint32_t w = 0; w < 2; ++w) seen.news.open[w] |= queued.words[w];
    // Elements of another event may lie below the newest one.
    EventBits events{};
    if (size != 0 && now.running > 1) {
      events = StackOrder<Group, Space>::NewestEvents(group, own.Memory()).Without(held);
      for (std::uint32_t w = 0; w < 2; ++w) seen.news.open[w] |= events.words[w];
    }
    const std::uint32_t first = FirstOf(group, own.space, own.block.clocks, seen, now.shares);
    now.first = first;
    now.range_first = first != seen.own;
    if (now.shares && size != 0) ChooseOffer(group, own, seen.own, queued, result);
    if (first == kNoEvent || first == seen.own || first == seen.ranged) return;
    if (first != Choice::kLevels && events.Has(first)) {
      StackOrder<Group, Space>::BringUp(group, own.Memory(), first);
      now.range_first = is_held = false;
      return;
    }
    result.decision.event = first;
    if (first == Choice::kLevels) return;
    result.decision.is_queued = queued.Has(first);
    result.decision.is_open = news.IsOpen(first);
    result.decision.hint = seen.news.HintOf(first);
    if (result.decision.hint.elements == 0) {
      result.decision.hint = own.space.board.HintIn(group, seen.order, first);
    }
  }

  /// The events whose queues have elements. The board may show some though there are none: a push
  /// shows them late, after a draw has taken them. Nobody draws of these queues then, so each
  /// worker that looks has to take them off the board, or all would go on looking for ever.
  WY_HD static EventBits QueuedEvents(Group& group, const Handle own, const BoardNews& news) {
    EventBits queued{};
    for (std::uint32_t w = 0; w < 2; ++w) {
      if ((news.Queued() >> w & 1u) == 0) continue;
      queued.words[w] = group.Broadcast(own.space.queues.EventsWithSome(w));
      if (queued.words[w] == 0 && group.Rank() == 0) {
        own.space.queues.HideEmptyEvents(own.space.board, w);
      }
    }
    return queued;
  }

  /// What the worker offers to others: what it has of the account from which it turns away, if that
  /// is not much; else some of its oldest elements, where nobody finds any of their event.
  /// @shape newest: the event of the newest element
  WY_HD static void ChooseOffer(Group& group, const Handle own, std::uint32_t newest,
                                const EventBits& queued, Result& result) {
    Decision& decision = result.decision;
    const OwnStack<Group, Space> stack(group, own.space, own.Memory(), own.place.index);
    const std::uint32_t held = stack.Size() + stack.Reserved();
    if (newest != result.now.first && newest < procedure::kEventBuckets && held <= kGivenElements) {
      decision.offered = newest;
      return;
    }
    const std::uint32_t oldest = stack.Oldest().Bucket();
    if (oldest >= procedure::kEventBuckets || queued.Has(oldest)) return;
    decision.oldest = exec::Least(held / 2, kGivenElements);
  }

  /// Makes room for what is to be claimed, draws of queues, offers some, or gives to those who
  /// wait.
  WY_HD static void Act(Group& group, const Handle own, Result& result) {
    OwnStack<Group, Space> stack(group, own.space, own.Memory(), own.place.index);
    Decision& decision = result.decision;
    if (result.now.range_first && stack.Size() != 0 && IsRanged(group, own)) {
      // What the block has drawn comes on top of what the worker has.
      result.now.range_first = stack.HasRoomToNest(own.block.traits, {0, 0}) &&
                               stack.MakeRoom(1, kGivenElements + 1) != 0;
    }
    if (decision.event != kNoEvent && stack.Size() != 0) {
      result.now.range_first = false;
      const bool fits = stack.HasRoomToNest(own.block.traits, decision.hint) &&
                        stack.MakeRoom(1, kGivenElements + 1) != 0;
      if (!fits) decision.event = kNoEvent;
    }
    if (decision.event == Choice::kLevels) {
      decision.event = kNoEvent;
      result.now.range_first = false;
      const bool drawn = Moves::Draw(group, own.space, own.Memory());
      if (!drawn) decision.found = Found::kStuck;
      decision.held = false;  // the next look sees what is on top now
    }
    if (decision.event != kNoEvent && decision.is_queued) DrawOfEvent(group, own, result);
    bool put = true;
    if (decision.offered != kNoEvent) put = Moves::Offer(group, own, decision.offered);
    if (decision.oldest != 0) put = Moves::OfferOldest(group, own, decision.oldest);
    if (!put) decision.found = Found::kStuck;
    // After an offer all that is left may be in the reserve: that is for this worker.
    if (decision.event == kNoEvent && decision.takers != 0 && stack.Size() != 0 &&
        stack.GivenCount(own.block.traits) != 0) {
      if (decision.takers >= kManyTakers) result.now.look_in = 2;
      const bool gave = Exchange<Group, Space>::Give(group, own, stack, decision.takers);
      if (!gave) decision.found = Found::kStuck;
    }
  }

  /// Draws of the queue of the event that comes first. Its open stage comes next. Where neither has
  /// something any more the worker keeps what it has.
  WY_HD static void DrawOfEvent(Group& group, const Handle own, Result& result) {
    Decision& decision = result.decision;
    const std::uint32_t size = own.Memory().stack.count;
    if (!Moves::DrawOfEvent(group, own, decision.event)) decision.found = Found::kStuck;
    const bool has = own.Memory().stack.count != size;
    if (has) result.now.range_first = decision.held = false;
    if (!has && !decision.is_open) decision.offered = kNoEvent;
    if (has || !decision.is_open) decision.event = kNoEvent;
  }

  /// Executes what the block has drawn, and parks what the worker has.
  template <class Done>
  WY_HD static Found Leave(Group& group, const Handle own, Executor executor, WorkerState& now,
                           Done done) {
    if (IsRanged(group, own)) {
      now.range_first = true;
      return Found::kRan;
    }
    executor.Dissolve();
    if (!executor.Close()) return Found::kRan;  // a team still waits for this worker
    Account<Group, Space>::TurnTo(group, own, kNoEvent, done);
    OwnStack<Group, Space>(group, own.space, own.Memory(), own.place.index).Park();
    if (group.Rank() == 0) {
      const WorkerMemory<Space>& memory = own.Memory();
      own.space.parked[own.place.index] = {memory.reserve_from, memory.reserve_to, memory.waits};
    }
    group.Barrier();
    WorkerCounts<Space>::Flush(group, own.space, own.block);
    return Found::kLeave;
  }
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_WORKER_LOOK_H_
