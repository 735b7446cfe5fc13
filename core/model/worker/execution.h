// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Executes what a worker has prepared, alone or with a team of its block, and counts it.
#ifndef WARPYARD_CORE_MODEL_WORKER_EXECUTION_H_
#define WARPYARD_CORE_MODEL_WORKER_EXECUTION_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/scope.h"
#include "core/model/worker/account.h"
#include "core/model/worker/block_range.h"
#include "core/model/worker/claim_counts.h"
#include "core/model/worker/preparation.h"
#include "core/model/worker/queue_moves.h"
#include "core/model/worker/share_clocks.h"
#include "core/model/worker/stage_claims.h"
#include "core/model/worker/worker_counts.h"
#include "core/model/worker/worker_handle.h"
#include "core/model/worker/workspace.h"
#include "core/policy/share.h"
#include "core/procedure/element.h"

namespace warpyard::model {

/// Parts: see WorkerParts. @scope all members: the group of the worker
template <class Parts>
class Execution {
 public:
  Execution() = delete;
  using Group = typename Parts::Group;
  using Space = typename Parts::Space;
  using Element = procedure::Element;

  /// Executes a round, and more of the same stage without a decision in between: the elements of
  /// uneven length that it claims meanwhile, or others that its block has drawn. @shape has: gets
  ///     whether it took something else
  template <class Done>
  WY_INLINED WY_HD static Found Run(Parts& self, Ready ready, bool& has, Done& done) {
    self.executor.Dissolve();
    const std::uint32_t head = self.group.Broadcast(ready.mine.head);
    if (head != self.memory.reported) self.Report(WorkerActivity::kExecuting, head);
    const std::uint32_t left = self.stack.Size();
    const ProcedureTraits& traits = self.own.block.traits[ready.round.procedure];
    const TakenElements& taken = self.memory.taken;
    // Elements of others may lie below what came first.
    const bool is_first = left == 0 || (!self.now.shares && taken.event == self.now.first);
    const bool goes_on = traits.max_spawns == 0 && is_first;
    const bool claims = goes_on && taken.event == self.memory.account.event &&
                        taken.claim.plan.procedure == ready.round.procedure;
    std::uint32_t counted = ready.counted;
    const std::uint64_t begin = Scope::Cycles();
    const auto since = static_cast<std::uint32_t>(begin);
    if (self.group.Rank() == 0) self.memory.claimed_at = since;
    const std::uint32_t running = taken.comes_first ? 1 : self.now.running;
    const ClaimPace pace{ClaimCounts<Space>::PartOfLeft(running, self.own.place.workers),
                         running > 1, since};
    const auto claim_more = [&](Element& mine) {
      if (!claims) return false;
      if (self.group.Rank() == 0) {
        Claims::ClaimMore(self.own.space, self.own.block, self.memory, pace);
      }
      self.group.Barrier();
      if (taken.claim.count == 0) return false;
      has = IsOther(self, ready.round.procedure);
      if (has) return false;
      counted += taken.claim.count;
      mine = Claims::ElementOf(taken, 0, taken.claim.count);
      return true;
    };
    const bool refills = claims && ready.is_taken && traits.merges == 0 && self.MayRefill();
    const std::uint32_t usual = self.IsBrief() ? kBriefRangeCycles : kRangeCycles;
    const std::uint32_t most = refills && left == 0 ? kRefilledCycles : usual;
    while (true) {
      self.executor.Run(ready.round, ready.mine, self.memory.stack, claim_more);
      self.group.Barrier();
      if (!goes_on || traits.merges != 0) break;
      if (self.group.Any(Scope::Cycles() - begin > most)) break;
      if (left != 0 && self.IsRangeOfOther()) break;
      has = self.TakeOfRange(refills);
      if (!has || IsOther(self, ready.round.procedure)) break;
      has = false;
      ready.round.count = taken.claim.count;
      counted += ready.round.count;
      ready.mine =
          Claims::ElementOf(taken, Preparation<Parts>::NumberOf(self, ready.round.lanes), 1);
    }
    // The next stage of an urgent event may wait for these elements, if they are few or the last.
    const bool tells =
        claims && !has && taken.comes_first && taken.claim.elements <= self.own.place.workers;
    Executed executed{ready.round.procedure, counted, 1, 0, 0, tells};
    std::uint32_t below = left;
    if constexpr (Space::Shape::kNewestCycles != 0) {
      if (!has && !tells) RunNewest(self, ready, begin, executed, below);
    }
    executed.cycles = executed.charged_cycles = Scope::Cycles() - begin;
    return Finish(self, executed, below, has, done);
  }

