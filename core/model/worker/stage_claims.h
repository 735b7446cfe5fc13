// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A worker's claims of the open stages of events: one atomic for several elements, for the worker
// alone or for all workers of its block.
// How many elements a claim takes: claim_counts.h.
#ifndef WARPYARD_CORE_MODEL_WORKER_STAGE_CLAIMS_H_
#define WARPYARD_CORE_MODEL_WORKER_STAGE_CLAIMS_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/bits.h"
#include "core/exec/scope.h"
#include "core/model/event/event_table.h"
#include "core/model/worker/block_range.h"
#include "core/model/worker/claim_counts.h"
#include "core/model/worker/worker_handle.h"
#include "core/model/worker/workspace.h"
#include "core/procedure/element.h"
#include "core/procedure/procedure_concept.h"

namespace warpyard::model {

/// @scope all members: one thread of the worker
template <class Space>
class StageClaims : private ClaimRules {
 public:
  StageClaims() = delete;
  using Scope = typename Space::Scope;
  static constexpr std::uint32_t kMostForOne = ClaimCounts<Space>::kMostForOne;

  /// Claims elements of an event's open stage: for the block, if its range is empty and nobody else
  /// draws for it; else for this worker alone. The range gets what is not for this worker. A claim
  /// for this worker may be of more than a portion. @shape taken: gets what is for this worker;
  ///     nothing where others were faster
  WY_DEVICE_CALL WY_HD static void Claim(Space& space, BlockMemory<Space>& far_block,
                                         const WantedClaim wanted, TakenElements& far_taken) {
    BlockMemory<Space>& block = Scope::Near(far_block);
    TakenElements& taken = Scope::Near(far_taken);
    BlockRangeMemory& range = block.range;
    taken.claim.count = 0;
    taken.stuck = taken.holds = false;
    const BlockStage known = StageOf(block, wanted.event);
    const StageHint hint =
        known.IsOf(wanted.hint) ? StageHint{known.left, known.procedure} : wanted.hint;
    // A stage that is new to the block begins with an element for each of its workers.
    const bool begins = wanted.running <= 1 && !known.IsOf(wanted.hint);
    const bool alone =
        (Spreads(block, hint.procedure) && !begins) || ClaimsAlone(block, wanted, hint);
    const bool packages = wanted.comes_first && HasPackages<Space>(block, hint);
    const bool for_block = !alone && Range::Lock(range, packages);
    // An urgent package that it claimed while a team of its block gathers would wait for that team.
    if (!alone && !for_block && (wanted.only_for_block || packages)) return;
    const std::uint32_t count = Counts::CountOf(block, wanted, hint, for_block);
    if (for_block) Range::SetChosen(range);
    ClaimNow(space, block, {wanted.event, known.number, count, wanted.comes_first}, taken);
    Remember(block, wanted.event, known.number, taken.claim);
    if (!for_block) return;
    const RangeClaim& claim = taken.claim;
    // The worker that leads a team keeps all packages.
    const bool package = claim.count != 0 && block.traits[claim.plan.procedure].lanes == 0;
    SpreadOver(block, taken);
    const bool keeps = package || Range::HasMore(range);  // of an earlier claim
    const std::uint32_t own = keeps ? kMostForOne : taken.portion;
    if (claim.count > own) {
      taken.stuck = !Range::Fill(range, taken, own);
      taken.claim.count = own;
      Scope::BlockWord(block.bell).FetchAddRelaxed(1);
    }
    // Until the team gathers, no other worker is to claim packages, too.
    taken.holds = package;
    if (!package) Range::Unlock(range);
  }

  /// Claims more packages of the stage of which the block claimed last, for the team that executes
  /// some of them. Where another warp has claimed of a new stage meanwhile, it gets elements of
  /// that. @shape taken: gets at most kMostForOne; nothing where another worker of the block draws
  WY_INLINED WY_HD static void ClaimPackages(Space& space, BlockMemory<Space>& block,
                                             const WantedClaim& wanted, TakenElements& taken) {
    taken = {};
    if (!Range::Lock(block.range, wanted.is_urgent)) return;
    const BlockStage known = StageOf(block, wanted.event);
    const StageHint hint{known.left, known.procedure};
    const std::uint32_t count = Counts::CountOf(block, wanted, hint, false);
    taken.event = wanted.event;
    taken.claim = ClaimOf(space, block, wanted.event, count, known.number);
    Remember(block, wanted.event, known.number, taken.claim);
    Range::Unlock(block.range);
  }

