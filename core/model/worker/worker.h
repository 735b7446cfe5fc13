// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A worker: a group of lanes that decides by itself what it executes next. Warps of the megakernel
// and threads of a CPU run this one loop. [Steinberger §3.4.2, §6.4]
//
// Every few rounds the worker reads the board and turns to the event that comes first: it has
// elements of it on its stack, or its block has some in its range (block_range.h), or it claims
// some of the event's open stage, or it takes one of a level. What it had waits below, perhaps
// until events that press are over (held.h). Between looks it executes the newest elements of its
// stack, and what these spawn goes there, too. If others wait it gives its oldest elements away. If
// it finds nothing, it waits for elements of others (hand_over.h). The worker that counts out the
// last element of a stage opens the next one (event_table.h).
//
// A look costs thousands of instructions. So where the choice is simple the worker claims without a
// look around (look.h): of the event that comes first, if no accounts share the device.
#ifndef WARPYARD_CORE_MODEL_WORKER_WORKER_H_
#define WARPYARD_CORE_MODEL_WORKER_WORKER_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/scope.h"
#include "core/model/worker/account.h"
#include "core/model/worker/block_range.h"
#include "core/model/worker/board/choice.h"
#include "core/model/worker/claims_above.h"
#include "core/model/worker/exchange.h"
#include "core/model/worker/execution.h"
#include "core/model/worker/look.h"
#include "core/model/worker/preparation.h"
#include "core/model/worker/worker_counts.h"
#include "core/model/worker/worker_handle.h"
#include "core/model/worker/worker_parts.h"
#include "core/model/worker/workspace.h"

namespace warpyard::model {

/// Executor: a handle that executes elements on the lanes of the worker, and with other workers of
/// its block: ThreadExecutor, WarpExecutor. @scope all members: the group of the worker
template <exec::LaneScope Group, class Space, class Executor>
class Worker {
 public:
  using Scope = typename Space::Scope;
  using Counts = WorkerCounts<Space>;

  /// After Counts::Reset of the block.
  WY_HD Worker(Group& group, Space& space, BlockMemory<Space>& block, Executor& executor,
               const WorkerPlace& place)
      : self_(group, {space, block, place}, executor) {
    if (self_.group.Rank() == 0) self_.Begin();
    self_.group.Barrier();
  }

  /// One decision and its execution. @shape done: called by one thread with each event that is done
  template <class Done>
  WY_INLINED WY_HD Found Step(Done& done) {
    if (self_.now.given) {
      Exchange<Group, Space>::TakeAll(self_.group, self_.own, self_.executor.Members());
      self_.now.given = false;
      if (self_.stack.Size() != 0) self_.now.first = self_.stack.Newest().Event();
    }
    const bool empty = self_.stack.Size() == 0;
    // A team must not keep a worker that has elements, also in its reserve.
    const bool has_own = !empty || self_.stack.Reserved() != 0;
    if (self_.executor.IsWanted(has_own)) return Join(has_own, done);
    bool has = false;  // taken elements
    if (!has_own) {
      has = self_.TakeOfRange() || self_.TakeOfChooser();
      const Found found = has ? Found::kRan : DrawAgain(done, has);
      const bool ends = found != Found::kRan || self_.now.given;
      if (has || ends) self_.EndChoice();
      if (ends) return found;
    }
    if (!has) {
      Found found = Found::kRan;
      // What came first may be below what now is on top.
      const bool may_look =
          empty || self_.now.look_in == 0 || self_.stack.Newest().Event() != self_.now.first;
      bool wanted = false;  // by a team
      if (!empty && may_look) has = ClaimsAbove<Parts>::Claim(self_, done, wanted);
      if (wanted) return Found::kRan;  // the next step joins it
      ChosenStage chosen;
      if (!has && (empty || (may_look && !IsQuiet(found, chosen)))) {
        found = LookAround(done, chosen);
      }
      if (found != Found::kRan) return found;
      if (chosen.event != kNoEvent) {
        has = self_.Claim(chosen.event, chosen.hint, self_.stack.Size() == 0);
        if (has) self_.now.first = chosen.event;
        self_.EndChoice();
      }
      if (!has && (self_.now.range_first || self_.stack.Size() == 0)) has = self_.TakeOfRange();
      if (!has && self_.stack.Size() == 0) {
        return Look<Group, Space, Executor>::FindNothing(
            self_.group, self_.own, self_.now.IsKept() || self_.executor.StaysForTeam(), done);
      }
      if (!has && chosen.held) return Found::kHeld;
    }
    self_.SetIdle(false);
    if (self_.now.look_in != 0) --self_.now.look_in;
    Found found = Found::kRan;
    do {
      if (has && self_.memory.taken.stuck) return Found::kStuck;
      const Ready ready =
          has ? Preparation<Parts>::Taken(self_, done) : Preparation<Parts>::Newest(self_, done);
      has = false;
      if (ready.counted == 0) return self_.memory.taken.stuck ? Found::kStuck : Found::kRan;
      found = ready.round.lanes == 0 ? Execution<Parts>::LeadTeam(self_, ready, done)
                                     : Execution<Parts>::Run(self_, ready, has, done);
    } while (has && found == Found::kRan);
    return found;
  }

