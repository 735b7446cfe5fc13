// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What a worker consists of: its lanes, its memory, and what it knows from one decision to the
// next.
//
// Its functions are all copied into the loop (see worker_handle.h), and get the parts by reference.
#ifndef WARPYARD_CORE_MODEL_WORKER_WORKER_PARTS_H_
#define WARPYARD_CORE_MODEL_WORKER_WORKER_PARTS_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/base/word_flag.h"
#include "core/exec/packed_slot.h"
#include "core/exec/scope.h"
#include "core/model/worker/account.h"
#include "core/model/worker/block_range.h"
#include "core/model/worker/board/board.h"
#include "core/model/worker/range_refill.h"
#include "core/model/worker/stack/own_stack.h"
#include "core/model/worker/stage_claims.h"
#include "core/model/worker/worker_handle.h"
#include "core/model/worker/workspace.h"

namespace warpyard::model {

/// Whether events with a deadline come, and the worker's block is kept for them; see
/// BoardNews::HasUrgent.
enum class Pressure : std::uint32_t { kNone, kUrgent, kKept };

struct OpenStage {
  std::uint32_t event = kNoEvent;
  StageHint hint{0, 0};
};
/// The stage of which a worker is to claim. @shape held: what the worker has is held
struct ChosenStage : OpenStage {
  bool held = false;
};

/// What a worker knows and does now.
struct WorkerState {
  std::uint32_t look_in = 0;       ///< rounds
  std::uint32_t running = 1;       ///< events, at the last look
  std::uint32_t first = kNoEvent;  ///< what came first at the last choice
  OpenStage expected;              ///< of the event that alone had one
  /// Events that had an open stage at the last choice, and have it since.
  std::uint32_t known[2] = {0, 0};
  WordFlag range_first = true;  ///< elements of its block come before those of its stack
  WordFlag shares = false;      ///< its event shares the device with others
  WordFlag dropped = false;     ///< its event seems to be cancelled or to have failed
  WordFlag leaving = false;     ///< its launch is to end
  WordFlag given = false;       ///< others gave something to it
  Pressure pressure = Pressure::kNone;

  /// @shape keeps: the worker is of a block that is kept where such events come
  WY_HD void SetUrgent(bool come, bool keeps) {
    pressure = !come ? Pressure::kNone : keeps ? Pressure::kKept : Pressure::kUrgent;
  }
  WY_HD bool IsKept() const { return pressure == Pressure::kKept; }

  WY_HD void Know(const BoardNews& news) {
    for (std::uint32_t w = 0; w < 2; ++w) known[w] = news.open[w];
  }
  /// Whether the board shows something to draw besides `event` that it did not at the last choice.
  WY_HD bool HasNewOnes(const BoardNews& news, std::uint32_t event) {
    bool has = news.Levels() != 0 || news.Queued() != 0;
    for (std::uint32_t w = 0; w < 2; ++w) {
      known[w] &= news.open[w];  // what closes and opens again is new
      const std::uint32_t own = event / 32 == w ? 1u << event % 32 : 0u;
      has |= (news.open[w] & ~(known[w] | own)) != 0;
    }
    return has;
  }
};

/// Executor: see Worker. @scope all members: the group of the worker
template <exec::LaneScope GroupType, class SpaceType, class ExecutorType>
struct WorkerParts {
  using Group = GroupType;
  using Space = SpaceType;
  using Executor = ExecutorType;
  using Scope = typename Space::Scope;
  static constexpr bool kHasOthers = Space::Shape::kBlockWorkers > 1;  ///< workers in its block

  WY_HD WorkerParts(Group& lanes, const WorkerHandle<Space>& handle, ExecutorType& executes)
      : group(lanes),
        own(handle),
        memory(own.Memory()),
        executor(executes),
        stack(lanes, own.space, memory, own.place.index) {}

  /// Before the worker begins. @scope one thread
  WY_HD void Begin() {
    const ParkedWorker& parked = own.space.parked[own.place.index];
    memory.stack = {0, memory.elements, true, 0};
    memory.reserve_from = parked.reserve_from;
    memory.reserve_to = parked.reserve_to;
    memory.waits = parked.waits;
    memory.reported = ~0u;
    memory.idle = 0;
    memory.taken = {};
    memory.sight = {};
    memory.window = {0, static_cast<std::uint32_t>(Scope::Cycles()) * 2654435761u};
    Account<Group, Space>::Reset(memory);
  }

  /// Takes a portion of the block's range, if there is one. @shape refills: if the range is empty
  ///     then, the worker claims more for its block; see RangeRefill
  WY_INLINED WY_HD bool TakeOfRange(bool refills = false) {
    if (group.Rank() == 0) {
      BlockRange<Scope>::Take(own.block.range, memory.taken);
      if constexpr (kHasOthers) {
        if (refills && !BlockRange<Scope>::HasMore(own.block.range)) {
          RangeRefill<Space>::Fill(own, now.running);
        }
      }
    }
    group.Barrier();
    return memory.taken.claim.count != 0;
  }

  /// Whether the block's range has elements of another event than those that were taken last.
  WY_INLINED WY_HD bool IsRangeOfOther() const {
    return group.Any(BlockRange<Scope>::Event(own.block.range) != memory.taken.event);
  }

