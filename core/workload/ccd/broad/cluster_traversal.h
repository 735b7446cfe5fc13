// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Traversal by clusters of triangles. The service uses it by default.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_BROAD_CLUSTER_TRAVERSAL_H_
#define WARPYARD_CORE_WORKLOAD_CCD_BROAD_CLUSTER_TRAVERSAL_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/workload/ccd/broad/cluster_bounds.h"
#include "core/workload/ccd/broad/cluster_meeting.h"
#include "core/workload/ccd/broad/cluster_search.h"
#include "core/workload/ccd/broad/numbered_meeting.h"
#include "core/workload/ccd/broad/numbered_pairs.h"
#include "core/workload/ccd/job/traversal_method.h"
#include "core/workload/ccd/narrow/find_roots.h"

namespace warpyard::ccd {

/// Indices of BoundClusters.
struct EachClusterOrShare {
  template <class Scope>
  WY_HD static std::uint32_t Count(const CollisionJob& job) {
    return BoundClusters::IndicesOf(job);
  }
};
struct EachSampledCluster {
  template <class Scope>
  WY_HD static std::uint32_t Count(const CollisionJob& job) {
    return (job.scene.StepClusters() - 1) / SampleClusters::kStride + 1;
  }
};

/// Those that search: none where pairs are found by number.
struct EachSearchingCluster {
  template <class Scope>
  WY_HD static std::uint32_t Count(const CollisionJob& job) {
    return job.step.by_number ? 0 : job.scene.StepClusters();
  }
};
/// Indices of MeetNumbered.
struct EachNumber {
  template <class Scope>
  WY_HD static std::uint32_t Count(const CollisionJob& job) {
    return job.step.by_number ? NumberedPairs::IndicesOf(job.scene.clusters.tree) : 0;
  }
  static bool ArePassedOver(const CollisionJob&) { return true; }
};

/// None in a step without a sample.
template <class Indices>
struct IfSampled {
  template <class Scope>
  WY_HD static std::uint32_t Count(const CollisionJob& job) {
    return job.step.samples ? Indices::template Count<Scope>(job) : 0;
  }
  static bool ArePassedOver(const CollisionJob& job) { return !job.step.samples; }
};

struct ClusterTraversal {
  static constexpr Traversal kTraversal = Traversal::kClusters;
  static constexpr TraversalTraits kTraits{.hierarchy = HierarchyKind::kClusters, .samples = true};
  /// After a sample, BoundClusters runs again even if the sample has no contact, because it empties
  /// the lists of the sample (SampleParts::EndIfBegun).
  using Stages = StageList<
      Stage<BoundClusters, StepPhase::kRefit, Deal::kShares, EachClusterOrShare>,
      Stage<SampleClusters, StepPhase::kBroad, Deal::kGrains, IfSampled<EachSampledCluster>>,
      Stage<MeetClusters, StepPhase::kMeet, Deal::kParts, IfSampled<EachMeeting>>,
      Stage<FindRoots, StepPhase::kNarrow, Deal::kParts, IfSampled<EachPairToFind>>,
      Stage<BoundClusters, StepPhase::kRefit, Deal::kShares, IfSampled<EachClusterOrShare>>,
      Stage<MeetNumbered, StepPhase::kMeet, Deal::kParts, EachNumber>,
      Stage<SearchClusters, StepPhase::kBroad, Deal::kParts, EachSearchingCluster>,
      Stage<MeetClusters, StepPhase::kMeet, Deal::kParts, EachMeeting>,
      Stage<WalkPairs, StepPhase::kNarrow, Deal::kParts, EachPairToWalk>,
      Stage<FindRoots, StepPhase::kNarrow, Deal::kParts, EachPairToFind>>;
};
static_assert(TraversalMethod<ClusterTraversal>);

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_BROAD_CLUSTER_TRAVERSAL_H_
