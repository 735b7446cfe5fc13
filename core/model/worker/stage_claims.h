// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A worker's claims of the open stages of events: one atomic for several elements, for the worker
// alone or for all workers of its block.
//
// How many: as many as take about as long as a claim costs little against, but no more than a fair
// part of what is left, so that the workers end together. The more events run, the more elements a
// worker claims of one, up to a round of its block: the others keep the device busy while this
// event's last elements run.
#ifndef WARPYARD_CORE_MODEL_WORKER_STAGE_CLAIMS_H_
#define WARPYARD_CORE_MODEL_WORKER_STAGE_CLAIMS_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/bits.h"
#include "core/exec/scope.h"
#include "core/model/event/event_table.h"
#include "core/model/worker/block_range.h"
#include "core/model/worker/own_stack.h"
#include "core/model/worker/workspace.h"
#include "core/procedure/element.h"
#include "core/procedure/procedure_concept.h"

namespace warpyard::model {

/// What a worker wants to claim.
struct WantedClaim {
  std::uint32_t event;
  StageHint hint;         ///< its open stage, as far as the worker knows
  std::uint32_t running;  ///< events that run
  std::uint32_t workers;  ///< of the device
  bool only_for_block;    ///< not for this worker alone, where another one draws for the block
};

/// @scope all members: one thread of the worker
template <class Space>
class StageClaims {
 public:
  StageClaims() = delete;
  using Scope = typename Space::Scope;

  /// Claims elements of an event's open stage: for the block, if its range is empty and nobody else
  /// draws for it; else for this worker alone. The range gets what is not for this worker. A claim
  /// for this worker may be of more than a portion. @shape taken: gets what is for this worker;
  /// nothing
  ///     where others were faster
  WY_DEVICE_CALL WY_HD static void Claim(Space& space, BlockMemory<Space>& far_block,
                                         const WantedClaim wanted, TakenElements& far_taken) {
    BlockMemory<Space>& block = Scope::Near(far_block);
    TakenElements& taken = Scope::Near(far_taken);
    BlockRangeMemory& range = block.range;
    taken.claim.count = 0;
    taken.stuck = taken.holds = false;
    const bool is_last = Range::EventWithMore(range) == wanted.event;
    const std::uint32_t procedure = is_last ? range.procedure : wanted.hint.procedure;
    const bool spreads = Spreads(block, procedure);
    const bool for_block = !spreads && Range::Lock(range);
    if (!spreads && !for_block && wanted.only_for_block) return;
    const bool again = (for_block || spreads) && is_last;
    // These accesses are under way together.
    const BoardNews news = space.board.Read();
    const bool dropped = space.events.IsDropped(wanted.event);
    const std::uint32_t count =
        spreads ? CountAlone(range, wanted, again) : CountOf(block, wanted, for_block, again);
    const RangeClaim claim =
        space.events.Claim(wanted.event, count, again ? range.stage : Table::kNoStage);
    if (claim.TakesLast()) space.board.Toggle(wanted.event);
    Scope::BlockWord(claim.count != 0 ? block.counters.claims : block.counters.misses)
        .FetchAddRelaxed(1);
    taken = {claim,
             wanted.event,
             PortionOf(block, claim),
             dropped,
             news.OnlyOpen() == wanted.event,
             !HasNewOnes<Space>(block, news, wanted.event),
             false,
             false};
    if (!for_block && !spreads) return;
    Remember(range, claim, wanted.event);
    if (!for_block) return;
    // The worker that leads a team keeps all packages.
    const bool package = claim.count != 0 && block.traits[claim.plan.procedure].lanes == 0;
    const std::uint32_t own = package ? kMostForOne : taken.portion;
    if (claim.count > own) {
      taken.stuck = !Range::Fill(range, taken, own);
      taken.claim.count = own;
      Scope::BlockWord(block.bell).FetchAddRelaxed(1);
    }
    // Until the team gathers, no other worker is to claim packages, too.
    taken.holds = package;
    if (!package) Range::Unlock(range);
  }

  /// Gives up the lock that a claim of packages has kept.
  WY_HD static void Release(BlockMemory<Space>& block, TakenElements& taken) {
    if (!taken.holds) return;
    taken.holds = false;
    Range::Unlock(block.range);
  }

  /// Claims elements of a stage that are to be dropped; returns how many.
  WY_DEVICE_CALL WY_HD static std::uint32_t ClaimDropped(Space& space, std::uint32_t event) {
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
    const ProcedureTraits& traits = block.traits[procedure % Space::Procedures::kCount];
    return traits.merges != 0 && traits.lanes != 0;
  }

