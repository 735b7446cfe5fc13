// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The memory that the workers of one device share, that the workers of a block share, and that each
// worker has for itself.
//
// A worker is a warp of a GPU or a thread of a CPU. A block is a group of workers with common fast
// memory; on a CPU each worker is a block of its own.
#ifndef WARPYARD_CORE_MODEL_WORKER_WORKSPACE_H_
#define WARPYARD_CORE_MODEL_WORKER_WORKSPACE_H_

#include <concepts>
#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/packed_slot.h"
#include "core/model/event/event_table.h"
#include "core/model/stuck_wait.h"
#include "core/model/worker/block_range.h"
#include "core/model/worker/board/block_sight.h"
#include "core/model/worker/board/board.h"
#include "core/model/worker/hand_over.h"
#include "core/model/worker/shared_queues.h"
#include "core/procedure/element.h"
#include "core/procedure/procedure_concept.h"

namespace warpyard::model {

/// Sizes of a backend's workers, as a struct of named constants:
///   kLanes            threads of a worker
///   kBlockWorkers     workers of a block
///   kWorkers          the most workers of a device; a power of two
///   kStackElements    of a worker's stack, in fast memory
///   kReserveElements  of a worker's reserve, in the memory of the device; a power of two
///   kPages            of 128 elements, in all shared queues together
///   kNewestCycles     a worker of one thread executes its newest elements for so long without a
///                     decision; 0: the worker decides before each round
template <class S>
concept WorkerShape = requires {
  { S::kLanes + S::kBlockWorkers + S::kWorkers + S::kPages } -> std::same_as<std::uint32_t>;
  requires S::kNewestCycles == 0 || S::kLanes == 1;
  requires 2 * S::kStackElements <= S::kReserveElements;
  requires(S::kReserveElements & (S::kReserveElements - 1)) == 0;
};

/// Sums of all workers; they only grow.
struct WorkerCounters {
  std::uint64_t given;      ///< elements that workers gave to others
  std::uint64_t back_offs;  ///< pauses of idle workers
  std::uint64_t busy_ns;    ///< that workers executed
  std::uint64_t looks;      ///< at the board
  std::uint64_t claims;     ///< of stages
  std::uint64_t misses;     ///< claims that came too late
  std::uint64_t held_ns;    ///< that events were held; see RankKeeper
};

struct ProcedureSums {
  std::uint64_t executed;
  std::uint64_t spawned;
  std::uint64_t busy_ns;
  std::uint64_t min_ns;  ///< complemented, so that 0 means none and a maximum keeps it
  std::uint64_t max_ns;
};

/// Numbers of events.
struct EventCounts {
  std::uint32_t done;  ///< ever, for the controller
  /// Give or take starting and ending ones; the starting thread writes it.
  std::uint32_t running;
};

/// What a worker leaves behind for the next launch.
struct ParkedWorker {
  std::uint32_t reserve_from;  ///< its elements have the numbers [from, to)
  std::uint32_t reserve_to;
  std::uint32_t waits;  ///< not 0: it is in the ring of HandOver
};

/// What a worker did last, for the host's watchdog.
enum class WorkerActivity : std::uint32_t { kAbsent, kIdle, kExecuting };

/// @shape memory that all workers reach: zero-initialised, then Reset by all of them
template <class ScopeType, class ProgramType, WorkerShape ShapeType>
struct Workspace {
  using Scope = ScopeType;
  using Program = ProgramType;
  using Shape = ShapeType;
  using Procedures = typename Program::Procedures;
  static_assert(Procedures::kMaxSpawns + kGivenElements < Shape::kStackElements,
                "a stack has room for the spawns of one element");
  using Queues = SharedQueues<Scope, Shape::kPages>;

  Board<Scope> board;
  HandOver<Scope, Shape::kWorkers> hand_over;
  EventTable<Scope, Program> events;
  Queues queues;
  std::uint32_t waiting[Procedures::kCount];  ///< elements of each procedure in queues
  ProcedureSums procedures[Procedures::kCount];
  alignas(128) WorkerCounters counters;
  alignas(128) EventCounts event_counts;
  alignas(128) StuckWait stuck;
  exec::PackedSlot activities[Shape::kWorkers];  ///< {1, {WorkerActivity, head, 0}}
  ParkedWorker parked[Shape::kWorkers];
  procedure::Element reserves[Shape::kWorkers][Shape::kReserveElements];

  /// @scope see SharedQueues::Reset
  WY_HD void Reset(std::uint32_t part, std::uint32_t parts) {
    queues.Reset(part, parts);
    if (part == 0) hand_over.Reset();
  }
};

/// The context of an element that a group executes.
template <class Group, class Space>
WY_HD procedure::Context<Group, typename Space::Program::Job> MakeContext(
    Group& group, Space& space, procedure::SpawnBuffer& spawns, std::uint32_t head) {
  auto& event = space.events[procedure::EventOf(head)];
  return {group, event.job, &event.cancel, &spawns, head, 0, &event.error, &event.stage};
}

/// Compile-time traits of a procedure: selecting them from the type list at run time is slower.
struct ProcedureTraits {
  std::uint8_t lanes;    ///< threads of a group that lies within a worker; 0: a team's
  std::uint8_t groups;   ///< that a worker executes together
  std::uint8_t workers;  ///< that a group takes
  std::uint8_t merges;   ///< not 0: see procedure::IsUneven
  std::uint8_t sharing;  ///< workers that share a claim, or execute an element together
  std::uint8_t portion;  ///< elements of a stage that a worker takes at once: no more than `groups`
  std::uint32_t max_spawns;  ///< of one element

