// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The counts of a block's workers, which they add to the sums of all blocks now and then.
// [Steinberger §3.4.2]
#ifndef WARPYARD_CORE_MODEL_WORKER_WORKER_COUNTS_H_
#define WARPYARD_CORE_MODEL_WORKER_WORKER_COUNTS_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/scope.h"
#include "core/model/worker/block_range.h"
#include "core/model/worker/workspace.h"

namespace warpyard::model {

/// Elements that a worker executed together.
struct ExecutedRound {
  std::uint32_t procedure;  ///< of the newest element
  std::uint32_t count;
  std::uint32_t spawned;
  std::uint64_t cycles;
};

template <class Space>
class WorkerCounts {
 public:
  using Scope = typename Space::Scope;
  using Memory = BlockMemory<Space>;
  WorkerCounts() = delete;

  /// @scope one worker of the block, before the others begin
  template <exec::LaneScope Group>
  WY_HD static void Reset(Group& group, Memory& block) {
    for (std::uint32_t p = group.Rank(); p < Space::Procedures::kCount; p += group.Size()) {
      block.counts[p] = {};
      block.element_cycles[p] = 0;
      block.traits[p] = TraitsOf(p);
    }
    for (std::uint32_t e = group.Rank(); e < procedure::kEventBuckets; e += group.Size()) {
      block.accounts[e] = {};
      block.stages[e] = {~0u, 0, 0, 0};
    }
    if (group.Rank() == 0) {
      BlockRange<Scope>::Reset(block.range);
      block.clocks = {};
      block.sight = {};
      block.bell = 0;
      const std::uint64_t cycles = Scope::Cycles();
      block.time = {Scope::NowNs(), cycles, cycles, kUsualNsPerCycle};
      block.counters = {};
    }
    group.Barrier();
  }

  /// @scope one thread of a worker
  WY_HD static void Add(Memory& block, const ExecutedRound& round) {
    BlockCounts& counts = block.counts[round.procedure];
    const std::uint32_t cycles =
        round.cycles < kMostCycles ? static_cast<std::uint32_t>(round.cycles) : kMostCycles;
    Scope::BlockWord(counts.executed).FetchAddRelaxed(round.count);
    if (round.spawned != 0) Scope::BlockWord(counts.spawned).FetchAddRelaxed(round.spawned);
    // Counts go over every few milliseconds, so that only a very long round could overflow.
    Scope::BlockWord(counts.cycles).FetchAddRelaxed(cycles);
    if (cycles > counts.max_cycles) Scope::BlockWord(counts.max_cycles).FetchMaxRelaxed(cycles);
    if (~cycles > counts.min_cycles) Scope::BlockWord(counts.min_cycles).FetchMaxRelaxed(~cycles);
  }

  /// Flushes if the last time was long ago. @scope the group of any worker of the block
  template <exec::LaneScope Group>
  WY_HD static void FlushSometimes(Group& group, Space& space, Memory& block) {
    // One thread's clock decides, so that all go the same way.
    const std::uint64_t now = group.Broadcast(Scope::Cycles());
    if (now - group.Broadcast(block.time.flushed_cycles) > kFlushCycles) Flush(group, space, block);
  }

  /// Adds the counts to those of all blocks. Two workers may do so at the same time: each count
  /// goes over once.
  template <exec::LaneScope Group>
  WY_DEVICE_CALL WY_HD static void Flush(Group& group, Space& space, Memory& far_block) {
    Memory& block = Scope::Near(far_block);
    group.Barrier();
    if (group.Rank() == 0) {
      BlockTime& time = block.time;
      time.flushed_cycles = Scope::Cycles();
      const std::uint64_t cycles = time.flushed_cycles - time.start_cycles;
      const std::uint64_t ns = Scope::NowNs() - time.start_ns;  // a slow clock: seldom read
      if (ns > kClockNs) time.ns_per_cycle = static_cast<float>(ns) / static_cast<float>(cycles);
      Move(block.counters.given, space.counters.given);
      Move(block.counters.back_offs, space.counters.back_offs);
      Move(block.counters.looks, space.counters.looks);
      Move(block.counters.claims, space.counters.claims);
      Move(block.counters.misses, space.counters.misses);
    }
    group.Barrier();
    for (std::uint32_t p = group.Rank(); p < Space::Procedures::kCount; p += group.Size()) {
      FlushProcedure(space, block, p);
    }
    group.Barrier();
  }

