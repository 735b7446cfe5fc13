// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A worker: a group of lanes that decides by itself what it executes next. Warps of the megakernel
// and threads of a CPU run this one loop. [Steinberger §3.4.2, §6.4]
//
// Every few rounds the worker looks around. Then it draws of the event that comes first, if that is
// more urgent than what it has: it claims elements of the event's open stage, or takes some of a
// level, and puts them on top of its stack. So an urgent event begins at the worker's next decision,
// and what the worker had waits below. Between looks it executes the newest elements of its stack,
// and what these spawn goes there, too. If others wait it gives its oldest elements away. If it has
// nothing and finds nothing, it waits for elements of others (hand_over.h).
// The worker that counts out the last element of a stage opens the next one (event_table.h).
// An event for whose spawns a worker has no room fails, and no other event notices.
#ifndef WARPYARD_CORE_MODEL_WORKER_WORKER_H_
#define WARPYARD_CORE_MODEL_WORKER_WORKER_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/bits.h"
#include "core/exec/scope.h"
#include "core/model/worker/account.h"
#include "core/model/worker/board.h"
#include "core/model/worker/own_stack.h"
#include "core/model/worker/share_clocks.h"
#include "core/model/worker/stage_claims.h"
#include "core/model/worker/worker_counts.h"
#include "core/model/worker/workspace.h"
#include "core/procedure/element.h"
#include "core/procedure/procedure_concept.h"

namespace warpyard::model {

/// What a worker did.
enum class Found {
  kRan,      ///< something: it is to go on
  kNothing,  ///< there is nothing to do
  kLeave,    ///< its launch is to end, and its elements are parked
  kStuck,    ///< a bounded wait ran out
};

/// Which worker it is. @shape index: less than `workers`, of all blocks; in_block: of its block
struct WorkerPlace {
  std::uint32_t index;
  std::uint32_t in_block;
  std::uint32_t workers;
  std::uint32_t launch;  ///< from 1
};

/// The context of an element that a group executes.
template <class Group, class Space>
WY_HD procedure::Context<Group, typename Space::Program::Job> MakeContext(
    Group& group, Space& space, procedure::SpawnBuffer& spawns, std::uint32_t head) {
  auto& event = space.events[procedure::EventOf(head)];
  return {group, event.job, &event.cancel, &spawns, head, 0, &event.error};
}

/// Executor: executes elements on the lanes of the worker, and with other workers of its block:
///   void Run(const Round&, const Element& mine)   @scope the group
///   see TeamExecutor for elements that need a team
/// @scope all members: the group of the worker
template <exec::LaneScope Group, class Space, class Executor>
class Worker {
 public:
  using Scope = typename Space::Scope;
  using Element = procedure::Element;
  using Memory = WorkerMemory<Space>;
  using Counts = WorkerCounts<Space>;

  /// After Counts::Reset of the block.
  WY_HD Worker(Group& group, Space& space, BlockMemory<Space>& block, Executor& executor,
               const WorkerPlace& place)
      : group_(group),
        space_(space),
        block_(block),
        memory_(block.workers[place.in_block]),
        executor_(executor),
        place_(place),
        stack_(group, space, memory_, place.index),
        account_(group, space, block, memory_),
        claims_(group, space, block, memory_, place.workers) {
    ShareClocks<Group, Space>::Reset(group_, memory_);
    waits_ = group_.Broadcast(space_.parked[place_.index].waits) != 0;
    if (group_.Rank() == 0) Begin();
    group_.Barrier();
  }

  /// One decision and its execution. @shape done: called by one thread with each event that is done
  template <class Done>
  WY_INLINED WY_HD Found Step(Done& done) {
    if (executor_.IsWanted()) {
      JoinTeam();
      return Found::kRan;
    }
    if (look_in_ == 0 || stack_.Size() == 0) {
      if (!ClaimExpected(done)) {
        const Found found = Look(done);
        if (found != Found::kRan) return found;
      }
      look_in_ = kRoundsALook;
    }
    if (ready_.count == 0) {
      if (stack_.Size() == 0) return Found::kRan;
      --look_in_;
      const Found found = TakeNewest(done);
      if (ready_.count == 0) return found;
    }
    return ExecuteReady();
  }

