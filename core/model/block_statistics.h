// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Counts of one block, which it adds to the sums of all blocks now and then. [Steinberger §3.4.2]
#ifndef WARPYARD_CORE_MODEL_BLOCK_STATISTICS_H_
#define WARPYARD_CORE_MODEL_BLOCK_STATISTICS_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/model/workspace.h"

namespace warpyard::model {

/// @scope all members: the group
template <class Group, class Space>
class BlockStatistics {
 public:
  WY_HD BlockStatistics(Space& space, BlockMemory<Space>& memory)
      : space_(space),
        memory_(memory),
        start_ns_(Scope::NowNs()),
        start_cycles_(Scope::Cycles()),
        flushed_cycles_(start_cycles_) {}

  WY_HD void Reset(Group& group) {
    for (std::uint32_t p = group.Rank(); p < Space::Procedures::kCount; p += group.Size()) {
      BlockProcedure& own = memory_.procedures[p];
      own = {};
      own.groups = Space::Procedures::Groups(p, Space::Shape::kThreads);
      own.item = Space::Shape::kThreads >= 32 && Space::Procedures::IsItem(p) ? 1 : 0;
      const bool alike = own.item != 0 && Space::Procedures::IsSpawnedId(p);
      own.uneven = Space::Procedures::IsUnevenId(p) ? 1 : 0;
      own.max_spawns =
          alike ? Space::Procedures::kMaxSpawnsOfItems : Space::Procedures::MaxSpawns(p);
      for (BlockEstimate& estimate : own.estimates) estimate = {kNoEvent, 1, 0};
    }
    group.Barrier();
  }

  /// Counts the part of a stage that a block executed by claims. The executing threads call it at
  /// the end of each stage; nothing else is counted meanwhile. @scope one thread
  WY_HD static void AddStage(BlockMemory<Space>& memory, const BatchOf<Space>& batch,
                             std::uint64_t cycles) {
    const std::uint32_t executed = batch.count + batch.claimed;
    if (executed == 0) return;
    BlockProcedure& known = memory.procedures[batch.procedure];
    known.executed += executed;
    known.cycles += cycles;
    Learn(known, batch.event, RoundCycles(batch));
  }

  /// Counts a batch of such stages.
  WY_HD void AddStages(std::uint64_t cycles) {
    busy_cycles_ += cycles;
    ++draws_;
  }

  /// Counts a batch that took batch.cycles in all rounds of the block.
  template <class OwnBatch>
  WY_HD void Add(Group& group, const OwnBatch& batch, std::uint32_t spawned) {
    busy_cycles_ += batch.cycles;
    ++draws_;
    if (group.Rank() == 0) {
      Learn(memory_.procedures[batch.procedure], batch.event, RoundCycles(batch));
    }
    ShareOut(group, batch, spawned);
    group.Barrier();
  }

  /// Whether a batch may mix elements of this procedure with those of other such procedures.
  WY_HD bool IsItem(std::uint32_t p) const { return memory_.procedures[p].item != 0; }

  /// Cycles that so many elements of an event may take, from its latest ones; 0: not known.
  WY_HD std::uint64_t CyclesOf(std::uint32_t procedure, std::uint32_t event,
                               std::uint32_t elements) const {
    const bool known = EstimateOf(memory_.procedures[procedure], event).event == event;
    return known ? LikelyCycles(procedure, event, elements) : 0;
  }
  /// For elements of several events: take the estimate of the latest event.
  static constexpr std::uint32_t kAnyEvent = 0xfffffffeu;
  /// Of a procedure: its groups in the block, the most spawns of one element, and the rounds that
  /// are worth a batch.
  WY_HD std::uint32_t Groups(std::uint32_t p) const { return memory_.procedures[p].groups; }
  WY_HD bool IsUneven(std::uint32_t p) const { return memory_.procedures[p].uneven != 0; }
  WY_HD std::uint32_t MaxSpawns(std::uint32_t p) const { return memory_.procedures[p].max_spawns; }
  WY_HD std::uint32_t Rounds(std::uint32_t p, std::uint32_t event) const {
    const BlockEstimate& estimate = EstimateOf(memory_.procedures[p], event);
    return estimate.event == event || event == kAnyEvent ? estimate.rounds : 1;
  }
  /// Cycles that so many elements may take, from the latest ones of the event, or of other events.
  WY_HD std::uint64_t LikelyCycles(std::uint32_t p, std::uint32_t event,
                                   std::uint32_t elements) const {
    const BlockProcedure& known = memory_.procedures[p];
    return std::uint64_t{EstimateOf(known, event).cycles} * RoundsOf(elements, known.groups);
  }

