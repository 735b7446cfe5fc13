// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The memory that the workers of one device share, and the memory that the threads of a block
// share.
#ifndef WARPYARD_CORE_MODEL_WORKSPACE_H_
#define WARPYARD_CORE_MODEL_WORKSPACE_H_

#include <concepts>
#include <cstddef>
#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/packed_slot.h"
#include "core/model/event_table.h"
#include "core/procedure/element.h"
#include "core/strategy/buckets.h"
#include "core/strategy/local_stack.h"

namespace warpyard::model {

/// Sizes of a backend's workers and queues, as a struct of named constants:
///   kThreads        worker threads of a block
///   kBatchElements  elements that a block draws together
///   kSpawnElements  elements that a batch may spawn
///   kLocalElements  elements that a block keeps for itself
///   kPages          of 128 elements, in all queues together
template <class S>
concept WorkerShape = requires {
  { S::kThreads + S::kBatchElements + S::kPages } -> std::same_as<std::uint32_t>;
  requires S::kSpawnElements < S::kLocalElements;
};

/// Sums of all workers; they only grow.
struct WorkerCounters {
  std::uint64_t spills;
  std::uint64_t back_offs;
  std::uint64_t busy_ns;
  std::uint64_t draws;
};

struct ProcedureSums {
  std::uint64_t executed;
  std::uint64_t spawned;
  std::uint64_t busy_ns;
  std::uint64_t min_ns;  ///< complemented, so that 0 means none and a maximum keeps it
  std::uint64_t max_ns;
};

/// @shape memory that all workers reach: zero-initialised, then Reset by all of them
template <class ScopeType, class ProgramType, WorkerShape ShapeType>
struct Workspace {
  using Scope = ScopeType;
  using Program = ProgramType;
  using Shape = ShapeType;
  using Procedures = typename Program::Procedures;
  static constexpr std::uint32_t kMostBlocks = 2048;
  static_assert(Procedures::kMaxSpawns <= Shape::kSpawnElements);
  struct BucketsShape {
    using Element = procedure::Element;
    static constexpr std::uint32_t kBuckets = procedure::kBuckets;
    static constexpr std::uint32_t kQueues = Procedures::kSpawnedCount;
    static constexpr std::uint32_t kQueueElements = 16 * Shape::kPages;
    static constexpr std::uint32_t kPages = Shape::kPages;
  };
  using Buckets = strategy::Buckets<Scope, BucketsShape>;

  Buckets buckets;
  EventTable<Scope, Program> events;
  ProcedureSums procedures[Procedures::kCount];
  alignas(128) WorkerCounters counters;
  /// The number, from 1, of the launch that is to end. Its blocks give their elements to others and
  /// leave; events go on after the next launch.
  alignas(128) std::uint32_t park_launch;
  alignas(128) std::uint32_t done_events;          ///< ever, for the controller
  std::uint32_t shares[procedure::kEventBuckets];  ///< policy::Share of each event
  /// Running events, give or take starting and ending ones; the starting thread writes it.
  std::uint32_t running_events;
  std::uint32_t idle_blocks;  ///< blocks that look for work and find none
  /// For each block: the procedure of the stage that it has crossed to, and the number of the draw.
  std::uint32_t crossings[kMostBlocks];
  /// Not 0: a bounded wait ran out (a worker died inside a queue); all workers stop.
  alignas(128) std::uint32_t stuck;
  char stuck_wait[124];                      ///< which wait
  exec::PackedSlot heartbeats[kMostBlocks];  ///< of each block, see Heartbeat
};

/// A block's last report: {draws, activity | procedure << 8 | event << 16}.
enum class BlockActivity : std::uint32_t { kAbsent, kIdle, kDrawing, kExecuting };

/// Elements that a block executes together: of one procedure, or of several procedures of single
/// threads. The block then goes on with their spawns for a while, so that a recursion need not pass
/// through the scheduler element by element.
template <class Shape, std::uint32_t kProcedures>
struct Batch {
  std::uint32_t number;  ///< of the block's batches
  std::uint32_t count;
  std::uint32_t event;           ///< of the first element
  std::uint32_t procedure;       ///< of its elements, or of the newest of them
  std::uint32_t mixed;           ///< not 0: of several events
  std::uint32_t reserved;        ///< places of the stack for its spawns
  std::uint32_t cycles_to_go;    ///< after them it does not go on
  std::uint32_t claims;          ///< not 0: groups may claim more of the event's open stage
  std::uint32_t stage;           ///< then: its number
  float ns_per_cycle;            ///< then
  std::uint64_t charged_ns;      ///< to the event before it began
  std::uint64_t charged_cycles;  ///< to the block's own clock of the event
  // Reports of the executing groups. With claims they also set count, procedure, stage and
  // elements, of the stage that they have come to (StageCrossing):
  std::uint64_t cycles;                 ///< that the groups executed
  std::uint64_t first_cycles;           ///< the part of them before it went on
  std::uint32_t first_rounds;           ///< of the block's groups, until then
  std::uint32_t claimed;                ///< elements that groups claimed
  RangeClaim left;                      ///< of another stage of the event, for the scheduler
  std::uint32_t executed[kProcedures];  ///< elements, with those that it went on with
  procedure::Element elements[Shape::kBatchElements];