  /// Whether a worker that found nothing should look again. @scope any lane
  WY_HD bool HasNews() {
    const BoardNews news = space_.board.Read();
    expected_ = news.OnlyOpen();
    const std::uint32_t given = Given();
    return news.HasWork() || news.leave == place_.launch || given != 0 || executor_.IsWanted();
  }
  /// Elements in its inbox. @scope any lane
  WY_HD std::uint32_t Given() {
    return waits_ ? space_.hand_over.Given(place_.index) : 0;
  }
  /// Whether its last claim left elements for other workers of its block, at most once a claim.
  WY_HD bool TakeMore() {
    const bool more = more_;
    more_ = false;
    return more;
  }

  /// Whether other workers of its block need it.
  WY_HD bool IsWanted() { return executor_.IsWanted(); }

  /// Adds the counts of its block to those of all, for a worker that is to wait long.
  WY_HD void Rest() {
    Counts::Flush(group_, space_, block_);
    reported_ = ~0u;
    if (group_.Rank() == 0) Report(WorkerActivity::kIdle, 0);
    group_.Barrier();
  }
  WY_HD void CountBackOff() {
    if (group_.Rank() == 0) Scope::BlockWord(block_.back_offs).FetchAddRelaxed(1);
  }

 private:
  /// Elements that are executed next. @shape count: of the stage, where they are of one; not 0
  struct Ready {
    Round round;
    std::uint32_t count;
    Element mine;  ///< of the lane
  };

  /// What one look reads.
  struct Seen {
    BoardNews news;
    std::uint32_t waiting;
    std::uint32_t given;
    std::uint32_t running;
    std::uint32_t dropped;
  };

  static constexpr std::uint32_t kRoundsALook = 4;
  static constexpr std::uint64_t kLongCycles = 4'000;  // a look costs little beside such a round
  static constexpr std::uint64_t kClaimingCycles = 64'000;  // without a look

  /// @scope one thread
  WY_HD void Begin() {
    ParkedWorker& parked = space_.parked[place_.index];
    memory_.stack = {0, memory_.elements, true, 0};
    memory_.reserve_from = parked.reserve_from;
    memory_.reserve_to = parked.reserve_to;
    memory_.event = kNoEvent;
    memory_.serves = 0;
    memory_.uncounted = 0;
    memory_.charged_cycles = 0;
    memory_.stage.turn = ~0u;
    memory_.left = memory_.claimed = memory_.element_cycles = 0;
    memory_.window = {0, static_cast<std::uint32_t>(Scope::Cycles()) * 2654435761u};
  }

  /// Claims at once of the event that alone had something to draw when the worker was woken.
  template <class Done>
  WY_INLINED WY_HD bool ClaimExpected(Done& done) {
    const std::uint32_t expected = group_.Broadcast(expected_);
    expected_ = kNoEvent;
    if (expected == kNoEvent || stack_.Size() != 0 || shares_) return false;
    account_.TurnTo(expected, done);
    const bool dropped = space_.events.IsDropped(expected);  // under way with the claim
    const RangeClaim claim = claims_.Claim(expected, running_, stack_.Free(), 0);
    if (claim.count == 0) return false;
    dropped_ = group_.Any(dropped);
    TakeClaim(claim);
    return true;
  }

