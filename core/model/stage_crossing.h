// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// From one stage of an event to the next without the warp that schedules.
//
// While an event is alone, there is nothing to decide between its stages. A block whose groups find
// no more elements of a stage counts out what it executed, opens the next stage if these were the
// last, and else looks until that is open, and claims of it. The way by the scheduling warp, which
// accounts, looks for hints, reads ranks and claims, takes some 15 us; stages of real-time steps
// take no longer (docs/adr/0026). Whatever comes between ends it: another event, a park, the end of
// the batch's time, a stage whose elements are for that warp to draw.
#ifndef WARPYARD_CORE_MODEL_STAGE_CROSSING_H_
#define WARPYARD_CORE_MODEL_STAGE_CROSSING_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/bits.h"
#include "core/model/block_statistics.h"
#include "core/model/event_account.h"
#include "core/model/workspace.h"
#include "core/procedure/element.h"

namespace warpyard::model {

/// @shape Group: of the scheduler. @scope all members: one of the threads that execute, when all
///     groups of the block are done with a stage; the others wait at a barrier
template <class Group, class Space>
class StageCrossing {
 public:
  /// @shape block: its number; blocks: that share stages
  WY_HD StageCrossing(Space& space, BlockMemory<Space>& memory, BatchOf<Space>& batch,
                      std::uint32_t block, std::uint32_t blocks)
      : space_(space), memory_(memory), batch_(batch), block_(block), blocks_(blocks) {}

  /// Counts out what the batch has of its stage; it has nothing then. @shape cycles: that took;
  ///     done: called with the event if it is done
  template <class Done>
  WY_HD void Leave(std::uint64_t cycles, Done& done) {
    const std::uint32_t executed = batch_.count + batch_.claimed;
    if (executed != 0) {
      // Charged before the event may be done: what comes later is the next event's of the slot.
      const auto ns = static_cast<float>(cycles) * batch_.ns_per_cycle;
      Scope::Word(space_.events[batch_.event].executed_ns)
          .FetchAddRelaxed(static_cast<std::uint64_t>(ns));
      EventAccount<Group, Space>::CountOut(space_, batch_.event, executed, done);
    }
    batch_.first_cycles = cycles;
    BlockStatistics<Group, Space>::AddStage(memory_, batch_, cycles);
    batch_.count = batch_.claimed = 0;
  }

  /// Waits for a stage behind the batch's and claims of it: the batch has these elements then.
  /// False: the batch is over. @shape stays(): whether it pays to wait
  template <class Stays>
  WY_HD bool Enter(Stays&& stays) {
    using State = StageAfter::State;
    for (std::uint32_t looks = 0; stays(); ++looks) {
      const StageAfter after = space_.events.LookAfter(batch_.event, batch_.stage);
      if (after.state == State::kNone) return false;
      if (after.state == State::kToCome) {
        // The rest of the stage is for the scheduler to drop.
        if (space_.events.IsDropped(batch_.event)) return false;
        Scope::Pause(looks < kShortPauses ? 0 : kPause);
        continue;
      }
      const BlockProcedure& known = memory_.procedures[after.procedure];
      if (known.uneven == 0) return false;
      // Where there are few, each block gets some.
      const std::uint32_t fair = after.elements / blocks_ + 1;
      const RangeClaim claim =
          space_.events.Claim(batch_.event, exec::Least(known.groups, fair), after.described);
      if (claim.count != 0) return Take(claim);
      if (claim.stage == batch_.stage) continue;  // not seen to be open there yet
      batch_.stage = after.described.turn;        // others have all of it
      looks = 0;
    }
    return false;
  }

 private:
  using Scope = typename Space::Scope;
  static constexpr std::uint32_t kShortPauses = 64;
  static constexpr std::uint32_t kPause = 2;

  /// It may be a later stage than was looked at, of a later event of the slot even.
  WY_HD bool Take(const RangeClaim& claim) {
    Scope::OrderAfterGet();
    const std::uint32_t event = batch_.event, procedure = claim.plan.procedure;
    batch_.stage = claim.stage;
    if (memory_.procedures[procedure].uneven == 0) {
      batch_.left = claim;
      return false;
    }
    const std::uint32_t head = procedure::MakeHead(event, procedure, event);
    for (std::uint32_t i = 0; i < claim.count; ++i) {
      const procedure::Range range =
          EventTable<Scope, typename Space::Program>::IndicesOf(claim, i);
      batch_.elements[i] = {head, {range.begin, range.end}};
    }
    batch_.count = claim.count;
    batch_.procedure = procedure;
    batch_.first_rounds = 1;
    if (block_ < Space::kMostBlocks) {
      Scope::Word(space_.crossings[block_]).StoreRelaxed(batch_.number << 8 | procedure);
    }
    return true;
  }

  Space& space_;
  BlockMemory<Space>& memory_;
  BatchOf<Space>& batch_;
  const std::uint32_t block_, blocks_;
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_STAGE_CROSSING_H_
