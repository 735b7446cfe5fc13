// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A worker's claims of the open stages of events: one atomic for several elements, for the worker
// alone or for all workers of its block.
//
// How many: as many as take about as long as a claim costs little against, but no more than a fair
// part of what is left, so that the workers end together. The more events run, the more elements a
// worker claims of one: the others keep the device busy while this event's last elements run.
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

/// Of what a worker wants to claim.
struct WantedClaim {
  std::uint32_t event;
  StageHint hint;         ///< its open stage, as far as the worker knows
  std::uint32_t running;  ///< events that run
  bool only_for_block;    ///< not for this worker alone, where another one draws for the block
};

/// @scope all members: the group of the worker, with the same arguments
template <exec::LaneScope Group, class Space>
class StageClaims {
 public:
  /// @shape workers: of all blocks
  WY_HD StageClaims(Group& group, Space& space, BlockMemory<Space>& block, std::uint32_t workers)
      : group_(group), space_(space), block_(block), per_worker_(1 / static_cast<float>(workers)) {}

  /// Claims elements of an event's open stage: for the block, if its range is empty and nobody else
  /// draws for it; else for this worker alone. Returns what is for this worker; the range gets the
  /// rest. Nothing where others were faster. A claim for this worker may be of more than a portion.
  /// @scope one thread
  WY_INLINED WY_HD TakenElements Claim(const WantedClaim& wanted) {
    BlockRange<Group, Scope> range(group_, block_.range);
    TakenElements taken{};
    const bool for_block = range.Lock();
    if (!for_block && wanted.only_for_block) return taken;
    const bool again = for_block && IsKnown(wanted.event);
    const bool dropped = space_.events.IsDropped(wanted.event);  // under way with the claim
    taken.claim = space_.events.Claim(wanted.event, Count(wanted, for_block, again),
                                      again ? block_.range.stage : Table::kNoStage);
    taken.event = wanted.event;
    taken.dropped = dropped ? 1 : 0;
    if (taken.claim.TakesLast()) space_.board.Toggle(wanted.event);
    Scope::BlockWord(taken.claim.count != 0 ? block_.claims : block_.misses).FetchAddRelaxed(1);
    if (taken.claim.count != 0) taken.portion = PortionOf(taken.claim);
    if (for_block) {
      Remember(taken);
      // The worker that leads a team keeps all packages.
      const bool package = block_.traits[taken.claim.plan.procedure].lanes == 0;
      const std::uint32_t own = package ? kMostForOne : taken.portion;
      if (taken.claim.count > own && !dropped) {
        TakenElements rest = taken;
        rest.claim.first += own;
        rest.claim.count -= own;
        taken.claim.count = own;
        if (!range.Fill(block_.range, rest)) taken.stuck = 1;
      }
      range.Unlock();
    }
    return taken;
  }

  /// Claims elements of a stage that are to be dropped; returns how many.
  WY_HD std::uint32_t ClaimDropped(std::uint32_t event) {
    RangeClaim claim;
    if (group_.Rank() == 0) {
      claim = space_.events.Claim(event, kMostDropped, Table::kNoStage);
      if (claim.TakesLast()) space_.board.Toggle(event);
    }
    return group_.Broadcast(claim.count);
  }

  /// Adds elements of a claim to the stack, from number `begin` of it on, the first one as the newest.
  WY_HD void PushTo(OwnStack<Group, Space>& stack, const TakenElements& taken,
                    std::uint32_t begin) {
    const std::uint32_t count = taken.claim.count;
    stack.Push(count - begin,
               [&](std::uint32_t i) { return ElementOf(taken, count - 1 - i, 1); });
  }

  /// `count` elements of a claim as one, from number `i` of it on.
  WY_HD static procedure::Element ElementOf(const TakenElements& taken, std::uint32_t i,
                                            std::uint32_t count) {
    const procedure::Range indices = Table::IndicesOf(taken.claim, i, count);
    return {procedure::MakeHead(taken.event, taken.claim.plan.procedure, taken.event),
            {indices.begin, indices.end}};
  }