  /// Tells an idle worker what the board shows, without what is held. Returns whether it goes on.
  /// @scope any lane, all with the same news
  WY_HD bool Heed(const BoardNews& news) {
    self_.now.SetUrgent(news.HasUrgent(), KeptBlocks<Space>::Has(self_.own.place));
    if (news.IsLeaving(self_.own.place.launch)) return true;
    if (self_.now.IsKept()) return self_.HasNotPassed(news);
    self_.now.expected.event = news.OnlyOpen();
    self_.now.expected.hint = news.HintOf(self_.now.expected.event);
    return news.HasWork();
  }
  /// Tells a worker that found nothing of an open stage that it should claim of.
  WY_HD void Expect(std::uint32_t event, const StageHint& hint) {
    if (self_.now.IsKept()) return;
    self_.now.expected = {event, hint};
  }
  /// Whether several events ran when it last looked around. @scope any lane
  WY_HD bool Shares() const { return self_.now.running > 1; }
  /// Tells a worker that found nothing that others gave something to it.
  WY_HD void HeedGift() {
    self_.now.given = true;
    self_.now.look_in = kRoundsALook;
    self_.now.range_first = false;
  }
  /// Whether its block has something for it.
  WY_HD bool HasNewsOfBlock() {
    const bool has = self_.group.Any(BlockRange<Scope>::HasMore(self_.own.block.range));
    return has || self_.executor.IsWanted(false);
  }

  /// Adds the counts of its block to those of all, for a worker that is to wait long.
  WY_HD void Rest() {
    Counts::Flush(self_.group, self_.own.space, self_.own.block);
    self_.Report(WorkerActivity::kIdle, ~0u);
  }
  /// Before the worker ends.
  WY_HD void End() { self_.Report(WorkerActivity::kAbsent, ~0u); }

  /// For a worker that found nothing and is to wait.
  WY_HD void CountBackOff() {
    self_.SetIdle(true);
    if (self_.group.Rank() == 0)
      Scope::BlockWord(self_.own.block.counters.back_offs).FetchAddRelaxed(1);
  }

 private:
  using Parts = WorkerParts<Group, Space, Executor>;

  /// Joins the team that waits for this worker, until that ends.
  template <class Done>
  WY_INLINED WY_HD Found Join(bool has_own, Done& done) {
    self_.SetIdle(false);
    // A stage may wait for what this worker has finished.
    Account<Group, Space>::TurnTo(self_.group, self_.own, kNoEvent, done);
    self_.executor.Join(has_own);
    self_.now.look_in = 0;
    return Found::kRan;
  }

  /// Whether the worker needs no look: no event has got something to draw since its block last
  /// chose, or which one comes first is simple to tell. If others wait, it gives them some of its
  /// stack. @shape found: gets kStuck if a bounded wait ran out; chosen: gets the event of which it
  /// is to claim, if that is another one
  WY_INLINED WY_HD bool IsQuiet(Found& found, OpenStage& chosen) {
    const std::uint32_t event = self_.memory.account.event;
    if (event == kNoEvent) return false;
    const std::uint32_t sights = self_.Sights();  // before it reads the board
    const BoardNews news = self_.own.space.board.Read();
    const std::uint32_t waiting = self_.group.Broadcast(self_.own.space.hand_over.Waiting());
    const bool dropped = self_.own.space.events.IsDropped(event);
    const bool given = self_.IsGiven();
    // Another worker of the block may have seen what is new, and what came first may be below.
    const bool knows =
        sights == self_.memory.sight.count && self_.stack.Newest().Event() == self_.now.first;
    // Those that share the device take turns.
    const bool must_look = self_.now.shares || given || news.HasHeld() ||
                           !HasLooked<Scope>(self_.own.block.sight) ||
                           news.IsLeaving(self_.own.place.launch);
    const bool is_new = !knows || HasNewOnes<Scope>(self_.own.block.sight, news, event);
    self_.now.dropped = self_.group.Any(dropped);
    if (self_.group.Any(must_look)) return false;
    self_.now.look_in = kRoundsALook;
    if (self_.group.Any(is_new)) {
      if (self_.group.Rank() == 0) self_.memory.sight.count = sights;
      if (!ClaimsAbove<Parts>::Choose(self_, self_.group.Broadcast(news), chosen)) return false;
      if (chosen.event != kNoEvent || self_.now.range_first) return true;
    }
    if (waiting == 0 || self_.group.Any(news.HasWork())) return true;
    if (waiting >= kManyTakers) self_.now.look_in = kRoundsALook / 2;
    if (!Exchange<Group, Space>::GiveSome(self_.group, self_.own, waiting)) found = Found::kStuck;
    return true;
  }