  /// Whether it is worth to learn how long elements take. @shape event, procedure: of the elements
  WY_HD static bool MayLearn(BlockMemory<Space>& block, std::uint32_t event,
                             std::uint32_t procedure) {
    BlockRangeMemory& range = block.range;
    return Scope::BlockWord(range.left).LoadRelaxed() != 0 &&
           Scope::BlockWord(range.event).LoadRelaxed() == event &&
           Scope::BlockWord(range.procedure).LoadRelaxed() == procedure;
  }
  /// Learns how long elements of a stage take. @shape elements, cycles: what was executed
  WY_DEVICE_CALL WY_HD static void Learn(BlockMemory<Space>& far_block, std::uint32_t procedure,
                                         std::uint32_t elements, std::uint64_t cycles) {
    BlockMemory<Space>& block = Scope::Near(far_block);
    if (cycles > kMostCycles) cycles = kMostCycles;
    const ProcedureTraits& traits = block.traits[procedure];
    const float took = static_cast<float>(static_cast<std::uint32_t>(cycles) + 1);
    const float rate = static_cast<float>(elements) * exec::RoughReciprocal(took);
    const float sharing = traits.lanes == 0 ? 1 : static_cast<float>(traits.sharing);
    const std::uint32_t most = Rounded(kClaimCycles * rate * sharing);
    Scope::BlockWord(block.range.most).StoreRelaxed(most > traits.groups ? most : traits.groups);
    Scope::BlockWord(block.range.portion).StoreRelaxed(Rounded(kPortionCycles * rate));
  }

 private:
  using Range = BlockRange<Scope>;
  using Table = EventTable<Scope, typename Space::Program>;
  static constexpr std::uint32_t kBlockWorkers = Space::Shape::kBlockWorkers;
  static constexpr std::uint32_t kMostDropped = 1u << 26;  // all workers' claims fit a cursor
  static constexpr std::uint32_t kMostCycles = 1u << 30;
  static constexpr std::uint32_t kMostForOne = 32;  // fits a stack that has made room
  static constexpr std::uint32_t kMostPackages = 16;
  static constexpr float kClaimCycles = 16'000;  // some 8 us of each worker
  static constexpr float kPortionCycles = 8'000;
  static constexpr float kPackages = 4;  // of one claim, at least
  static constexpr float kAlmostOne = 0.999f;
  static constexpr float kPartOfFair = 0.5f;

  WY_HD static std::uint32_t Rounded(float count) {
    if (count < 1) return 1;
    constexpr auto kMost = static_cast<float>(Range::kMostElements);
    return static_cast<std::uint32_t>(count < kMost ? count : kMost);
  }

  WY_HD static void Remember(BlockRangeMemory& range, const RangeClaim& claim,
                             std::uint32_t event) {
    Scope::BlockWord(range.left).StoreRelaxed(claim.count == 0 ? 0 : claim.Left());
    if (claim.count == 0 || (range.event == event && range.stage == claim.stage)) return;
    range.stage = claim.stage;
    Scope::BlockWord(range.event).StoreRelaxed(event);
    Scope::BlockWord(range.procedure).StoreRelaxed(claim.plan.procedure);
    Scope::BlockWord(range.most).StoreRelaxed(0);
    Scope::BlockWord(range.portion).StoreRelaxed(1);
  }

  /// Elements to claim. In floats: integer division is slow on a GPU. @shape again: the block
  /// claimed
  ///     of the stage last, and left some
  WY_HD static std::uint32_t CountOf(BlockMemory<Space>& block, const WantedClaim& wanted,
                                     bool for_block, bool again) {
    const BlockRangeMemory& range = block.range;
    const std::uint32_t left = again ? range.left : wanted.hint.elements;
    if (left == 0) return 1;
    const ProcedureTraits& traits =
        block.traits[again ? range.procedure : wanted.hint.procedure % Space::Procedures::kCount];
    const bool package = traits.lanes == 0;
    // Workers that execute an element together, or share what is claimed.
    const float sharing = for_block || package ? static_cast<float>(traits.sharing) : 1;
    const float fair = static_cast<float>(left) * static_cast<float>(wanted.running) * sharing *
                       exec::RoughReciprocal(static_cast<float>(wanted.workers));
    // A round of all that share, and no less than a fair part: a stage with no more elements than
    // there are workers takes one round then.
    const float packages = wanted.running > 1 ? 1 : kPackages;
    const float round = static_cast<float>(traits.groups) * (package ? packages : sharing);
    const bool knows = again && !(package && wanted.running > 1);
    const float known = knows ? static_cast<float>(range.most) : 0;
    const float most = known > round ? known : round;
    const std::uint32_t count = Rounded(fair < most ? fair + kAlmostOne : most);
    return exec::Least(count, package     ? kMostPackages
                              : for_block ? Range::kMostElements
                                          : kMostForOne);
  }

  /// The same for a worker alone, of elements of uneven length.
  WY_HD static std::uint32_t CountAlone(const BlockRangeMemory& range, const WantedClaim& wanted,
                                        bool again) {
    if (!again || range.portion <= 1) return 1;
    const float fair = static_cast<float>(range.left) * kPartOfFair *
                       exec::RoughReciprocal(static_cast<float>(wanted.workers));
    return exec::Least(range.portion, Rounded(fair));
  }

  /// Elements that a worker executes as one round.
  WY_HD static std::uint32_t PortionOf(BlockMemory<Space>& block, const RangeClaim& claim) {
    const ProcedureTraits& traits = block.traits[claim.plan.procedure];
    return claim.count <= 1 || traits.merges == 0 ? traits.portion : claim.count;
  }
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_WORKER_STAGE_CLAIMS_H_
