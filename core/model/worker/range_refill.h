// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Fills a block's range again before it is empty.
//
// Elements of a stage often take equally long. So the workers of a block find their range empty at
// the same time. One of them claims, and the others wait as long as a few short elements take. To
// avoid this wait, the worker that takes the last portion claims more of the same stage for the
// block before it executes its portion.
//
// A worker that refills makes no choice, and the workers of its block choose only when they find
// nothing. So it refills only while the choice would be the same, as far as it can tell cheaply.
// The board shows nothing new and nothing that is held. No events with a deadline come, and no
// accounts share the device. Nobody gave the worker elements. And a worker of the block has chosen
// within 1 ms, since ranks change.
#ifndef WARPYARD_CORE_MODEL_WORKER_RANGE_REFILL_H_
#define WARPYARD_CORE_MODEL_WORKER_RANGE_REFILL_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/model/worker/block_range.h"
#include "core/model/worker/board/block_sight.h"
#include "core/model/worker/board/board_news.h"
#include "core/model/worker/claim_counts.h"
#include "core/model/worker/stage_claims.h"
#include "core/model/worker/worker_handle.h"
#include "core/model/worker/workspace.h"
#include "core/policy/share.h"

namespace warpyard::model {

/// @scope all members: one thread of the worker
template <class Space>
class RangeRefill {
 public:
  RangeRefill() = delete;

  /// Claims more for the block, or waits for another worker that claims. The worker took the last
  /// portion of the range, or it found none after the one that it took before. It has not told the
  /// event of that portion yet, so the portion's stage has not ended. The claim is of that stage.
  /// @shape Memory().taken: describes that portion. If its claim.count is 0, the function takes a
  ///     portion of the new claim into it. If a bounded wait ran out, the function sets its `stuck`
  /// @shape running: how many events run
  WY_DEVICE_CALL WY_HD static void Fill(const WorkerHandle<Space> far, std::uint32_t running) {
    const WorkerHandle<Space> own = far.Near();
    TakenElements& taken = own.Memory().taken;
    BlockRangeMemory& range = own.block.range;
    const bool has = taken.claim.count != 0;
    const BlockStage known = Claims::StageOf(own.block, taken.event);
    const bool is_own = taken.event == own.Memory().account.event;  // not another worker's choice
    const bool is_open = known.left != 0 && known.number == taken.claim.stage;
    if (!is_own || !is_open || !taken.quiet) return;
    if (Range::Lock(range)) {
      if (!MustChoose(own, taken.event)) ClaimAll(own, {known.left, known.procedure}, running);
      Range::Unlock(range);
    } else if (!has) {
      Range::AwaitDraw(range);
    }
    if (!has && !taken.stuck) Range::Take(range, taken);
  }

 private:
  using Scope = typename Space::Scope;
  using Range = BlockRange<Scope>;
  using Claims = StageClaims<Space>;

  /// Whether the worker or its block is to choose an event again. News that another worker of the
  /// block has seen are not new to the block, but they are new to this worker. Accounts may share
  /// the device before a worker notices it.
  WY_HD static bool MustChoose(const WorkerHandle<Space>& own, std::uint32_t event) {
    // These accesses are under way together.
    const BoardNews news = own.space.board.Read();
    const std::uint32_t share = own.space.board.ShareOf(event);
    const std::uint32_t running = Scope::Word(own.space.event_counts.running).LoadRelaxed();
    const bool waits = own.Memory().waits != 0;
    const bool given = waits && own.space.hand_over.Given(own.place.index) != 0;
    const bool may_share = running > 1 && policy::UnpackShare(share).group != 0;
    const auto sights = Scope::BlockWord(own.block.sight.count);
    return given || may_share || news.HasHeld() || news.HasUrgent() ||
           MustLookAt(own, news, event) || sights.LoadRelaxed() != own.Memory().sight.count ||
           !Range::IsChosen(own.block.range);
  }

  /// Claims more and puts all of it into the range. @shape hint: the open stage
  WY_HD static void ClaimAll(const WorkerHandle<Space>& own, const StageHint& hint,
                             std::uint32_t running) {
    TakenElements& taken = own.Memory().taken;
    TakenElements drawn = taken;
    const std::uint32_t event = drawn.event, stage = drawn.claim.stage;
    const WantedClaim wanted{event, hint,  running, own.place.workers, true, false,
                             false, false, false};
    const std::uint32_t count = ClaimCounts<Space>::CountOf(own.block, wanted, hint, true);
    drawn.dropped = own.space.events.IsDropped(event);
    drawn.claim = Claims::ClaimOf(own.space, own.block, event, count, stage);
    Claims::Remember(own.block, event, stage, drawn.claim);
    if (drawn.claim.count == 0) return;
    if (!Range::Fill(own.block.range, drawn, 0)) {
      if (taken.claim.count == 0) taken.claim = drawn.claim;  // else the caller ignores `stuck`
      taken.stuck = true;
    }
    Scope::BlockWord(own.block.bell).FetchAddRelaxed(1);
  }
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_WORKER_RANGE_REFILL_H_