  /// Learns how long elements of a stage take. @scope one thread
  /// @shape event, procedure, elements, cycles: what was executed
  WY_HD void Learn(std::uint32_t event, std::uint32_t procedure, std::uint32_t elements,
                   std::uint64_t cycles) {
    BlockRangeMemory& range = block_.range;
    if (Scope::BlockWord(range.left).LoadRelaxed() == 0) return;  // nothing to know it for
    if (event != Scope::BlockWord(range.event).LoadRelaxed()) return;
    if (procedure != Scope::BlockWord(range.procedure).LoadRelaxed()) return;
    if (cycles > kMostCycles) cycles = kMostCycles;
    const ProcedureTraits& traits = block_.traits[procedure];
    const float rate = static_cast<float>(elements) *
                       exec::RoughReciprocal(static_cast<float>(static_cast<std::uint32_t>(cycles) + 1));
    const float sharing = traits.lanes == 0 ? 1 : static_cast<float>(traits.sharing);
    const float most = kClaimCycles * rate * sharing;
    const auto least = static_cast<std::uint32_t>(traits.groups);
    const auto count = static_cast<std::uint32_t>(most < kMostClaim ? most : kMostClaim);
    Scope::BlockWord(range.most).StoreRelaxed(count > least ? count : least);
    const float portion = kPortionCycles * rate;
    Scope::BlockWord(range.portion)
        .StoreRelaxed(portion < 1 ? 1 : static_cast<std::uint32_t>(portion < kMostClaim ? portion : kMostClaim));
  }

 private:
  using Scope = typename Space::Scope;
  using Table = EventTable<Scope, typename Space::Program>;
  static constexpr std::uint32_t kBlockWorkers = Space::Shape::kBlockWorkers;
  static constexpr std::uint32_t kMostDropped = 1u << 26;  // all workers' claims fit a cursor
  static constexpr std::uint32_t kMostCycles = 1u << 30;
  static constexpr float kMostClaim = 1024;
  static constexpr std::uint32_t kMostForOne = 32;  // fits a stack that has made room
  static constexpr std::uint32_t kMostPackages = 16;
  static constexpr float kClaimCycles = 16'000;  // some 8 us of each worker
  static constexpr float kPortionCycles = 8'000;
  static constexpr float kUnknownRounds = 4;  // of elements whose time is not known

  /// Whether the block claimed of the event's stage last, and left something.
  /// @scope the worker that draws
  WY_HD bool IsKnown(std::uint32_t event) const {
    return block_.range.left != 0 && block_.range.event == event;
  }

  /// @scope the worker that draws
  WY_HD void Remember(const TakenElements& taken) {
    BlockRangeMemory& range = block_.range;
    Scope::BlockWord(range.left).StoreRelaxed(taken.claim.count == 0 ? 0 : taken.claim.Left());
    if (taken.claim.count == 0) return;
    if (range.event == taken.event && range.stage == taken.claim.stage) return;
    range.stage = taken.claim.stage;
    Scope::BlockWord(range.event).StoreRelaxed(taken.event);
    Scope::BlockWord(range.procedure).StoreRelaxed(taken.claim.plan.procedure);
    Scope::BlockWord(range.most).StoreRelaxed(0);
    Scope::BlockWord(range.portion).StoreRelaxed(1);
  }

  /// Elements to claim. In floats: integer division is slow on a GPU. @scope one thread
  WY_HD std::uint32_t Count(const WantedClaim& wanted, bool for_block, bool again) const {
    const BlockRangeMemory& range = block_.range;
    const std::uint32_t left = again ? range.left : wanted.hint.elements;
    if (left == 0) return 1;
    const ProcedureTraits& traits =
        block_.traits[again ? range.procedure : wanted.hint.procedure % Space::Procedures::kCount];
    // Workers that execute an element together, or share what is claimed.
    const float sharing = for_block || traits.lanes == 0 ? static_cast<float>(traits.sharing) : 1;
    const float fair =
        static_cast<float>(left) * static_cast<float>(wanted.running) * sharing * per_worker_;
    if (fair < 2) return 1;
    const float timed =
        again && range.most != 0
            ? static_cast<float>(range.most)
            : static_cast<float>(traits.groups) * (traits.lanes == 0 ? 1 : sharing * kUnknownRounds);
    return exec::Least(static_cast<std::uint32_t>(fair < timed ? fair : timed),
                       traits.lanes == 0 ? kMostPackages
                       : for_block       ? BlockRange<Group, Scope>::kMostElements
                                         : kMostForOne);
  }

  /// Elements that a worker executes as one round. @scope one thread
  WY_HD std::uint32_t PortionOf(const RangeClaim& claim) const {
    const ProcedureTraits& traits = block_.traits[claim.plan.procedure];
    if (claim.count == 1 || traits.merges == 0) return traits.portion;
    if (traits.lanes == 0) return claim.count;
    const std::uint32_t part = claim.count / (2 * kBlockWorkers);
    return part <= 1 ? 1 : exec::Least(part, block_.range.portion);
  }

  Group& group_;
  Space& space_;
  BlockMemory<Space>& block_;
  const float per_worker_;
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_WORKER_STAGE_CLAIMS_H_
