// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// One stage for what SearchClusters, MeetClusters and FindRoots do, for a step of a small scene.
// (docs/adr/0055)
#ifndef WARPYARD_CORE_WORKLOAD_CCD_BROAD_NUMBERED_MEETING_H_
#define WARPYARD_CORE_WORKLOAD_CCD_BROAD_NUMBERED_MEETING_H_

#include <cstddef>
#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/bits.h"
#include "core/exec/scope.h"
#include "core/procedure/procedure_concept.h"
#include "core/workload/ccd/broad/cluster_meeting.h"
#include "core/workload/ccd/broad/meeting_fetch.h"
#include "core/workload/ccd/broad/meeting_scratch.h"
#include "core/workload/ccd/broad/numbered_pairs.h"
#include "core/workload/ccd/job/collision_job.h"
#include "core/workload/ccd/narrow/find_roots.h"

namespace warpyard::ccd {

/// The pairs of a range of NumberedPairs, one after the other. @scope all members: the group
template <class Scope>
class NumberedFetch : public PairFetch<Scope> {
 public:
  WY_HD NumberedFetch(Scope& scope, const CollisionJob& job, const procedure::Range& range)
      : PairFetch<Scope>(scope, job.scene),
        tree_(job.scene.clusters.tree),
        cursor_{range.begin, range.end, 0} {}

  /// Starts to load the next pair; behind the last one, its ids are kNoIndex.
  WY_HD void Fetch(std::uint32_t) {
    is_over_ = is_last_;
    if (lanes_ == 0) Find();
    is_last_ = lanes_ == 0;
    if (is_last_) return this->Load(this->NoPair());
    const std::uint32_t lane = exec::LowestBit(lanes_);
    lanes_ &= lanes_ - 1;
    this->Load(this->scope_.BroadcastFrom(mine_, lane));
  }

  WY_HD bool IsOver(std::uint32_t) const { return is_over_; }

 private:
  WY_HD void Find() {
    const NumberedPairs::Found found = NumberedPairs::Next(this->scope_, tree_, cursor_);
    lanes_ = found.lanes;
    mine_.pair = found.pair;
    if ((lanes_ >> this->scope_.Rank() & 1u) != 0) mine_.span = this->spans_[found.pair.b];
  }

  const ClusterTree& tree_;
  NumberedPairs::Cursor cursor_;
  typename PairFetch<Scope>::Share mine_{};
  std::uint32_t lanes_ = 0;  ///< whose pairs come next
  bool is_last_ = false;     ///< the pair that was fetched is the one behind the last one
  bool is_over_ = false;
};

/// Stage over indices of NumberedPairs, in a step that has its event for itself: finds candidates,
/// filters them, and finds the roots of those that are left. Survivors for which a group has no
/// room are listed for the stages of root finding.
struct MeetNumbered {
  union Scratch {
    MeetingScratch meeting;
    FindRoots::Scratch roots;
  };
  // Root finding must not overwrite the survivors that it begins with.
  static_assert(offsetof(MeetingScratch, survivors) >= sizeof(FindRoots::Scratch));

  using Item = Range;
  static constexpr std::uint32_t kThreads = 32;
  static constexpr std::size_t kSharedBytes = sizeof(Scratch);
  static constexpr const char* kName = "MeetNumbered";
  static constexpr bool kUneven = true;
  static constexpr std::uint32_t kGrain = 16;
  static constexpr std::uint32_t kLeastGrain = 1;

  template <exec::LaneScope Scope>
  WY_HD static void Execute(Context<Scope, CollisionJob>& context, const Range& range) {
    if (context.Cancelled()) return;
    MeetIn(context.scope, context.job, context.cancel, range);
  }

 private:
  /// Not inlined: it would take registers from the rest of the workers' loop.
  template <class Scope>
  WY_DEVICE_CALL WY_HD static void MeetIn(Scope scope, CollisionJob& job, std::uint32_t* cancel,
                                          const Range range) {
    Context<Scope, CollisionJob> context{scope, job, cancel};
    MeetingScratch& scratch = context.template Shared<Scratch>().meeting;
    const bool finds_roots = job.step.asked.report != Report::kCandidates;
    Meetings<Scope, NumberedFetch<Scope>> meetings(context, scratch, range, finds_roots);
    meetings.Run(range);
    MeetingFilter<Scope>& filter = meetings.Filter();
    if (filter.Kept() != 0) {
      const std::uint64_t begin = Scope::Cycles();
      FindRoots::FindIn(scope, job, cancel, {0, filter.Kept()}, scratch.survivors.items);
      filter.AddCycles(Scope::Cycles() - begin);
    }
    meetings.AddCounters();
  }
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_BROAD_NUMBERED_MEETING_H_