  WY_HD void AddSpills(std::uint32_t count) { spills_ += count; }
  WY_HD void AddBackOff() { ++back_offs_; }
  WY_HD std::uint32_t Draws() const { return draws_; }

  /// Nanoseconds of a number of cycles, by the ratio of this block's two clocks.
  WY_HD std::uint64_t ToNs(std::uint64_t cycles) const { return Scaled(cycles, ns_per_cycle_); }

  WY_HD float NsPerCycle() const { return ns_per_cycle_; }

  /// Flushes if the last time was long ago.
  WY_HD void FlushSometimes(Group& group) {
    // One thread's clock decides, so that all go the same way.
    if (group.Broadcast(Scope::Cycles()) - flushed_cycles_ > kFlushCycles) Flush(group);
  }

  WY_HD void Flush(Group& group) {
    flushed_cycles_ = group.Broadcast(Scope::Cycles());
    const std::uint64_t cycles = flushed_cycles_ - start_cycles_;
    const std::uint64_t ns =
        Scope::NowNs() - start_ns_;  // a slow clock: do not read it for each batch
    if (ns > kClockNs) ns_per_cycle_ = static_cast<float>(ns) / static_cast<float>(cycles);
    AddToAll(group, space_, memory_, {spills_, back_offs_, ToNs(busy_cycles_), ns_per_cycle_});
    busy_cycles_ = 0;
    spills_ = back_offs_ = 0;
    group.Barrier();
  }

 private:
  using Scope = typename Space::Scope;
  static constexpr std::uint64_t kFlushCycles = 4'000'000;  // about 2 ms
  static constexpr std::uint64_t kClockNs = 100'000;  // long enough to tell the ratio of the clocks
  static constexpr std::uint32_t kMostCycles = 0x7fffffffu;
  static constexpr std::uint32_t kNoEvent = 0xffffffffu;
  static constexpr float kMostRounds = 16;

  /// In floats: integer division is slow on a GPU.
  WY_HD static std::uint32_t RoundCycles(const BatchOf<Space>& batch) {
    const std::uint64_t first = batch.first_cycles;
    const auto cycles =
        static_cast<float>(first < kMostCycles ? static_cast<std::uint32_t>(first) : kMostCycles);
    return static_cast<std::uint32_t>(cycles / static_cast<float>(batch.first_rounds));
  }

  WY_HD static std::uint32_t RoundsOf(std::uint32_t elements, std::uint32_t groups) {
    if (groups == 1) return elements;
    return static_cast<std::uint32_t>((static_cast<float>(elements) - 0.5f) /
                                      static_cast<float>(groups)) +
           1;
  }

  /// The estimate of an event, or of the latest one.
  WY_HD static const BlockEstimate& EstimateOf(const BlockProcedure& known, std::uint32_t event) {
    std::uint32_t found = 0;
    for (std::uint32_t k = 1; k < BlockProcedure::kEstimates; ++k) {
      if (known.estimates[k].event == event) found = k;
    }
    return known.estimates[found];
  }

  /// Divides the spawns and cycles of a batch among the procedures of its elements, by their
  /// numbers.
  template <class OwnBatch>
  WY_HD void ShareOut(Group& group, const OwnBatch& batch, std::uint32_t left) {
    constexpr std::uint32_t kCount = Space::Procedures::kCount;
    std::uint32_t executed = 0;
    for (std::uint32_t p = 0; p < kCount; ++p) executed += batch.executed[p];
    const std::uint32_t spawned = left + executed - batch.count - batch.claimed;
    const float part = 1.0f / static_cast<float>(executed);
    for (std::uint32_t p = group.Rank(); p < kCount; p += group.Size()) {
      const std::uint32_t own = batch.executed[p];
      if (own == 0) continue;
      BlockProcedure& known = memory_.procedures[p];
      known.executed += own;
      if (own == executed) {
        known.spawned += spawned;
        known.cycles += batch.cycles;
        continue;
      }
      const float share = static_cast<float>(own) * part;
      known.cycles += static_cast<std::uint64_t>(share * static_cast<float>(batch.cycles));
      const auto spawned_by = [&](std::uint32_t q) {
        return static_cast<std::uint32_t>(static_cast<float>(batch.executed[q]) * part *
                                          static_cast<float>(spawned));
      };
      bool last = true;  // the last one that executed anything gets the remainder
      std::uint32_t of_others = 0;
      for (std::uint32_t q = 0; q < kCount; ++q) {
        last = last && (q <= p || batch.executed[q] == 0);
        of_others += q < p ? spawned_by(q) : 0;
      }
      known.spawned += last ? spawned - of_others : spawned_by(p);
    }
  }