  /// Whether elements of a stage take unequal times, and each is executed by one worker.
  WY_HD bool IsUneven() const { return merges != 0 && lanes != 0; }
};

/// Counts of the workers of a block, which they add to the sums of all blocks now and then.
struct BlockCounts {
  std::uint32_t cycles;
  std::uint32_t executed;
  std::uint32_t spawned;
  std::uint32_t min_cycles;  ///< complemented
  std::uint32_t max_cycles;
};

/// What the workers of a block know of the open stage of an event.
struct BlockStage {
  std::uint32_t number;  ///< EventTable::kNoStage: none was claimed of
  std::uint32_t left;    ///< elements that nobody had claimed after the block's latest claim
  std::uint32_t elements;
  std::uint32_t procedure;

  /// Whether it tells more than the hint: it is of the same stage, as far as one can see.
  WY_HD bool IsOf(const StageHint& hint) const {
    const bool as_large = hint.elements >= StageHint::kSaturated ? elements >= hint.elements
                                                                 : elements == hint.elements;
    return left != 0 && (hint.elements == 0 || (as_large && hint.procedure == procedure));
  }
};

/// What the workers of a block have to tell an event together.
struct BlockAccount {
  std::uint32_t serving;   ///< workers of the block that serve the event
  std::uint32_t finished;  ///< elements
  std::uint32_t cycles;    ///< that they took
};

/// A worker's account with the event that it serves; see Account.
struct WorkerAccount {
  std::uint32_t event;           ///< the latest one; kNoEvent: none yet
  std::uint32_t serves;          ///< not 0: it serves that event now
  std::int32_t uncounted;        ///< elements that it spawned less those that it finished
  std::uint64_t charged_cycles;  ///< that the event is not told of yet
  std::uint32_t opened;          ///< the event whose next stage this worker opened
  StageHint opened_stage;        ///< that stage
};

/// What a worker keeps for itself. @shape in the memory of its block; WorkerParts::Begin
/// initialises it
template <class Space>
struct WorkerMemory {
  using Shape = typename Space::Shape;
  // The stack, the oldest first. Its spawn buffer has the elements in fast memory; older ones may
  // be in the reserve, with the numbers [reserve_from, reserve_to).
  procedure::SpawnBuffer stack;
  std::uint32_t reserve_from;
  std::uint32_t reserve_to;
  procedure::Element elements[Shape::kStackElements];
  WorkerAccount account;
  std::uint32_t waits;       ///< not 0: it is in the ring of HandOver
  std::uint32_t reported;    ///< head of the element that the host was told of
  std::uint32_t idle;        ///< not 0: it counts in BlockSight::idle
  TakenElements taken;       ///< what it claimed last, or took of its block's range
  std::uint32_t claimed_at;  ///< when it claimed more of a stage; low bits of the cycles
  WorkerSight sight;
  LevelWindow window;
};

/// The block's own times of the events that share the device; see ShareClocks.
struct BlockClocks {
  std::uint32_t clocks[procedure::kEventBuckets];
  std::uint32_t base;
  std::uint32_t checked;  ///< the base, when clocks far behind were last brought near
};

/// The two clocks of a block: a fast one in cycles, and a slow one in nanoseconds.
struct BlockTime {
  std::uint64_t start_ns;
  std::uint64_t start_cycles;
  std::uint64_t flushed_cycles;  ///< when the counts were last added to those of all blocks
  float ns_per_cycle;
};

/// What WorkerCounters counts, of the workers of a block since these were last added there.
struct BlockCounters {
  std::uint32_t given;
  std::uint32_t back_offs;
  std::uint32_t looks;
  std::uint32_t claims;
  std::uint32_t misses;
};

/// @shape in the memory of a block, which is not initialised
template <class Space>
struct BlockMemory {
  WorkerMemory<Space> workers[Space::Shape::kBlockWorkers];
  BlockRangeMemory range;
  BlockClocks clocks;
  BlockSight sight;
  /// Grows whenever there may be something for workers of the block that wait.
  std::uint32_t bell;
  ProcedureTraits traits[Space::Procedures::kCount];
  BlockCounts counts[Space::Procedures::kCount];
  std::uint32_t element_cycles[Space::Procedures::kCount];  ///< of an element; 0: not known
  BlockAccount accounts[procedure::kEventBuckets];
  BlockStage stages[procedure::kEventBuckets];
  BlockTime time;
  BlockCounters counters;
};

/// Whether an open stage is known to have packages, which teams execute.
template <class Space>
WY_HD bool HasPackages(const BlockMemory<Space>& block, const StageHint& hint) {
  const std::uint32_t procedure = hint.procedure % Space::Procedures::kCount;
  return hint.elements != 0 && block.traits[procedure].lanes == 0;
}

/// The event of the block's latest claim, if that left elements of its stage that nobody had
/// claimed; else kNoEvent. @scope any thread
template <class Space>
WY_HD std::uint32_t EventWithMore(BlockMemory<Space>& block) {
  const std::uint32_t event = BlockRange<typename Space::Scope>::Event(block.range);
  const auto left = Space::Scope::BlockWord(block.stages[event].left);
  return left.LoadRelaxed() != 0 ? event : kNoEvent;
}

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_WORKER_WORKSPACE_H_