  /// Claims more elements of uneven length of the stage of which the worker's latest ones are. It
  /// has not told the event of these yet, so the stage is still open. Claims nothing where there is
  /// a choice, and sometimes. What the block has drawn comes first. It is copied into each
  /// procedure, between two elements: so it is short. Twice as many as before where that took
  /// little time, else half as many. @shape memory.taken: gets what it claimed
  WY_INLINED WY_HD static void ClaimMore(Space& space, BlockMemory<Space>& block,
                                         WorkerMemory<Space>& memory, const ClaimPace& pace) {
    TakenElements& taken = memory.taken;
    RangeClaim& claim = taken.claim;
    const auto now = static_cast<std::uint32_t>(Scope::Cycles());
    const std::uint32_t left = claim.Left();
    const bool is_short = now - memory.claimed_at < (pace.shares ? kSharedCycles : kAloneCycles);
    std::uint32_t count = is_short ? 2 * claim.count : claim.count / 2;
    count = exec::Least(count,
                        static_cast<std::uint32_t>(pace.part_of_left * static_cast<float>(left)));
    count = exec::Least(count + (count == 0 ? 1 : 0), pace.shares ? kMostForOne : kMostUneven);
    claim.count = 0;
    if (Range::HasMore(block.range)) {
      memory.claimed_at = now;
      return TakeOfRange(block, taken);
    }
    if (left == 0 || !taken.quiet) return;
    if (now - pace.since > (taken.alone ? kMostAloneCycles : kMostSharedCycles)) return;
    memory.claimed_at = now;
    // These accesses are under way together.
    const BoardNews news = space.board.Read();
    const bool dropped = space.events.IsDropped(taken.event);
    claim = ClaimOf(space, block, taken.event, count, claim.stage);
    Scope::BlockWord(block.stages[taken.event].left)
        .StoreRelaxed(claim.count == 0 ? 0 : claim.Left());
    taken.dropped = dropped;
    taken.alone = news.OnlyOpen() == taken.event;
    taken.quiet = !HasNewOnes<Scope>(block.sight, news, taken.event);
  }

  /// Gives up the lock that a claim of packages has kept.
  WY_HD static void Release(BlockMemory<Space>& block, TakenElements& taken) {
    if (!taken.holds) return;
    taken.holds = false;
    Range::Unlock(block.range);
  }

  /// Claims elements of a stage that are to be dropped; returns how many.
  WY_DEVICE_CALL WY_HD static std::uint32_t ClaimDropped(Space& space, std::uint32_t event) {
    if (!space.events.HasUnclaimed(event)) return 0;
    const RangeClaim claim = space.events.Claim(event, kMostDropped, Table::kNoStage);
    if (claim.TakesLast()) space.board.Toggle(event);
    return claim.count;
  }

  /// `count` elements of a claim as one, from number `i` of it on. @scope any thread
  WY_HD static procedure::Element ElementOf(const TakenElements& taken, std::uint32_t i,
                                            std::uint32_t count) {
    const procedure::Range indices = Table::IndicesOf(taken.claim, i, count);
    return {procedure::MakeHead(taken.event, taken.claim.plan.procedure, taken.event),
            {indices.begin, indices.end}};
  }

  /// Whether each worker claims for itself. Neighbours in a stage of uneven elements often take
  /// long together: in one block they would wait for each other, and other blocks for them.
  WY_HD static bool Spreads(const BlockMemory<Space>& block, std::uint32_t procedure) {
    return block.traits[procedure % Space::Procedures::kCount].IsUneven();
  }

  /// BlockRange::TakeOrChoose, as a function that is not copied. If the block last claimed packages
  /// or elements of uneven length, the worker waits for nobody: where accounts share, a claim puts
  /// neither into the range.
  WY_DEVICE_CALL WY_HD static void TakeOrChoose(const WorkerHandle<Space> far) {
    const WorkerHandle<Space> own = far.Near();
    BlockRangeMemory& range = own.block.range;
    const std::uint32_t event = Range::Event(range) % procedure::kEventBuckets;
    const std::uint32_t procedure = StageOf(own.block, event).procedure;
    if (Spreads(own.block, procedure)) return;
    if (own.block.traits[procedure % Space::Procedures::kCount].lanes == 0) return;
    Range::TakeOrChoose(range, own.Memory().taken, own.place.in_block);
  }

  /// BlockRange::Take, as a function that is not copied.
  WY_DEVICE_CALL WY_HD static void TakeOfRange(BlockMemory<Space>& far_block,
                                               TakenElements& far_taken) {
    Range::Take(Scope::Near(far_block).range, Scope::Near(far_taken));
  }