  /// Executes a package, and others of its kind, with a team of the block's workers.
  template <class Done>
  WY_INLINED WY_HD static Found LeadTeam(Parts& self, const Ready& ready, Done& done) {
    if constexpr (Parts::Executor::kTeams) {
      const std::uint32_t running = self.now.running;
      const bool has_urgent = running > 1 && self.now.pressure != Pressure::kNone;
      const TeamWork work{ready.mine, ready.counted,   ready.on_stack,
                          running,    self.now.shares, has_urgent};
      const TeamEnd end = LeadTeam(self.group, self.own, self.executor, work, done);
      self.now.look_in = 0;
      if (end.kept) self.now.range_first = false;
      return end.found;
    }
    return Found::kStuck;
  }

 private:
  using Scope = typename Space::Scope;
  using Claims = StageClaims<Space>;
  static constexpr std::uint32_t kBlockWorkers = Space::Shape::kBlockWorkers;
  static constexpr std::uint64_t kLongCycles = 10'000;  // a look costs little beside such a round
  // After this time a worker stops taking portions and counts the finished elements: usually, if
  // IsBrief(), and if it refills the range. Going on afterwards takes up to 25,000 cycles.
  static constexpr std::uint32_t kRangeCycles = 64'000, kBriefRangeCycles = 12'000;
  static constexpr std::uint32_t kRefilledCycles = 500'000;
  static constexpr std::uint32_t kTurnCycles = 1u << 17;  // of a team, some 65 us
  static constexpr std::uint32_t kUnchecked = 8;  // elements of RunNewest for a read of the clock

  /// Counts of Executed that Note has added to the statistics.
  struct Noted {
    std::uint32_t counted = 0, spawned = 0;
    std::uint64_t cycles = 0;
  };

  /// What was executed.
  struct Executed {
    std::uint32_t procedure;  ///< of what is not noted yet
    std::uint32_t counted;    ///< elements of the event's account
    std::uint32_t workers;    ///< that executed them together
    std::uint64_t cycles;
    std::uint64_t charged_cycles;  ///< the part for which its account pays
    bool tells = false;            ///< it tells the event at once
    std::uint32_t before = 0;      ///< elements that were spawned, except by the last round
    Noted noted{};
  };

  /// What a team is to execute.
  struct TeamWork {
    Element package;
    std::uint32_t counted;  ///< elements of the event's account
    bool on_stack;          ///< the package is still on the stack
    std::uint32_t running;  ///< events
    bool shares;            ///< see WorkerState
    bool has_urgent;        ///< events with a deadline run beside others
  };

  struct TeamEnd {
    Found found;
    bool kept;  ///< the package was put on the stack, since the warp may not post yet
  };

  /// Not inlined: workers that execute no packages have less code in their loop then.
  template <class Done>
  WY_DEVICE_CALL WY_HD static TeamEnd LeadTeam(Group& group, const WorkerHandle<Space> far,
                                               typename Parts::Executor executor,
                                               const TeamWork work, Done done) {
    Parts self(group, far.Near(), executor);
    self.now.shares = work.shares;
    const Element& package = work.package;
    const bool is_urgent =
        work.has_urgent && group.Any(self.own.space.board.IsUrgent(package.Event()));
    const bool gathers = executor.Gather(package, is_urgent);
    if (group.Rank() == 0) Claims::Release(self.own.block, self.memory.taken);
    if (!gathers) {  // another team gathers, which it joins first, or it is not its turn
      if (!work.on_stack) KeepMerged(self, package, work.counted);
      return {Found::kRan, !work.on_stack};
    }
    if (package.head != self.memory.reported) self.Report(WorkerActivity::kExecuting, package.head);
    const std::uint32_t size = self.stack.Size() + (work.on_stack ? 0 : 1);
    if (work.on_stack) self.stack.Pop(1);  // before the team can spawn on the stack
    std::uint32_t turn = 0;
    if (work.shares) {
      const std::uint32_t share = self.own.space.board.ShareOf(package.Event());
      const auto random = static_cast<std::uint32_t>(Scope::Cycles());
      turn = 1 + policy::TurnOf(share, kTurnCycles, random);
    }
    const TeamResult result =
        executor.Lead(package, self.own, {work.running, turn, work.has_urgent, is_urgent});
    const ProcedureTraits& traits = self.own.block.traits[package.Procedure()];
    // The next stage of an urgent event may wait for this package.
    const Executed executed{package.Procedure(),    result.executed - 1 + work.counted,
                            traits.workers,         result.cycles,
                            result.executed_cycles, is_urgent};
    return {Finish(self, executed, size + result.claimed - result.executed, false, done), false};
  }