  /// Draws where the choice is simple: of the event that alone had an open stage a moment ago, or
  /// of the one that comes first. kNothing: there is nothing, and the worker waits.
  /// @shape the stack and the block's range are empty; has: gets whether it has claimed something
  template <class Done>
  WY_INLINED WY_HD Found DrawAgain(Done& done, bool& has) {
    SimpleChoice choice{self_.now.expected.event, true, self_.now.expected.hint};
    self_.now.expected.event = kNoEvent;
    if (self_.group.Rank() == 0)
      self_.memory.sight.count = self_.Sights();  // before it reads the board
    WorkerAccount& account = self_.memory.account;
    if (account.serves != 0) {
      Account<Group, Space>::TurnTo(self_.group, self_.own, kNoEvent, done);
    }
    if (account.opened != kNoEvent) {
      // Lanes read the clock at different times.
      const bool is_alone =
          self_.now.running <= 1 && self_.group.Any(HasLooked<Scope>(self_.own.block.sight));
      if (is_alone) choice = {account.opened, true, account.opened_stage};
      self_.group.Barrier();
      if (self_.group.Rank() == 0) account.opened = kNoEvent;
      self_.group.Barrier();
    }
    if (choice.event == kNoEvent) {
      // These accesses are under way together.
      const BoardNews read = self_.own.space.board.ReadFree();
      const EventOrder order = self_.own.space.board.ReadOrder(self_.group);
      const std::uint32_t running = Scope::Word(self_.own.space.event_counts.running).LoadRelaxed();
      self_.now.given = self_.group.Any(self_.IsGiven());
      if (self_.now.given) return Found::kRan;
      const BoardNews news = self_.group.Broadcast(read);
      self_.now.SetUrgent(news.HasUrgent(), KeptBlocks<Space>::Has(self_.own.place));
      self_.now.Know(news);
      self_.now.running = self_.group.Broadcast(running == 0 ? 1 : running);
      Sight seen{news, order};
      seen.running = self_.now.running;
      seen.idle = self_.now.IsKept() ? 0 : self_.group.Broadcast(IdleWorkers(self_.own));
      choice = self_.now.IsKept()
                   ? SimpleFirstOfKept(self_.group, self_.own.space, self_.own.block, seen)
                   : SimpleFirst(self_.group, self_.own.space, self_.own.block, seen);
      const bool must_look =
          !HasLooked<Scope>(self_.own.block.sight) || news.IsLeaving(self_.own.place.launch);
      if (!choice.is_sure || self_.group.Any(must_look)) return Found::kRan;
      self_.now.shares = false;
      if (self_.group.Rank() == 0) {
        See<Scope>(self_.own.block.sight, self_.memory.sight, news);
        if (self_.now.IsKept() && choice.event == kNoEvent) self_.Pass(news);
      }
      self_.group.Barrier();
    }
    if (choice.event != kNoEvent) {
      self_.now.first = choice.event;
      has = self_.Claim(choice.event, choice.hint, true);
      self_.now.look_in = kRoundsALook;
      if (has) return Found::kRan;
    }
    // Gifts may be too long for a worker of a kept block, and a leader takes those of its team.
    const bool stays_out = self_.now.IsKept() || self_.executor.StaysForTeam();
    if (self_.memory.waits != 0 || stays_out) return Found::kNothing;
    // A look around executes some 2,000 instructions, and would seldom find more.
    const Found found =
        Look<Group, Space, Executor>::FindNothing(self_.group, self_.own, false, done);
    return found == Found::kRan ? Found::kNothing : found;
  }

  /// Looks around. @shape chosen: gets the event of which it is to claim, if there is one
  template <class Done>
  WY_INLINED WY_HD Found LookAround(Done& done, ChosenStage& chosen) {
    // What is seen after this may be new to this worker.
    if (self_.group.Rank() == 0) self_.memory.sight.count = self_.Sights();
    const auto result = Look<Group, Space, Executor>::Around(self_.group, self_.own, self_.executor,
                                                             self_.now, done);
    const Decision& decision = result.decision;
    self_.now = result.now;
    if (decision.found != Found::kRan || decision.event == kNoEvent) self_.EndChoice();
    chosen = {{decision.event, decision.hint}, decision.held};
    return decision.found;
  }

  Parts self_;
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_WORKER_WORKER_H_
