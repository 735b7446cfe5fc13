// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// From one stage of an event to the next, without the scheduling warp.
//
// While an event is alone, there is nothing to decide between its stages. A block whose groups find
// no more elements of a stage counts out its executed elements. If they were the last ones it opens
// the next stage, else it waits until that is open; then it claims of it. The way through the
// scheduling warp (account, look for hints, read ranks, claim) takes some 15 us, as long as a stage
// of a real-time step (docs/adr/0026). The crossing ends at another event, a park, the end of the
// batch's time, or a stage whose elements the scheduling warp must draw.
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

  /// Counts out the elements of the batch, which has none then. @shape cycles: that they took;
  /// done: called with the event if it is done
  template <class Done>
  WY_HD void Leave(std::uint64_t cycles, Done& done) {
    const std::uint32_t executed = batch_.count + batch_.claimed;
    if (executed != 0) {
      // Charge before the event may be done: a later charge would be the slot's next event's.
      const auto ns = static_cast<float>(cycles) * batch_.ns_per_cycle;
      Scope::Word(space_.events[batch_.event].executed_ns)
          .FetchAddRelaxed(static_cast<std::uint64_t>(ns));
      EventAccount<Group, Space>::CountOut(space_, batch_.event, executed, done);
    }
    batch_.first_cycles = cycles;
    BlockStatistics<Group, Space>::AddStage(memory_, batch_, cycles);
    batch_.count = batch_.claimed = 0;
  }

  /// Waits for the stage behind the batch's and claims of it; the batch then has these elements.
  /// False: the batch is over. @shape stays(): whether it pays to wait
  template <class Stays>
  WY_HD bool Enter(Stays&& stays) {
    using State = StageAfter::State;
    for (std::uint32_t looks = 0; stays(); ++looks) {
      const StageAfter after = space_.events.LookAfter(batch_.event, batch_.stage);
      if (after.state == State::kNone) return false;
      if (after.state == State::kToCome) {
        // The scheduler drops the rest of the stage.
        if (space_.events.IsDropped(batch_.event)) return false;
        Scope::Pause(looks < kShortPauses ? 0 : kPause);
        continue;
      }
      const BlockProcedure& known = memory_.procedures[after.procedure];
      if (known.uneven == 0) return false;
      // If there are few, leave some to each block.
      const std::uint32_t fair = after.elements / blocks_ + 1;
      const RangeClaim claim =
          space_.events.Claim(batch_.event, exec::Least(known.groups, fair), after.described);
      if (claim.count != 0) return Take(claim);
      if (claim.stage == batch_.stage) continue;  // this block does not see it open yet
      batch_.stage = after.described.turn;        // other blocks have all of it
      looks = 0;
    }
    return false;
  }

 private:
  using Scope = typename Space::Scope;
  static constexpr std::uint32_t kShortPauses = 64;
  static constexpr std::uint32_t kPause = 2;

  /// Takes a claim. Its stage may be later than the one looked at, even of a later event of the
  /// slot.
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
