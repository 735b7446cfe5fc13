// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A worker's claims of the open stages of events: one atomic for several elements.
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
#include "core/model/worker/own_stack.h"
#include "core/model/worker/workspace.h"
#include "core/procedure/element.h"
#include "core/procedure/procedure_concept.h"

namespace warpyard::model {

/// @scope all members: the group of the worker, with the same arguments
template <exec::LaneScope Group, class Space>
class StageClaims {
 public:
  /// @shape workers: of all blocks
  WY_HD StageClaims(Group& group, Space& space, BlockMemory<Space>& block,
                    WorkerMemory<Space>& memory, std::uint32_t workers)
      : group_(group), space_(space), block_(block), memory_(memory), workers_(workers),
        per_worker_(0.5f / static_cast<float>(workers)) {}

  /// Whether the stage that the worker claimed of last has enough elements left for all workers, as
  /// far as the worker knows.
  WY_HD bool HasPlenty() const { return memory_.left >= workers_; }

  /// Whether a procedure is that of the stage that the worker claimed of last, which may have more.
  WY_HD bool MayHaveMore(std::uint32_t procedure) const {
    return memory_.left != 0 && memory_.stage.turn != ~0u &&
           (memory_.stage.payload[1] & 0xffu) == procedure;
  }

  /// Claims elements of the event's open stage. The claim is empty where others were faster.
  /// @shape event: the one of the account; running: events that run; room: elements that the
  ///     worker's stack has room for; size: of the stage, as far as it is known
  WY_HD RangeClaim Claim(std::uint32_t event, std::uint32_t running, std::uint32_t room,
                         std::uint32_t size) {
    RangeClaim claim;
    if (group_.Rank() == 0) {
      const std::uint32_t known = memory_.stage.turn;
      claim = space_.events.Claim(event, exec::Least(Wanted(running, size), room), memory_.stage);
      if (claim.count != 0 && claim.stage != known) Scope::OrderAfterGet();
      if (claim.TakesLast()) space_.board.Close(event);
      Scope::BlockWord(claim.count != 0 ? block_.claims : block_.misses).FetchAddRelaxed(1);
      if (claim.stage != known) memory_.element_cycles = 0;
      memory_.left = claim.count == 0 ? 0 : claim.Left();
      memory_.claimed = claim.count;
    }
    claim = group_.Broadcast(claim);
    group_.Barrier();
    return claim;
  }

  /// Claims more of a stage whose elements are to be dropped; returns how many.
  /// @shape left: elements that nobody had claimed at the last claim
  WY_HD std::uint32_t ClaimDropped(std::uint32_t event, std::uint32_t left) {
    RangeClaim claim;
    if (group_.Rank() == 0 && left != 0) {
      claim = space_.events.Claim(event, exec::Least(left, kMostDropped), memory_.stage);
      if (claim.TakesLast()) space_.board.Close(event);
      memory_.left = claim.count == 0 ? 0 : claim.Left();
    }
    const std::uint32_t count = group_.Broadcast(claim.count);
    group_.Barrier();
    return count;
  }

  /// Adds the elements of a claim to the stack, the first one as the newest; one element with all
  /// indices where the procedure takes ranges of any length. Returns how many were merged into
  /// others.
  WY_HD std::uint32_t PushTo(OwnStack<Group, Space>& stack, std::uint32_t event,
                             const RangeClaim& claim) {
    if (block_.traits[claim.plan.procedure].merges != 0) {
      stack.Push(1, [&](std::uint32_t) { return ElementOf(event, claim); });
      return claim.count - 1;
    }
    const std::uint32_t head = procedure::MakeHead(event, claim.plan.procedure, event);
    stack.Push(claim.count, [&](std::uint32_t i) {
      const procedure::Range indices = Table::IndicesOf(claim, claim.count - 1 - i);
      return procedure::Element{head, {indices.begin, indices.end}};
    });
    return 0;
  }

  /// One element with all indices of a claim.
  WY_HD static procedure::Element ElementOf(std::uint32_t event, const RangeClaim& claim) {
    const procedure::Range indices = Table::IndicesOf(claim, 0, claim.count);
    return {procedure::MakeHead(event, claim.plan.procedure, event), {indices.begin, indices.end}};
  }

  /// Claims more of a stage that MayHaveMore, of which the worker holds finished elements that the
  /// event is not told of: so it is still that stage. Where another event may come first, it is the
  /// last time. @shape event, running: see Claim; launch: of the worker
  WY_HD RangeClaim ClaimMore(std::uint32_t event, std::uint32_t running, std::uint32_t launch) {
    RangeClaim claim;
    if (group_.Rank() == 0) {
      const BoardNews news = space_.board.Read();  // under way together with the claim
      claim = space_.events.Claim(event, Wanted(running, 0), memory_.stage);
      if (claim.TakesLast()) space_.board.Close(event);
      memory_.left = claim.count == 0 ? 0 : claim.Left();
      memory_.claimed = claim.count;
      if (news.OnlyOpen() != event || news.leave == launch) memory_.left = 0;
      Scope::BlockWord(claim.count != 0 ? block_.claims : block_.misses).FetchAddRelaxed(1);
    }
    return group_.Broadcast(claim);
  }

  /// Learns how long elements of the stage take. @scope one thread, then a barrier
  /// @shape procedure, elements, cycles: what was executed
  WY_HD void Learn(std::uint32_t procedure, std::uint32_t elements, std::uint64_t cycles) {
    if (memory_.stage.turn == ~0u || procedure != (memory_.stage.payload[1] & 0xffu)) return;
    if (cycles > kMostCycles) cycles = kMostCycles;
    const float each = static_cast<float>(static_cast<std::uint32_t>(cycles)) *
                       exec::RoughReciprocal(static_cast<float>(elements));
    memory_.element_cycles = static_cast<std::uint32_t>(each) + 1;
  }

 private:
  using Scope = typename Space::Scope;
  using Table = EventTable<Scope, typename Space::Program>;
  static constexpr std::uint32_t kMostDropped = 1u << 26;  // all workers' claims fit a cursor
  static constexpr std::uint32_t kMostCycles = 1u << 30;
  static constexpr std::uint32_t kClaimCycles = 16'000;  // some 8 us
  static constexpr std::uint32_t kMostClaimed = 32;
  static constexpr std::uint32_t kMostUnknown = 8;  ///< elements that may take long

  /// In floats: integer division is slow on a GPU. @scope one thread
  WY_HD std::uint32_t Wanted(std::uint32_t running, std::uint32_t size) const {
    const bool known = memory_.stage.turn != ~0u && memory_.left != 0;
    const float left = static_cast<float>(known ? memory_.left : size);
    const float fair = left * static_cast<float>(running) * per_worker_ + 1;
    if (!known) return exec::Least(static_cast<std::uint32_t>(fair), kMostUnknown);
    const ProcedureTraits& traits = block_.traits[memory_.stage.payload[1] & 0xffu];
    auto wanted = static_cast<float>(traits.groups);  // that are executed together
    if (memory_.element_cycles != 0) {
      const float rounds = static_cast<float>(kClaimCycles) *
                           exec::RoughReciprocal(static_cast<float>(memory_.element_cycles));
      wanted = rounds > wanted ? rounds : wanted;
    }
    wanted = wanted < fair ? wanted : fair;
    return exec::Least(static_cast<std::uint32_t>(wanted), kMostClaimed);
  }

  Group& group_;
  Space& space_;
  BlockMemory<Space>& block_;
  WorkerMemory<Space>& memory_;
  const std::uint32_t workers_;
  const float per_worker_;
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_WORKER_STAGE_CLAIMS_H_
