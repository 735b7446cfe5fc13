// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The events that build a scene's hierarchies in Morton order.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_BUILD_TASKS_H_
#define WARPYARD_CORE_WORKLOAD_CCD_BUILD_TASKS_H_

#include "core/workload/ccd/broad/cluster_build.h"
#include "core/workload/ccd/broad/cluster_traversal.h"
#include "core/workload/ccd/broad/hierarchy_build.h"
#include "core/workload/ccd/job/stage_list.h"
#include "core/workload/ccd/methods/hierarchies/hierarchy_refit.h"

namespace warpyard::ccd {

struct MakeKeysTask {
  static constexpr CollisionTask kTask = CollisionTask::kMakeKeys;
  using Stages = StageList<Stage<BoundScene, StepPhase::kBuild, Deal::kGrains, EachVertex>,
                           Stage<ComputeKeys, StepPhase::kBuild, Deal::kGrains, EachTriangle>>;
};

struct ArrangeClustersTask {
  static constexpr CollisionTask kTask = CollisionTask::kArrangeClusters;
  using Stages =
      StageList<Stage<ArrangeLeaves, StepPhase::kBuild, Deal::kGrains, EachTriangle>,
                Stage<ArrangeClusters, StepPhase::kBuild, Deal::kGrains, EachCluster>,
                Stage<BoundClusters, StepPhase::kBuild, Deal::kGrains, EachClusterOrShare>>;
};

/// Bounds again what never moves, beside all else.
struct BoundClustersTask {
  static constexpr CollisionTask kTask = CollisionTask::kBoundClusters;
  using Stages =
      StageList<Stage<BoundClusters, StepPhase::kBuild, Deal::kGrains, EachClusterOrShare>>;
};

/// The binary hierarchy, which traversals by leaves descend.
struct LinkHierarchyTask {
  static constexpr CollisionTask kTask = CollisionTask::kLinkHierarchy;
  using Stages =
      StageList<Stage<ArrangeLeaves, StepPhase::kBuild, Deal::kGrains, EachTriangle>,
                Stage<LinkNodes, StepPhase::kBuild, Deal::kGrains, EachTriangle>,
                Stage<BoundVertices, StepPhase::kBuild, Deal::kGrains, EachVertexOrTriangle>,
                Stage<RefitNodes, StepPhase::kBuild, Deal::kGrains, EachTriangle>>;
};

/// A list of events that build. A task declares kTask and Stages.
template <class... Tasks>
struct BuildTasks {};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_BUILD_TASKS_H_