  /// A worker of one thread executes more of its newest elements, since a decision takes longer
  /// than a few short elements. It stops before an element of another event or level, before an
  /// element that usually takes long, and before an element for whose spawns there is no room.
  /// After an element that took long unexpectedly it executes a few more. @shape begin: of the
  ///     first element; executed: the elements so far; left: see Finish
  WY_HD static void RunNewest(Parts& self, const Ready& ready, std::uint64_t begin,
                              Executed& executed, std::uint32_t& left) {
    const auto claims_none = [](Element&) { return false; };
    constexpr std::uint32_t kMost = Space::Shape::kNewestCycles;
    Round round = ready.round;
    std::uint32_t cycles = kMost;  // left, if all elements take as long as usual
    for (std::uint32_t i = 1; self.stack.Size() != 0 && self.memory.stack.levels == 0; ++i) {
      if (i % kUnchecked == 0 && Scope::Cycles() - begin > kMost) return;
      const Element newest = self.stack.Newest();
      const std::uint32_t procedure = newest.Procedure();
      const ProcedureTraits& traits = self.own.block.traits[procedure];
      const std::uint32_t each =
          Scope::BlockWord(self.own.block.element_cycles[procedure]).LoadRelaxed();
      const bool is_alike = newest.Event() == ready.mine.Event() &&
                            newest.Bucket() == ready.mine.Bucket() && traits.merges == 0;
      const bool is_short = each != 0 && each <= cycles;
      if (!is_alike || !is_short || self.stack.Free() + 1 < traits.max_spawns) return;
      const std::uint32_t spawned = executed.before + self.stack.Size() - left;
      if (procedure != round.procedure) {
        executed.cycles = Scope::Cycles() - begin;
        Note(self, executed, spawned);
        executed.procedure = round.procedure = procedure;
      }
      executed.before = spawned;
      self.stack.Pop(1);
      left = self.stack.Size();
      self.executor.Run(round, newest, self.memory.stack, claims_none);
      ++executed.counted;
      cycles -= each;
      if (self.now.look_in != 0) --self.now.look_in;
    }
  }

  /// Adds to the statistics what they do not have yet. @scope one thread @shape spawned: elements,
  ///     by all that was executed
  WY_HD static void Note(Parts& self, Executed& executed, std::uint32_t spawned) {
    const Noted& noted = executed.noted;
    const std::uint32_t counted = executed.counted - noted.counted;
    const std::uint64_t cycles = executed.cycles - noted.cycles;
    WorkerCounts<Space>::Add(self.own.block, {executed.procedure, counted, spawned - noted.spawned,
                                              cycles * executed.workers});
    ClaimCounts<Space>::Learn(self.own.block, executed.procedure, counted, cycles);
    executed.noted = {executed.counted, spawned, executed.cycles};
  }

  /// Whether what was taken cannot be executed as the round before.
  WY_INLINED WY_HD static bool IsOther(const Parts& self, std::uint32_t procedure) {
    const TakenElements& taken = self.memory.taken;
    return taken.event != self.memory.account.event || taken.dropped || taken.stuck ||
           taken.claim.plan.procedure != procedure;
  }

  /// Counts what was executed. @shape left: size of the stack without it, modulo 2^32; has: the
  /// worker has taken something else; done: see Account::TurnTo
  template <class Done>
  WY_INLINED WY_HD static Found Finish(Parts& self, Executed executed, std::uint32_t left, bool has,
                                       Done& done) {
    const std::uint32_t size = self.stack.Size();
    const std::uint32_t spawned = executed.before + size - left;
    const std::uint64_t cycles = executed.charged_cycles * executed.workers;
    if (self.group.Any(executed.cycles > kLongCycles)) self.now.look_in = 0;
    if (self.group.Rank() == 0) {
      Account<Group, Space>::Count(self.memory, static_cast<std::int32_t>(spawned) -
                                                    static_cast<std::int32_t>(executed.counted));
      Account<Group, Space>::Charge(self.memory, cycles);
      if (self.now.shares) {
        ShareClocks<Group, Space>::Charge(self.own.space, self.own.block, self.memory.account.event,
                                          static_cast<std::int64_t>(cycles / kBlockWorkers));
      }
    }
    // The next stage may wait for this worker: it tells the event first.
    if (executed.tells || (size == 0 && !has && self.stack.Reserved() == 0)) {
      Account<Group, Space>::TurnTo(self.group, self.own, kNoEvent, done);
    }
    if (self.group.Rank() == 0) Note(self, executed, spawned);
    self.group.Barrier();
    if (self.memory.stack.levels == 0) return Found::kRan;
    self.now.look_in = 0;  // one of those for levels may come first
    const bool put = QueueMoves<Group, Space>::Put(self.group, self.own, left);
    return put ? Found::kRan : Found::kStuck;
  }

  /// Puts a package on the stack, which may stand for several elements of its stage.
  WY_HD static void KeepMerged(Parts& self, const Element& package, std::uint32_t elements) {
    self.stack.Push(1, [&](std::uint32_t) { return package; });
    if (self.group.Rank() == 0) {
      Account<Group, Space>::Count(self.memory, 1 - static_cast<std::int32_t>(elements));
    }
    self.group.Barrier();
  }
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_WORKER_EXECUTION_H_