  /// Raises an estimate at once and lowers it slowly: taking a long batch for a short one costs
  /// more than the reverse. Estimates are kept for the last few events, since elements of another
  /// event may take more or less, and a block often alternates between events.
  WY_HD static void Learn(BlockProcedure& known, std::uint32_t event, std::uint32_t round_cycles) {
    if (~round_cycles > known.min_cycles) known.min_cycles = ~round_cycles;
    if (round_cycles > known.max_cycles) known.max_cycles = round_cycles;
    BlockEstimate own = EstimateOf(known, event);
    if (own.event != event) own = {event, 1, 0};
    const std::uint32_t lower = own.cycles - own.cycles / 8 + round_cycles / 8;
    own.cycles = round_cycles > own.cycles ? round_cycles + 1 : lower;
    const float rounds = static_cast<float>(kBatchCycles) / static_cast<float>(own.cycles + 1) + 1;
    own.rounds = static_cast<std::uint32_t>(rounds < kMostRounds ? rounds : kMostRounds);
    BlockEstimate moved = own;  // to the front; those in front of it move back
    for (BlockEstimate& place : known.estimates) {
      const BlockEstimate next = place;
      place = moved;
      if (next.event == event) break;
      moved = next;
    }
  }

  /// The sums that do not belong to a procedure.
  struct Sums {
    std::uint32_t spills;
    std::uint32_t back_offs;
    std::uint64_t busy_ns;
    float ns_per_cycle;
  };

  WY_DEVICE_CALL WY_HD static void AddToAll(Group& group, Space& space, BlockMemory<Space>& memory,
                                            const Sums& sums) {
    for (std::uint32_t p = group.Rank(); p < Space::Procedures::kCount; p += group.Size()) {
      AddProcedure(memory.procedures[p], space.procedures[p], sums.ns_per_cycle);
    }
    if (group.Rank() != 0) return;
    Scope::Word(space.counters.spills).FetchAddRelaxed(sums.spills);
    Scope::Word(space.counters.back_offs).FetchAddRelaxed(sums.back_offs);
    Scope::Word(space.counters.busy_ns).FetchAddRelaxed(sums.busy_ns);
  }

  WY_HD static void AddProcedure(BlockProcedure& own, ProcedureSums& sums, float ns_per_cycle) {
    if (own.executed == 0) return;
    Scope::Word(sums.executed).FetchAddRelaxed(own.executed);
    Scope::Word(sums.spawned).FetchAddRelaxed(own.spawned);
    Scope::Word(sums.busy_ns).FetchAddRelaxed(Scaled(own.cycles, ns_per_cycle));
    if (own.min_cycles != 0) {  // 0: its elements were always in batches of others
      Scope::Word(sums.min_ns).FetchMaxRelaxed(~Scaled(~own.min_cycles, ns_per_cycle));
      Scope::Word(sums.max_ns).FetchMaxRelaxed(Scaled(own.max_cycles, ns_per_cycle));
    }
    own.executed = own.spawned = own.min_cycles = own.max_cycles = 0;
    own.cycles = 0;
  }

  WY_HD static std::uint64_t Scaled(std::uint64_t cycles, float ns_per_cycle) {
    return static_cast<std::uint64_t>(static_cast<float>(cycles) * ns_per_cycle);
  }

  Space& space_;
  BlockMemory<Space>& memory_;
  const std::uint64_t start_ns_;
  const std::uint64_t start_cycles_;
  std::uint64_t flushed_cycles_;
  float ns_per_cycle_ = 0.6f;  // until both clocks have been compared
  std::uint64_t busy_cycles_ = 0;
  std::uint32_t draws_ = 0;
  std::uint32_t spills_ = 0;
  std::uint32_t back_offs_ = 0;
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_BLOCK_STATISTICS_H_
