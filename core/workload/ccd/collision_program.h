// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The collision program: its procedures and the stages of its events.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_COLLISION_PROGRAM_H_
#define WARPYARD_CORE_WORKLOAD_CCD_COLLISION_PROGRAM_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/procedure/procedure_concept.h"
#include "core/procedure/procedure_list.h"
#include "core/workload/ccd/broad/cluster_bounds.h"
#include "core/workload/ccd/broad/cluster_build.h"
#include "core/workload/ccd/broad/cluster_traversal.h"
#include "core/workload/ccd/broad/hierarchy_build.h"
#include "core/workload/ccd/contacts/contact_sort.h"
#include "core/workload/ccd/job/collision_job.h"
#include "core/workload/ccd/job/traversal_method.h"
#include "core/workload/ccd/methods/balancing_traversal.h"
#include "core/workload/ccd/methods/compaction_traversal.h"
#include "core/workload/ccd/methods/hierarchy_refit.h"
#include "core/workload/ccd/methods/independent_traversal.h"
#include "core/workload/ccd/methods/stealing_traversal.h"
#include "core/workload/ccd/methods/top_down_build.h"
#include "core/workload/ccd/methods/work_queue_traversal.h"
#include "core/workload/ccd/narrow/find_roots.h"

namespace warpyard::ccd {

/// No way to build beside Morton order.
struct MortonOnly {
  static constexpr bool kHasOther = false;
  using Procedures = procedure::ProcedureList<ComputeKeys>;
};

/// No way to find roots beside FindRoots.
struct WholePairs {
  static constexpr bool kHasOther = false;
  using Procedures = procedure::ProcedureList<FindRoots>;
};

/// Building a hierarchy, and steps by any of the given traversals. Each of them costs the others:
/// what all workers run is one kernel, whose instructions share a cache.
/// @shape OtherBuild: MortonOnly or TopDownBuild; OtherRoots: WholePairs or IntervalItems
template <class OtherBuild, class OtherRoots, TraversalMethod... Ts>
struct CollisionProgramWith {
  using Job = CollisionJob;
  using Procedures = procedure::JoinedLists<
      procedure::ProcedureList<BoundScene, ComputeKeys, ArrangeLeaves, ArrangeClusters,
                               BoundClusters, LinkNodes, BoundVertices, RefitNodes>,
      typename OtherBuild::Procedures, typename Ts::Procedures..., typename OtherRoots::Procedures,
      ContactSort::Procedures>;

  static constexpr std::uint32_t kMaxStages = static_cast<std::uint32_t>(StepStage::kEnd);

  /// What the job needs and this program does not have, or null.
  static const char* Missing(const Job& job) {
    const bool from_top = job.task == CollisionTask::kSplitTopDown;
    if (from_top && !OtherBuild::kHasOther) return "a build from the top";
    const bool by_intervals = job.task == CollisionTask::kStep && job.step.interval_items != 0;
    if (by_intervals && !OtherRoots::kHasOther) return "intervals as work items";
    const bool has =
        job.task != CollisionTask::kStep || ((job.step.traversal == Ts::kTraversal) || ...);
    return has ? nullptr : NameOf(job.step.traversal);
  }

  /// Stages of an event; a plan without elements is passed over.
  WY_HD static std::uint32_t StageCount(const Job& job) {
    switch (job.task) {
      case CollisionTask::kMakeKeys:
        return 2;
      case CollisionTask::kSplitTopDown:
      case CollisionTask::kArrangeClusters:
        return 3;
      case CollisionTask::kLinkHierarchy:
      case CollisionTask::kRefitTopDown:
        return 4;
      case CollisionTask::kStep:
        break;
    }
    return kMaxStages;
  }

  /// Plans a stage when all before it are done. @scope Scope: of the caller
  template <class Scope>
  WY_HD static procedure::StagePlan Plan(const Job& job, std::uint32_t stage) {
    const std::uint32_t triangles = job.scene.triangles;
    switch (job.task) {
      case CollisionTask::kMakeKeys:
        return stage == 0 ? Of<BoundScene>(job.scene.vertices) : Of<ComputeKeys>(triangles);
      case CollisionTask::kSplitTopDown:
        if (stage == 0) return Of<BoundScene>(job.scene.vertices);
        if constexpr (OtherBuild::kHasOther) {
          return OtherBuild::template Plan<Procedures>(job, stage - 1);
        }
        return kNoStage;
      case CollisionTask::kArrangeClusters:
      case CollisionTask::kLinkHierarchy:
      case CollisionTask::kRefitTopDown:
        return PlanOfBuild(job, stage);
      default:
        break;
    }
    if (static_cast<StepStage>(stage) > StepStage::kFindRoots) {
      return ContactSort::Plan<Scope, Procedures>(job, static_cast<StepStage>(stage));
    }
    procedure::StagePlan plan = kNoStage;
    (PlanIfAsked<Ts, Scope>(job, static_cast<StepStage>(stage), plan), ...);
    if constexpr (OtherRoots::kHasOther) {
      if (plan.procedure == Procedures::template IndexOf<FindRoots>()) {
        return OtherRoots::template PlanOfItems<Procedures>(job, plan);
      }
    }
    return plan;
  }

  /// Brings the counters to the host, where it asked for that.
  template <class Scope>
  WY_HD static void Finish(const Job& job) {
    if (job.task != CollisionTask::kStep || job.step.host_counters == nullptr) return;
    *job.step.host_counters = *job.step.counters;
  }

 private:
  WY_HD static procedure::StagePlan PlanOfBuild(const Job& job, std::uint32_t stage) {
    const std::uint32_t triangles = job.scene.triangles;
    const bool of_clusters = job.task == CollisionTask::kArrangeClusters;
    switch (stage) {
      case 0:
        return Of<ArrangeLeaves>(triangles);
      case 1:
        if (of_clusters) return Of<ArrangeClusters>(job.scene.Clusters());
        return Of<LinkNodes>(job.task == CollisionTask::kLinkHierarchy ? triangles : 0);
      case 2:
        if (of_clusters) return Of<BoundClusters>(BoundClusters::IndicesOf(job.scene));
        return Of<BoundVertices>(VerticesAndNodes(job));
      default:
        return Of<RefitNodes>(triangles);
    }
  }

  template <class P>
  WY_HD static procedure::StagePlan Of(std::uint32_t count) {
    return PlanOf<P, Procedures>(count);
  }

  template <class T, class Scope>
  WY_HD static void PlanIfAsked(const Job& job, StepStage stage, procedure::StagePlan& plan) {
    if (job.step.traversal == T::kTraversal) plan = T::template Plan<Scope, Procedures>(job, stage);
  }
};

/// What the service has: every traversal and both builds.
using CollisionProgram =
    CollisionProgramWith<TopDownBuild, WholePairs, ClusterTraversal, IndependentTraversal,
                         WorkQueueTraversal, CompactionTraversal, BalancingTraversal,
                         StealingTraversal, FrontTraversal>;

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_COLLISION_PROGRAM_H_
