// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Finds the pairs of features of overlapping clusters: every pair whose swept boxes overlap, each
// once.
//
// Pairs of clusters are loaded ahead of their turn (meeting_fetch.h). First, features of a cluster
// that lie outside the other cluster's box are dropped (meeting_sift.h). The other features are
// compared, 32 pairs at once. Pairs that pass the filters (meeting_filter.h) are listed for root
// finding.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_BROAD_CLUSTER_MEETING_H_
#define WARPYARD_CORE_WORKLOAD_CCD_BROAD_CLUSTER_MEETING_H_

#include <cstddef>
#include <cstdint>

#include "core/base/macros.h"
#include "core/base/no_index.h"
#include "core/exec/scope.h"
#include "core/procedure/procedure_concept.h"
#include "core/workload/ccd/broad/meeting_fetch.h"
#include "core/workload/ccd/broad/meeting_filter.h"
#include "core/workload/ccd/broad/meeting_scratch.h"
#include "core/workload/ccd/broad/meeting_sections.h"
#include "core/workload/ccd/broad/meeting_sift.h"
#include "core/workload/ccd/job/collision_job.h"
#include "core/workload/geometry/bounds.h"

namespace warpyard::ccd {

using procedure::Context;
using procedure::Range;

/// Compares pairs of clusters. @shape Fetch: gives the pairs; see MeetingFetch @scope all members:
/// the group
template <class Scope, class Fetch>
class Meetings {
 public:
  /// @shape finds_roots: the last survivors are not listed, but kept for the group
  WY_HD Meetings(Context<Scope, CollisionJob>& context, MeetingScratch& scratch, const Range& range,
                 bool finds_roots)
      : scope_(context.scope),
        job_(context.job),
        scratch_(scratch),
        fetch_(scope_, job_, range),
        sift_(scope_, job_.scene, scratch_),
        filter_(scope_, job_, scratch_, finds_roots),
        all_collide_(job_.scene.mesh.vertex_groups == nullptr ||
                     job_.scene.mesh.group_rule == GroupRule::kAll),
        begin_(Scope::Cycles()) {}

  /// Compares pairs of clusters. The last turn has no pair and filters the rest of the lists.
  WY_HD void Run(const Range& range) {
    fetch_.Fetch(range.begin);
    WY_ROLLED
    for (std::uint32_t i = range.begin; !fetch_.IsOver(i); ++i) {
      const PairIds pair = fetch_.Fetched().pair;
      if (pair.a != sift_.Cluster() && pair.a != kNoIndex) sift_.Load(pair.a);
      FeatureCounts own{}, others{};
      if (pair.a != kNoIndex) sift_.Sift(fetch_.Fetched(), own, others);
      if (others.All() != 0) filter_.Reach(sift_.Box(), fetch_.Fetched().box);
      fetch_.Fetch(i + 1);  // arrives before its turn
      scope_.Barrier();
      Compare(MeetingSections(own, others, pair.a == pair.b), pair.a == pair.b, pair.a == kNoIndex);
      scope_.Barrier();
    }
  }

  WY_HD MeetingFilter<Scope>& Filter() { return filter_; }

  WY_HD void AddCounters() {
    if (scope_.Rank() != 0) return;
    StepCounters& counters = *job_.step.counters;
    filter_.AddCounters(counters);
    Scope::Word(counters.traverse_cycles).FetchAddRelaxed(Scope::Cycles() - begin_);
  }

 private:
  /// Compares all pairs of the sections. @shape last: there are no pairs, and the lists are
  /// filtered until empty
  WY_HD void Compare(const MeetingSections& sections, bool same, bool last) {
    const std::uint32_t pairs = sections.Pairs();
    if (pairs == 0 && !last) return;
    MeetingCursor cursor(sections, scope_);
    std::uint32_t first = 0;
    WY_ROLLED
    while (true) {
      MarkedPair pair{};
      const bool meet = first + scope_.Rank() < pairs && Meet(cursor, same, pair);
      filter_.Add(meet, pair, last);
      first += scope_.Size();
      if (first >= pairs) return;
      cursor.Advance(first + scope_.Rank());
    }
  }

  /// Whether two features may meet and their boxes overlap.
  WY_HD bool Meet(const MeetingCursor& cursor, bool same, MarkedPair& pair) const {
    const Feature& own = scratch_.own[scratch_.met[cursor.Own()]];
    const Feature& other = scratch_.other[cursor.Other()];
    bool meet = geometry::Overlap(own, other) & MayCollide(own, other);
    const bool swap = cursor.MeetsOwnFaces() | (cursor.MeetsEdges() & (own.id > other.id));
    if (cursor.MeetsEdges() & same) meet = meet & (own.id < other.id);  // each pair comes twice
    pair = MarkedPair::Of(cursor.MeetsEdges() ? PairKind::kEdgeEdge : PairKind::kVertexFace,
                          swap ? PairIds{other.id, own.id} : PairIds{own.id, other.id});
    return meet;
  }

  /// Whether the group rule lets two features meet.
  WY_HD bool MayCollide(const Feature& a, const Feature& b) const {
    return all_collide_ || GroupsMayCollide(job_.scene.mesh, a.group, b.group);
  }

  Scope& scope_;
  const CollisionJob& job_;
  MeetingScratch& scratch_;
  Fetch fetch_;
  MeetingSift<Scope> sift_;
  MeetingFilter<Scope> filter_;
  const bool all_collide_;
  const std::uint64_t begin_;
};

/// Stage over pairs of clusters: finds candidates, filters them, lists the survivors.
struct MeetClusters {
  using Item = Range;
  static constexpr std::uint32_t kThreads = 32;
  static constexpr std::size_t kSharedBytes = sizeof(MeetingScratch);
  static constexpr const char* kName = "MeetClusters";
  static constexpr bool kUneven = true;
  static constexpr std::uint32_t kGrain = 16;
  static constexpr std::uint32_t kLeastGrain = 1;  // where there are few pairs

  template <exec::LaneScope Scope>
  WY_HD static void Execute(Context<Scope, CollisionJob>& context, const Range& range) {
    if (!context.Cancelled()) MeetListed(context.scope, context.job, range);
  }

 private:
  /// Not inlined, so that its registers do not depend on what else the workers' loop has.
  template <class Scope>
  WY_DEVICE_CALL WY_HD static void MeetListed(Scope scope, CollisionJob& job, const Range range) {
    Context<Scope, CollisionJob> context{scope, job};
    MeetingScratch& scratch = Scope::Near(context.template Shared<MeetingScratch>());
    Meetings<Scope, MeetingFetch<Scope>> meetings(context, scratch, range, false);
    meetings.Run(range);
    meetings.AddCounters();
  }
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_BROAD_CLUSTER_MEETING_H_
