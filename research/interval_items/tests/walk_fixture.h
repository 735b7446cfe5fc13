// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The candidates of a motion as a job with one stage, which finds roots by work items.
#ifndef WARPYARD_RESEARCH_INTERVAL_ITEMS_TESTS_WALK_FIXTURE_H_
#define WARPYARD_RESEARCH_INTERVAL_ITEMS_TESTS_WALK_FIXTURE_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/workload/ccd/narrow/find_roots.h"
#include "research/interval_items/interval_items.h"
#include "research/interval_items/interval_job.h"
#include "tests/unit/workload/ccd/narrow/host_pairs.h"

namespace warpyard::test_support {

/// One stage: roots of all pairs.
struct WalkProgram {
  using Job = interval_items::IntervalJob;
  using Procedures = interval_items::WalkProcedures;
  static constexpr std::uint32_t kMaxStages = 1;

  static std::uint32_t StageCount(const Job&) { return kMaxStages; }

  template <class Scope>
  static procedure::StagePlan Plan(const Job& job, std::uint32_t) {
    const std::uint32_t pairs = ccd::EachPairToFind::Count<Scope>(job.collision);
    return ccd::PlanOf<interval_items::SeedWalks, Procedures>(pairs);
  }
};

class HostWalks : public HostPairs {
 public:
  /// @shape intervals: how many an item examines
  HostWalks(const Motion& motion, std::uint32_t intervals)
      : HostPairs(motion), times_(Pairs(), -1), intervals_(intervals) {}

  /// The interval job for the collision job in its current state.
  interval_items::IntervalJob WalkJob() { return {Job(), intervals_, times_.data(), &continued_}; }

  /// The time up to which each pair is proved free.
  std::vector<double>& Times() { return times_; }

  /// Items that continued a walk, in all runs.
  std::uint64_t Continued() const { return continued_; }

  /// The expected number of items beyond the first of each walk, from whole walks. A walk that
  /// turns needs one more item, for all that is left.
  std::uint64_t ExpectedContinued() {
    std::uint64_t items = 0;
    ForEachWalk([&](const Walk& of) {
      const std::uint32_t most = std::min(of.limits.max_intervals, ccd::kManyIntervals);
      std::uint32_t examined = 0;
      ccd::WalkStep last = ccd::WalkStep::kAdvanced;
      ccd::Walk walk(of.pair, of.limits);
      while (examined < most && last == ccd::WalkStep::kAdvanced) last = walk.Advance(examined++);
      if (examined == 0) return;
      const bool turns = last == ccd::WalkStep::kAdvanced && most < of.limits.max_intervals;
      items += (examined - 1) / intervals_ + (turns ? 1 : 0);
    });
    return items;
  }

 private:
  std::vector<double> times_;
  const std::uint32_t intervals_;
  std::uint64_t continued_ = 0;
};

}  // namespace warpyard::test_support

#endif  // WARPYARD_RESEARCH_INTERVAL_ITEMS_TESTS_WALK_FIXTURE_H_