  /// Looks around: takes what is more urgent than the own elements, and gives to those who wait.
  template <class Done>
  WY_INLINED WY_HD Found Look(Done& done) {
    const bool empty = stack_.Size() == 0;
    const bool plenty = empty && claims_.HasPlenty() && !shares_;
    // The next stage may wait for this worker: tell first, and then see the open stage.
    if (plenty) account_.TurnTo(memory_.event, done);
    if (empty && !plenty) account_.Leave(done);
    // These accesses are under way together.
    const BoardNews news = space_.board.Read();
    const EventOrder order = space_.board.ReadOrder(group_);
    const std::uint32_t waiting = space_.hand_over.Waiting();
    const std::uint32_t given = Given();
    const std::uint32_t running = Scope::Word(space_.running_events).LoadRelaxed();
    const bool dropped = memory_.event != kNoEvent && space_.events.IsDropped(memory_.event);
    RangeClaim claim;
    if (plenty) claim = claims_.Claim(memory_.event, running_, stack_.Free(), 0);
    const Seen seen =
        group_.Broadcast(Seen{news, waiting, given, running == 0 ? 1 : running, dropped});
    if (group_.Rank() == 0) Scope::BlockWord(block_.looks).FetchAddRelaxed(1);
    running_ = seen.running;
    dropped_ = seen.dropped;
    if (claim.count != 0) TakeClaim(claim);
    if (seen.given != 0 && stack_.Free() >= kGivenElements) TakeGiven();
    if (seen.news.leave == place_.launch && ready_.count == 0) return Leave(done);
    if (!empty) account_.TellTimeSometimes();
    Counts::FlushSometimes(group_, space_, block_);
    if (stack_.Size() == 0 && stack_.Reserved() != 0) stack_.Reload();
    if (ready_.count != 0) return Found::kRan;
    if (seen.news.HasWork() && DrawUrgent(seen.news, order, done) == Found::kStuck) {
      return Found::kStuck;
    }
    if (stack_.Size() == 0 && ready_.count == 0) return FindNothing(seen.news, done);
    if (seen.waiting != 0 && stack_.GivenCount() != 0) return GiveToWaiting();
    return Found::kRan;
  }

  /// Draws of the first event, if it comes before the own elements.
  template <class Done>
  WY_HD Found DrawUrgent(const BoardNews& news, const EventOrder& order, Done& done) {
    Choice own{kNoRank, kNoEvent};
    if (stack_.Size() != 0) {
      const std::uint32_t bucket = stack_.Newest().Bucket();
      own.event = bucket < procedure::kEventBuckets ? bucket : Choice::kLevels;
      own.rank = space_.board.RankIn(group_, order, own.event);
    }
    Choice first{0, news.OnlyOpen()};
    if (first.event == kNoEvent || (own.event != kNoEvent && own.event != first.event)) {
      first = space_.board.First(group_, news, order);
      if (own.rank <= first.rank) first = own;
    }
    shares_ = running_ > 1 && ShareClocks<Group, Space>::Choose(group_, space_, memory_, news,
                                                                order, own.event, first);
    if (first.event == own.event) return Found::kRan;
    if (stack_.Size() != 0) {
      if (!stack_.HasRoomToNest()) return Found::kRan;
      if (stack_.MakeRoom(1, kGivenElements + 1) == 0) return Found::kRan;
    }
    if (first.event == Choice::kLevels) return DrawLevel();
    account_.TurnTo(first.event, done);
    const bool dropped = space_.events.IsDropped(first.event);  // under way with the claim
    const RangeClaim claim = claims_.Claim(first.event, running_, stack_.Free(),
                                           space_.board.SizeIn(group_, order, first.event));
    if (claim.count == 0) return Found::kRan;
    dropped_ = group_.Any(dropped);
    TakeClaim(claim);
    return Found::kRan;
  }

  WY_HD void TakeClaim(const RangeClaim& claim) {
    ConfirmDropped();
    std::uint32_t finished = 0;
    if (dropped_) {
      finished = claim.count + claims_.ClaimDropped(memory_.event, claim.Left());
    } else {
      const ProcedureTraits& traits = block_.traits[claim.plan.procedure];
      if (traits.merges != 0 && traits.lanes != 0 && stack_.Size() == 0) {
        // No need to pass through the stack.
        ready_ = {{1, claim.plan.procedure, traits.lanes}, claim.count, {}};
        ready_.mine = claims_.ElementOf(memory_.event, claim);
        finished = claim.count - 1;
      } else {
        finished = claims_.PushTo(stack_, memory_.event, claim);
      }
      more_ = claim.Left() * Space::Shape::kBlockWorkers >= place_.workers;
    }
    Count(-static_cast<std::int32_t>(finished));
  }