  /// Whether the block may go on with what it spawns.
  WY_HD bool GoesOn() const { return reserved != 0 && mixed == 0; }
};

template <class Space>
using BatchOf = Batch<typename Space::Shape, Space::Procedures::kCount>;

/// How long a batch goes on, while more urgent work waits. A look and an account cost about as much
/// beside it; an event that is alone may have longer batches.
inline constexpr std::uint32_t kBatchCycles = 32'000;
inline constexpr std::uint32_t kBatchCyclesAlone = 2 * kBatchCycles;
/// The same where groups claim more of a stage, and stop as soon as another event runs.
inline constexpr std::uint32_t kClaimCycles = 32 * kBatchCycles;

/// The estimate of a block for the elements of an event, all of one procedure.
struct BlockEstimate {
  std::uint32_t event;
  std::uint32_t rounds;  ///< that groups get at once
  std::uint32_t cycles;  ///< of a round, an estimate from above; 0: not known
};

/// A block's knowledge of a procedure; it adds the sums to the workspace now and then.
struct BlockProcedure {
  // Compile-time traits, cached: selecting them from the type list at run time is slower.
  std::uint32_t groups;      ///< that fit the block
  std::uint32_t max_spawns;  ///< the same for all items
  std::uint32_t item;        ///< see BlockStatistics::IsItem
  std::uint32_t uneven;      ///< see procedure::IsUneven
  static constexpr std::uint32_t kEstimates = 4;
  BlockEstimate estimates[kEstimates];  ///< of the latest event first
  std::uint32_t executed;
  std::uint32_t spawned;
  std::uint64_t cycles;
  std::uint32_t min_cycles;  ///< complemented
  std::uint32_t max_cycles;
};

/// A claim that the executing groups leave to the scheduler.
struct LeftClaim {
  RangeClaim claim;
  std::uint32_t event;
};

/// @shape in the memory of a block, which is not initialised
template <class Space>
struct BlockMemory {
  using Shape = typename Space::Shape;
  BatchOf<Space> batches[2];
  procedure::SpawnBuffer spawns[2];
  procedure::Element spawned[2][Shape::kSpawnElements];
  std::uint32_t wanted_elsewhere;  ///< not 0: other blocks have nothing to do
  std::uint32_t others_run;        ///< not 0: groups are to claim no more of a stage
  LeftClaim left;
  strategy::LocalStack<procedure::Element, Shape::kLocalElements, Space::Procedures::kCount> stack;
  BlockProcedure procedures[Space::Procedures::kCount];
  std::uint32_t clocks[procedure::kEventBuckets];  ///< see ShareClocks
  std::uint32_t clock_base;
  std::uint32_t clock_checked;
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_WORKSPACE_H_
