// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What a block counts for itself and adds to the sums of all now and then. [Steinberger §3.4.2]
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
      memory_.procedures[p] = {};
    }
    group.Barrier();
  }

  /// Counts a batch that took `cycles` in `rounds` rounds of the block.
  WY_HD void Add(Group& group, std::uint32_t procedure, std::uint32_t executed,
                 std::uint32_t spawned, std::uint64_t cycles) {
    busy_cycles_ += cycles;
    ++draws_;
    if (group.Rank() == 0) {
      BlockProcedure& sums = memory_.procedures[procedure];
      const std::uint32_t groups = Space::Procedures::Groups(procedure, Space::Shape::kThreads);
      const std::uint32_t rounds = (executed - 1) / groups + 1;
      const auto short_cycles =
          static_cast<std::uint32_t>(cycles / rounds < 0x7fffffffu ? cycles / rounds : 0x7fffffffu);
      sums.executed += executed;
      sums.spawned += spawned;
      sums.cycles += cycles;
      if (~short_cycles > sums.min_cycles) sums.min_cycles = ~short_cycles;
      if (short_cycles > sums.max_cycles) sums.max_cycles = short_cycles;
      // Up at once, down slowly: to take a long batch for a short one costs more than the reverse.
      const std::uint32_t lower = sums.lately_cycles - sums.lately_cycles / 8 + short_cycles / 8;
      sums.lately_cycles = short_cycles > sums.lately_cycles ? short_cycles : lower;
    }
    group.Barrier();
  }

  /// Cycles that a round of a procedure may take, by what it took lately; 0: not known.
  WY_HD std::uint32_t CyclesOf(std::uint32_t procedure) const {
    return memory_.procedures[procedure].lately_cycles;
  }

  WY_HD void AddSpills(std::uint32_t count) { spills_ += count; }
  WY_HD void AddBackOff() { ++back_offs_; }
  WY_HD std::uint32_t Draws() const { return draws_; }

  /// Nanoseconds of a number of cycles, by what both clocks of this block have shown.
  WY_HD std::uint64_t ToNs(std::uint64_t cycles) const {
    return static_cast<std::uint64_t>(static_cast<float>(cycles) * ns_per_cycle_);
  }

  /// Adds to the sums of all if it was long ago.
  WY_HD void FlushSometimes(Group& group) {
    // One thread's clock decides, so that all go the same way.
    if (group.Broadcast(Scope::Cycles()) - flushed_cycles_ > kFlushCycles) Flush(group);
  }

  WY_HD void Flush(Group& group) {
    flushed_cycles_ = group.Broadcast(Scope::Cycles());
    const std::uint64_t cycles = flushed_cycles_ - start_cycles_;
    const std::uint64_t ns = Scope::NowNs() - start_ns_;  // a slow clock: not for each batch
    if (ns > kClockNs) ns_per_cycle_ = static_cast<float>(ns) / static_cast<float>(cycles);
    for (std::uint32_t p = group.Rank(); p < Space::Procedures::kCount; p += group.Size()) {
      FlushProcedure(memory_.procedures[p], space_.procedures[p]);
    }
    if (group.Rank() == 0) {
      Scope::Word(space_.counters.spills).FetchAddRelaxed(spills_);
      Scope::Word(space_.counters.back_offs).FetchAddRelaxed(back_offs_);
      Scope::Word(space_.counters.busy_ns).FetchAddRelaxed(ToNs(busy_cycles_));
    }
    busy_cycles_ = 0;
    spills_ = back_offs_ = 0;
    group.Barrier();
  }

 private:
  using Scope = typename Space::Scope;
  static constexpr std::uint64_t kFlushCycles = 4'000'000;  // about 2 ms
  static constexpr std::uint64_t kClockNs = 100'000;        // that tell the ratio of the clocks

  WY_HD void FlushProcedure(BlockProcedure& own, ProcedureSums& sums) {
    if (own.executed == 0) return;
    Scope::Word(sums.executed).FetchAddRelaxed(own.executed);
    Scope::Word(sums.spawned).FetchAddRelaxed(own.spawned);
    Scope::Word(sums.busy_ns).FetchAddRelaxed(ToNs(own.cycles));
    Scope::Word(sums.min_ns).FetchMaxRelaxed(~ToNs(~own.min_cycles));
    Scope::Word(sums.max_ns).FetchMaxRelaxed(ToNs(own.max_cycles));
    own.executed = own.spawned = own.min_cycles = own.max_cycles = 0;
    own.cycles = 0;
  }

  Space& space_;
  BlockMemory<Space>& memory_;
  const std::uint64_t start_ns_;
  const std::uint64_t start_cycles_;
  std::uint64_t flushed_cycles_;
  float ns_per_cycle_ = 0.6f;  // until it was seen
  std::uint64_t busy_cycles_ = 0;
  std::uint32_t draws_ = 0;
  std::uint32_t spills_ = 0;
  std::uint32_t back_offs_ = 0;
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_BLOCK_STATISTICS_H_