  WY_DEVICE_CALL WY_HD Found DrawLevel() {
    Element drawn[1];
    const LevelResult result =
        space_.levels.Draw(group_, space_.board, 1, memory_.window, drawn);
    if (result.stuck) return Found::kStuck;
    if (result.count == 0) return Found::kRan;
    const Element element = group_.Broadcast(drawn[0]);
    if (group_.Rank() == 0) {
      Scope::Word(space_.waiting[element.Procedure()]).FetchSubRelaxed(1);
    }
    stack_.Push(1, [&](std::uint32_t) { return element; });
    return Found::kRan;
  }

  WY_HD void TakeGiven() {
    waits_ = false;
    const std::uint32_t size = stack_.Size();
    const std::uint32_t count = space_.hand_over.Take(
        group_, place_.index,
        [&](std::uint32_t i, const Element& element) { memory_.elements[size + i] = element; });
    if (group_.Rank() == 0) memory_.stack.count = size + count;
    group_.Barrier();
  }

  WY_HD Found GiveToWaiting() {
    std::uint32_t worker = 0;
    if (group_.Rank() == 0) worker = space_.hand_over.Choose();
    worker = group_.Broadcast(worker);
    if (worker == space_.hand_over.kNobody) return Found::kRan;
    if (worker == space_.hand_over.kNoAnswer) return Found::kStuck;
    account_.TellSpawned();
    const std::uint32_t count = stack_.GivenCount();
    stack_.TakeOldest(count, [&](auto&& at) { space_.hand_over.Give(group_, worker, count, at); });
    if (group_.Rank() == 0) Scope::BlockWord(block_.given).FetchAddRelaxed(count);
    return Found::kRan;
  }

  template <class Done>
  WY_HD Found FindNothing(const BoardNews& news, Done& done) {
    executor_.PostsNothing();
    account_.Leave(done);
    if (news.HasWork()) return Found::kRan;  // others were faster: look again
    if (!waits_) {
      bool waits = false;
      if (group_.Rank() == 0) waits = space_.hand_over.Wait(place_.index);
      waits_ = true;
      return group_.Any(waits) ? Found::kRan : Found::kStuck;
    }
    return Found::kNothing;
  }

  /// Parks what the worker has.
  template <class Done>
  WY_DEVICE_CALL WY_HD Found Leave(Done& done) {
    executor_.PostsNothing();
    if (!executor_.Close()) return Found::kRan;  // a team still waits for this worker
    account_.Leave(done);
    stack_.Park();
    Counts::Flush(group_, space_, block_);
    if (group_.Rank() == 0) {
      space_.parked[place_.index] = {memory_.reserve_from, memory_.reserve_to, waits_ ? 1u : 0u};
      Report(WorkerActivity::kAbsent, 0);
    }
    group_.Barrier();
    return Found::kLeave;
  }

  /// Looks again whether the event is to be dropped, if it seemed so: the slot may have gone on to
  /// another event in between. Now the worker holds an element of the event.
  WY_HD void ConfirmDropped() {
    if (dropped_) dropped_ = group_.Any(space_.events.IsDropped(memory_.event));
  }