 private:
  static constexpr std::uint64_t kFlushCycles = 4'000'000;  // about 2 ms
  static constexpr std::uint64_t kClockNs = 100'000;  // long enough to tell the ratio of the clocks
  static constexpr std::uint32_t kMostCycles = 0x3fffffffu;
  static constexpr float kUsualNsPerCycle = 0.6f;  // until both clocks have been compared

  WY_HD static ProcedureTraits TraitsOf(std::uint32_t p) {
    using Procedures = typename Space::Procedures;
    constexpr std::uint32_t kLanes = Space::Shape::kLanes;
    constexpr std::uint32_t kThreads = kLanes * Space::Shape::kBlockWorkers;
    const std::uint32_t threads = Procedures::Threads(p, kThreads);
    ProcedureTraits traits{};
    const bool within = threads <= kLanes || kLanes == 1;
    traits.lanes = static_cast<std::uint8_t>(!within ? 0 : kLanes == 1 ? 1 : threads);
    traits.groups = static_cast<std::uint8_t>(within && kLanes != 1 ? kLanes / threads : 1);
    traits.workers = static_cast<std::uint8_t>((threads + kLanes - 1) / kLanes);
    // Items share rounds, so the worker makes room as for the greediest of them.
    const std::uint32_t own = Procedures::MaxSpawns(p);
    const std::uint32_t items = threads == 1 && kLanes > 1 ? Procedures::kMaxSpawnsOfItems : 0;
    traits.max_spawns = own > items ? own : items;
    traits.merges = Procedures::IsUnevenId(p) ? 1 : 0;
    traits.sharing =
        within ? static_cast<std::uint8_t>(Space::Shape::kBlockWorkers) : traits.workers;
    // A stack has room for what a portion spawns.
    const std::uint32_t fit = traits.max_spawns == 0
                                  ? traits.groups
                                  : Space::Shape::kStackElements / 2 / traits.max_spawns;
    traits.portion = static_cast<std::uint8_t>(fit < 1               ? 1
                                               : fit < traits.groups ? fit
                                                                     : traits.groups);
    return traits;
  }

  template <class Count>
  WY_HD static void Move(Count& own, std::uint64_t& sum) {
    if (own == 0) return;
    Scope::Word(sum).FetchAddRelaxed(Scope::BlockWord(own).ExchangeRelaxed(Count{0}));
  }

  WY_HD static void FlushProcedure(Space& space, Memory& block, std::uint32_t p) {
    BlockCounts& own = block.counts[p];
    if (own.executed == 0 && own.spawned == 0) return;
    ProcedureSums& sums = space.procedures[p];
    const float ns_per_cycle = block.time.ns_per_cycle;
    Move(own.executed, sums.executed);
    Move(own.spawned, sums.spawned);
    const std::uint64_t cycles = Scope::BlockWord(own.cycles).ExchangeRelaxed(0u);
    const std::uint64_t busy_ns = Scaled(cycles, ns_per_cycle);
    Scope::Word(sums.busy_ns).FetchAddRelaxed(busy_ns);
    Scope::Word(space.counters.busy_ns).FetchAddRelaxed(busy_ns);
    const std::uint32_t least = Scope::BlockWord(own.min_cycles).ExchangeRelaxed(0u);
    const std::uint32_t most = Scope::BlockWord(own.max_cycles).ExchangeRelaxed(0u);
    if (least != 0) Scope::Word(sums.min_ns).FetchMaxRelaxed(~Scaled(~least, ns_per_cycle));
    Scope::Word(sums.max_ns).FetchMaxRelaxed(Scaled(most, ns_per_cycle));
  }

  WY_HD static std::uint64_t Scaled(std::uint64_t cycles, float ns_per_cycle) {
    return static_cast<std::uint64_t>(static_cast<float>(cycles) * ns_per_cycle);
  }
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_WORKER_WORKER_COUNTS_H_