  /// Where accounts share the device and another worker of the block chooses an event just now,
  /// waits for its claim and takes a portion. Returns whether it took one. A worker that has not
  /// told its event of finished elements does not wait, since the event may wait for them. After
  /// false, other workers may wait for this worker's choice until it calls EndChoice.
  WY_INLINED WY_HD bool TakeOfChooser() {
    if constexpr (kHasOthers) {
      if (!now.shares || memory.account.serves != 0) return false;
      if (group.Rank() == 0) StageClaims<Space>::TakeOrChoose(own);
      group.Barrier();
      return memory.taken.claim.count != 0;
    }
    return false;
  }
  /// Ends this worker's choice, if other workers may wait for it.
  WY_HD void EndChoice() {
    if (!kHasOthers || group.Rank() != 0) return;
    BlockRange<Scope>::EndChoice(own.block.range, own.place.in_block);
  }

  /// Claims for the block, or for this worker alone. Returns whether there is something.
  WY_INLINED WY_HD bool Claim(std::uint32_t event, const StageHint& hint, bool only_for_block) {
    const bool has_urgent = now.pressure != Pressure::kNone && now.running > 1;
    const bool is_urgent = has_urgent && group.Any(own.space.board.IsUrgent(event));
    if (is_urgent && IsLeftToTeams(event, hint)) return false;
    const bool comes_first = is_urgent && (stack.Size() != 0 || HasOpenWithoutDeadline());
    if (group.Rank() == 0) {
      StageClaims<Space>::Claim(own.space, own.block,
                                {event, hint, now.running, own.place.workers, only_for_block,
                                 IsBrief(), has_urgent, is_urgent, comes_first},
                                memory.taken);
    }
    group.Barrier();
    return memory.taken.claim.count != 0;
  }

  /// Whether the worker claims few elements for its block, and looks at the board often. It does so
  /// while events with a deadline come. A thread of a CPU always does so: it is a block of its own,
  /// and with large claims a few threads divide their time less evenly among tenants.
  WY_HD bool IsBrief() const { return !kHasOthers || now.pressure != Pressure::kNone; }
  /// Whether it may claim more for its block without a choice; see RangeRefill.
  WY_HD bool MayRefill() const { return !now.shares && !IsBrief(); }
  /// Whether the worker was given something. @scope any lane
  WY_HD bool IsGiven() {
    return memory.waits != 0 && own.space.hand_over.Given(own.place.index) != 0;
  }
  /// How often workers of the block saw something new. @scope any lane
  WY_HD std::uint32_t Sights() { return Scope::BlockWord(own.block.sight.count).LoadRelaxed(); }

  /// Remembers that there is nothing for this worker of a kept block. @scope one thread
  WY_HD void Pass(const BoardNews& news) {
    memory.sight.passed[0] = news.open[0];
    memory.sight.passed[1] = news.open[1];
    memory.sight.passed[2] = news.latest;
  }
  /// @scope any lane
  WY_HD bool HasNotPassed(const BoardNews& news) const {
    const std::uint32_t(&passed)[3] = memory.sight.passed;
    return news.open[0] != passed[0] || news.open[1] != passed[1] || news.latest != passed[2];
  }

  /// Tells the block whether the worker is idle, when that changes.
  WY_HD void SetIdle(bool is_idle) {
    if (group.Rank() != 0 || (memory.idle != 0) == is_idle) return;
    memory.idle = is_idle ? 1 : 0;
    Scope::BlockWord(own.block.sight.idle).FetchAddRelaxed(is_idle ? 1u : ~0u);
  }

  /// Whether an event without a deadline has an open stage.
  WY_HD bool HasOpenWithoutDeadline() {
    const BoardNews news = own.space.board.Read();
    bool has = false;
    for (std::uint32_t event = group.Rank(); event < procedure::kEventBuckets;
         event += group.Size()) {
      has |= news.IsOpen(event) && !own.space.board.IsUrgent(event);
    }
    return group.Any(has);
  }

  /// Tells the host what the worker does. @shape head: of the element that it executes
  WY_HD void Report(WorkerActivity activity, std::uint32_t head) {
    if (group.Rank() == 0) {
      memory.reported = head;
      exec::PackedSlot& slot = own.space.activities[own.place.index];
      Scope::StoreSlot(slot, {1, {static_cast<std::uint32_t>(activity), head, 0}});
    }
    group.Barrier();
  }

  /// Whether the worker leaves the packages of an open stage to the teams that have gathered for
  /// the stage before. These teams claim within some 15 us, and gathering another team takes longer
  /// where warps of the block are busy. A warp that stays for its team leaves all packages to the
  /// warp that led the team.
  WY_HD bool IsLeftToTeams(std::uint32_t event, const StageHint& hint) {
    constexpr std::uint32_t kTeamsFirstUs = 15;
    if (!HasPackages<Space>(own.block, hint) || executor.Leads()) return false;
    if (executor.StaysForTeam()) return true;
    const std::uint32_t idle = Scope::BlockWord(own.block.sight.idle).LoadRelaxed();
    const bool is_busy = idle + 1 < Space::Shape::kBlockWorkers;
    const StageBefore before = own.space.events.Before(event);
    const std::uint32_t procedure = before.procedure % Space::Procedures::kCount;
    return group.Any(is_busy && before.us_ago < kTeamsFirstUs &&
                     own.block.traits[procedure].lanes == 0);
  }

  Group& group;
  const WorkerHandle<Space> own;
  WorkerMemory<Space>& memory;  ///< memory.taken: what it has drawn
  Executor& executor;
  OwnStack<Group, Space> stack;
  WorkerState now;
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_WORKER_WORKER_PARTS_H_