  /// Makes the newest elements ready, or executes them with a team, or drops them.
  template <class Done>
  WY_INLINED WY_HD Found TakeNewest(Done& done) {
    const Element newest = stack_.Newest();
    if (memory_.serves == 0 || newest.Event() != memory_.event) {
      account_.TurnTo(newest.Event(), done);
      dropped_ = group_.Any(space_.events.IsDropped(memory_.event));
    }
    ConfirmDropped();
    Round round = stack_.NewestRound(block_.traits);
    const std::uint32_t spawns = block_.traits[round.procedure].max_spawns;
    if (!dropped_) {
      const std::uint32_t fit = stack_.MakeRoom(round.count, spawns);
      if (fit == 0) FailWithoutRoom();
      round.count = exec::Least(round.count, fit);
    }
    if (dropped_) {
      round.count = round.count == 0 ? 1 : round.count;
      stack_.Pop(round.count);
      Count(-static_cast<std::int32_t>(round.count));
      return Found::kRan;
    }
    if (round.lanes == 0) return LeadTeam(newest);
    const std::uint32_t size = stack_.Size();
    // Only sets of several threads need the division.
    const std::uint32_t number = round.lanes == 1               ? group_.Rank()
                                 : round.lanes == group_.Size() ? 0
                                                                : group_.Rank() / round.lanes;
    const bool merges = block_.traits[round.procedure].merges != 0;
    ready_ = {round, merges ? memory_.claimed : round.count, {}};
    if (number < round.count) ready_.mine = memory_.elements[size - 1 - number];
    stack_.Pop(round.count);
    return Found::kRan;
  }

  /// Executes what is ready, and more of its stage if that is alone.
  WY_INLINED WY_HD Found ExecuteReady() {
    const Ready ready = ready_;
    ready_.count = 0;
    executor_.PostsNothing();
    Element mine = ready.mine;
    const std::uint32_t left = stack_.Size();
    const bool claims = block_.traits[ready.round.procedure].merges != 0 && left == 0;
    ReportIfNew(group_.Broadcast(mine.head));
    std::uint32_t more = 0;  // elements that it claimed meanwhile
    const std::uint64_t begin = Scope::Cycles();
    while (true) {
      executor_.Run(ready.round, mine, memory_.stack);
      group_.Barrier();
      if (!claims || shares_ || !claims_.MayHaveMore(ready.round.procedure)) break;
      if (group_.Any(Scope::Cycles() - begin > kClaimingCycles)) break;
      const RangeClaim claim = claims_.ClaimMore(memory_.event, running_, place_.launch);
      if (claim.count == 0) break;
      mine = claims_.ElementOf(memory_.event, claim);
      more += claim.count;
    }
    if (more != 0) Count(-static_cast<std::int32_t>(more));
    return Finish(ready.round, left, Scope::Cycles() - begin, {ready.count + more, 1});
  }

  /// What was executed, by how many workers.
  struct Done {
    std::uint32_t elements;
    std::uint32_t workers;
  };

  /// Counts a round. @shape left: size of the stack without its elements, modulo 2^32
  WY_INLINED WY_HD Found Finish(const Round& round, std::uint32_t left, std::uint64_t cycles,
                                const Done& done) {
    cycles = group_.Broadcast(cycles);
    const std::uint32_t spawned = stack_.Size() - left;
    if (cycles > kLongCycles) look_in_ = 0;
    if (group_.Rank() == 0) {
      account_.Count(static_cast<std::int32_t>(spawned) - static_cast<std::int32_t>(round.count));
      account_.Charge(cycles * done.workers);
      claims_.Learn(round.procedure, done.elements, cycles);
      Counts::Add(block_, {round.procedure, done.elements, spawned, cycles * done.workers});
    }
    group_.Barrier();
    if (shares_) {
      ShareClocks<Group, Space>::Charge(group_, space_, memory_, memory_.event,
                                        static_cast<std::int64_t>(cycles));
    }
    if (memory_.stack.levels != 0) return MoveToLevels(left);
    return Found::kRan;
  }

