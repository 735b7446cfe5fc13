// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What a thread has while it executes symbols: the stack of its expressions, and the frames that it
// made.
#ifndef WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVE_LANE_H_
#define WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVE_LANE_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/workload/grammar/derive/memory.h"
#include "core/workload/grammar/derive/steps.h"
#include "core/workload/grammar/job/derive_job.h"

namespace warpyard::grammar {

template <class ExecScope>
struct Lane {
  const DeriveJob& job;
  std::uint32_t part = 0;      ///< of the pools
  std::uint32_t list = kNone;  ///< unit of the last frame made; others follow by Frame::next
  std::uint32_t top = 0;       ///< numbers on the stack
  Steps steps;
  float stack[kStack];

  WY_HD explicit Lane(const DeriveJob& its_job) : job(its_job) {}

  WY_HD void Push(float number) { stack[top++] = number; }
  WY_HD float Pop() { return stack[--top]; }

  /// Tells the host that a rule took too much, and all others to stop.
  WY_HD void TellExcess(Excess excess, std::uint32_t rule) {
    ExecScope::Word(job.counters->is_full).StoreRelaxed(ExcessWord::Of(excess, rule));
    steps.End();
  }

  /// Takes a unit of memory; kNone if there is none.
  WY_DEVICE_CALL WY_HD std::uint32_t TakeUnit() {
    DeriveCounters& counters = *job.counters;
    const std::uint32_t unit =
        TakePlaces<ExecScope>(counters.units, job.sizes.units, part, 1, counters).first;
    if (unit == kNone) steps.End();
    return unit;
  }

  WY_HD RuleCounts& CountsOf(std::uint32_t rule) {
    return job.rule_counts[part % kRuleCopies * job.rule_count + rule];
  }
  WY_HD void CountDropped(std::uint32_t rule, std::uint32_t count = 1) {
    ExecScope::Word(CountsOf(rule).dropped).FetchAddRelaxed(count);
  }
  WY_HD void CountClamped(std::uint32_t rule) {
    ExecScope::Word(CountsOf(rule).clamped).FetchAddRelaxed(1);
  }

  /// Takes places for instances: as many as there are, at least one; none if there are none.
  WY_HD PlaceRun TakeInstances(std::uint32_t most) {
    DeriveCounters& counters = *job.counters;
    const PlaceRun places =
        TakePlaces<ExecScope>(counters.instances, job.sizes.instances, part, most, counters);
    if (places.count == 0) steps.End();
    return places;
  }

  /// Makes a frame of the symbol, and puts it on the list. Returns its unit, or kNone.
  WY_DEVICE_CALL WY_HD std::uint32_t MakeFrame(const Symbol& symbol, const BlockCells cells) {
    const std::uint32_t unit = TakeUnit();
    if (unit == kNone) return kNone;
    job.units[unit].As<Frame>() = {symbol, cells.block, cells.count, list, cells.given};
    list = unit;
    return unit;
  }

  /// Leaves the frame that was made last to a later stage.
  WY_HD void Defer(std::uint32_t stage) {
    const std::uint32_t unit = list;
    Frame& frame = job.units[unit].As<Frame>();
    list = frame.next;
    // The stage that reads the list begins when all of this one are done.
    frame.next =
        ExecScope::Word(job.counters->deferred[stage][unit % kDeferredLists]).ExchangeRelaxed(unit);
  }
};

}  // namespace warpyard::grammar

#endif  // WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVE_LANE_H_
