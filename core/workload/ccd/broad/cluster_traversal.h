// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Traversal by clusters of triangles: the one of the service.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_BROAD_CLUSTER_TRAVERSAL_H_
#define WARPYARD_CORE_WORKLOAD_CCD_BROAD_CLUSTER_TRAVERSAL_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/procedure/procedure_list.h"
#include "core/workload/ccd/broad/cluster_bounds.h"
#include "core/workload/ccd/broad/cluster_meeting.h"
#include "core/workload/ccd/broad/cluster_search.h"
#include "core/workload/ccd/job/traversal_method.h"
#include "core/workload/ccd/narrow/find_roots.h"

namespace warpyard::ccd {

struct ClusterTraversal {
  static constexpr Traversal kTraversal = Traversal::kClusters;
  static constexpr TraversalNeeds kNeeds{};
  using Procedures = procedure::ProcedureList<BoundClusters, SampleClusters, SearchClusters,
                                              MeetClusters, WalkPairs, FindRoots>;

  /// The stages of a sample have nothing to do where there is none: nothing is listed yet. After a
  /// sample boxes are made anew even if it has no contact: that empties its lists.
  template <class Scope, class All>
  WY_HD static procedure::StagePlan Plan(const CollisionJob& job, StepStage stage) {
    const std::uint32_t clusters = job.scene.Clusters();
    const bool samples = job.step.samples;
    switch (stage) {
      case StepStage::kBoundVertices:
      case StepStage::kBoundVerticesAgain:
        return kNoStage;
      case StepStage::kRefit:
        return PlanInShares<BoundClusters, All>(BoundClusters::IndicesOf(job.scene));
      case StepStage::kSampleClusters:
        return PlanOf<SampleClusters, All>(samples ? (clusters - 1) / SampleClusters::kStride + 1
                                                   : 0);
      case StepStage::kRefitAgain:
        return PlanInShares<BoundClusters, All>(samples ? BoundClusters::IndicesOf(job.scene) : 0);
      case StepStage::kSearch:
        return PlanInParts<SearchClusters, All>(clusters);
      case StepStage::kMeetSample:
      case StepStage::kTraverse:
        return PlanInParts<MeetClusters, All>(CountOf<Scope>(job.step.meetings));
      case StepStage::kWalkPairs:
        return PlanOfWalk<Scope, All>(job.step);
      case StepStage::kFindSampleRoots:
      case StepStage::kFindRoots:
      default:
        break;
    }
    return PlanOfRoots<Scope, All>(job.step);
  }
};
static_assert(TraversalMethod<ClusterTraversal>);

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_BROAD_CLUSTER_TRAVERSAL_H_