  /// What the block knows of an event's open stage. A worker that sees its number sees what the
  /// stages before have stored, as the worker that claimed first for the block does.
  WY_HD static BlockStage StageOf(BlockMemory<Space>& block, std::uint32_t event) {
    BlockStage& stage = block.stages[event];
    return {Scope::BlockWord(stage.number).LoadAcquire(),
            Scope::BlockWord(stage.left).LoadRelaxed(),
            Scope::BlockWord(stage.elements).LoadRelaxed(),
            Scope::BlockWord(stage.procedure).LoadRelaxed()};
  }
  /// Remembers what a claim tells of the stage. @shape known: number of the stage that it knew
  WY_HD static void Remember(BlockMemory<Space>& block, std::uint32_t event, std::uint32_t known,
                             const RangeClaim& claim) {
    BlockStage& stage = block.stages[event];
    Scope::BlockWord(stage.left).StoreRelaxed(claim.count == 0 ? 0 : claim.Left());
    if (claim.count == 0) return;
    Scope::BlockWord(block.range.event).StoreRelaxed(event);
    if (claim.stage == known) return;
    Scope::BlockWord(stage.elements).StoreRelaxed(claim.elements);
    Scope::BlockWord(stage.procedure).StoreRelaxed(claim.plan.procedure);
    Scope::BlockWord(stage.number).StoreRelease(claim.stage);
  }

  /// Claims elements of an event's open stage, and closes the stage with the last one.
  /// @shape known: see EventTable::Claim
  WY_INLINED WY_HD static RangeClaim ClaimOf(Space& space, BlockMemory<Space>& block,
                                             std::uint32_t event, std::uint32_t count,
                                             std::uint32_t known) {
    const RangeClaim claim = space.events.Claim(event, count, known);
    if (claim.TakesLast()) space.board.Toggle(event);
    Scope::BlockWord(claim.count != 0 ? block.counters.claims : block.counters.misses)
        .FetchAddRelaxed(1);
    return claim;
  }

 private:
  using Range = BlockRange<Scope>;
  using Counts = ClaimCounts<Space>;
  using Table = EventTable<Scope, typename Space::Program>;
  static constexpr std::uint32_t kBlockWorkers = Space::Shape::kBlockWorkers;

  /// Whether each worker had better claim for itself, since it comes first: other workers of the
  /// block may be busy with elements that take much longer, and one worker would execute one after
  /// the other what was drawn for all. For an event without a deadline that matters only where its
  /// elements take long.
  WY_HD static bool ClaimsAlone(BlockMemory<Space>& block, const WantedClaim& wanted,
                                const StageHint& hint) {
    const std::uint32_t procedure = hint.procedure % Space::Procedures::kCount;
    if (!wanted.has_urgent || hint.elements == 0 || block.traits[procedure].lanes == 0) {
      return false;
    }
    return wanted.comes_first ||
           Scope::BlockWord(block.element_cycles[procedure]).LoadRelaxed() > kLongCycles;
  }

  struct Order {
    std::uint32_t event;
    std::uint32_t stage;  ///< that the block knows
    std::uint32_t count;
    bool comes_first;
  };
  /// @shape taken: gets the claim
  WY_INLINED WY_HD static void ClaimNow(Space& space, BlockMemory<Space>& block, const Order& order,
                                        TakenElements& taken) {
    const std::uint32_t event = order.event;
    // These accesses are under way together.
    const BoardNews news = space.board.Read();
    const bool dropped = space.events.IsDropped(event);
    const RangeClaim claim = ClaimOf(space, block, event, order.count, order.stage);
    taken = {claim,
             event,
             PortionOf(block, claim),
             dropped,
             news.OnlyOpen() == event,
             !HasNewOnes<Scope>(block.sight, news, event),
             false,
             false,
             order.comes_first};
  }

  /// Parts what was claimed among the workers of the block, if it is uneven, or if it will grow.
  WY_HD static void SpreadOver(BlockMemory<Space>& block, TakenElements& taken) {
    if (taken.claim.count == 0) return;
    const std::uint32_t procedure = taken.claim.plan.procedure;
    const bool grows = block.traits[procedure].max_spawns != 0;
    if (!grows && !Spreads(block, procedure)) return;
    const std::uint32_t each = (taken.claim.count + kBlockWorkers - 1) / kBlockWorkers;
    taken.portion = grows ? exec::Least(taken.portion, each) : 1;
  }

  /// Elements that a worker executes as one round.
  WY_HD static std::uint32_t PortionOf(BlockMemory<Space>& block, const RangeClaim& claim) {
    const ProcedureTraits& traits = block.traits[claim.plan.procedure];
    return claim.count <= 1 || traits.merges == 0 ? traits.portion : claim.count;
  }
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_WORKER_STAGE_CLAIMS_H_