  /// Moves the elements that were spawned for levels, from place `first` of the stack on.
  WY_DEVICE_CALL WY_HD Found MoveToLevels(std::uint32_t first) {
    const std::uint32_t size = stack_.Size();
    account_.TellSpawned();
    if (first > size) first = 0;  // a team executed elements that it spawned itself
    std::uint32_t kept = first;
    bool stuck = false;
    for (std::uint32_t begin = first; begin < size; begin += group_.Size()) {
      const std::uint32_t i = begin + group_.Rank();
      Element element{};
      if (i < size) element = memory_.elements[i];
      const bool leaves = i < size && element.Bucket() >= procedure::kEventBuckets;
      const LevelResult refused = space_.levels.Push(group_, space_.board, leaves, element);
      stuck |= refused.stuck;
      const bool back = (refused.count >> group_.Rank() & 1u) != 0;
      if (leaves && !back) Scope::Word(space_.waiting[element.Procedure()]).FetchAddRelaxed(1);
      const bool stays = i < size && (!leaves || back);
      const std::uint32_t lanes = group_.Ballot(stays);
      group_.Barrier();
      if (stays) memory_.elements[kept + exec::PlaceAmong(lanes, group_.Rank())] = element;
      kept += exec::CountBits(lanes);
      group_.Barrier();
    }
    if (group_.Rank() == 0) {
      memory_.stack.count = kept;
      memory_.stack.levels = 0;
    }
    group_.Barrier();
    look_in_ = 0;  // one of them may come first
    return stuck ? Found::kStuck : Found::kRan;
  }

  /// Fails the event of the newest element.
  WY_HD void FailWithoutRoom() {
    if (group_.Rank() == 0) {
      Scope::Word(space_.events[memory_.event].error)
          .StoreRelaxed(static_cast<std::uint32_t>(procedure::EventError::kNoRoom));
    }
    group_.Barrier();
    dropped_ = true;
  }

  /// Executes an element, and others of its kind, with a team of the block's workers.
  WY_HD Found LeadTeam(const Element& newest) {
    if constexpr (Executor::kTeams) {
      look_in_ = 0;
      const std::uint32_t size = stack_.Size();
      stack_.Pop(1);  // before the team can spawn on the stack
      if (!executor_.Post(newest)) {
        stack_.TakeBack(1);
        return Found::kRan;  // another team forms: join that one first
      }
      ReportIfNew(newest.head);
      const std::uint64_t begin = Scope::Cycles();
      const std::uint32_t executed = executor_.Lead(newest);
      const Round round{executed, newest.Procedure(), 0};
      return Finish(round, size - executed, Scope::Cycles() - begin,
                    {executed, block_.traits[round.procedure].workers});
    }
    return Found::kStuck;
  }

  WY_HD void JoinTeam() {
    if constexpr (Executor::kTeams) {
      executor_.Join();
      look_in_ = 0;
    }
  }

  WY_HD void ReportIfNew(std::uint32_t head) {
    if (head == reported_) return;
    reported_ = head;
    if (group_.Rank() == 0) Report(WorkerActivity::kExecuting, head);
  }
  /// @scope one thread
  WY_HD void Report(WorkerActivity activity, std::uint32_t head) {
    exec::PackedSlot& slot = space_.activities[place_.index];
    Scope::StoreSlot(slot, {1, {static_cast<std::uint32_t>(activity), head, 0}});
  }

  WY_HD void Count(std::int32_t elements) {
    if (group_.Rank() == 0) account_.Count(elements);
    group_.Barrier();
  }

  Group& group_;
  Space& space_;
  BlockMemory<Space>& block_;
  Memory& memory_;
  Executor& executor_;
  const WorkerPlace place_;
  OwnStack<Group, Space> stack_;
  Account<Group, Space> account_;
  StageClaims<Group, Space> claims_;
  Ready ready_{};              // count 0: nothing
  std::uint32_t look_in_ = 0;  // rounds
  std::uint32_t running_ = 1;  // events, at the last look
  std::uint32_t reported_ = ~0u;
  std::uint32_t expected_ = kNoEvent;  // an event with an open stage, when it last waited
  bool waits_ = false;    // is in the ring of HandOver
  bool more_ = false;     // see TakeMore
  bool shares_ = false;   // its event shares the device with others
  bool dropped_ = false;  // its event seems to be cancelled or to have failed
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_WORKER_WORKER_H_
